"""What a chunk says as entities and relations: what a model, or rules, extract from it (KET-RAG, Algorithm 1)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity as one chunk has it."""

    name: str
    """As it is written there."""
    type: str = ""
    """What kind of thing it is, in a word or two; "" where nobody said."""
    description: str = ""
    """What the chunk says of it."""


@dataclass(frozen=True, slots=True)
class NamedRelation:
    """Two entities of one chunk, by their names, and how they hang together."""

    head: str
    words: str
    """Read from the head to the tail: "was directed by"."""
    tail: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Extraction:
    """Of one chunk; every end of a relation is one of the entities."""

    entities: tuple[NamedEntity, ...] = ()
    relations: tuple[NamedRelation, ...] = ()

    def to_json(self) -> str:
        told = {"entities": [astuple(e) for e in self.entities], "relations": [astuple(r) for r in self.relations]}
        return json.dumps(told, ensure_ascii=False)

    @classmethod
    def of_json(cls, text: str) -> Extraction:
        """What `to_json` wrote."""
        told: Mapping[str, Any] = json.loads(text)
        return cls(
            tuple(NamedEntity(*each) for each in told["entities"]),
            tuple(NamedRelation(*each) for each in told["relations"]),
        )
