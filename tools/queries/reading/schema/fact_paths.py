"""The ways between two labels through the rows of a fact, two steps beyond which the other one may be: students who
enrolled in a course, by an Enrolment in a Section of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.tools.queries.reading.forms.form import Path, Step, turned
from clew.tools.queries.reading.schema.joins import Joins
from clew.tools.queries.reading.schema.vocabulary import SchemaWords


def through_fact(joins: Joins, words: SchemaWords, source: str, target: str, fact: str) -> list[Path]:
    """The paths from one label to another through a fact.

    Args:
        joins: The steps between labels.
        words: The words of the schema.
        source: The label at the beginning.
        target: The label at the end.
        fact: The label of the fact.

    Returns:
        Those of two steps; where there are none, those of three, on which a fact has one node at each end. People are
        no facts.
    """
    found = joins.through(source, target, fact)
    if found or fact in words.persons:
        return found
    ahead = [(first, *rest) for first in joins.direct(source, fact) for rest in _two_steps(joins, fact, target)]
    back = [(first, *rest) for first in joins.direct(target, fact) for rest in _two_steps(joins, fact, source)]
    found = [*ahead, *(turned(path, target) for path in back)]
    return [path for path in found if len({source, *(step.target for step in path)}) > len(path)]


def things_of_facts(joins: Joins, words: SchemaWords, source: str, said: Sequence[str]) -> list[tuple[str, Path]]:
    """What a verb is done to, with the ways to who does it through the fact that the verb names: the products of "what
    does X sell", by a Sale."""
    facts = [fact for fact in words.events(said) if fact in words.nameless and fact != source]
    ends = [(fact, step.target) for fact in facts for step in joins.from_label(fact)]
    no_things = {source, *facts, *words.nameless} | words.persons
    return [(end, path) for fact, end in ends if end not in no_things for path in joins.through(end, source, fact)]


def _two_steps(joins: Joins, source: str, target: str) -> Iterator[Path]:
    """The ways of two steps, each to one node at most."""
    for first in (r for r in joins.ways.single if r.source == source):
        for second in (r for r in joins.ways.single if r.source == first.target and r.target == target):
            yield Step(first.type, True, first.target), Step(second.type, True, target)
