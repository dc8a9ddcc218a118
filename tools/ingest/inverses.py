"""Recognising a relation that only repeats another one backwards, by its name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_CERTAIN = re.compile(
    r"(?P<a>.+?)[_\s.-]?(?:\^-1|\^\{-1\})\Z|(?P<b>.+?)[_\s.-]inverse\Z|(?P<h>.+[a-z])Inverse\Z"
    r"|[~^](?P<c>.+)\Z|inverse[_\s.-](?:of[_\s.-])?(?P<d>.+)\Z|inverseOf(?P<i>[A-Z].*)\Z"
)
_POSSIBLE = re.compile(
    r"(?P<e>.+?)[_\s.-](?:inv|rev|reverse|reversed)\Z|(?:inv|rev|reverse|reversed)[_\s.-](?P<f>.+)\Z"
)
ENOUGH_REPEATED = 0.5
"""Share of a possible inverse's edges that must repeat its base, where only its name's ending speaks for it."""


@dataclass(frozen=True, slots=True)
class Inverse:
    """`relation` is `base` backwards; `certain` where its name leaves no doubt."""

    relation: str
    base: str
    certain: bool


def find(relations: Iterable[str]) -> list[Inverse]:
    """The relations that are inverses by name, sorted.

    A certain marker (`x_inverse`, `inverse_x`, `~x`, `x^-1`) needs no base among the relations; a possible one
    (`x_inv`, `inv_x`, `x_rev`, `rev_x`, `x_reverse`) does, and the caller checks its edges against ENOUGH_REPEATED.
    """
    known = set(relations)
    found = []
    for relation in sorted(known):
        match = _CERTAIN.match(relation)
        base = _group(match) if match else None
        if base:
            found.append(Inverse(relation, base, certain=True))
            continue
        match = _POSSIBLE.match(relation)
        base = _group(match) if match else None
        if base in known and base is not None:
            found.append(Inverse(relation, base, certain=False))
    return found


def _group(match: re.Match[str]) -> str | None:
    return next((text for text in match.groups() if text), None)
