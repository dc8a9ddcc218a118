"""Vectors that are embedded once: known by the hash of their text, and written down as they come.

A build takes what an earlier index has, then what an interrupted build left in its journal, and embeds the rest in
batches, each of which is in the journal before the next begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import Column
from clew.tools.embedding import Embedder, Vectors

EMBEDDED_AT_ONCE = 512
CHARACTERS_AT_ONCE = 100_000
"""Embedding few short texts at a time is many times slower."""
_ROWS = 8192

Hashes = npt.NDArray[np.uint64]
Advance = Callable[[int], None]


class Journal:
    """Vectors that were embedded since the last index was published: records of a hash and a vector."""

    def __init__(self, path: Path, dimension: int) -> None:
        self.path = path
        self._record = np.dtype([("hash", np.uint64), ("vector", np.float32, (dimension,))])

    def read(self) -> npt.NDArray[Any]:
        """What was written whole; a torn record at the end goes away."""
        if not self.path.exists():
            return np.zeros(0, self._record)
        whole = self.path.stat().st_size // self._record.itemsize
        if whole * self._record.itemsize != self.path.stat().st_size:
            with self.path.open("rb+") as file:
                file.truncate(whole * self._record.itemsize)
        return np.memmap(self.path, self._record, "r", shape=(whole,)) if whole else np.zeros(0, self._record)

    def append(self, hashes: Hashes, vectors: Vectors) -> None:
        records = np.empty(len(hashes), self._record)
        records["hash"], records["vector"] = hashes, vectors
        self._file.write(records.tobytes())
        self._file.flush()

    def __enter__(self) -> Journal:
        self._file = self.path.open("ab")
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def not_in(hashes: Hashes, sources: Sequence[Any]) -> npt.NDArray[np.intp]:
    """The places of hashes that no source has a vector for."""
    missing = np.ones(len(hashes), bool)
    for records in sources:
        missing &= ~np.isin(hashes, records["hash"])
    return np.flatnonzero(missing)


def embed_missing(
    hashes: Hashes,
    wanted: npt.NDArray[np.intp],
    text_of: Callable[[int], str],
    journal: Journal,
    embedder: Embedder,
    advance: Advance,
) -> None:
    """Embed the texts at the places `wanted` of `hashes` into the journal, EMBEDDED_AT_ONCE or, of short ones, as many
    as have CHARACTERS_AT_ONCE."""
    begun = 0
    while begun < len(wanted):
        texts: list[str] = []
        length = 0
        while begun + len(texts) < len(wanted) and (len(texts) < EMBEDDED_AT_ONCE or length < CHARACTERS_AT_ONCE):
            texts.append(text_of(int(wanted[begun + len(texts)])))
            length += len(texts[-1])
        journal.append(hashes[wanted[begun : begun + len(texts)]], embedder.embed(texts))
        begun += len(texts)
        advance(begun)


def write_vectors(folder: Path, name: str, hashes: Hashes, sources: Sequence[Any], dimension: int) -> None:
    """The column `name` with the vector of every hash, row after row; some source has each."""
    found = [_ByHash(records) for records in sources]
    with Column(folder, name, np.float32) as column:
        for begun in range(0, len(hashes), _ROWS):
            part = hashes[begun : begun + _ROWS]
            vectors = np.empty((len(part), dimension), np.float32)
            for source in found:
                source.take(part, vectors)
            column.append(vectors.ravel())


class _ByHash:
    """Vectors by hash."""

    def __init__(self, records: Any) -> None:
        self._order = np.argsort(records["hash"], kind="stable")
        self._hashes = np.asarray(records["hash"])[self._order]
        self._vectors = records["vector"]

    def take(self, hashes: Hashes, into: Vectors) -> None:
        if not len(self._hashes):
            return
        places = np.minimum(np.searchsorted(self._hashes, hashes), len(self._hashes) - 1)
        known = self._hashes[places] == hashes
        into[known] = self._vectors[self._order[places[known]]]
