"""Plain references to nodes, to the words that name them, and to the queries that found them."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from clew.tools.graph.entity import Candidate, Entity, Mention, MentionSource


class EntityRef(TypedDict):
    id: str
    name: str
    label: str


class CandidateRef(EntityRef):
    score: float
    matcher: str
    matched: str


class MentionRef(TypedDict):
    """A `Mention`; keys that are absent stand for its defaults."""

    start: int
    end: int
    text: str
    candidates: list[CandidateRef]
    group: NotRequired[bool]
    said: NotRequired[str]
    source: NotRequired[MentionSource]


class UnitedQuery(TypedDict):
    """One of several queries whose nodes are united."""

    number: int
    """From 1, in the order in which they ran."""
    words: str
    cypher: str
    parameters: dict[str, Any]
    weight: float
    """How much it counts for the score of a node that it found."""
    nodes: int
    """How many of the united nodes it found."""
    anchors: list[EntityRef]
    """The entities that it starts from."""


def entity_ref(entity: Entity) -> EntityRef:
    """An entity as a plain value of the state."""
    return {"id": entity.id, "name": entity.name, "label": entity.label}


def entity_of(ref: EntityRef) -> Entity:
    """The entity of a plain value."""
    return Entity(ref["id"], ref["name"], ref["label"])


def candidate_ref(found: Candidate) -> CandidateRef:
    """A candidate as a plain value of the state."""
    return {**entity_ref(found.entity), "score": found.score, "matcher": found.matcher, "matched": found.matched}


def exact_candidate(entity: Entity, score: float = 1.0) -> Candidate:
    """An entity as the candidate of a mention that is known to mean it."""
    return Candidate(entity, score, "exact", entity.name)


def mention_ref(mention: Mention) -> MentionRef:
    """A mention with its candidates as a plain value of the state."""
    candidates = [candidate_ref(each) for each in mention.candidates]
    ref: MentionRef = {"start": mention.start, "end": mention.end, "text": mention.text, "candidates": candidates}
    if mention.group:
        ref["group"] = True
    if mention.said:
        ref["said"] = mention.said
    if mention.source:
        ref["source"] = mention.source
    return ref


def mention_of(ref: MentionRef) -> Mention:
    """The mention of a plain value."""
    candidates = tuple(
        Candidate(entity_of(c), c["score"], c["matcher"], c["matched"])  # type: ignore[arg-type]
        for c in ref["candidates"]
    )
    return Mention(
        ref["start"], ref["end"], ref["text"], candidates,
        group=ref.get("group", False), said=ref.get("said", ""), source=ref.get("source", ""),
    )  # fmt: skip
