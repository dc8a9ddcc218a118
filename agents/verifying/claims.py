"""Claims: what a statement says of which entities, and how "and", "or" and "not" join that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Bound = Literal["at least", "at most", "more than", "fewer than", "exactly"]


@dataclass(frozen=True, slots=True)
class Part:
    """`text[start:end]` of a claim is the name numbered `mention`, or a value where that is None."""

    start: int
    end: int
    mention: int | None


@dataclass(frozen=True, slots=True)
class Quantity:
    bound: Bound
    number: int


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that is said, without its negation. Two parts: how they are related; one: what there is of it."""

    text: str
    parts: tuple[Part, ...]
    quantity: Quantity | None = None
    shared: int | None = None
    """Of three parts or more: all meet in one thing without a name ("a film by A that stars B"), where what is said of
    the last one begins at this character."""


@dataclass(frozen=True, slots=True)
class Not:
    of: Formula


@dataclass(frozen=True, slots=True)
class All:
    of: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Any:
    of: tuple[Formula, ...]


Formula = Claim | Not | All | Any


def claims_of(formula: Formula) -> list[Claim]:
    """The claims in a formula, in order."""
    if isinstance(formula, Claim):
        return [formula]
    return claims_of(formula.of) if isinstance(formula, Not) else [c for part in formula.of for c in claims_of(part)]
