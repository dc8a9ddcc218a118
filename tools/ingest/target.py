"""The graph that an import writes to: whether it is empty, what it holds, and replacing or deleting its content."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from clew.tools.errors import ClewError
from clew.tools.graph.node_terms import node_pattern
from clew.tools.graph.store.graph_store import GraphStore

_CLEAR_ROWS = 10_000


class Replacement(Protocol):
    """New content of the graph that is built beside the old, which stays the graph until then."""

    def begun(self) -> GraphStore | None:
        """The store of new content that an interrupted replacement has left; None if there is none."""

    def begin(self) -> GraphStore:
        """The store of new, empty content; the first finished version that it is given makes it the graph's."""

    def discard(self) -> bool:
        """Remove what is not the graph's content any more, or not yet; returns whether there was anything."""


def clear(store: GraphStore) -> None:
    """Delete every node of the graph, in transactions of a bounded size."""
    node = node_pattern("n", store.scope)
    while not is_empty(store):
        store.write(f"MATCH {node} WITH n LIMIT {_CLEAR_ROWS} DETACH DELETE n")


def is_empty(store: GraphStore) -> bool:
    """Whether the graph has no node."""
    return not any(True for _row in store.scan(f"MATCH {node_pattern('n', store.scope)} RETURN 1 AS one LIMIT 1"))


def size(store: GraphStore) -> tuple[int, int]:
    """The number of nodes and of relationships."""
    node = node_pattern("n", store.scope)
    nodes = next(iter(store.scan(f"MATCH {node} RETURN count(n) AS n")))["n"]
    return nodes, next(iter(store.scan(f"MATCH {node}-[r]->() RETURN count(r) AS n")))["n"]


def verify(store: GraphStore, nodes: int, edges: int) -> None:
    """Raises ClewError unless the graph has these numbers of nodes and relationships."""
    found = size(store)
    if found != (nodes, edges):
        raise ClewError(
            f"The graph holds {found[0]:,} nodes and {found[1]:,} relationships instead of {nodes:,} and {edges:,}.",
            "Something else wrote to it during the import: import again with --replace.",
        )


def keys(store: GraphStore, label: str) -> Iterator[str]:
    """The `nodeId` of every node of a label that has one."""
    rows = store.scan(f"MATCH {node_pattern('n', label, store.scope)} RETURN n.nodeId AS key")
    return (row["key"] for row in rows if row["key"] is not None)
