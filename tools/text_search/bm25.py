"""BM25 over postings on disk (Robertson and Zaragoza 2009), and cosines of some of many vectors.

Terms are 64-bit hashes, sorted. A term's postings are the chunks that have it, ascending, with their counts. They are
written in 64 parts by the hash's first bits, so that no more than one part is in memory.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import Column, mapped
from clew.tools.arrays.strings import hash_text

K1, B = 1.5, 0.75
_PARTS_BITS = 6
_BATCH = 200_000
_ROWS_AT_ONCE = 4096
_RECORD = np.dtype([("term", np.uint64), ("chunk", np.int32), ("count", np.int32)])

Scores = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Postings:
    """The postings of c chunks and t terms."""

    terms: npt.NDArray[np.uint64]
    """Shape (t,), ascending."""
    starts: npt.NDArray[np.int64]
    """Shape (t + 1,)."""
    chunks: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int32]
    lengths: npt.NDArray[np.int32]
    """Words of every chunk: shape (c,)."""

    @classmethod
    def open(cls, folder: Path) -> Postings:
        return cls(
            terms=mapped(folder, "terms"),
            starts=mapped(folder, "posting_starts"),
            chunks=mapped(folder, "posting_chunks"),
            counts=mapped(folder, "posting_counts"),
            lengths=mapped(folder, "chunk_lengths"),
        )

    def of_documents(self, words: Sequence[str], starts: npt.NDArray[np.int64], among: Mask | None = None) -> Scores:
        """BM25 of every document for these terms, a repeated one counted as often, 0 without a match: shape (n,).
        Document i is the chunks [starts[i], starts[i + 1]), of these the ones `among` if that is given, shape (c,);
        how rare a term is and how long documents are on average is always taken from all chunks."""
        documents = len(starts) - 1
        found = np.zeros(documents, np.float32)
        lengths = self._lengths(starts, among)
        mean = float(self.lengths.sum()) / max(documents, 1) or 1.0
        for word, times in Counter(words).items():
            held, counts = self._held(word)
            if not len(held):
                continue
            owners = np.searchsorted(starts, held, side="right") - 1
            rarity = _rarity(len(np.unique(owners)), documents)
            if among is not None:
                kept = among[held]
                owners, counts = owners[kept], counts[kept]
            owners, first = np.unique(owners, return_index=True)  # ascending already, as chunks are
            if len(owners):
                found[owners] += times * rarity * _saturated(np.add.reduceat(counts, first), lengths[owners] / mean)
        return found

    def greatest(self, words: Sequence[str], starts: npt.NDArray[np.int64]) -> float:
        """What a document's BM25 comes near to that has all these terms often: the score's least upper bound."""
        documents = len(starts) - 1
        found = 0.0
        for word, times in Counter(words).items():
            owners = np.searchsorted(starts, self._held(word)[0], side="right")
            found += times * _rarity(len(np.unique(owners)), documents) * (K1 + 1)
        return found

    def scores(self, words: Sequence[str], chunks: int) -> Scores:
        """BM25 of every chunk as a document of its own: shape (chunks,)."""
        found = np.zeros(chunks, np.float32)
        mean = float(self.lengths.mean()) if len(self.lengths) else 1.0
        for word, times in Counter(words).items():
            held, counts = self._held(word)
            found[held] += times * _rarity(len(held), chunks) * _saturated(counts, self.lengths[held] / mean)
        return found

    def of_chunks(self, words: Sequence[str], chunks: npt.NDArray[np.int32]) -> Scores:
        """BM25 of some chunks, ascending, each as a document of its own: shape (len(chunks),)."""
        found = np.zeros(len(chunks), np.float32)
        mean = float(self.lengths.mean()) if len(self.lengths) else 1.0
        for word, times in Counter(words).items():
            held, counts = self._held(word)
            _, own, there = np.intersect1d(chunks, held, assume_unique=True, return_indices=True)
            relative = self.lengths[chunks[own]] / mean
            found[own] += times * _rarity(len(held), len(self.lengths)) * _saturated(counts[there], relative)
        return found

    def holds(self, word: str) -> bool:
        """Whether some chunk has a term."""
        return len(self._held(word)[0]) > 0

    def having(self, word: str) -> npt.NDArray[np.int32]:
        """The chunks that have a term, ascending."""
        return self._held(word)[0]

    def rarity(self, word: str) -> float:
        """The inverse document frequency of a term among the chunks."""
        return _rarity(len(self._held(word)[0]), len(self.lengths))

    def _held(self, word: str) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """The chunks that have a term, ascending, and how often."""
        hashed = np.uint64(hash_text(word))
        place = int(np.searchsorted(self.terms, hashed))
        if place == len(self.terms) or self.terms[place] != hashed:
            return np.zeros(0, np.int32), np.zeros(0, np.int32)
        first, last = int(self.starts[place]), int(self.starts[place + 1])
        return self.chunks[first:last], self.counts[first:last]

    def _lengths(self, starts: npt.NDArray[np.int64], among: Mask | None) -> npt.NDArray[np.int64]:
        """Words of every document."""
        counted = self.lengths if among is None else np.where(among, self.lengths, 0)
        summed = np.concatenate([np.zeros(1, np.int64), np.cumsum(counted, dtype=np.int64)])
        lengths: npt.NDArray[np.int64] = summed[starts[1:]] - summed[starts[:-1]]
        return lengths


def _rarity(holding: int, documents: int) -> float:
    return math.log(1 + (documents - holding + 0.5) / (holding + 0.5))


def _saturated(counts: npt.NDArray[Any], relative_lengths: npt.NDArray[Any]) -> npt.NDArray[Any]:
    weights: npt.NDArray[Any] = counts * (K1 + 1) / (counts + K1 * (1 - B + B * relative_lengths))
    return weights


class PostingsWriter:
    """Writes the postings of chunks, which come in order. Use it as a context: terms are spilt as they come, and the
    postings are written at the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parts = [(folder / f"terms-{i}.spill").open("wb") for i in range(1 << _PARTS_BITS)]
        self._lengths = Column(folder, "chunk_lengths", np.int32)
        self._waiting: list[tuple[int, int, int]] = []
        self._hashes: dict[str, int] = {}

    def add(self, chunks: Sequence[Sequence[str]]) -> None:
        """Add the terms of the next chunks."""
        for chunk, words in enumerate(chunks, start=self._lengths.length):
            if len(self._hashes) > _BATCH:
                self._hashes.clear()
            for word, count in Counter(words).items():
                hashed = self._hashes.get(word)
                if hashed is None:
                    hashed = self._hashes[word] = hash_text(word)
                self._waiting.append((hashed, chunk, count))
            if len(self._waiting) >= _BATCH:
                self._spill()
        self._lengths.append(np.fromiter(map(len, chunks), np.int32, len(chunks)))

    def __enter__(self) -> PostingsWriter:
        return self

    def __exit__(self, *error: Any) -> None:
        if error[0] is None:
            self._spill()
        for part in self._parts:
            part.close()
        self._lengths.__exit__(*error)
        if error[0] is None:
            self._write()

    def _write(self) -> None:
        """Write `terms`, `posting_starts`, `posting_chunks` and `posting_counts`; the spilt files are removed."""
        with (
            Column(self._folder, "terms", np.uint64) as terms,
            Column(self._folder, "posting_starts", np.int64) as starts,
            Column(self._folder, "posting_chunks", np.int32) as chunks,
            Column(self._folder, "posting_counts", np.int32) as counts,
        ):
            starts.append(np.zeros(1, np.int64))
            for part in self._parts:
                records = np.fromfile(part.name, _RECORD)
                Path(part.name).unlink()
                records = records[np.argsort(records["term"], kind="stable")]  # chunks stay ascending
                found, first = np.unique(records["term"], return_index=True)
                ends = np.append(first[1:], len(records)).astype(np.int64)[: len(found)]
                terms.append(found)
                starts.append(ends + chunks.length)
                chunks.append(records["chunk"])
                counts.append(records["count"])

    def _spill(self) -> None:
        if not self._waiting:
            return
        records = np.array(self._waiting, _RECORD)
        self._waiting.clear()
        parts = (records["term"] >> np.uint64(64 - _PARTS_BITS)).astype(np.int64)
        order = np.argsort(parts, kind="stable")
        bounds = np.searchsorted(parts[order], np.arange(len(self._parts) + 1))
        for number, part in enumerate(self._parts):
            part.write(records[order[bounds[number] : bounds[number + 1]]].tobytes())


def ranges(starts: npt.NDArray[np.int64], positions: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """All i with starts[p] <= i < starts[p + 1] for a p of `positions`, in their order."""
    first = starts[positions]
    lengths = starts[positions + 1] - first
    total = int(lengths.sum())
    skipped = np.repeat(first - (np.cumsum(lengths) - lengths), lengths)
    found: npt.NDArray[np.int32] = (np.arange(total, dtype=np.int64) + skipped).astype(np.int32)
    return found


def cosines(vectors: npt.NDArray[np.float32], rows: npt.NDArray[Any], wanted: Scores) -> Scores:
    """The dot products of these rows and of each of `wanted`, shape (f, d): shape (len(rows), f)."""
    found = np.empty((len(rows), len(wanted)), np.float32)
    for begun in range(0, len(rows), _ROWS_AT_ONCE):
        part = slice(begun, begun + _ROWS_AT_ONCE)
        found[part] = vectors[rows[part]] @ wanted.T
    return found
