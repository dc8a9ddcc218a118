"""Names that are only one end of a title: "Ipswich Town" in a cell, where the document is "Ipswich Town F.C.".

A column names things of one kind, and titles of one kind are often longer in the same way. A longer title is taken
where what it adds, "… F.C." or "HNK …", fits another name of the column, too, or where it is the only one that the name
begins or ends and nothing bears the very name. A name that begins or ends more than MOST titles says too little.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from clew.tools.arrays.strings import hash_text
from clew.tools.documents.chunk_graph.names import bare, folded, spellings

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
    """Titles by their beginnings and ends."""

    def __init__(self, titles: Collection[tuple[str, int]]) -> None:
        """`titles` with a position each."""
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
        """The positions of the longer titles that a column's cells mean."""
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
    """Every beginning and end of a title that leaves few enough words, with what the title adds to it."""
    for size in range(max(1, len(words) - MOST_MORE), len(words)):
        yield " ".join(words[:size]), f"+ {' '.join(words[size:])}"
        yield " ".join(words[-size:]), f"{' '.join(words[:-size])} +"


def _is_name(name: str) -> bool:
    return len(name) >= _LEAST_LETTERS and _LETTERS.search(name) is not None
