"""What the earlier turns of a conversation left, and which of their sets a follow-up may mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from clew.tools.graph.entity import Entity
from clew.tools.queries.follow_ups.changes import spoken_sets
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, turned
from clew.tools.queries.reading.forms.wider_labels import either_of

MOST_ENTITIES = 20
"""Of a set that is kept by its nodes although its form is known."""
_MOST_SPOKEN = 5
"""Of what "others" are others than."""
REACH = 6
"""Turns back to which a reference reaches that does not name its turn."""
BACK, _INNER, _UNSURE, _ANY = 0.5, 0.3, 0.4, 0.9
"""What it costs that a set is of a turn before the last one, was only spoken of, was not sure, or was only spoken of as
any of its kind."""


@dataclass(frozen=True, slots=True)
class PastReading:
    """An earlier turn with what it was read as."""

    number: int
    form: Form | None
    """None where it was not answered by a form."""
    answers: tuple[Entity, ...] = ()
    """The first nodes that it answered."""
    count: int = 0
    """How many it answered."""
    sure: bool = True
    named: tuple[Entity, ...] = ()
    """The entities that its own words name."""
    base: Nodes | None = None
    """The earlier set that it was read as a change of."""
    text: str = ""
    """The question as it was answered, written out."""
    values: tuple[str, ...] = ()
    """The first answers that are no nodes."""

    @property
    def answered(self) -> bool:
        """Whether it left a set or a form."""
        return bool(self.answers) or (self.form is not None and self.count > 0)


@dataclass(frozen=True, slots=True)
class Antecedent:
    """A set that a follow-up may mean."""

    nodes: Nodes
    cost: float
    turn: int
    single: bool
    """Whether it is one node."""
    answer: bool = True
    """Whether it is what the turn answered, rather than what it spoke of."""


def answer_set(turn: PastReading) -> Nodes | None:
    """What a turn answered, or, where it answered values or a number, what these are of."""
    form = turn.form
    if form is None:
        return Nodes(_label(turn.answers), turn.answers) if turn.answers else None
    known = len(turn.answers) == turn.count <= MOST_ENTITIES
    chosen = form.nodes.order is not None or form.limit is not None or turn.count == 1
    if form.asks == "nodes" and known and chosen:
        return Nodes(_label(turn.answers), turn.answers)
    if form.limit and form.nodes.order is None:
        return Nodes(_label(turn.answers), turn.answers) if turn.answers else None
    if form.asks == "truth" and form.nodes.entities:
        return Nodes(form.nodes.label, form.nodes.entities)
    return form.nodes


def _label(entities: Sequence[Entity]) -> str:
    return either_of([label for label, _ in Counter(entity.label for entity in entities).most_common(3)])


def antecedents(turns: Sequence[PastReading]) -> list[Antecedent]:
    """The sets that a reference may mean, the likeliest first. What the last turn was about stays likely."""
    found: dict[Nodes, Antecedent] = {}
    recent = [turn for turn in reversed(turns[-REACH:]) if turn.answered]
    for distance, turn in enumerate(recent):
        for each in _of_turn(turn):
            if each.nodes == turn.base and each.single:
                each = replace(each, cost=0.0)
            cost = each.cost + BACK * distance + (0.0 if turn.sure else _UNSURE)
            known = found.get(each.nodes)
            if known is None or cost < known.cost:
                found[each.nodes] = replace(each, cost=cost)
    return sorted(found.values(), key=lambda each: each.cost)


def spoken_of(label: str, turns: Sequence[PastReading], named: Sequence[Entity] = ()) -> tuple[Entity, ...]:
    """The nodes of a label that the conversation last answered, or else spoke of, beside those that the question has
    `named`; none if these were many."""
    for turn in reversed(turns[-REACH:]):
        answers = tuple(each for each in turn.answers if each.label == label and each not in named)
        if answers and len(answers) == turn.count <= _MOST_SPOKEN:
            return answers
        inner = spoken_sets(turn.form) if turn.form is not None else []
        spoken = [each for nodes in inner for each in nodes.entities] or turn.named
        if found := tuple(dict.fromkeys(each for each in spoken if each.label == label and each not in named)):
            return found[:_MOST_SPOKEN]
    return ()


def _of_turn(turn: PastReading) -> Iterator[Antecedent]:
    own = answer_set(turn)
    if own is not None and not own.bare:
        single = turn.count == 1 if turn.form is None or turn.form.asks == "nodes" else len(own.entities) == 1
        yield Antecedent(own, 0.0, turn.number, single)
    yield from _of_kinds(turn)
    if turn.form is not None:
        for place, inner in enumerate(spoken_sets(turn.form)[1:]):
            yield Antecedent(inner, _INNER + 0.1 * place, turn.number, len(inner.entities) == 1, answer=False)
        yield from _of_any(turn.form.nodes, turn.number)


def _of_kinds(turn: PastReading) -> Iterator[Antecedent]:
    """The answers of each label, where they have several: "the series", of films and series."""
    by_label: dict[str, list[Entity]] = {}
    for each in turn.answers if len(turn.answers) == turn.count else ():
        by_label.setdefault(each.label, []).append(each)
    for label, entities in by_label.items() if len(by_label) > 1 else ():
        yield Antecedent(Nodes(label, tuple(entities)), _INNER, turn.number, len(entities) == 1)


def _of_any(nodes: Nodes, turn: int) -> Iterator[Antecedent]:
    """What a set is linked to, whatever it is: of the directors born in Oslo, the films that they directed."""
    for link in nodes.links:
        if link.open and not link.deep:
            others = replace(nodes, links=tuple(each for each in nodes.links if each != link))
            back = Link(turned(link.path, nodes.label), others)
            yield Antecedent(Nodes(link.path[-1].target, links=(back,)), _ANY, turn, single=False, answer=False)
