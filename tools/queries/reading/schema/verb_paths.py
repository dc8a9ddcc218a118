"""Paths of two steps of which a verb says the one."""

from __future__ import annotations

from collections.abc import Iterator

from clew.tools.queries.reading.forms.form import Path, Step
from clew.tools.queries.reading.schema.joins import Joins
from clew.tools.queries.reading.schema.phrases import PREPOSITIONS

_SURELY, _LIKELY = 0.92, 0.6
"""Agreement of a verb with a relation that it says …"""
_BETTER = 0.01
"""… and by how much it must say it better than another."""


def by_verb(joins: Joins, place: str, target: str, said: tuple[str, ...]) -> list[Path]:
    """The paths from a place to what is related by a verb to something in it: "the town that X works in"."""
    return [
        (within.back(step.target), step.back(target))
        for step, within in _said_first(joins, target, place, said, _SURELY)
        if joins.is_placing(within)
    ]


def done_through(joins: Joins, source: str, target: str, said: tuple[str, ...]) -> list[Path]:
    """The paths whose first step a verb says: "who voted for the bill", in a division on it. None where the verb says a
    relation of the target itself as well."""
    verb = tuple(word for word in said if word not in PREPOSITIONS)
    own = max((joins.agreement(verb, step) for step in joins.from_label(target)), default=0.0)
    return [] if source == target else list(_said_first(joins, source, target, said, max(_LIKELY, own + _BETTER)))


def _said_first(
    joins: Joins, source: str, target: str, said: tuple[str, ...], least: float
) -> Iterator[tuple[Step, Step]]:
    verb = tuple(word for word in said if word not in PREPOSITIONS)
    for step in joins.from_label(source) if verb else ():
        if step.target not in (source, target) and joins.agreement(verb, step) >= least:
            yield from ((step, second) for second in joins.direct(step.target, target))
