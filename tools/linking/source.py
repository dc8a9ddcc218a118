"""A graph's nodes as the entity index takes them, streamed from the store label by label."""

from __future__ import annotations

from collections.abc import Iterator

from clew.tools.graph.schema import Schema
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.linking.tables import IndexedNode


def indexed_nodes(store: GraphStore, schema: Schema) -> Iterator[IndexedNode]:
    """All nodes of a graph that have an id, each once."""
    terms, seen = store.terms, set[str]()
    for label in schema.labels:
        columns = f"{terms.id('n')} AS id, {terms.name('n')} AS name, {terms.aliases('n')} AS aliases"
        for row in store.scan(f"MATCH {terms.node('n', label)} RETURN {columns}"):
            key = str(row["id"])
            if row["id"] is not None and key not in seen:
                if not terms.imported:
                    seen.add(key)  # a node with two labels comes twice
                yield IndexedNode(key, str(row["name"] or ""), label, tuple(row["aliases"] or ()))
