"""One-dimensional arrays and strings in .npy files: written chunk by chunk, read memory-mapped."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.tools.arrays import id_table


def mapped(folder: Path, name: str) -> npt.NDArray[Any]:
    """A saved array, memory-mapped where it is not empty.

    Mapped copy-on-write: compiled functions treat read-only arrays as a type of their own and would be compiled twice.
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
        text, ends = id_table.joined(texts)
        self._ends.append(ends[1:] + self._text.length)
        self._text.append(text)

    def __enter__(self) -> StringColumns:
        return self

    def __exit__(self, *error: Any) -> None:
        self._text.__exit__(*error)
        self._ends.__exit__(*error)
