"""Reads a follow-up: which change of an earlier reading it is, or a question of its own.

Every way to write the follow-up out (`wording`) is read with every set that it may mean (`past`), the likeliest pairs
first, by the reader of questions. Readings compete by their cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Literal

from clew.tools.graph.entity import Entity, Mention
from clew.tools.queries.follow_ups.changes import exchanged, is_mark, mark, put_in, speaks_of, with_entities
from clew.tools.queries.follow_ups.past import Antecedent, PastReading, answer_set, antecedents
from clew.tools.queries.follow_ups.wording import FollowUp, Variant, taken_apart
from clew.tools.queries.reading.form import Form, Nodes
from clew.tools.queries.reading.inflection import noun_forms
from clew.tools.queries.reading.items import Reading
from clew.tools.queries.reading.reader import Reader
from clew.tools.queries.reading.wider_labels import narrowed as labels_of

Change = Literal["restrict", "count", "order", "project", "replace", "step", "correct"]
"""How a follow-up changes an earlier reading: fewer of the set, its number, its order, values of it, another name or
value in it, what it is related to, or another reading of the last question."""
_SECONDS = 2.0
_MOST_READ = 14
"""Pairs of words and sets that are read."""
_FURTHEST = 1.2
"""What a reading may cost more than the best one."""
_KEPT = 4
_WORST = 4.0
"""Cost of a reading that is not one."""
_NOT_SAID, _OTHER_NUMBER, _OTHER_KIND, _NOT_ANSWER = 0.5, 0.3, 1.5, 0.3
_CORRECTED, _EARLIER = 0.5, 0.3
"""What it costs that a correction is one of the last answer, or that "and" adds to what the last turn began with."""
_OF_ONE = 1.0
"""What it costs that one node is to be ordered, counted or narrowed."""
_OTHER_NAME = 0.3
"""What it costs that a name takes the place of one that the last question did not name."""
_OWN = 3.0, 1.2, 0.0
"""What it costs that a question is of its own although it refers to another, leaves something out, or neither."""


@dataclass(frozen=True, slots=True)
class FollowUpReading:
    """One reading of a follow-up."""

    reading: Reading
    change: Change
    turn: int
    """The turn that it changes."""
    text: str
    """The question with what it takes from the turn marked by "them"."""
    base: Nodes | None
    """The earlier set."""


Find = Callable[[str], Sequence[Mention]]


class FollowUpReader:
    """Reads the follow-ups of conversations about one graph."""

    def __init__(self, reader: Reader, find: Find) -> None:
        self._reader, self._find = reader, find

    def read(self, question: str, turns: Sequence[PastReading], seconds: float = _SECONDS) -> list[FollowUpReading]:
        """The readings of a question as a change of an earlier turn, best first; none if it is a question of its own.

        Args:
            question: The question.
            turns: The earlier turns, the oldest first.
            seconds: The time that it may take.
        """
        parts = taken_apart(question, self._is_kind)
        past = _meant(parts, turns, self._names_kind)
        if not past:
            return []
        until = monotonic() + seconds
        found = [*self._replaced(parts, past), *self._changed(parts, past, until)]
        best = sorted(_distinct(found), key=lambda each: each.reading.cost)
        best = [each for each in best if each.reading.cost <= min(_WORST, best[0].reading.cost + _FURTHEST)][:_KEPT]
        return best if best and best[0].reading.cost <= self._own_cost(question, parts, until) else []

    def _own_cost(self, question: str, parts: FollowUp, until: float) -> float:
        """The cost of a question as one of its own."""
        referring = any(each.said for each in parts.variants)
        partial = parts.begins or parts.rest != question.strip().rstrip("?!. ") or any(v.adds for v in parts.variants)
        lost = _OWN[0] if referring else _OWN[1] if partial else _OWN[2]
        readings = self._reader.read(question, self._find(question), (), max(0.1, until - monotonic()))
        return min((each.cost for each in readings), default=_WORST) + lost

    def _is_kind(self, word: str) -> bool:
        """Whether a word is a kind of thing of the graph, or a role."""
        words, text = self._reader.words, word.lower()
        return text in words.labels or text in words.roles

    def _names_kind(self, noun: str, nodes: Nodes) -> bool:
        """Whether a noun may name the kind of a set's nodes."""
        words, own = self._reader.words, set(labels_of(nodes.label, self._reader.wider))
        for form in {noun.lower(), *noun_forms(noun.lower())}:
            named = {label for label, _ in words.labels.get(form, ())}
            named |= {role.step.target for role in words.roles.get(form, ())}
            if own & {one for label in named for one in labels_of(label, self._reader.wider)}:
                return True
        return False

    # ---- changes of a set -------------------------------------------------------------------------------------------

    def _changed(self, parts: FollowUp, past: Sequence[PastReading], until: float) -> Iterator[FollowUpReading]:
        """The question read with an earlier set in the place of what it refers to or leaves out."""
        pairs = [
            (
                each.cost + variant.cost + self._misfit(variant, each) + (0.0 if variant.said else _NOT_SAID),
                variant,
                each,
            )
            for each in _sets(parts, past)
            for variant in parts.variants
        ]
        best = _WORST
        for lost, variant, each in sorted(pairs, key=lambda pair: pair[0])[:_MOST_READ]:
            if lost > best + _FURTHEST or monotonic() > until:
                break
            for found in self._written_out(parts, variant, each, lost, until):
                best = min(best, found.reading.cost)
                yield found

    def _misfit(self, variant: Variant, each: Antecedent) -> float:
        """How badly the words for a set fit it."""
        lost = _OTHER_NUMBER if variant.single is not None and variant.single != each.single else 0.0
        if variant.noun:
            lost += 0.0 if self._names_kind(variant.noun, each.nodes) else _OTHER_KIND
        if variant.adds and not each.answer:
            lost += _NOT_ANSWER
        persons = self._reader.words.persons
        if variant.kind and persons:
            person = bool(persons & set(labels_of(each.nodes.label, self._reader.wider)))
            lost += _OTHER_KIND if person != (variant.kind == "person") else 0.0
        return lost

    def _written_out(
        self, parts: FollowUp, variant: Variant, each: Antecedent, lost: float, until: float
    ) -> Iterator[FollowUpReading]:
        bare = parts.begins in ("instead", "not", "also") and variant.adds
        marked = mark(each.nodes)
        mentions = [m for m in self._find(variant.text) if not any(m.start < e and s < m.end for s, e in variant.spans)]
        given = dict.fromkeys(variant.spans, marked)
        for reading in self._reader.read(variant.text, mentions, (), max(0.05, until - monotonic()), given=given):
            if not speaks_of(reading.form, marked):
                continue
            head = is_mark(reading.form.nodes) or reading.form.nodes.entities == marked.entities
            if variant.adds and not (head and (reading.form.asks == "nodes" or not variant.text.startswith("which"))):
                continue
            form, change = put_in(reading.form, each.nodes), _kind_of(reading.form, head)
            if bare and head:
                fresh = replace(reading.form.nodes, entities=())
                nodes, same = exchanged(each.nodes, fresh)
                form = replace(reading.form, nodes=nodes)
                change = "correct" if parts.begins != "also" else "replace" if same else change
                lost += 0.0 if same else 0.2
            form = _sorted(form, variant)
            if form.asks == "nodes" and form.nodes == each.nodes:
                continue  # It says no more than before.
            own = _OF_ONE if each.single and head and change in ("restrict", "order", "count") else 0.0
            yield FollowUpReading(
                replace(reading, form=form, cost=reading.cost + lost + own), change, each.turn, variant.text, each.nodes
            )

    # ---- another name -----------------------------------------------------------------------------------------------

    def _replaced(self, parts: FollowUp, past: Sequence[PastReading]) -> Iterator[FollowUpReading]:
        """ "And X?", "no, I meant X": the last form with another name in the place of one of its own."""
        last = past[-1]
        if not parts.begins or parts.begins == "not" or last.form is None:
            return
        text = parts.rest.strip(" ?.!")
        fresh = [*_named(text, self._find(text)), *self._related(text, last)]
        for nodes, lost in fresh:
            old = [e for e in last.form.entities if _alike(e.label, nodes.label) and e not in nodes.entities]
            for place, each in enumerate(sorted(old, key=lambda e: e not in last.named)):
                cost = lost + 0.2 * place + (0.0 if each in last.named else _OTHER_NAME)
                form = with_entities(last.form, each, nodes)
                change: Change = "correct" if parts.begins == "instead" else "replace"
                yield FollowUpReading(Reading(form, cost, (), ()), change, last.number, text, last.form.nodes)

    def _related(self, text: str, last: PastReading) -> Iterator[tuple[Nodes, float]]:
        """ "The sequel", "his brother": what the name in the last question is related to, of its own kind."""
        if last.form is None or self._find(text):
            return
        for old in last.form.entities[:2]:
            marked = Nodes(old.label, (old,))
            said = text if text.lower().startswith("the ") else f"the {text.split(' ', 1)[-1]}"
            written = f"{said} of them"
            spans = {(len(written) - 4, len(written)): marked}
            for reading in self._reader.read(written, (), (), given=spans)[:2]:
                if (
                    reading.form.asks == "nodes"
                    and reading.form.nodes.label == old.label
                    and old in reading.form.entities
                ):
                    yield reading.form.nodes, 0.2 + reading.cost


def _named(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[Nodes, float]]:
    """The nodes that a text names which is not much more than a name."""
    bare = text.lower().removeprefix("the ").removeprefix("in ").removeprefix("by ").removeprefix("for ")
    for mention in mentions:
        if mention.candidates and mention.end - mention.start >= 0.6 * len(bare):
            best = mention.candidates[0].score
            by_label: dict[str, list[Entity]] = {}
            for each in mention.candidates:
                if each.score >= best - 1e-6:
                    by_label.setdefault(each.entity.label, []).append(each.entity)
            for label, entities in by_label.items():
                yield Nodes(label, tuple(entities)), 1.0 - best


def _alike(one: str, other: str) -> bool:
    return bool(set(labels_of(one)) & set(labels_of(other)))


def _meant(
    parts: FollowUp, turns: Sequence[PastReading], names_kind: Callable[[str, Nodes], bool]
) -> Sequence[PastReading]:
    """The answered turns that a question may change, the oldest first; up to the one that it goes back to."""
    answered = [turn for turn in turns if turn.answered]
    if parts.turn is not None:
        place = parts.turn - 1 if parts.turn > 0 else len(answered) + parts.turn
        return answered[place : place + 1]
    if parts.back_to:
        own = [turn for turn in answered if (nodes := answer_set(turn)) and names_kind(parts.back_to, nodes)]
        wide = [turn for turn in own if turn.base is None or turn.form is None] or own
        return wide[-1:]
    return answered


def _sets(parts: FollowUp, past: Sequence[PastReading]) -> Iterable[Antecedent]:
    """The sets that a question may mean. A correction means what the last turn began with as well."""
    last, later = past[-1], 0.0
    base = last.base or (last.form.nodes if last.form is not None else None)
    if parts.begins and base is not None:
        later = 0.0 if parts.begins == "also" else _CORRECTED
        yield Antecedent(base, 0.0 if later else _EARLIER, last.number, single=False)
    for each in antecedents(past):
        yield replace(each, cost=each.cost + later)


def _kind_of(form: Form, head: bool) -> Change:
    """Which change of the marked set a form is."""
    if not head:
        return "step"
    if form.asks in ("value", "groups") or (form.asks == "number" and form.value is not None):
        return "project"
    if form.asks == "number":
        return "count"
    return "order" if form.nodes.order is not None else "restrict"


def _sorted(form: Form, variant: Variant) -> Form:
    """The form of "sort them by …": all of the set in the order that was read for the first of it."""
    order = form.nodes.order
    if not variant.sorts or order is None:
        return form
    return replace(
        form, nodes=replace(form.nodes, order=replace(order, limit=None, descending=variant.sorts == "down"))
    )


def _distinct(found: Iterable[FollowUpReading]) -> list[FollowUpReading]:
    best: dict[Form, FollowUpReading] = {}
    for each in found:
        known = best.get(each.reading.form)
        if known is None or each.reading.cost < known.reading.cost:
            best[each.reading.form] = each
    return list(best.values())
