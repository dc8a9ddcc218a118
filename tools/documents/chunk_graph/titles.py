"""Links from the names in a chunk (in a text or a table cell) to the documents with that title, as hyperlinks would.

A cell often contains more than a name ("16, Nicky Walker, Aberdeen"), so every run of its words that starts with a
capital is looked up, longer runs first. A name that is the title of more than MOST_OF_TITLE documents is ignored.

A cell may also contain only one end of a title (`LongerTitles`): "Ipswich Town", where the document is "Ipswich Town
F.C.". Titles of one kind are often longer in the same way, and a column names things of one kind. A longer title is
taken if its addition, "… F.C." or "HNK …", fits another name of the column too, or if it is the only title that starts
or ends with the name and no title equals it. A name that starts or ends more than MOST titles is ignored.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from clew.tools.arrays.strings import hash_text
from clew.tools.documents.chunk import Chunk, Chunks
from clew.tools.documents.chunk_graph.names import bare, folded, spellings
from clew.tools.embedding.exact import Pairs

MOST = 5
MOST_MORE = 4
"""Words that a title may have beside the name."""
AGREEING = 2
"""Names of a column that what a title adds has to fit."""
_LEAST_LETTERS = 3
_LETTERS = re.compile(r"[^\W\d_]")

Longer = tuple[int, int]
"""A title's position, and a hash of what it adds and at which end."""


class LongerTitles:
    """The titles by their beginnings and ends."""

    def __init__(self, titles: Collection[tuple[str, int]]) -> None:
        """`titles` with a position for each."""
        numbers = (
            number
            for title, position in titles
            for name in {folded(title), folded(bare(title))}
            for end, added in _ends(name.split())
            for number in (hash_text(end), position, hash_text(added))
        )
        found = np.unique(np.fromiter(numbers, np.uint64).reshape(-1, 3), axis=0)
        self._keys, self._positions, self._added = found[:, 0].copy(), found[:, 1].astype(np.int64), found[:, 2].copy()
        self._exact = {hash_text(folded(name)) for title, _ in titles for name in (title, bare(title))}

    def of_column(self, cells: Sequence[str]) -> Iterator[int]:
        """The positions of the longer titles that the cells of a column refer to."""
        names = dict.fromkeys(name for cell in cells for name in spellings(cell) if _is_name(name))
        found = {name: longer for name in names if (longer := self._longer(name))}
        votes = Counter(added for longer in found.values() for added in {added for _, added in longer})
        for name, longer in found.items():
            most = max(votes[added] for _, added in longer)
            alone = len({position for position, _ in longer}) == 1 and hash_text(name) not in self._exact
            if most >= AGREEING or alone:
                yield from (position for position, added in longer if votes[added] == most)

    def _longer(self, name: str) -> list[Longer]:
        key = np.uint64(hash_text(name))
        low, high = np.searchsorted(self._keys, key), np.searchsorted(self._keys, key, side="right")
        if not 0 < high - low <= MOST:
            return []
        return list(zip(self._positions[low:high].tolist(), self._added[low:high].tolist(), strict=True))


def columns(text: str) -> dict[str, list[str]]:
    """The cells of a table's segment under the name of each column, as `in_words` writes rows."""
    found: dict[str, list[str]] = defaultdict(list)
    for line in text.split("\n"):
        for part in line.split("; "):
            name, _, cell = part.partition(": ")
            if cell:
                found[name].append(cell)
    return found


def _ends(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Every beginning and end of a title that omits few enough words, with the omitted words."""
    for size in range(max(1, len(words) - MOST_MORE), len(words)):
        yield " ".join(words[:size]), f"+ {' '.join(words[size:])}"
        yield " ".join(words[-size:]), f"{' '.join(words[:-size])} +"


def _is_name(name: str) -> bool:
    return len(name) >= _LEAST_LETTERS and _LETTERS.search(name) is not None


MOST_OF_TITLE = 5
"""Maximum number of documents with one title that a name links to."""
LONGEST_TITLE = 8
"""Words of a title that is looked for in a cell."""
_AT_ONCE = 4096
_CELL_ENDS = re.compile(r"[\n;|]|: ")
_WORD = re.compile(r"[^\W_]+(?:['\u2019.\-\u2010&/][^\W_]+)*")


def title_links(store: Chunks) -> Iterator[Pairs]:
    """Links from each chunk to the first chunk of every other document that has one of its names as a title."""
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
        """The first chunks of the documents that a chunk names, each once; a text does not link to its own title."""
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
        """For each folded name, the chunks with that title."""
        hashes = np.array([hash_text(name) for name in names], np.uint64)
        low, high = np.searchsorted(self._keys, hashes), np.searchsorted(self._keys, hashes, side="right")
        bounds = zip(low.tolist(), high.tolist(), strict=True)
        return [self._positions[a:b].tolist() if b - a <= MOST_OF_TITLE else [] for a, b in bounds]

    def _within(self, cell: str) -> list[int]:
        """The chunks whose titles are runs of a cell's words; of overlapping runs, the first and longest."""
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
