"""Shortest paths between two entities (ByoKG-RAG section 3.3), bounded by length, time and number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tools.linking.entity import Entity
from tools.store.graph_store import GraphStore, Limits
from tools.triplets import Triplet


@dataclass(frozen=True, slots=True)
class Path:
    """The triplets that lead from one entity to another, in order."""

    triplets: tuple[Triplet, ...]


def shortest_paths(
    store: GraphStore, source: Entity, target: Entity, max_hops: int = 3, limits: Limits | None = None
) -> list[Path]:
    """A shortest path between two entities, in either direction of every relationship; [] where none has at most
    `max_hops` hops. Raises what GraphStore.read raises."""
    if source.id == target.id:
        return []
    terms = store.terms
    cypher = (
        f"{terms.by_id('a', source.label, 'a')}\n{terms.by_id('b', target.label, 'b')}\n"
        f"MATCH p = shortestPath((a)-[*..{int(max_hops)}]-(b))\n"
        f"RETURN [n IN nodes(p) | [{terms.id('n')}, {terms.name('n')}, {terms.label('n')}]] AS nodes,\n"
        f"[r IN relationships(p) | [type(r), {terms.id('startNode(r)')}]] AS steps, "
        f"[r IN relationships(p) | properties(r)] AS properties"
    )
    parameters = {"a": source.id, "b": target.id, **terms.parameters}
    return [_path(row) for row in store.read(cypher, parameters, limits).records]


def _path(row: dict[str, Any]) -> Path:
    nodes = [Entity(*(str(value) for value in node)) for node in row["nodes"]]
    triplets = []
    for i, ((relation, start), properties) in enumerate(zip(row["steps"], row["properties"], strict=True)):
        head, tail = (nodes[i], nodes[i + 1]) if nodes[i].id == start else (nodes[i + 1], nodes[i])
        triplets.append(Triplet(head, relation, tail, dict(properties or {})))
    return Path(tuple(triplets))
