"""The chunk graph on disk: which chunks are joined, and why (SAGE, section 2.1 B), and the spread of scores over it.

Every edge is stored at both of its ends. An edge may have several reasons; one is enough (the paper's OR rule). The
soft spread lets a neighbour of a good seed rise among all chunks, where SAGE's hard split (`expansion`) keeps seeds and
neighbours apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntFlag
from pathlib import Path

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import Column, mapped
from clew.tools.embedding.exact import Pairs

_CHUNKS_A_PART = 16_384
"""Number of chunks whose edges are merged in memory together; some 50 MB."""
_RECORD = np.dtype([("left", np.int32), ("right", np.int32), ("kind", np.uint16), ("strength", np.float32)])


class Reason(IntFlag):
    """The reasons of an edge."""

    NAMES_TITLE = 1
    """One chunk contains a name that is the other's title."""
    TITLE_NAMED = 2
    """The same, in the opposite direction."""
    SHARED_NAMES = 4
    CONTENT = 8
    """Similar content; for tables and texts, columns and content."""
    TITLE = 16
    """Similar titles of tables; for a text and a table, topic and title."""
    COLUMNS = 32
    """Similar columns; for a table and a text, columns and content."""
    PARENT = 64
    """Adjacent in one document."""
    CELL = 128
    """In addition to the first two: the chunk that names the title is a table, so that the edge is a link of a row."""
    TOPIC = 256
    """Similar topics of texts; for a text and a table, topic and title."""


LIKENESS = Reason.CONTENT | Reason.TITLE | Reason.COLUMNS | Reason.TOPIC
"""The reasons that have a cosine."""


SPREAD, SPREADING = 0.4, 5
"""The share of the best adjacent seed's score that a chunk gets, and the number of seeds that count."""
MIRRORED = {Reason.NAMES_TITLE: Reason.TITLE_NAMED}


Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ChunkGraph:
    """A chunk graph with n chunks and e entries (two for each edge)."""

    starts: npt.NDArray[np.int64]
    """The entries of chunk i are [starts[i], starts[i + 1]): shape (n + 1,)."""
    targets: npt.NDArray[np.int32]
    reasons: npt.NDArray[np.uint16]
    """The `Reason`s of each entry."""
    strengths: npt.NDArray[np.float32]
    """The greatest cosine of similar chunks; 0 if they are joined for other reasons only."""

    @classmethod
    def open(cls, folder: Path) -> ChunkGraph:
        return cls(*(mapped(folder, f"edge_{name}") for name in ("starts", "targets", "reasons", "strengths")))

    def __len__(self) -> int:
        """The number of edges."""
        return len(self.targets) // 2

    def around(self, chunk: int, reasons: Reason | None = None) -> npt.NDArray[np.int32]:
        """The chunks with an edge to a chunk for one of the reasons (None: any), ascending."""
        part = slice(int(self.starts[chunk]), int(self.starts[chunk + 1]))
        found = self.targets[part]
        return found if reasons is None else found[(self.reasons[part] & int(reasons)) > 0]

    def entry(self, chunk: int, other: int) -> int:
        """The position of the entry from a chunk to another, which has an edge to it."""
        first, last = int(self.starts[chunk]), int(self.starts[chunk + 1])
        return first + int(np.searchsorted(self.targets[first:last], other))


def write(folder: Path, chunks: int, edges: Iterable[tuple[Reason, Pairs]]) -> None:
    """Write the graph's arrays; edges come in any order and pass through files, so that few are in memory."""
    parts = range(-(-chunks // _CHUNKS_A_PART))
    spills = [(folder / f"edges-{number}.spill").open("wb") for number in parts]
    for reason, pairs in edges:
        mirrored = MIRRORED.get(reason, reason)
        for left, right, kind in ((pairs.left, pairs.right, reason), (pairs.right, pairs.left, mirrored)):
            records = np.empty(len(left), _RECORD)
            records["left"], records["right"], records["kind"] = left, right, int(kind)
            records["strength"] = pairs.strength if reason & LIKENESS else 0
            for number in np.unique(left // _CHUNKS_A_PART).tolist():
                spills[number].write(records[left // _CHUNKS_A_PART == number].tobytes())
    counts = np.zeros(chunks + 1, np.int64)
    with (
        Column(folder, "edge_targets", np.int32) as targets,
        Column(folder, "edge_reasons", np.uint16) as reasons,
        Column(folder, "edge_strengths", np.float32) as strengths,
    ):
        for spill in spills:
            spill.close()
            merged = _merged(np.fromfile(spill.name, _RECORD))
            Path(spill.name).unlink()
            np.add.at(counts, merged["left"] + 1, 1)
            targets.append(merged["right"])
            reasons.append(merged["kind"])
            strengths.append(merged["strength"])
    np.save(folder / "edge_starts.npy", np.cumsum(counts))


def _merged(records: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """One record for each pair, with all its reasons and its greatest strength, by left and right."""
    records = records[np.lexsort((records["right"], records["left"]))]
    if not len(records):
        return records
    new = np.append(True, (np.diff(records["left"]) != 0) | (np.diff(records["right"]) != 0))
    firsts = np.flatnonzero(new)
    merged = records[firsts].copy()
    merged["kind"] = np.bitwise_or.reduceat(records["kind"], firsts)
    merged["strength"] = np.maximum.reduceat(records["strength"], firsts)
    return merged


def soft(
    scores: Scores, graph: ChunkGraph, reasons: Reason | None = None, *, share: float = SPREAD, seeds: int = SPREADING
) -> Scores:
    """score(v) + share · max(score of the best `seeds` chunks adjacent to v), of every chunk: shape (n,)."""
    gift = np.zeros(len(scores), np.float32)
    for seed in best(scores, seeds).tolist():
        around = graph.around(seed, reasons)
        gift[around] = np.maximum(gift[around], scores[seed])
    return scores + np.float32(share) * gift


def best(scores: Scores, k: int) -> npt.NDArray[np.int64]:
    """The positions of the k greatest scores above 0 in descending order; of equal scores, the first."""
    if k <= 0:
        return np.zeros(0, np.int64)
    if k < len(scores):
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        places = np.flatnonzero(scores >= least)
    else:
        places = np.arange(len(scores))
    places = places[np.argsort(-scores[places], kind="stable")[:k]]
    return places[scores[places] > 0]
