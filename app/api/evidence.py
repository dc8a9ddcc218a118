"""What results are made of: entities, evidence, answers, and the names in a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

PASSAGE = "passage"
"""The label of a piece of a document in `Evidence.tail`; its name is the text."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A node of the graph."""

    id: str | None
    """The node's `nodeId`; None for a number, a property value, or a name that a model gave."""
    name: str
    label: str = ""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Entity:
        """From its part of what `to_dict` of a result gives."""
        return cls(data["id"], data["name"], data.get("label") or "")


@dataclass(frozen=True, slots=True)
class Source:
    """How a strategy found a piece of evidence."""

    strategy: str
    iteration: int
    score: float
    cypher: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A fact that answers rest on: a triplet of the graph, or a passage of a document beside it."""

    head: Entity
    relation: str
    tail: Entity
    score: float
    """How well it fits the question; higher is better."""
    supports: tuple[str, ...] = ()
    """Ids of the answers that it supports; names, for answers without an id; claims, for a verified statement."""
    properties: Mapping[str, Any] = field(default_factory=dict)
    """Of the relationship."""
    found_by: tuple[Source, ...] = ()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Evidence:
        """From its part of what `to_dict` of a result gives."""
        return cls(
            head=Entity.from_dict(data["head"]),
            relation=data["relation"],
            tail=Entity.from_dict(data["tail"]),
            score=data["score"],
            supports=tuple(data["supports"]),
            properties=data["properties"],
            found_by=tuple(Source(**source) for source in data["found_by"]),
        )

    @property
    def is_passage(self) -> bool:
        """Whether this is a piece of a document; its text is `tail.name`, its document `head.name`."""
        return self.tail.label == PASSAGE

    def __str__(self) -> str:
        return self.tail.name if self.is_passage else f"{self.head.name} —{self.relation}→ {self.tail.name}"


@dataclass(frozen=True, slots=True)
class PassageSpan:
    """Where an answer stands in a passage of a document: `text[start:end]`."""

    id: str
    """The passage's id: that of the end of its evidence (`Evidence.tail`)."""
    start: int
    end: int
    kind: str
    """What the span is: name, number, time, quote or code."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer."""

    name: str
    id: str | None
    """The node's `nodeId`; None for a number, a property value, or a name that a model gave."""
    label: str
    score: float
    """0 to 1: how sure this answer is."""
    detail: str = ""
    """What the query says of it beside its name, such as "number of Product 12"."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """The same as values, by what each of them is: `{"unit price": 18.4, "units in stock": 123}`."""
    near: bool = False
    """True where it is only near to what was asked for, such as a node that does not meet a condition."""
    own: bool = False
    """True where a language model gave it and no evidence has it."""
    evidence: tuple[Evidence, ...] = field(default=(), repr=False)
    """The facts that support this answer."""
    passage: PassageSpan | None = None
    """Where it stands, if it was read in a document."""
    queries: tuple[int, ...] = ()
    """The numbers of the queries that found it, of those whose nodes are united (`AskResult.queries`)."""

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class UnitedQuery:
    """One of several queries whose nodes are united."""

    number: int
    """From 1, in the order in which they ran."""
    words: str
    cypher: str
    parameters: Mapping[str, Any]
    weight: float
    """How much it counts for the score of a node that it found."""
    nodes: int
    """How many of the united nodes it found."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> UnitedQuery:
        """From its part of what `to_dict` of a result gives."""
        return cls(**{name: data[name] for name in cls.__dataclass_fields__})


@dataclass(frozen=True, slots=True)
class Candidate(Entity):
    """A node that a name may stand for."""

    score: float = 0.0
    """0 to 1; 1 is an exact match."""
    matcher: Literal["exact", "normalised", "partial", "fuzzy", "dense"] = "exact"
    matched: str = ""
    """The name or alias of the node that matched."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A part of a text that names nodes: `text[start:end]`."""

    text: str
    start: int
    end: int
    candidates: tuple[Candidate, ...]
    """Best first."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Mention:
        """From its part of what `to_dict` of a result gives."""
        candidates = tuple(
            Candidate(c["id"], c["name"], c["label"], c["score"], c["matcher"], c["matched"])
            for c in data["candidates"]
        )
        return cls(data["text"], data["start"], data["end"], candidates)
