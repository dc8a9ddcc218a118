"""One-dimensional arrays and strings in .npy files, which are written chunk by chunk and read memory-mapped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """The items in lists of `size`; the last list may be shorter."""
    source = iter(items)
    while batch := list(islice(source, size)):
        yield batch


def joined(texts: Sequence[str]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """The texts' UTF-8 bytes in one array, and their bounds: shapes (bytes,) and (n + 1,)."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), out=ends[1:])
    return np.frombuffer(bytearray(b"".join(encoded)), np.uint8), ends


def mapped(folder: Path, name: str) -> npt.NDArray[Any]:
    """A saved array, memory-mapped unless it is empty.

    It is mapped copy-on-write: a read-only array is a type of its own to compiled functions, which would be compiled
    twice.
    """
    path = folder / f"{name}.npy"
    try:
        return np.asarray(np.load(path, mmap_mode="c", allow_pickle=False))
    except ValueError:
        return np.asarray(np.load(path, allow_pickle=False))


class Column:
    """An .npy file of one dimension that grows chunk by chunk; its length is written when it is closed."""

    def __init__(self, folder: Path, name: str, dtype: npt.DTypeLike) -> None:
        self._file = (folder / f"{name}.npy").open("wb")
        self._dtype = np.dtype(dtype)
        self.length = 0
        self._write_header()

    def append(self, chunk: npt.NDArray[Any]) -> None:
        self._file.write(np.ascontiguousarray(chunk, self._dtype).data)
        self.length += len(chunk)

    def _write_header(self) -> None:
        # numpy pads the header so that it keeps its size whatever the length.
        shape = {"descr": self._dtype.str, "fortran_order": False, "shape": (self.length,)}
        np.lib.format.write_array_header_1_0(self._file, shape)

    def __enter__(self) -> Column:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._file.seek(0)
            self._write_header()
        self._file.close()


class StringColumns:
    """Two columns of strings: their bytes joined, and their bounds."""

    def __init__(self, folder: Path, name: str) -> None:
        self._text = Column(folder, f"{name}.text", np.uint8)
        self._ends = Column(folder, f"{name}.ends", np.int64)
        self._ends.append(np.zeros(1, np.int64))

    def append(self, texts: Sequence[str]) -> None:
        self.append_joined(*joined(texts))

    def append_joined(self, text: npt.NDArray[np.uint8], ends: npt.NDArray[np.int64]) -> None:
        """Append strings that are joined, with their bounds from 0 on."""
        self._ends.append(ends[1:] + self._text.length)
        self._text.append(text)

    def __enter__(self) -> StringColumns:
        return self

    def __exit__(self, *error: Any) -> None:
        self._text.__exit__(*error)
        self._ends.__exit__(*error)
