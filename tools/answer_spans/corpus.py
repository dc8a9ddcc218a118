"""What the reader asks of all documents together: how rare a word is, what stands earlier, which nodes are named."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from clew.tools.documents.chunk import Chunk
from clew.tools.documents.index.index import DocumentIndex
from clew.tools.graph.entity import Entity

Nodes = Callable[[Chunk], Iterable[tuple[int, int, Entity]]]


def _no_nodes(chunk: Chunk) -> Iterable[tuple[int, int, Entity]]:
    return ()


def _nothing_earlier(chunk: Chunk, term: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Corpus:
    """All documents."""

    rarity: Callable[[str], float]
    """The inverse document frequency of a term."""
    earlier: Callable[[Chunk, str], bool] = _nothing_earlier
    """Whether a term stands in the same document before a chunk."""
    nodes: Nodes = _no_nodes
    """Where a chunk names nodes of the graph: [start, end) of its text."""

    @classmethod
    def of(cls, index: DocumentIndex, nodes: Nodes = _no_nodes) -> Corpus:
        """The documents of an index."""
        postings, store = index.sources.postings, index.sources.store

        def earlier(chunk: Chunk, term: str) -> bool:
            position = int(store.positions([chunk.id])[0])
            held = postings.having(term)
            place = int(np.searchsorted(held, position - chunk.order))
            return place < len(held) and int(held[place]) < position

        return cls(postings.rarity, earlier, nodes)
