"""A graph snapshot on disk: arrays in a folder, and one small file that says which folder is current."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from tools.errors import BadInput, ClewError

FORMAT = 1
_MANIFEST = "snapshot.json"
_REBUILD = "Build the snapshot again."


@dataclass(frozen=True, slots=True)
class Manifest:
    """What `snapshot.json` holds."""

    format: int
    version: str
    """Of the graph, as the caller gave it."""
    folder: str
    relations: list[str]
    labels: list[str]


def start(directory: Path) -> Path:
    """A new empty folder to build in; what interrupted builds left goes away. Hold the directory's lock."""
    directory.mkdir(parents=True, exist_ok=True)
    for left in directory.glob("building-*"):
        shutil.rmtree(left, ignore_errors=True)
    building = directory / f"building-{secrets.token_hex(4)}"
    building.mkdir()
    return building


def publish(directory: Path, building: Path, version: str, relations: list[str], labels: list[str]) -> None:
    """Make the built folder current in one rename; older folders go away.

    A process that has the old arrays mapped keeps them. After a crash the old snapshot is still current.
    """
    data = building.rename(directory / building.name.replace("building-", "data-"))
    manifest = Manifest(FORMAT, version, data.name, relations, labels)
    draft = directory / f"{_MANIFEST}.draft"
    draft.write_text(json.dumps(asdict(manifest), ensure_ascii=False), encoding="utf-8")
    os.replace(draft, directory / _MANIFEST)
    for old in directory.glob("data-*"):
        if old != data:
            shutil.rmtree(old, ignore_errors=True)


def read_manifest(directory: Path) -> Manifest:
    """Raises BadInput where there is no snapshot, or one that another version of Clew wrote."""
    path = directory / _MANIFEST
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInput(f"There is no graph snapshot in {directory}.", _REBUILD) from None
    except (ValueError, OSError) as error:
        raise BadInput(f"{path} cannot be read: {error}.", _REBUILD) from error
    found = fields.get("format") if isinstance(fields, dict) else None
    if found != FORMAT:
        raise BadInput(f"{path} has format {found}; this version of Clew reads format {FORMAT}.", _REBUILD)
    try:
        return Manifest(**fields)
    except TypeError as error:
        raise BadInput(f"{path} is not a graph snapshot: {error}.", _REBUILD) from error


def damaged(directory: Path, error: Exception) -> ClewError:
    """The error for arrays that are missing or unreadable."""
    return BadInput(f"The graph snapshot in {directory} is damaged: {error}.", _REBUILD)


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
