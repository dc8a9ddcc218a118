"""Entities, candidates and mentions: what linking takes and gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Matcher = Literal["exact", "normalised", "fuzzy", "dense"]
"""How a candidate was found: the very string; equal after case, accents, punctuation and snake/camel case
are folded; by edit distance; by nearness of embeddings."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A node of the graph that has a name."""

    id: str
    """The node's own `nodeId` property."""
    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a mention may stand for."""

    entity: Entity
    score: float
    """0 to 1; 1 is an exact match."""
    matcher: Matcher
    matched: str
    """The name or alias that matched."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of the question, `question[start:end]`, and the entities it may stand for, best first."""

    start: int
    end: int
    text: str
    candidates: tuple[Candidate, ...]

    @property
    def ambiguous(self) -> bool:
        """True where a second entity fits as well as the first."""
        return len(self.candidates) > 1 and self.candidates[1].score >= self.candidates[0].score - 1e-6


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One answer. A count or a property's value has no id; its name is the value as text."""

    id: str | None
    name: str
    label: str
    support: int
    """In how many ways the query matches with this answer."""
