"""Entities, candidates and mentions: the data of entity linking."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Matcher = Literal["exact", "normalised", "partial", "fuzzy", "dense"]
"""How a candidate was found: the same string; equal after folding case, accents, punctuation and snake/camel case; by
some of the words of its name; by edit distance; by similarity of embeddings."""
MentionSource = Literal["", "question", "model", "draft"]
"""Where a mention comes from with a language model: the question, the model's own words, or its draft answers."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A node of the graph that has a name."""

    id: str
    """The node's own `nodeId` property."""
    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a mention may refer to."""

    entity: Entity
    score: float
    """0 to 1; 1 is an exact match."""
    matcher: Matcher
    matched: str
    """The name or alias that matched."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of the question, `question[start:end]`, and the entities that it may refer to, best first."""

    start: int
    end: int
    text: str
    candidates: tuple[Candidate, ...]
    group: bool = field(default=False, compare=False)
    """Whether the span stands for all of its candidates together ("they")."""
    said: str = field(default="", compare=False)
    """A language model's spelling, if the question has another."""
    source: MentionSource = field(default="", compare=False)
    """Empty if the question was read without a model. A mention that is not in the question has an empty span at its
    end."""

    @property
    def ambiguous(self) -> bool:
        """Whether a second entity fits as well as the first."""
        return len(self.candidates) > 1 and self.candidates[1].score >= self.candidates[0].score - 1e-6


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One answer. A count or a property's value has no id; its name is the value as text."""

    id: str | None
    name: str
    label: str
    support: int
    """The number of matches of the query with this answer."""
