"""Links from what a chunk names to what is called that: a name in a text or a table's cell, and a document's title.

They are what hyperlinks would say. A cell is often more than a name ("16, Nicky Walker, Aberdeen"), so that every run
of its words that begins with a capital is looked up, longer ones first; or less than the title's (`longer_titles`). A
name that is the title of more than MOST_OF_TITLE documents says too little.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.strings import hash_text
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.chunk_graph.longer_titles import LongerTitles, columns
from clew.tools.documents.chunk_graph.names import bare, folded, spellings
from clew.tools.embedding.exact import Pairs

MOST_OF_TITLE = 5
"""Documents of one title that a name may link to."""
LONGEST_TITLE = 8
"""Words of a title that is looked for in a cell."""
_AT_ONCE = 4096
_CELL_ENDS = re.compile(r"[\n;|]|: ")
_WORD = re.compile(r"[^\W_]+(?:['\u2019.\-\u2010&/][^\W_]+)*")

Positions = npt.NDArray[np.int32]


class Chunks(Protocol):
    """Chunks by position."""

    def __len__(self) -> int: ...
    def __getitem__(self, position: int, /) -> Chunk: ...


def title_links(store: Chunks) -> Iterator[Pairs]:
    """From each chunk to the first chunk of every other document that has one of its names for a title."""
    titles = _Titles(store)
    for begun in range(0, len(store), _AT_ONCE):
        left: list[int] = []
        right: list[int] = []
        for position in range(begun, min(begun + _AT_ONCE, len(store))):
            targets = [target for target in titles.named_in(store[position]) if target != position]
            left += [position] * len(targets)
            right += targets
        yield Pairs(np.array(left, np.int32), np.array(right, np.int32), np.ones(len(left), np.float32))


class _Titles:
    """The titles of running text, folded, each with the first chunks of the documents that have it."""

    def __init__(self, store: Chunks) -> None:
        found: list[tuple[int, int]] = []
        named: list[tuple[str, int]] = []
        begun: set[str] = set()
        for position in range(len(store)):
            chunk = store[position]
            if chunk.kind == "text" and chunk.title and chunk.document not in begun:
                begun.add(chunk.document)
                named.append((chunk.title, position))
                keys = {folded(chunk.title), folded(bare(chunk.title))}
                found += [(hash_text(key), position) for key in keys if key]
        keys_of = np.array([key for key, _ in found], np.uint64)
        positions = np.array([position for _, position in found], np.int32)
        order = np.lexsort((positions, keys_of))
        self._keys, self._positions = keys_of[order], positions[order]
        self._longer = LongerTitles(named)

    def named_in(self, chunk: Chunk) -> list[int]:
        """The first chunks of the documents that a chunk names, each once; of a text, none is of its own title."""
        table = chunk.kind == "table"
        own = set() if table else {folded(chunk.title), folded(bare(chunk.title))}
        names = (chunk.title, *chunk.entities) if table else chunk.entities
        candidates = list(dict.fromkeys(each for name in names for each in spellings(name) if each not in own))
        found = [target for targets in self._called(candidates) for target in targets]
        if table:
            found += [target for cell in _CELL_ENDS.split(chunk.text) for target in self._within(cell)]
            found += [target for cells in columns(chunk.text).values() for target in self._longer.of_column(cells)]
        return list(dict.fromkeys(found))

    def _called(self, names: Sequence[str]) -> list[list[int]]:
        """Of each folded name the chunks that have it for a title."""
        hashes = np.array([hash_text(name) for name in names], np.uint64)
        low, high = np.searchsorted(self._keys, hashes), np.searchsorted(self._keys, hashes, side="right")
        bounds = zip(low.tolist(), high.tolist(), strict=True)
        return [self._positions[a:b].tolist() if b - a <= MOST_OF_TITLE else [] for a, b in bounds]

    def _within(self, cell: str) -> list[int]:
        """What the runs of a cell's words are titles of; of those that overlap the first and longest."""
        words = list(_WORD.finditer(cell))
        runs = [
            (first, last)
            for first in range(len(words))
            if cell[words[first].start()].isupper()
            for last in range(min(len(words), first + LONGEST_TITLE), first, -1)
        ]
        called = self._called([folded(cell[words[first].start() : words[last - 1].end()]) for first, last in runs])
        found: list[int] = []
        free = 0
        for (first, last), targets in zip(runs, called, strict=True):
            if targets and first >= free:
                found += targets
                free = last
        return found
