"""Claims of a statement about entities, joined by "and", "or" and "not"."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """A name or value: `text[start:end]` of a claim. `mention` is the number of the name, None for a value."""

    start: int
    end: int
    mention: int | None


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim, without its negation."""

    text: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Negation:
    """Holds if `of` does not."""

    of: Formula


@dataclass(frozen=True, slots=True)
class Conjunction:
    """Holds if each of `of` does."""

    of: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Disjunction:
    """Holds if one of `of` does."""

    of: tuple[Formula, ...]


Formula = Claim | Negation | Conjunction | Disjunction


def claims_of(formula: Formula) -> list[Claim]:
    """The claims in a formula, in order."""
    if isinstance(formula, Claim):
        return [formula]
    return (
        claims_of(formula.of) if isinstance(formula, Negation) else [c for part in formula.of for c in claims_of(part)]
    )
