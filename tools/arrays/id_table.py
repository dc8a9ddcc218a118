"""Node ids to positions: an open-addressing hash table of int32 slots over the ids' UTF-8 bytes.

`text` (uint8) holds all ids joined, `ends` (int64, n + 1) their bounds. A slot holds a position or -1. Look-ups
compare the bytes, so no two ids can be taken for each other. The table is an array and is memory-mapped like the rest.
All of it works on many ids at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import joined, mapped
from clew.tools.arrays.strings import Strings
from clew.tools.errors import BadInput

Bytes = npt.NDArray[np.uint8]
Bounds = npt.NDArray[np.int64]
Positions = npt.NDArray[np.int32]
_Hashes = npt.NDArray[np.uint64]

_INSERTED = 65_536
"""Ids put into the table at a time."""
_FACTOR = np.uint64(1099511628211)
_MIXER = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


@dataclass(frozen=True, slots=True)
class IdTable:
    """The ids of an index by position, and their positions; memory-mapped."""

    strings: Strings
    slots: Positions

    @classmethod
    def write(cls, folder: Path, what: str) -> IdTable:
        """Add the table to the ids that were written as the strings `ids` of `folder`, and open both. Raises BadInput
        for an id that occurs twice; `what` names what the ids are of, such as "node"."""
        ids = Strings.load(folder, "ids")
        slots, repeated = table(ids.text, ids.ends)
        if repeated >= 0:
            raise BadInput(f"The {what} id {ids[repeated]!r} occurs twice.", f"Give every {what} an id of its own.")
        np.save(folder / "ids.slots.npy", slots)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> IdTable:
        return cls(Strings.load(folder, "ids"), mapped(folder, "ids.slots"))

    def __len__(self) -> int:
        return len(self.strings)

    def __getitem__(self, position: int) -> str:
        return self.strings[position]

    def positions(self, ids: Sequence[str]) -> Positions:
        """Per id its position, or -1: shape (len(ids),)."""
        return positions(self.strings.text, self.strings.ends, self.slots, ids)


class HashPositions:
    """The positions of 64-bit hashes; of a repeated one the first."""

    def __init__(self, hashes: _Hashes, *, ascending: bool = False) -> None:
        self._order = None if ascending else np.argsort(hashes, kind="stable")
        self._sorted = hashes if self._order is None else np.asarray(hashes)[self._order]

    def of(self, wanted: _Hashes) -> npt.NDArray[np.int64]:
        """Per wanted hash its position, or -1: shape (len(wanted),)."""
        if not len(self._sorted):
            return np.full(len(wanted), -1, np.int64)
        places = np.minimum(np.searchsorted(self._sorted, wanted), len(self._sorted) - 1)
        found = places if self._order is None else self._order[places]
        return np.where(self._sorted[places] == wanted, found, -1).astype(np.int64)


def table(text: Bytes, ends: Bounds) -> tuple[Positions, int]:
    """The slots for all ids, and the position of one that occurs twice, or -1."""
    size = 8
    while size < 2 * len(ends):
        size *= 2
    slots = np.full(size, -1, np.int32)
    for first in range(0, len(ends) - 1, _INSERTED):
        repeated = _insert(text, ends, slots, np.arange(first, min(first + _INSERTED, len(ends) - 1)))
        if repeated >= 0:
            return slots, repeated
    return slots, -1


def positions(text: Bytes, ends: Bounds, slots: Positions, wanted: Sequence[str]) -> Positions:
    """Per wanted id its position, or -1: shape (len(wanted),)."""
    wanted_text, wanted_ends = joined(wanted)
    found = np.full(len(wanted), -1, np.int32)
    left = np.arange(len(wanted))
    at = _slots_of(wanted_text, wanted_ends, len(slots))
    while len(left):
        held = slots[at]
        taken = held >= 0
        left, at, held = left[taken], at[taken], held[taken]
        same = _same(text, ends, held, wanted_text, wanted_ends, left)
        found[left[same]] = held[same]
        left, at = left[~same], (at[~same] + 1) % len(slots)
    return found


def _insert(text: Bytes, ends: Bounds, slots: Positions, ids: npt.NDArray[np.int64]) -> int:
    """Give each id the first free slot from its own on; of several that want one, one gets it and the others go on."""
    bounds = ends[ids[0] : ids[-1] + 2]
    at = _slots_of(text[bounds[0] : bounds[-1]], bounds - bounds[0], len(slots))
    while len(ids):
        free = slots[at] < 0
        slots[at[free]] = ids[free]
        waiting = slots[at] != ids
        ids, at = ids[waiting], at[waiting]
        twice = _same(text, ends, slots[at], text, ends, ids)
        if twice.any():
            return int(ids[twice][0])
        at = (at + 1) % len(slots)
    return -1


def _slots_of(text: Bytes, ends: Bounds, size: int) -> npt.NDArray[np.int64]:
    """Where the search for each id begins: a polynomial of its bytes modulo 2⁶⁴, mixed, modulo `size`, a power of 2."""
    lengths = np.diff(ends)
    powers = np.multiply.accumulate(np.full(int(lengths.max(initial=0)) + 1, _FACTOR))
    terms = (text.astype(np.uint64) + np.uint64(1)) * powers[_offsets(lengths)]
    sums: _Hashes = np.concatenate([np.zeros(1, np.uint64), np.cumsum(terms, dtype=np.uint64)])
    hashes: _Hashes = (sums[ends[1:]] - sums[ends[:-1]]) * _MIXER
    return ((hashes ^ (hashes >> _HALF)) & np.uint64(size - 1)).astype(np.int64)


def _offsets(lengths: Bounds) -> Bounds:
    """0, 1, 2, … for each of the stretches of these lengths, one after the other."""
    ends = np.cumsum(lengths)
    return np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - lengths, lengths)


def _same(
    text: Bytes, ends: Bounds, ids: npt.NDArray[np.integer], other: Bytes, other_ends: Bounds, others: Bounds
) -> npt.NDArray[np.bool_]:
    """Whether ids[i] of `text` has the bytes of others[i] of `other`, per i."""
    starts, other_starts = ends[ids], other_ends[others]
    lengths = ends[ids + 1] - starts
    same: npt.NDArray[np.bool_] = lengths == other_ends[others + 1] - other_starts
    lengths = np.where(same, lengths, 0)
    offsets = _offsets(lengths)
    unlike = text[np.repeat(starts, lengths) + offsets] != other[np.repeat(other_starts, lengths) + offsets]
    sums = np.concatenate([np.zeros(1, np.int64), np.cumsum(unlike)])
    after = np.cumsum(lengths)
    equal: npt.NDArray[np.bool_] = same & (sums[after] == sums[after - lengths])
    return equal
