"""Very many texts, each with two numbers, sorted by their length in characters and then by themselves: by way of files,
so that memory holds the texts of one length at a time."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import joined, mapped
from clew.tools.arrays.strings import IntArray, Strings

_AT_ONCE = 400_000
"""Texts in memory before they are written."""


class Group(NamedTuple):
    """All texts of one length."""

    texts: Strings
    """Each distinct one, sorted."""
    starts: IntArray
    """Of text t the items [starts[t], starts[t + 1]), in the order in which they were added; shape (texts + 1,)."""
    numbers: IntArray
    kinds: npt.NDArray[np.int8]


class TextSorter:
    """Collects items in a folder, and gives them sorted."""

    def __init__(self, folder: Path, at_once: int = _AT_ONCE) -> None:
        self._folder, self._at_once = folder, at_once
        self._texts: list[str] = []
        self._numbers, self._kinds = array("q"), array("b")
        self._runs: list[_Run] = []

    def add(self, text: str, number: int, kind: int = 0) -> None:
        self._texts.append(text)
        self._numbers.append(number)
        self._kinds.append(kind)
        if len(self._texts) == self._at_once:
            self._write()

    def groups(self) -> Iterator[Group]:
        """The items of each length from 1 on, also of those that no text has."""
        self._write()
        for length in range(1, max((run.longest for run in self._runs), default=0) + 1):
            yield _group([run.items(length) for run in self._runs])

    def _write(self) -> None:
        if not self._texts:
            return
        lengths = np.fromiter(map(len, self._texts), np.int64, len(self._texts))
        order = np.argsort(lengths, kind="stable")
        name = f"run{len(self._runs)}"
        Strings(*joined([self._texts[place] for place in order.tolist()])).save(self._folder, name)
        np.save(self._folder / f"{name}.numbers.npy", np.array(self._numbers, np.int64)[order])
        np.save(self._folder / f"{name}.kinds.npy", np.array(self._kinds, np.int8)[order])
        self._runs.append(_Run(self._folder, name, lengths[order]))
        self._texts, self._numbers, self._kinds = [], array("q"), array("b")


class _Run:
    """Items that were written together, sorted by length."""

    def __init__(self, folder: Path, name: str, lengths: IntArray) -> None:
        self.longest = int(lengths[-1])
        self._starts = np.searchsorted(lengths, np.arange(self.longest + 2))
        self._strings = Strings.load(folder, name)
        self._numbers, self._kinds = mapped(folder, f"{name}.numbers"), mapped(folder, f"{name}.kinds")

    def items(self, length: int) -> tuple[npt.NDArray[np.uint8], IntArray, IntArray, npt.NDArray[np.int8]]:
        """The bytes of the texts of a length, the size of each in bytes, and their numbers and kinds."""
        first, stop = self._starts[min(length, self.longest + 1)], self._starts[min(length + 1, self.longest + 1)]
        ends = self._strings.ends[first : stop + 1]
        return self._strings.text[ends[0] : ends[-1]], np.diff(ends), self._numbers[first:stop], self._kinds[first:stop]


def _group(parts: Sequence[tuple[npt.NDArray[np.uint8], IntArray, IntArray, npt.NDArray[np.int8]]]) -> Group:
    text, sizes, numbers, kinds = (np.concatenate(each) for each in zip(*parts, strict=True))
    count, width = len(sizes), int(sizes.max(initial=1))
    padded = np.zeros((count, -(-width // 8) * 8), np.uint8)
    padded[np.arange(padded.shape[1]) < sizes[:, None]] = text
    # Zeros at the end do not make two texts of one length equal. Big-endian numbers sort as their bytes do, and UTF-8
    # sorts as its characters do.
    columns = padded.view(">u8").astype(np.uint64)
    order = np.lexsort(columns.T[::-1]) if count else np.zeros(0, np.int64)
    ordered = columns[order]
    first = np.ones(count, bool)
    first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    starts = np.append(np.flatnonzero(first), count)
    kept = order[first]
    ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes[kept])])
    rows = padded[kept]
    texts = Strings(np.ascontiguousarray(rows[np.arange(rows.shape[1]) < sizes[kept][:, None]]), ends)
    return Group(texts, starts, numbers[order], kinds[order])
