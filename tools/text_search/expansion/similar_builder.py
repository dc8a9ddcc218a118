"""Comparing all nodes that have text, block by block: every cosine is worked out, few are in memory at a time.

n nodes take n²·d multiplications, less than embedding them up to some hundred thousand nodes on one core; each block is
in a journal before the next begins. Nodes are known by a hash of their id and texts, so that those of an earlier build
whose text is the same, and all of whose nearest are still there, are compared only with what is new.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import filelock
import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import mapped
from clew.tools.arrays.published import published_name
from clew.tools.errors import BadInput
from clew.tools.linking.index_builder import hash_text
from clew.tools.text_search.bm25 import ranges
from clew.tools.text_search.expansion.similar import DEGREE, FILES, FORMAT, PERCENTILE, Manifest, SimilarNodes
from clew.tools.text_search.index import TextIndex

if TYPE_CHECKING:
    from clew.tools.text_search.expansion.similar import Stage

SAMPLED_PAIRS = 100_000
BLOCK = 512
_COLUMNS = 32_768
_LOCK = "similar.lock"
_JOURNAL = "compared-{:016x}.rows"
_RECORD = np.dtype([("nearest", np.int32, (DEGREE,)), ("cosines", np.float32, (DEGREE,))])

Vectors = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int32]
Hashes = npt.NDArray[np.uint64]


def build(index: TextIndex, directory: Path, stage: Stage | None = None) -> None:
    """Write and publish. One builder works in a directory at a time."""
    directory.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(directory / _LOCK):
        if _is_current(directory, index):
            return
        FILES.remove_interrupted(directory)
        with FILES.building(directory) as folder:
            nodes = np.unique(index.chunk_nodes[index.chunk_rows >= 0]).astype(np.int32)
            vectors = _mean_vectors(index, nodes, folder)
            hashes = _hashes(index, nodes)
            journal = directory / _JOURNAL.format(_fingerprint(hashes))
            for other in directory.glob(_JOURNAL.format(0).replace("0" * 16, "*")):
                if other != journal:
                    other.unlink()
            with (stage or _silent)("Comparing texts", "nodes", len(nodes)) as advance:
                _compare(vectors, journal, _Earlier.of(directory, hashes), advance)
            records = _read(journal)
            np.save(folder / "nodes.npy", nodes)
            np.save(folder / "hashes.npy", hashes)
            np.save(folder / "nearest.npy", records["nearest"].ravel())
            np.save(folder / "cosines.npy", records["cosines"].ravel())
            threshold = _threshold(vectors)
            (folder / "vectors.f32").unlink(missing_ok=True)
            manifest = Manifest(FORMAT, index.version, index.manifest.folder, published_name(folder), threshold)
            FILES.publish(directory, folder, manifest)
        journal.unlink(missing_ok=True)


def _silent(_: str, __: str, ___: int | None) -> AbstractContextManager[Callable[[int], None]]:
    return nullcontext(lambda _: None)


def _is_current(directory: Path, index: TextIndex) -> bool:
    """Whether what is there is of this text index, and whole."""
    try:
        SimilarNodes.open(index, directory)
    except BadInput:
        return False
    return True


def _mean_vectors(index: TextIndex, nodes: Rows, folder: Path) -> Vectors:
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


def _hashes(index: TextIndex, nodes: Rows) -> Hashes:
    """What each node is known by: its id and the texts of its chunks."""
    row_hashes = mapped(index.directory / index.manifest.folder, "row_hashes")
    found = np.empty(len(nodes), np.uint64)
    for place, node in enumerate(nodes.tolist()):
        rows = index.chunk_rows[index.node_starts[node] : index.node_starts[node + 1]]
        texts = row_hashes[rows[rows >= 0]].tolist()
        found[place] = hash_text(f"{index.ids[node]} {' '.join(map(str, texts))}")
    return found


def _fingerprint(hashes: Hashes) -> int:
    return hash_text(hashes.tobytes().hex())


def _read(journal: Path) -> Any:
    """The rows that were written whole."""
    return np.fromfile(journal, _RECORD) if journal.exists() else np.zeros(0, _RECORD)


def _compare(vectors: Vectors, journal: Path, earlier: _Earlier, advance: Callable[[int], None]) -> None:
    """The nearest of every row, into the journal, from the first row that is not there."""
    done = len(_read(journal))
    with journal.open("r+b" if journal.exists() else "wb") as file:
        file.truncate(done * _RECORD.itemsize)
        file.seek(0, 2)
        for begun in range(done, len(vectors), BLOCK):
            rows = np.arange(begun, min(begun + BLOCK, len(vectors)), dtype=np.int32)
            records = np.empty(len(rows), _RECORD)
            known = earlier.knows(rows)
            for part, columns in ((~known, None), (known, earlier.changed)):
                if part.any():
                    start = earlier.nearest(rows[part]) if columns is not None else _none(int(part.sum()))
                    records["nearest"][part], records["cosines"][part] = _nearest(vectors, rows[part], columns, start)
            file.write(records.tobytes())
            file.flush()
            advance(int(rows[-1]) + 1)


def _none(count: int) -> tuple[Rows, Vectors]:
    return np.full((count, DEGREE), -1, np.int32), np.full((count, DEGREE), -np.inf, np.float32)


def _nearest(vectors: Vectors, rows: Rows, columns: Rows | None, start: tuple[Rows, Vectors]) -> tuple[Rows, Vectors]:
    """The DEGREE nearest of each row among `start` and the columns (None: all), nearest first; of equals the first."""
    found, cosines = start
    asked = np.asarray(vectors[rows])
    for begun in range(0, len(vectors) if columns is None else len(columns), _COLUMNS):
        if columns is None:
            part = np.arange(begun, min(begun + _COLUMNS, len(vectors)), dtype=np.int32)
            near = asked @ vectors[begun : begun + _COLUMNS].T
        else:
            part = columns[begun : begun + _COLUMNS]
            near = asked @ vectors[part].T
        near[rows[:, None] == part[None, :]] = -np.inf
        if near.shape[1] > DEGREE:
            best = np.argpartition(-near, DEGREE - 1, axis=1)[:, :DEGREE]
            near, names = np.take_along_axis(near, best, 1), part[best]
        else:
            names = np.broadcast_to(part, near.shape)
        found, cosines = _merged(np.hstack([found, names]), np.hstack([cosines, near]))
    found[np.isneginf(cosines)] = -1
    return found, cosines


def _merged(names: Rows, cosines: Vectors) -> tuple[Rows, Vectors]:
    order = np.lexsort((names, -cosines), axis=1)[:, :DEGREE]
    return np.take_along_axis(names, order, 1).astype(np.int32), np.take_along_axis(cosines, order, 1)


def _threshold(vectors: Vectors) -> float:
    """The PERCENTILE of the cosines of random pairs; always the same ones for as many nodes."""
    if len(vectors) < 2:
        return 1.0
    chance = np.random.default_rng(len(vectors))
    left = chance.integers(0, len(vectors), SAMPLED_PAIRS)
    right = (left + chance.integers(1, len(vectors), SAMPLED_PAIRS)) % len(vectors)
    cosines = np.empty(SAMPLED_PAIRS, np.float32)
    for begun in range(0, SAMPLED_PAIRS, _COLUMNS):
        part = slice(begun, begun + _COLUMNS)
        cosines[part] = np.einsum("ij,ij->i", vectors[left[part]], vectors[right[part]])
    return float(np.percentile(cosines, PERCENTILE))


class _Earlier:
    """What an earlier build says of rows whose text has not changed."""

    def __init__(self, changed: Rows, known: npt.NDArray[np.bool_], nearest: Rows, cosines: Vectors) -> None:
        self.changed = changed
        """Rows that the earlier build did not have."""
        self._known = known
        self._nearest = nearest
        self._cosines = cosines

    @classmethod
    def of(cls, directory: Path, hashes: Hashes) -> _Earlier:
        everything = np.arange(len(hashes), dtype=np.int32)
        try:
            folder = directory / FILES.read(directory).folder
            old_hashes = mapped(folder, "hashes")
            nearest = mapped(folder, "nearest").reshape(-1, DEGREE)
            cosines = mapped(folder, "cosines").reshape(-1, DEGREE)
        except (BadInput, OSError, ValueError):
            return cls(everything, np.zeros(len(hashes), bool), *_none(len(hashes)))
        old_rows, new_rows = _positions(hashes, old_hashes), _positions(old_hashes, hashes)
        had = old_rows >= 0
        kept, kept_cosines = _none(len(hashes))
        before = nearest[old_rows[had]]
        after = np.where(before >= 0, new_rows[before], -1).astype(np.int32)
        kept[had] = after
        kept_cosines[had] = np.where(after >= 0, cosines[old_rows[had]], -np.inf)
        whole = np.zeros(len(hashes), bool)
        whole[had] = ((before < 0) | (after >= 0)).all(axis=1)
        return cls(everything[~had], whole, kept, kept_cosines)

    def knows(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Whether all that was nearest to a row is still there."""
        found: npt.NDArray[np.bool_] = self._known[rows]
        return found

    def nearest(self, rows: Rows) -> tuple[Rows, Vectors]:
        return self._nearest[rows], self._cosines[rows]


def _positions(wanted: Hashes, among: Hashes) -> Rows:
    """Per wanted hash its position, or -1."""
    if not len(among):
        return np.full(len(wanted), -1, np.int32)
    order = np.argsort(among, kind="stable")
    places = np.minimum(np.searchsorted(among[order], wanted), len(among) - 1)
    found: Rows = np.where(among[order[places]] == wanted, order[places], -1).astype(np.int32)
    return found
