"""Reads a follow-up: which change of an earlier reading it is, or a question of its own.

Every way to write the follow-up out (`wording`) is read with every set that it may mean (`past`), the likeliest pairs
first, by the reader of questions. Readings compete by their cost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from time import monotonic

from clew.tools.graph.entity import Candidate, Mention
from clew.tools.queries.follow_ups.changes import exchanged, is_mark, mark, of_known_links, put_in, speaks_of
from clew.tools.queries.follow_ups.filling import filled
from clew.tools.queries.follow_ups.in_both import in_both
from clew.tools.queries.follow_ups.kinds import Kinds
from clew.tools.queries.follow_ups.meant_turns import sets_meant, turns_meant
from clew.tools.queries.follow_ups.merging import merged
from clew.tools.queries.follow_ups.origins import of_one_origin, with_origins
from clew.tools.queries.follow_ups.others import of_others, of_the_same, own_of_others, the_rest, the_whole
from clew.tools.queries.follow_ups.own_questions import WORST, own_cost
from clew.tools.queries.follow_ups.pairs import of_the_pair
from clew.tools.queries.follow_ups.past import BACK, Antecedent, PastReading, antecedents
from clew.tools.queries.follow_ups.pointed import with_one_pointed
from clew.tools.queries.follow_ups.readings import Change, Find, FollowUpReading, Look
from clew.tools.queries.follow_ups.reordering import reordered
from clew.tools.queries.follow_ups.replacing import replaced
from clew.tools.queries.follow_ups.same_question import (
    asked_again,
    asked_of_the_chosen,
    counted_instead,
    for_each,
    in_order_of,
    of_the_same_groups,
    ordered,
    summed,
    without_asked,
)
from clew.tools.queries.follow_ups.shown_again import shown_again
from clew.tools.queries.follow_ups.times import with_times
from clew.tools.queries.follow_ups.two_references import with_one_named
from clew.tools.queries.follow_ups.variants import MARK, Variant
from clew.tools.queries.follow_ups.wording import FollowUp, asked_of_another, on_another_topic, taken_apart
from clew.tools.queries.lexical import Span
from clew.tools.queries.reading.english.courtesy import ASIDES, without_remarks
from clew.tools.queries.reading.forms.form import Form, Link, Nodes
from clew.tools.queries.reading.reader import Reader

_ASKS_FOR_OTHERS = re.compile(r"(?:what|who|whom|where|when|how)\b(?!\s+them\b)", re.I)
"""What asks for something else than the set that it refers to: "who directed them"."""
_ASIDE = re.compile(rf"^\W*(?:{ASIDES})[\s,:.!\u2013-]+", re.I)
_HOW_MANY_THERE = re.compile(
    r"^(?:and|but|so)\s+how\s+many\s+(?:(?:are|is|were|was)\s+(?:there\s+)?)?(?P<where>(?:in|at|from|on|by|for)\s+[^?]+)\?*$",
    re.I,
)
"""What counts what the last question asked for, elsewhere: "and how many in Stirling?"."""
_FRAGMENT = re.compile(r"(?:in|on|at|from|with|without|by|for|during|since|before|after)\b[^?]*$", re.I)
"""A question that is only a part of one: "in May?"."""
_PUT_RIGHT = re.compile(
    r"(?P<asked>[^?]{8,}\?)\s*(?:(?:sorry|no|oops|wait|actually)\b[\s,.;:!\u2013-]*)+(?:i\s+(?:mean|meant)\s+)?(?P<said>[^?]+)$",
    re.I,
)
"""A question and, behind it, what was meant."""
_MERGED_WITH, _WAYS = 3, 2
"""The last questions that a follow-up is written into; the ways to do so, and the readings of each."""
_SECONDS = 2.0
_NOT_SAID = 0.5
"""What it costs that a question leaves out what it is about."""
_MOST_READ = 14
"""Pairs of words and sets that are read."""
_KNOWN = 0.5
"""What it is worth that a property is one of the relationship just spoken of."""
_FURTHEST, _KEPT = 1.2, 4
"""What a reading may cost more than the best one, and the readings that are kept."""
_OF_ONE = 1.0
"""What it costs that one node is to be ordered, counted or narrowed."""
_EXTREME_ONE = re.compile(rf"\b(?:most|least)\s+\w+\s+{MARK}\b|\b\w+est\s+{MARK}\b", re.I)
_UNORDERED = 1.0
"""What it costs that "the most recent one" is read without an order."""
_NOT_ANSWER = 1.0  # What it costs that what a turn only spoke of is to be ordered.


class FollowUpReader:
    """Reads the follow-ups of conversations about one graph."""

    def __init__(self, reader: Reader, find: Find, look: Look = lambda nodes: ()) -> None:
        self._reader, self._find, self._look = reader, find, look
        self._kinds = Kinds(reader)

    def read(self, question: str, turns: Sequence[PastReading], seconds: float = _SECONDS) -> list[FollowUpReading]:
        """The readings of a question as a change of an earlier turn, best first; none if it is a question of its own.

        Args:
            question: The question.
            turns: The earlier turns, the oldest first.
            seconds: The time that it may take.
        """
        answered: Sequence[PastReading] = [turn for turn in turns if turn.answered]
        if answered and (shown := shown_again(question, answered[-1], self._reader.words)):
            return shown
        if turns and (fresh := on_another_topic(question)):
            if not self._refers(fresh):
                alone = self._reader.read(fresh, self._find(fresh), (), seconds)
                return [FollowUpReading(e, "step", turns[-1].number, fresh, None, whole=True) for e in alone[:_KEPT]]
            question = fresh
        if (match := _HOW_MANY_THERE.match(question)) and turns:
            there = self.read(f"and {match['where']}", turns, seconds)
            counted = [counted_instead(each, turns[-1]) for each in there if each.change == "replace"]
            if counted:
                return counted
        asked = question = without_remarks(question)
        if (aside := _ASIDE.match(question)) is not None:
            asked = question = question[aside.end() :]
            if not self._refers(question):
                return []
        question, answered = of_one_origin(question, answered)
        question = self._spelled_out(question, answered)
        parts = taken_apart(question, self._kinds.is_kind)
        past = turns_meant(parts, answered, self._kinds.names_kind, self._find)
        if not past:
            return []
        until = monotonic() + seconds
        readings = self._reader.read(question, self._find(question), (), max(0.1, until - monotonic()))
        own = own_cost(question, parts, readings, past, self._kinds)
        found = replaced(parts, past, self._reader, self._find, self._look)
        found += [
            *the_rest(parts, past),
            *the_whole(parts, past),
            *of_the_same(parts, past, self._kinds.names_kind),
            *in_both(parts, past),
            *of_the_pair(parts, past),
            *reordered(parts, past, self._kinds.names_kind),
            *self._merged(parts, past, until),
        ]
        found += self._changed(parts, past, until, own, min((each.reading.cost for each in found), default=WORST))
        found = [of_others(question, each, past) for each in found]
        found = [asked_of_the_chosen(each, answered) if parts.begins == "instead" else each for each in found]
        best = sorted(_distinct(found), key=lambda each: each.reading.cost)
        best = [each for each in best if each.reading.cost <= min(WORST, best[0].reading.cost + _FURTHEST)][:_KEPT]
        if best and best[0].reading.cost <= own:
            return best
        others = own_of_others(question, readings[:_KEPT], past)
        others = others or list(filled(question, readings, past, self._kinds.names_kind))
        if others or question == asked:
            return others
        return [FollowUpReading(e, "step", past[-1].number, question, None, whole=True) for e in readings[:_KEPT]]

    def _refers(self, question: str) -> bool:
        """Whether a question itself refers to something that the conversation spoke of."""
        return any(each.said for each in taken_apart(question, self._kinds.is_kind).variants)

    def _spelled_out(self, question: str, answered: Sequence[PastReading]) -> str:
        """A question with the time that it points to, and one of two things that it refers to, in words."""
        if not answered:
            return question
        question = asked_of_another(question, self._kinds.is_kind)
        question = self._corrected(with_times(question, answered))
        question = with_one_pointed(question, answered, self._find, self._kinds.is_kind)
        return with_one_named(question, antecedents(answered), self._kinds.is_person)

    def _corrected(self, question: str) -> str:
        """A question with what its second sentence puts right: "… on the first bill? Sorry, I mean the second"."""
        match = _PUT_RIGHT.match(question)
        ways = merged(match["said"], match["asked"], self._find, self._reader.names.values) if match else []
        return ways[0].text if ways else question

    def _merged(self, parts: FollowUp, past: Sequence[PastReading], until: float) -> Iterator[FollowUpReading]:
        """The question written into the words of one of the last questions."""
        if parts.begins == "not" or (not parts.begins and _FRAGMENT.match(parts.rest) is None):
            return
        change: Change = "correct" if parts.begins == "instead" else "replace"
        more = 0.0 if parts.begins else _NOT_SAID
        for distance, turn in enumerate(reversed(past[-_MERGED_WITH:])):
            for way in merged(parts.rest, turn.text, self._find, self._reader.names.values)[:_WAYS]:
                left = until - monotonic()
                for reading in self._reader.read(way.text, self._find(way.text), (), max(0.05, left))[:_WAYS]:
                    cost = reading.cost + way.cost + more + BACK * distance
                    yield FollowUpReading(replace(reading, cost=cost), change, turn.number, way.text, None, whole=True)

    # ---- changes of a set -------------------------------------------------------------------------------------------

    def _changed(
        self, parts: FollowUp, past: Sequence[PastReading], until: float, own: float, best: float
    ) -> Iterator[FollowUpReading]:
        """The question read with an earlier set in the place of what it refers to or leaves out; not read where it
        costs more than the question as one of its `own`, unless the `best` so far costs less than that."""
        pairs = [
            (
                each.cost + variant.cost + self._kinds.misfit(variant, each) + (0.0 if variant.said else _NOT_SAID),
                variant,
                each,
            )
            for each in sets_meant(parts, past)
            for variant in parts.variants
        ]
        for lost, variant, each in sorted(pairs, key=lambda pair: pair[0])[:_MOST_READ]:
            if lost > (best + _FURTHEST if best <= own else own) or monotonic() > until:
                break
            for found in self._written_out(parts, variant, each, past, lost, until):
                best = min(best, found.reading.cost)
                yield found

    def _written_out(
        self,
        parts: FollowUp,
        variant: Variant,
        each: Antecedent,
        past: Sequence[PastReading],
        lost: float,
        until: float,
    ) -> Iterator[FollowUpReading]:
        bare = parts.begins in ("instead", "not", "also") and variant.adds
        marked = mark(each.nodes)
        text, mentions, given = self._question(variant, marked)
        for reading in self._reader.read(text, mentions, (), max(0.05, until - monotonic()), given=given):
            if not speaks_of(reading.form, marked):
                continue
            head = is_mark(reading.form.nodes) or reading.form.nodes.entities == marked.entities
            if head and not variant.adds and reading.form.asks == "nodes" and _ASKS_FOR_OTHERS.match(variant.text):
                continue
            if variant.adds and not (head and (reading.form.asks == "nodes" or not variant.text.startswith("which"))):
                continue
            form, change = without_asked(put_in(reading.form, each.nodes)), _kind_of(reading.form, head)
            if bare and head:
                fresh = replace(reading.form.nodes, entities=())
                nodes, same = exchanged(each.nodes, fresh)
                form = replace(reading.form, nodes=nodes)
                change = "correct" if parts.begins != "also" else "replace" if same else change
                lost += 0.0 if same else 0.2
                form = asked_again(form, each.nodes, past[-1]) if same else form
            if variant.adds and change == "restrict" and past[-1].number == each.turn:
                form = of_the_same_groups(form, reading.form.nodes, past[-1], instead=bare)
                if parts.begins or parts.rest.lower().startswith("without "):  # "Not counting cancelled ones?"
                    form = asked_again(form, each.nodes, past[-1])
            form = summed(in_order_of(form, variant), parts.rest, several=not each.single)
            form = for_each(form, each.nodes, parts.rest)
            has = None if variant.said else self._has
            form, before = of_known_links(form, _known_links(each, past), has), form
            lost -= _KNOWN if form != before else 0.0
            form = with_origins(form, each, past, self._reader.words) if change == "step" else form
            if form.asks == "nodes" and form.nodes == each.nodes:
                continue  # It says no more than before.
            lost += _UNORDERED if _EXTREME_ONE.search(variant.text) and not ordered(form) else 0.0
            own = _OF_ONE if each.single and head and change in ("restrict", "order", "count") else 0.0
            if head and change == "order" and not each.answer and not variant.adds:
                own += _NOT_ANSWER
            yield FollowUpReading(
                replace(reading, form=form, cost=reading.cost + lost + own), change, each.turn, variant.text, each.nodes
            )

    def _has(self, relation: str, name: str) -> bool:
        return self._reader.words.choice(relation, name) is not None

    def _question(self, variant: Variant, marked: Nodes) -> tuple[str, list[Mention], dict[Span, Nodes]]:
        """The question that is read, its names, and the spans that stand for the set. A single thing is called by its
        name, so that the question is read as if the name were said."""
        text, spans, given = variant.text, variant.spans, dict.fromkeys(variant.spans, marked)
        named = not (is_mark(marked) or variant.adds or marked.label in self._reader.words.nameless)
        meant: list[Mention] = []
        if named:
            name = marked.entities[0].name
            text, spans = variant.called(name)
            candidate = Candidate(marked.entities[0], 1.0, "exact", name)
            meant, given = [Mention(start, end, name, (candidate,)) for start, end in spans], {}
        others = [
            m
            for m in self._find(text)
            if not self._kinds.is_kind(m.text) and not any(m.start < end and start < m.end for start, end in spans)
        ]
        return text, sorted([*meant, *others], key=lambda m: m.start), given


def _known_links(each: Antecedent, past: Sequence[PastReading]) -> Sequence[Link]:
    """The relations by which the conversation knows a set: of the operators, that to the line that they operate."""
    turn = next((turn for turn in past if turn.number == each.turn), None)
    return turn.form.nodes.links if each.answer and turn is not None and turn.form is not None else each.nodes.links


def _kind_of(form: Form, head: bool) -> Change:
    """Which change of the marked set a form is."""
    if not head:
        return "step"
    if form.asks in ("value", "groups") or (form.asks == "number" and form.value is not None):
        return "project"
    if form.asks == "number":
        return "count"
    return "order" if form.nodes.order is not None else "restrict"


def _distinct(found: Iterable[FollowUpReading]) -> list[FollowUpReading]:
    best: dict[Form, FollowUpReading] = {}
    for each in found:
        known = best.get(each.reading.form)
        if known is None or each.reading.cost < known.reading.cost:
            best[each.reading.form] = each
    return list(best.values())
