"""Dates of birth among the other dates of people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.reading.forms.items import PropertyChoice

BIRTH = frozenset({"birth", "born", "dob", "birthday", "birthdate"})
_DEATH = frozenset({"death", "died", "dod", "deceased", "dead", "buried", "funeral"})
_OTHER, _LATER = 0.6, 0.6
"""What another date costs, and what a date of birth costs more, where "last" says nothing of age."""


def is_birth(name: str) -> bool:
    """Whether a property says when somebody was born."""
    return bool(BIRTH & set(identifier_words(name)))


def is_death(name: str) -> bool:
    """Whether a property says when somebody died."""
    return bool(_DEATH & set(identifier_words(name)))


def births_last(
    found: Sequence[PropertyChoice], every: Iterable[PropertyChoice], ends: Mapping[str, bool]
) -> Sequence[PropertyChoice]:
    """The dates that "last" may mean, of people the others before the date of birth: the last patient is the one who
    registered last.

    Args:
        found: The dates found by their names.
        every: All properties.
        ends: The names of properties that the adjective may mean, each with whether the greatest value is meant.
    """
    if "date" not in ends or "age" in ends:
        return found
    born = {c.label for c in found if is_birth(c.name) and not c.of_relation}
    others = [c for c in every if c.label in born and c.kind == "date" and not (c.of_relation or is_birth(c.name))]
    later = [replace(c, cost=c.cost + _LATER) if is_birth(c.name) else c for c in found]
    return later + [replace(c, cost=_OTHER, descending=ends["date"]) for c in others]
