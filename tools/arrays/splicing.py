"""The arrays of an index after a change: what stays is copied in long runs, what is new is put in its place.

Copying takes about a millisecond for ten thousand strings; nothing that stays is read, folded or hashed again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import joined
from clew.tools.arrays.strings import IntArray, Strings

Mask = npt.NDArray[np.bool_]


def taken(old: Strings, new: Sequence[str], order: IntArray) -> Strings:
    """Strings in an order: below len(old) a place is one of `old`, from there on one of `new`."""
    new_text, new_ends = joined(new)
    text = np.concatenate([old.text, new_text])
    starts = np.concatenate([old.ends[:-1], new_ends[:-1] + len(old.text)])
    stops = np.concatenate([old.ends[1:], new_ends[1:] + len(old.text)])
    ends = np.zeros(len(order) + 1, np.int64)
    np.cumsum((stops - starts)[order], out=ends[1:])
    breaks = np.flatnonzero(np.diff(order) != 1) + 1
    firsts = np.concatenate([np.zeros(min(len(order), 1), np.int64), breaks])
    lasts = np.concatenate([breaks, np.full(min(len(order), 1), len(order))]) - 1
    bounds = zip(starts[order[firsts]].tolist(), stops[order[lasts]].tolist(), strict=True)
    view = memoryview(text.data)
    return Strings(np.frombuffer(bytearray(b"".join(view[start:stop] for start, stop in bounds)), np.uint8), ends)


def renumbered(numbers: npt.NDArray[Any], names: Sequence[str]) -> tuple[npt.NDArray[np.int32], list[str]]:
    """Numbers of names anew, in the order in which they first occur; names that do not occur are left out."""
    found, first = np.unique(numbers, return_index=True)
    order = found[np.argsort(first)]
    place = np.full(len(names), -1, np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return place[numbers], [names[number] for number in order.tolist()]


class SortedTexts:
    """Distinct texts that are sorted by their length in characters, then by themselves."""

    def __init__(self, texts: Strings, starts: IntArray) -> None:
        """`starts[l]` is the first text of length l or more; the last entry is the number of texts."""
        self.texts = texts
        self._starts = starts

    def lengths(self) -> IntArray:
        """In characters, by text."""
        return np.repeat(np.arange(len(self._starts) - 1), np.diff(self._starts))

    def place(self, text: str) -> tuple[int, bool]:
        """Where a text is, or would be put, and whether it is there."""
        length = len(text)
        if length >= len(self._starts) - 1:
            return len(self.texts), False
        low, last = int(self._starts[length]), int(self._starts[length + 1])
        high = last
        while low < high:
            middle = (low + high) // 2
            if self.texts[middle] < text:
                low = middle + 1
            else:
                high = middle
        return low, low < last and self.texts[low] == text

    def merged(self, stays: Mask, wanted: Sequence[str]) -> Merged:
        """Those that stay together with the `wanted` ones, which are distinct and may be there already."""
        count = len(self.texts)
        places = [self.place(text) for text in wanted]
        stays = stays.copy()
        stays[[place for place, there in places if there]] = True
        fresh = [number for number, (_, there) in enumerate(places) if not there]
        fresh.sort(key=lambda number: (len(wanted[number]), wanted[number]))
        kept = np.flatnonzero(stays)
        before = np.searchsorted(kept, np.array([places[number][0] for number in fresh], np.int64))
        order = np.insert(kept, before, np.array(fresh, np.int64) + count)
        at = np.full(count + len(wanted), -1, np.int64)
        at[order] = np.arange(len(order))
        of_wanted = [int(at[place if there else count + i]) for i, (place, there) in enumerate(places)]
        return Merged(order, at[:count], np.array(of_wanted, np.int64), fresh)


class Merged(NamedTuple):
    """Sorted texts after a change. Orders are those of `taken`."""

    order: IntArray
    old_places: IntArray
    """By old text its place, -1 where it has gone."""
    wanted_places: IntArray
    fresh: list[int]
    """Those of the wanted texts that were not there."""


def in_order(groups: IntArray, items: IntArray, count: int) -> tuple[IntArray, IntArray]:
    """Pairs sorted by group and item: where each of `count` groups begins, shape (count + 1,), and the order."""
    starts = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(groups, minlength=count), out=starts[1:])
    return starts, np.lexsort((items, groups))


class Places(NamedTuple):
    """Where nodes are after a change: those that stay keep their order, and new ones follow."""

    old: IntArray
    """By old node its place, -1 where it has gone."""
    order: IntArray
    """As in `taken`: by place an old node, or from their number on one of the nodes that were given."""
    given: IntArray
    """By given node its place."""

    @classmethod
    def of(cls, count: int, touched: Sequence[int], given: Sequence[int]) -> Places:
        """Args:
        count: the number of old nodes.
        touched: the old nodes that may have gone or changed.
        given: for each node that is there now, of those that were touched or are new, its old place, or -1.
        """
        replaced = np.full(count, -1, np.int64)
        stays = np.ones(count, bool)
        stays[list(touched)] = False
        known = [number for number, place in enumerate(given) if place >= 0]
        replaced[[given[number] for number in known]] = known
        stays |= replaced >= 0
        kept = np.flatnonzero(stays)
        fresh = np.array([number for number, place in enumerate(given) if place < 0], np.int64)
        order = np.concatenate([np.where(replaced[kept] >= 0, count + replaced[kept], kept), count + fresh])
        old = np.full(count, -1, np.int64)
        old[kept] = np.arange(len(kept))
        at = np.full(count + len(given), -1, np.int64)
        at[order] = np.arange(len(order))
        return cls(old, order, at[count:])
