"""A graph's relationships as a snapshot takes them, streamed from the store."""

from __future__ import annotations

from collections.abc import Iterator

from clew.tools.graph.snapshot.builder import EdgeRow
from clew.tools.graph.store.graph_store import GraphStore


def stored_edges(store: GraphStore) -> Iterator[EdgeRow]:
    """All relationships of a graph between nodes that have an id, as (head's id, type, tail's id)."""
    terms = store.terms
    for row in store.scan(
        f"MATCH {terms.node('a')}-[r]->{terms.node('b')} "
        f"RETURN {terms.id('a')} AS head, type(r) AS relation, {terms.id('b')} AS tail"
    ):
        if row["head"] is not None and row["tail"] is not None:
            yield str(row["head"]), str(row["relation"]), str(row["tail"])
