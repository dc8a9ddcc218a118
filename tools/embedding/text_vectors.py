"""The vectors of an index's texts: each distinct text is embedded once and known by the hash of its text.

A build takes the vectors that the published index has, then those in the journal of an interrupted build, and embeds
the rest in batches. Each batch is in the journal before the next one begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import Column, mapped
from clew.tools.arrays.id_table import HashPositions
from clew.tools.arrays.index_files import IndexFiles, Manifest, Stage
from clew.tools.arrays.strings import hash_text
from clew.tools.embedding import Embedder, Vectors
from clew.tools.embedding.embedder import MINILM
from clew.tools.embedding.spread import embed_portions
from clew.tools.errors import BadInput

JOURNAL = "embedded-{}.vectors"
"""By a digest of the embedder's name."""
NO_TEXT = 0
"""The hash that stands for no text. A text with this hash gets no vector (one in 10^19)."""
EMBEDDED_AT_ONCE = 512
CHARACTERS_AT_ONCE = 100_000
"""Embedding few short texts at a time is many times slower."""
_ROWS = 8192

Hashes = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorManifest(Manifest):
    """The manifest of an index that has vectors."""

    dimension: int
    """Of the vectors; 0 if there are none."""
    embedder: str = MINILM
    """The name of the model that made them."""

    def check_embedder(self, embedder: Embedder) -> None:
        """Raises ValueError if the vectors are another model's."""
        if self.dimension and self.embedder != embedder.name:
            raise ValueError(f"its vectors are another model's ({self.embedder}, not {embedder.name})")


M = TypeVar("M", bound=VectorManifest)


class Distinct(NamedTuple):
    """n texts, v of them distinct."""

    rows: npt.NDArray[np.int32]
    """By text the row of its vector, -1 without one: shape (n,)."""
    hashes: Hashes
    """By row, in the order of the texts: shape (v,)."""
    first: npt.NDArray[np.int64]
    """By row the first text that has it: shape (v,)."""


def distinct_texts(hashes: Hashes) -> Distinct:
    """One row for each distinct text. `hashes` has NO_TEXT where there is none."""
    filled = np.flatnonzero(hashes != NO_TEXT)
    distinct, first, inverse = np.unique(hashes[filled], return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    rows = np.full(len(hashes), -1, np.int32)
    rows[filled] = place[inverse]
    return Distinct(rows, distinct[order], filled[first[order]].astype(np.int64))


class TextVectors:
    """The vectors that a build has: of the published index, of the journal, and what `embed` adds to that."""

    def __init__(self, files: IndexFiles[M], directory: Path, names: Sequence[str], embedder: Embedder) -> None:
        """`names` are those under which the index writes vectors."""
        self._embedder = embedder
        self._record = np.dtype([("hash", np.uint64), ("vector", np.float32, (embedder.dimension,))])
        self._journal = journal_of(directory, embedder)
        self._published = _published(files, directory, names, embedder)

    def embed(self, what: str, hashes: Hashes, text_of: Callable[[int], str], stage: Stage) -> None:
        """Embed the texts that have no vector yet into the journal. `text_of` gives the text of a place in `hashes`,
        which are distinct."""
        missing = np.ones(len(hashes), bool)
        for records in self._sources():
            missing &= ~np.isin(hashes, records["hash"])
        wanted = np.flatnonzero(missing)
        if not len(wanted):
            return
        done = 0
        with stage(what, "texts", len(wanted)) as advance, self._journal.open("ab") as file:
            portions = _portions(text_of(place) for place in wanted.tolist())
            for vectors in embed_portions(self._embedder, portions):
                records = np.empty(len(vectors), self._record)
                records["hash"] = hashes[wanted[done : done + len(vectors)]]
                records["vector"] = vectors
                file.write(records.tobytes())
                file.flush()
                done += len(vectors)
                advance(done)

    def write(self, folder: Path, name: str, hashes: Hashes) -> None:
        """Write `{name}_hashes` and `{name}_vectors`, row after row; each hash has a vector by now."""
        np.save(folder / f"{name}_hashes.npy", hashes)
        found = [(HashPositions(records["hash"]), records["vector"]) for records in self._sources()]
        with Column(folder, f"{name}_vectors", np.float32) as column:
            for begun in range(0, len(hashes), _ROWS):
                part = hashes[begun : begun + _ROWS]
                vectors = np.empty((len(part), self._embedder.dimension), np.float32)
                for positions, known in found:
                    rows = positions.of(part)
                    vectors[rows >= 0] = known[rows[rows >= 0]]
                column.append(vectors.ravel())

    def _sources(self) -> list[Any]:
        return [*self._published, self._journalled()]

    def _journalled(self) -> npt.NDArray[Any]:
        """The records of the journal. A torn record at the end is cut off."""
        if not self._journal.exists():
            return np.zeros(0, self._record)
        size, record = self._journal.stat().st_size, self._record.itemsize
        if size % record:
            with self._journal.open("rb+") as file:
                file.truncate(size - size % record)
        whole = size // record
        return np.memmap(self._journal, self._record, "r", shape=(whole,)) if whole else np.zeros(0, self._record)


def vectors_of(folder: Path, name: str, dimension: int) -> Vectors:
    """What `TextVectors.write` wrote under `name`, memory-mapped: shape (rows, dimension)."""
    return mapped(folder, f"{name}_vectors").reshape(-1, max(1, dimension))


def journal_of(directory: Path, embedder: Embedder) -> Path:
    """Where a build keeps the vectors of this embedder until the index is published."""
    return directory / JOURNAL.format(f"{hash_text(embedder.name):016x}")


def _portions(texts: Iterable[str]) -> Iterator[list[str]]:
    """The texts that are embedded at once: EMBEDDED_AT_ONCE or, of short ones, as many as have CHARACTERS_AT_ONCE."""
    portion: list[str] = []
    length = 0
    for text in texts:
        portion.append(text)
        length += len(text)
        if len(portion) >= EMBEDDED_AT_ONCE and length >= CHARACTERS_AT_ONCE:
            yield portion
            portion, length = [], 0
    if portion:
        yield portion


def _published(files: IndexFiles[M], directory: Path, names: Sequence[str], embedder: Embedder) -> list[Any]:
    """Hashes and vectors of the index that is there, if it is sound and the same embedder's. Their arrays are the
    same in every format of an index, so that a new one embeds nothing again."""
    try:
        manifest = files.check(directory, any_format=True)
        dimension = manifest.dimension
        if manifest.embedder != embedder.name or dimension != embedder.dimension:
            return []
        folder = directory / manifest.folder
        return [{"hash": mapped(folder, f"{n}_hashes"), "vector": vectors_of(folder, n, dimension)} for n in names]
    except (BadInput, OSError, ValueError):
        return []
