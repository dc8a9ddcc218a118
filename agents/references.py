"""Plain references to nodes, and to the queries that found them."""

from __future__ import annotations

from typing import Any, TypedDict


class EntityRef(TypedDict):
    id: str
    name: str
    label: str


class CandidateRef(EntityRef):
    score: float
    matcher: str
    matched: str


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
