"""Exact nearest neighbours among many vectors, block by block: every cosine is computed, and one block of them is in
memory. Of equal cosines the first vectors count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

DEGREE = 20
"""Neighbours that each vector keeps."""
PERCENTILE = 95.0
"""Of the cosines of random pairs: what a pair must reach (SAGE, section 3.3)."""
SAMPLED_PAIRS = 100_000
BLOCK = 512
_COLUMNS = 32_768

Vectors = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int32]


class Pairs(NamedTuple):
    """Edges, one entry each; three arrays of one length."""

    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    strength: npt.NDArray[np.float32]


class Neighbours(NamedTuple):
    """The nearest rows of some vectors, nearest first: both of shape (vectors, at most `degree`)."""

    rows: Rows
    """-1 where there are no more."""
    cosines: Vectors
    """-inf where there are no more."""

    @classmethod
    def none(cls, count: int, degree: int) -> Neighbours:
        return cls(np.full((count, degree), -1, np.int32), np.full((count, degree), -np.inf, np.float32))


def threshold(left: Vectors, right: Vectors, percentile: float = PERCENTILE) -> float:
    """The percentile of the cosines of pairs, one row of each; of all of them, or of SAMPLED_PAIRS random ones, the
    same for as many rows. A row is not paired with itself if both are the same array. 1 without a pair."""
    same = left is right
    if not len(left) or len(right) - same < 1:
        return 1.0
    if len(left) * len(right) <= SAMPLED_PAIRS:
        every = left @ right.T
        return float(np.percentile(every[~np.eye(len(left), dtype=bool)] if same else every, percentile))
    return sampled_threshold(left, right, len(left) + len(right), percentile)


def sampled_threshold(left: Vectors, right: Vectors, seed: int, percentile: float = PERCENTILE) -> float:
    """As `threshold`, always of SAMPLED_PAIRS random pairs."""
    same = left is right
    chance = np.random.default_rng(seed)
    first = chance.integers(0, len(left), SAMPLED_PAIRS)
    second = chance.integers(0, len(right) - same, SAMPLED_PAIRS)
    if same:
        second = (first + 1 + second) % len(right)
    found = np.empty(SAMPLED_PAIRS, np.float32)
    for begun in range(0, SAMPLED_PAIRS, _COLUMNS):
        part = slice(begun, begun + _COLUMNS)
        found[part] = np.einsum("ij,ij->i", left[first[part]], right[second[part]])
    return float(np.percentile(found, percentile))


def similar_pairs(left: Vectors, right: Vectors, least: float, degree: int = DEGREE) -> Iterator[Pairs]:
    """For each row of `left` the up to `degree` rows of `right` with the greatest cosines that reach `least`, a block
    at a time. Rows have length 1; if both are the same array, no row is paired with itself."""
    for begun in range(0, len(left), BLOCK):
        asked = np.asarray(left[begun : begun + BLOCK])
        rows = np.arange(begun, begun + len(asked), dtype=np.int32)
        found = nearest(asked, right, degree, own=rows if left is right else None)
        kept = found.cosines >= max(least, -1.0)
        names = np.broadcast_to(rows[:, None], found.rows.shape)
        yield Pairs(names[kept], found.rows[kept], found.cosines[kept])


def nearest(
    asked: Vectors,
    vectors: Vectors,
    degree: int,
    *,
    own: Rows | None = None,
    among: Rows | None = None,
    known: Neighbours | None = None,
) -> Neighbours:
    """The `degree` rows of `vectors` nearest to each asked vector.

    Args:
        own: Of each asked vector its own row, which is not a neighbour: shape (len(asked),).
        among: The rows that are compared, ascending; None for all.
        known: Neighbours that were found before, of other rows.
    """
    rows, cosines = known or Neighbours.none(len(asked), 0)
    for begun in range(0, len(vectors) if among is None else len(among), _COLUMNS):
        if among is None:
            block = np.asarray(vectors[begun : begun + _COLUMNS])
            names = np.arange(begun, begun + len(block), dtype=np.int32)
        else:
            names = among[begun : begun + _COLUMNS]
            block = vectors[names]
        near = asked @ block.T
        if own is not None:
            near[own[:, None] == names[None, :]] = -np.inf
        best = _best(near, degree)
        rows = np.hstack([rows, names[best]])
        cosines = np.hstack([cosines, np.take_along_axis(near, best, 1)])
        order = np.lexsort((rows, -cosines), axis=1)[:, :degree]
        rows, cosines = np.take_along_axis(rows, order, 1), np.take_along_axis(cosines, order, 1)
    return Neighbours(np.where(np.isneginf(cosines), -1, rows).astype(np.int32), cosines)


def _best(near: Vectors, degree: int) -> npt.NDArray[np.int64]:
    """The columns of the `degree` greatest of each row, of equal ones the first."""
    if near.shape[1] <= degree:
        return np.broadcast_to(np.arange(near.shape[1]), near.shape)
    best: npt.NDArray[np.int64] = np.argpartition(-near, degree - 1, axis=1)[:, :degree]
    least = np.take_along_axis(near, best, 1).min(axis=1, keepdims=True)
    for row in np.flatnonzero((near == least).sum(axis=1) > 1):  # argpartition takes any of equal ones
        best[row] = np.argsort(-near[row], kind="stable")[:degree]
    return best
