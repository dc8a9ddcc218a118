"""Intervals from a date of one thing to that of another to which it is linked: from the order to its delivery."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from clew.tools.graph.schema import Relation
from clew.tools.queries.calculated import Operator
from clew.tools.queries.reading.durations.ends import Said, between, said_moments
from clew.tools.queries.reading.durations.intervals import Moment, moments, sooner, words_for
from clew.tools.queries.reading.durations.question import Question
from clew.tools.queries.reading.forms.form import Link, Nodes, Step, Value
from clew.tools.queries.reading.schema.births import is_birth
from clew.tools.queries.reading.schema.property_names import root

_UNSAID = -1
"""The place of a date that no word says."""
_UNITS: dict[str, Operator] = {"": "days", "day": "days", "year": "years"}


@dataclass(frozen=True, slots=True)
class Across:
    """The time between a date of the nodes of a label and one of those that they are linked to."""

    label: str
    value: Value
    places: frozenset[int]
    """The words that say both dates."""


def across_relations(question: Question, kept: Container[int]) -> Iterator[Across]:
    """The intervals across one relation of which both ends are said, and by no single thing.

    Args:
        question: The question.
        kept: The places of words that are no ends.
    """
    unit = _UNITS.get(question.asked.unit) if question.asked.unit or question.asked.passing else None
    every = moments(question.words)
    said = {
        label: said_moments(times, question.tokens, question.asked, kept)
        for (label, of_relation), times in every.items()
        if not of_relation
    }
    for relation in question.words.schema.relations if unit is not None else ():
        source, target = said.get(relation.source, []), said.get(relation.target, [])
        by_verb = _by_verb(question, relation, every.get((relation.target, False), []), kept)
        source = source or (_unsaid(every.get((relation.source, False), [])) if by_verb else [])
        target = target + by_verb
        pairs = [(one, other) for one, other in product(source, target) if one.place != other.place]
        if relation.source == relation.target or not pairs or unit is None:
            continue
        own, other = max(pairs, key=lambda pair: pair[0].likeness + pair[1].likeness)
        if {own.moment.kind, other.moment.kind} != {"day"}:
            continue
        ends = sorted({own.place, other.place} - {_UNSAID})
        places = frozenset(between(question.tokens, ends[0], ends[-1], kept))
        forward, back = Step(relation.type, True, relation.target), Step(relation.type, False, relation.source)
        yield Across(relation.source, _time(own, other, forward, unit), places)
        yield Across(relation.target, _time(other, own, back, unit), places)


def _by_verb(question: Question, relation: Relation, times: Sequence[Moment], kept: Container[int]) -> list[Said]:
    """The only date of what a relation leads to, by the words of the relation: "patched" of FIXED_IN a release."""
    if len(times) != 1:
        return []
    words = frozenset(map(root, words_for(relation.type)))
    return said_moments([replace(times[0], said=words)], question.tokens, question.asked, kept)


def _unsaid(times: Sequence[Moment]) -> list[Said]:
    """The only date of what a relation begins at, which no word has to say."""
    return [Said(_UNSAID, times[0], 0.0)] if len(times) == 1 and not is_birth(times[0].name) else []


def _time(own: Said, other: Said, step: Step, unit: Operator) -> Value:
    """The time from the date of a node to the first one of those that a step leads to, or back."""
    since = (own.moment.name, unit, sooner(other.moment, own.moment))
    return Value(other.moment.name, "min", Link((step,), Nodes(step.target)), since=since)
