"""Links from what a chunk names to what is called that: a table's cell or a name in a text, and a document's title.

They are what hyperlinks would say. A name that is the title of more than MOST_OF_TITLE documents says too little.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tools.chunk_graph.alike import Pairs
from tools.chunk_graph.names import bare, folded, spellings
from tools.documents.chunk import Chunk
from tools.linking.index_builder import hash_text

MOST_OF_TITLE = 5
_AT_ONCE = 4096


class Chunks(Protocol):
    """Chunks by position."""

    def __len__(self) -> int: ...
    def __getitem__(self, position: int, /) -> Chunk: ...


def title_links(store: Chunks) -> Iterator[Pairs]:
    """From each chunk to the first chunk of every other document that has one of its names for a title."""
    keys, firsts = _titles(store)
    for begun in range(0, len(store), _AT_ONCE):
        left: list[int] = []
        right: list[int] = []
        for position in range(begun, min(begun + _AT_ONCE, len(store))):
            chunk = store[position]
            names = (chunk.title, *chunk.entities) if chunk.kind == "table" else chunk.entities
            own = {folded(chunk.title), folded(bare(chunk.title))} if chunk.kind == "text" else set()
            wanted = dict.fromkeys(each for name in names for each in spellings(name) if each not in own)
            for target in _called(keys, firsts, list(wanted)):
                if target != position:
                    left.append(position)
                    right.append(target)
        yield Pairs(np.array(left, np.int32), np.array(right, np.int32), np.ones(len(left), np.float32))


def _titles(store: Chunks) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
    """Hashes of the titles of running text, ascending, each with the first chunk of a document of that title."""
    found: list[tuple[int, int]] = []
    begun: set[str] = set()
    for position in range(len(store)):
        chunk = store[position]
        if chunk.kind == "text" and chunk.title and chunk.document not in begun:
            begun.add(chunk.document)
            found += [(hash_text(key), position) for key in {folded(chunk.title), folded(bare(chunk.title))} if key]
    keys = np.array([key for key, _ in found], np.uint64)
    firsts = np.array([position for _, position in found], np.int32)
    order = np.lexsort((firsts, keys))
    return keys[order], firsts[order]


def _called(keys: npt.NDArray[np.uint64], firsts: npt.NDArray[np.int32], wanted: list[str]) -> list[int]:
    hashes = np.array([hash_text(each) for each in wanted], np.uint64)
    low, high = np.searchsorted(keys, hashes), np.searchsorted(keys, hashes, side="right")
    found: dict[int, None] = {}
    for first, last in zip(low.tolist(), high.tolist(), strict=True):
        if last - first <= MOST_OF_TITLE:
            found.update(dict.fromkeys(firsts[first:last].tolist()))
    return list(found)
