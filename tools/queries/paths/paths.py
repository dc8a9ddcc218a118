"""Shortest paths between two entities (ByoKG-RAG section 3.3, Equation 6), bounded by length, time and number.

The paper names Dijkstra's algorithm. Every relation has the same weight here, so breadth-first search finds the same
paths, and the database's own `shortestPath` runs it from both ends at once. On 50,000 nodes with 166,000 relationships
and hubs of 5,000, the embedded database took 4 to 20 ms to find that two entities have no path (median by kind of
entity), and 40 ms for two hubs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from clew.tools.cypher.quoting import quoted
from clew.tools.errors import QueryTimeout
from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.store.graph_store import GraphStore, Limits
from clew.tools.graph.triplets import Triplet

OTHERS_SECONDS = 0.5
"""For the other paths of the same length."""


@dataclass(frozen=True, slots=True)
class Path:
    """The triplets that lead from one entity to another, in order."""

    triplets: tuple[Triplet, ...]
    source: Entity

    @property
    def nodes(self) -> tuple[Entity, ...]:
        """The nodes on it, both ends included."""
        found = [self.source]
        for triplet in self.triplets:
            found.append(triplet.tail if triplet.head.id == found[-1].id else triplet.head)
        return tuple(found)


def shortest_paths(
    store: GraphStore,
    source: Entity,
    target: Entity,
    max_hops: int = 3,
    limits: Limits | None = None,
    *,
    most: int = 1,
    relations: Sequence[str] = (),
) -> list[Path]:
    """The shortest paths between two entities, in either direction of every relationship, `most` of them at most;
    [] where none has at most `max_hops` hops. Raises what GraphStore.read raises.

    Others of the same length are looked for only where one was found, and for OTHERS_SECONDS at most: looking for all
    of them costs several times as much, and between hubs much more than that.

    `relations` are the graph's own types of relationships. A path through a published chunk of a document is none, and
    only then the search is restricted to these types, which takes longer.
    """
    if source.id == target.id:
        return []
    own_types = ":" + "|".join(map(quoted, relations)) if relations else ""

    def paths(function: str, hops: int, limits: Limits | None, tail: str = "") -> list[Path]:
        for types in dict.fromkeys(("", own_types)):
            pattern = f"{function}((a)-[{types}*..{int(hops)}]-(b))"
            if (found := _found(store, pattern, source, target, limits, tail)) is not None:
                return found
        return []

    first = paths("shortestPath", max_hops, limits)
    if not first or most == 1:
        return first
    usual = limits or Limits()
    soon = replace(usual, timeout_s=min(usual.timeout_s, OTHERS_SECONDS))
    try:
        others = paths("allShortestPaths", len(first[0].triplets), soon, f" LIMIT {int(most)}")
    except QueryTimeout:
        return first
    return list(dict.fromkeys([*first, *others]))[:most]


def path_query(terms: NodeTerms, source: Entity, target: Entity, pattern: str) -> tuple[str, dict[str, Any]]:
    """The query for the paths of a pattern from `a` to `b`, and its parameters."""
    cypher = (
        f"{terms.by_id('a', source.label, 'a')}\n{terms.by_id('b', target.label, 'b')}\n"
        f"MATCH p = {pattern}\n"
        f"RETURN [n IN nodes(p) | [{terms.id('n')}, {terms.name('n')}, {terms.label('n')}]] AS nodes,\n"
        f"[r IN relationships(p) | [type(r), {terms.id('startNode(r)')}]] AS steps, "
        f"[r IN relationships(p) | properties(r)] AS properties"
    )
    return cypher, {"a": source.id, "b": target.id, **terms.parameters}


def _found(
    store: GraphStore,
    pattern: str,
    source: Entity,
    target: Entity,
    limits: Limits | None,
    tail: str = "",
) -> list[Path] | None:
    """None if one of them leads through a published chunk."""
    cypher, parameters = path_query(store.terms, source, target, pattern)
    rows = store.read(f"{cypher}{tail}", parameters, limits).records
    return None if any(id is None for row in rows for id, *_ in row["nodes"]) else [_path(row) for row in rows]


def _path(row: dict[str, Any]) -> Path:
    nodes = [Entity(*(str(value) for value in node)) for node in row["nodes"]]
    triplets = []
    for i, ((relation, start), properties) in enumerate(zip(row["steps"], row["properties"], strict=True)):
        head, tail = (nodes[i], nodes[i + 1]) if nodes[i].id == start else (nodes[i + 1], nodes[i])
        triplets.append(Triplet(head, relation, tail, dict(properties or {})))
    return Path(tuple(triplets), nodes[0])
