"""Many strings in two flat arrays, so that a million of them open without being read."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import joined, mapped

IntArray = npt.NDArray[np.int64]


class Strings:
    """Strings by position, over UTF-8 bytes `text` (uint8, all strings joined) and `ends` (int64, n + 1, from 0)."""

    def __init__(self, text: npt.NDArray[np.uint8], ends: IntArray) -> None:
        self.text = text
        self.ends = ends
        self._bytes = memoryview(text.data)
        self._bounds = memoryview(ends.data)

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, position: int) -> str:
        return str(self._bytes[self._bounds[position] : self._bounds[position + 1]], "utf-8", "surrogatepass")

    def take(self, positions: npt.NDArray[Any]) -> list[str]:
        """The strings at `positions` (integers, shape (k,)), in that order."""
        text = self._bytes
        bounds = zip(self.ends[positions].tolist(), self.ends[positions + 1].tolist(), strict=True)
        return [str(text[start:end], "utf-8", "surrogatepass") for start, end in bounds]

    @classmethod
    def of(cls, strings: Iterable[str]) -> Strings:
        return cls(*joined(list(strings)))

    def save(self, folder: Path, name: str) -> None:
        np.save(folder / f"{name}.text.npy", self.text)
        np.save(folder / f"{name}.ends.npy", self.ends)

    @classmethod
    def load(cls, folder: Path, name: str) -> Strings:
        return cls(mapped(folder, f"{name}.text"), mapped(folder, f"{name}.ends"))


class StringsWriter:
    """Collects strings into one buffer; a million short names cost their bytes and eight more each."""

    def __init__(self) -> None:
        self._text = bytearray()
        self._ends = array("q", [0])

    def append(self, string: str) -> int:
        """Add a string and return its position."""
        self._text += string.encode("utf-8", "surrogatepass")
        self._ends.append(len(self._text))
        return len(self._ends) - 2

    def finish(self) -> Strings:
        return Strings(np.frombuffer(bytes(self._text), np.uint8), np.array(self._ends, np.int64))


def hash_text(text: str) -> int:
    """64 bits, the same in every process."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def grouped(groups: Sequence[int] | npt.NDArray[Any], count: int) -> tuple[IntArray, IntArray]:
    """Positions sorted by group: (`starts` of shape (count + 1,), `order`); group g is order[starts[g]:starts[g+1]]."""
    array = np.asarray(groups, np.int64)
    starts = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(array, minlength=count), out=starts[1:])
    return starts, np.argsort(array, kind="stable")
