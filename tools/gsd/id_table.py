"""Node ids to positions: an open-addressing hash table of int32 slots over the ids' UTF-8 bytes.

`text` (uint8) holds all ids joined, `ends` (int64, n + 1) their bounds. A slot holds a position or -1. Look-ups
compare the bytes, so no two ids can be taken for each other. The table is an array and is memory-mapped like the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from numba import njit

Bytes = npt.NDArray[np.uint8]
Bounds = npt.NDArray[np.int64]
Positions = npt.NDArray[np.int32]


def joined(texts: Sequence[str]) -> tuple[Bytes, Bounds]:
    """The texts' UTF-8 bytes in one array, and their bounds: shapes (bytes,) and (n + 1,)."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), out=ends[1:])
    return np.frombuffer(bytearray(b"".join(encoded)), np.uint8), ends


def table(text: Bytes, ends: Bounds) -> tuple[Positions, int]:
    """The slots for all ids, and the position of the first id that occurred before, or -1."""
    size = 8
    while size < 2 * len(ends):
        size *= 2
    slots = np.full(size, -1, np.int32)
    return slots, int(_insert(text, ends, slots))


def positions(text: Bytes, ends: Bounds, slots: Positions, wanted: Sequence[str]) -> Positions:
    """Per wanted id its position, or -1: shape (len(wanted),)."""
    wanted_text, wanted_ends = joined(wanted)
    return cast(Positions, _find(text, ends, slots, wanted_text, wanted_ends))


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _hash(text: Any, start: int, end: int) -> Any:
    """FNV-1a, 64 bits, the upper half folded into the lower."""
    value = np.uint64(14695981039346656037)
    for i in range(start, end):
        value = (value ^ np.uint64(text[i])) * np.uint64(1099511628211)
    return value ^ (value >> np.uint64(32))


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _same(text: Any, start: int, end: int, other: Any, other_start: int, other_end: int) -> bool:
    if end - start != other_end - other_start:
        return False
    for i in range(end - start):  # noqa: SIM110 (compiled)
        if text[start + i] != other[other_start + i]:
            return False
    return True


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _insert(text: Any, ends: Any, slots: Any) -> int:
    mask = np.uint64(len(slots) - 1)
    for i in range(len(ends) - 1):
        slot = _hash(text, ends[i], ends[i + 1]) & mask
        while slots[slot] >= 0:
            held = slots[slot]
            if _same(text, ends[i], ends[i + 1], text, ends[held], ends[held + 1]):
                return i
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = i
    return -1


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _find(text: Any, ends: Any, slots: Any, wanted_text: Any, wanted_ends: Any) -> Any:
    mask = np.uint64(len(slots) - 1)
    found = np.full(len(wanted_ends) - 1, -1, np.int32)
    for i in range(len(found)):
        slot = _hash(wanted_text, wanted_ends[i], wanted_ends[i + 1]) & mask
        while slots[slot] >= 0:
            held = slots[slot]
            if _same(wanted_text, wanted_ends[i], wanted_ends[i + 1], text, ends[held], ends[held + 1]):
                found[i] = held
                break
            slot = (slot + np.uint64(1)) & mask
    return found
