"""Similarity edges between the nodes of a graph that have text (SAGE, section 2.1 B): which say nearly the same.

A node's vector is the mean of its texts'. Each node keeps its DEGREE nearest. Those count as neighbours whose cosine
reaches the 95th percentile of the cosines of random pairs, which the paper finds the best balance between noise and
reach (section 3.3).

Every cosine is computed, block by block. n nodes take n²·d multiplications, less than embedding them up to some hundred
thousand nodes on one core; each block is in a journal before the next begins. Nodes are known by a hash of their id and
texts: those of an earlier build whose text is the same, and all of whose nearest are still there, are compared only
with what is new.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import mapped
from clew.tools.arrays.id_table import HashPositions
from clew.tools.arrays.index_files import Advance, IndexFiles, Manifest, Stage, silent
from clew.tools.arrays.strings import hash_text
from clew.tools.embedding.embedder import MINILM
from clew.tools.embedding.exact import BLOCK, DEGREE, Neighbours, Rows, Vectors, nearest, sampled_threshold
from clew.tools.text_search.arrays import TextArrays
from clew.tools.text_search.bm25 import ranges

_JOURNAL = "compared-{}.rows"
_RECORD = np.dtype([("nearest", np.int32, (DEGREE,)), ("cosines", np.float32, (DEGREE,))])

Hashes = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarManifest(Manifest):
    """What `similar.json` holds."""

    texts: str
    """The folder of the text index whose positions the rows refer to."""
    threshold: float


FILES = IndexFiles(SimilarManifest, "similar", "file of similar nodes", 1)


@dataclass(frozen=True, slots=True)
class SimilarNodes:
    """Read-only and memory-mapped; positions are those of the text index that it was built from. r rows, one for each
    node with a vector; n nodes."""

    manifest: SimilarManifest
    nodes: npt.NDArray[np.int32]
    """By row, the node: shape (r,)."""
    rows: npt.NDArray[np.int32]
    """By node, the row, or -1: shape (n,)."""
    nearest: npt.NDArray[np.int32]
    """Rows, nearest first, -1 where there are no more: shape (r, DEGREE)."""
    cosines: npt.NDArray[np.float32]
    """Of the same shape."""

    @classmethod
    def build(cls, index: TextArrays, directory: Path, stage: Stage = silent) -> SimilarNodes:
        """The similar nodes of `index` in `directory`; if they are there already, they are opened as they are.

        Only nodes whose text has changed are compared with all others; the result is that of a build from nothing.
        A build that was interrupted goes on where it stopped.
        """
        return FILES.open_or_build(
            directory,
            index.version,
            lambda: cls.open(index, directory),
            lambda folder: _fill(index, directory, folder, stage),
        )

    @classmethod
    def open(cls, index: TextArrays, directory: Path) -> SimilarNodes:
        """Raises BadInput if there are none for this text index, or damaged ones."""

        def load(manifest: SimilarManifest, folder: Path) -> SimilarNodes:
            if manifest.texts != index.manifest.folder:
                raise ValueError("it belongs to another text index")
            nodes = mapped(folder, "nodes")
            rows = np.full(len(index), -1, np.int32)
            rows[nodes] = np.arange(len(nodes), dtype=np.int32)
            nearest, cosines = (mapped(folder, name).reshape(-1, DEGREE) for name in ("nearest", "cosines"))
            return cls(manifest, nodes, rows, nearest, cosines)

        return FILES.open(directory, load)

    @property
    def version(self) -> str:
        return self.manifest.version

    def __len__(self) -> int:
        """The number of nodes that are compared."""
        return len(self.nodes)

    def around(self, position: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
        """The nodes similar to a node, nearest first, and their cosines; empty for a node without text."""
        row = int(self.rows[position]) if position >= 0 else -1
        if row < 0:
            return np.zeros(0, np.int32), np.zeros(0, np.float32)
        kept = (self.nearest[row] >= 0) & (self.cosines[row] >= self.manifest.threshold)
        return self.nodes[self.nearest[row][kept]], self.cosines[row][kept]


def _fill(index: TextArrays, directory: Path, folder: Path, stage: Stage) -> dict[str, Any]:
    """Compare the nodes of `index` and write the result into `folder`; the fields of the manifest."""
    nodes = np.unique(index.chunk_nodes[index.chunk_rows >= 0]).astype(np.int32)
    vectors = _mean_vectors(index, nodes, folder)
    hashes = _hashes(index, nodes)
    journal = directory / _JOURNAL.format(f"{hash_text(hashes.tobytes().hex()):016x}")
    for other in directory.glob(_JOURNAL.format("*")):
        if other != journal:
            other.unlink()
    with stage("Comparing texts", "nodes", len(nodes)) as advance:
        _compare(vectors, journal, _PreviousIndex.of(directory, hashes), advance)
    records = _read(journal)
    np.save(folder / "nodes.npy", nodes)
    np.save(folder / "hashes.npy", hashes)
    np.save(folder / "nearest.npy", records["nearest"].ravel())
    np.save(folder / "cosines.npy", records["cosines"].ravel())
    threshold = sampled_threshold(vectors, vectors, len(vectors)) if len(vectors) > 1 else 1.0
    (folder / "vectors.f32").unlink(missing_ok=True)
    return {"texts": index.manifest.folder, "threshold": threshold}


def _mean_vectors(index: TextArrays, nodes: Rows, folder: Path) -> Vectors:
    """Of each node the mean of its texts' vectors, of length 1, in a mapped file: shape (r, d)."""
    shape = (len(nodes), index.vectors.shape[1])
    if not len(nodes):
        return np.zeros(shape, np.float32)
    means = np.memmap(folder / "vectors.f32", np.float32, "w+", shape=shape)
    for begun in range(0, len(nodes), BLOCK):
        part = nodes[begun : begun + BLOCK]
        chunks = ranges(index.node_starts, part)
        chunks = chunks[index.chunk_rows[chunks] >= 0]
        owners = index.chunk_nodes[chunks]
        firsts = np.flatnonzero(np.append(True, owners[1:] != owners[:-1]))
        sums = np.add.reduceat(index.vectors[index.chunk_rows[chunks]], firsts, axis=0)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        means[begun : begun + BLOCK] = sums / np.maximum(lengths, np.float32(1e-12))
    return means


def _hashes(index: TextArrays, nodes: Rows) -> Hashes:
    """What each node is known by: its id, the texts of its chunks, and the model of their vectors."""
    found = np.empty(len(nodes), np.uint64)
    model = "" if index.manifest.embedder == MINILM else f" {index.manifest.embedder}"
    for place, node in enumerate(nodes.tolist()):
        rows = index.chunk_rows[index.node_starts[node] : index.node_starts[node + 1]]
        texts = index.row_hashes[rows[rows >= 0]].tolist()
        found[place] = hash_text(f"{index.ids[node]} {' '.join(map(str, texts))}{model}")
    return found


def _read(journal: Path) -> Any:
    """The rows that were written whole."""
    return np.fromfile(journal, _RECORD) if journal.exists() else np.zeros(0, _RECORD)


def _compare(vectors: Vectors, journal: Path, earlier: _PreviousIndex, advance: Advance) -> None:
    """Write the nearest of every row into the journal, from the first row that is not there."""
    done = len(_read(journal))
    with journal.open("r+b" if journal.exists() else "wb") as file:
        file.truncate(done * _RECORD.itemsize)
        file.seek(0, 2)
        for begun in range(done, len(vectors), BLOCK):
            rows = np.arange(begun, min(begun + BLOCK, len(vectors)), dtype=np.int32)
            records = np.empty(len(rows), _RECORD)
            known = earlier.known[rows]
            for part, among in ((~known, None), (known, earlier.changed)):
                if part.any():
                    asked, before = rows[part], Neighbours.none(int(part.sum()), DEGREE)
                    if among is not None:
                        before = Neighbours(earlier.neighbours.rows[asked], earlier.neighbours.cosines[asked])
                    found = nearest(np.asarray(vectors[asked]), vectors, DEGREE, own=asked, among=among, known=before)
                    records["nearest"][part], records["cosines"][part] = found
            file.write(records.tobytes())
            file.flush()
            advance(int(rows[-1]) + 1)


@dataclass(frozen=True, slots=True)
class _PreviousIndex:
    """What an earlier build found for rows whose text has not changed."""

    changed: Rows
    """Rows that the earlier build did not have."""
    known: npt.NDArray[np.bool_]
    """By row, whether all that was nearest to it is still there."""
    neighbours: Neighbours
    """By row."""

    @classmethod
    def of(cls, directory: Path, hashes: Hashes) -> _PreviousIndex:
        everything = np.arange(len(hashes), dtype=np.int32)
        kept = Neighbours.none(len(hashes), DEGREE)
        known = np.zeros(len(hashes), bool)
        if (earlier := FILES.earlier(directory)) is None:
            return cls(everything, known, kept)
        _, folder = earlier
        old_hashes = mapped(folder, "hashes")
        rows, cosines = (mapped(folder, name).reshape(-1, DEGREE) for name in ("nearest", "cosines"))
        old_rows, new_rows = HashPositions(old_hashes).of(hashes), HashPositions(hashes).of(old_hashes)
        had = old_rows >= 0
        before = rows[old_rows[had]]
        after = np.where(before >= 0, new_rows[before], -1).astype(np.int32)
        kept.rows[had] = after
        kept.cosines[had] = np.where(after >= 0, cosines[old_rows[had]], -np.inf)
        known[had] = ((before < 0) | (after >= 0)).all(axis=1)
        return cls(everything[~had], known, kept)
