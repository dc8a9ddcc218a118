"""The most alike of many vectors, block by block: every cosine is worked out, one block of them is in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

DEGREE = 20
"""Alike ones that each keeps."""
PERCENTILE = 95.0
"""Of the cosines of random pairs: what a pair must reach (SAGE, section 3.3)."""
SAMPLED_PAIRS = 100_000
BLOCK = 512
_COLUMNS = 32_768

Vectors = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]


class Pairs(NamedTuple):
    """Edges, one entry each; three arrays of one length."""

    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    strength: npt.NDArray[np.float32]


def threshold(left: Vectors, right: Vectors, percentile: float = PERCENTILE) -> float:
    """The percentile of the cosines of pairs, one row of each; of all of them, or of SAMPLED_PAIRS random ones, the
    same for as many rows. A row is not paired with itself where both are the same array. 1 where there is no pair."""
    same = left is right
    if not len(left) or len(right) - same < 1:
        return 1.0
    if len(left) * len(right) <= SAMPLED_PAIRS:
        every = left @ right.T
        return float(np.percentile(every[~np.eye(len(left), dtype=bool)] if same else every, percentile))
    chance = np.random.default_rng(len(left) + len(right))
    first = chance.integers(0, len(left), SAMPLED_PAIRS)
    second = chance.integers(0, len(right) - same, SAMPLED_PAIRS)
    if same:
        second = (first + 1 + second) % len(right)
    found = np.empty(SAMPLED_PAIRS, np.float32)
    for begun in range(0, SAMPLED_PAIRS, _COLUMNS):
        part = slice(begun, begun + _COLUMNS)
        found[part] = np.einsum("ij,ij->i", left[first[part]], right[second[part]])
    return float(np.percentile(found, percentile))


def alike(left: Vectors, right: Vectors, least: float, degree: int = DEGREE) -> Iterator[Pairs]:
    """For each row of `left` the up to `degree` rows of `right` of the greatest cosines that reach `least`; of equal
    ones the first. Rows have length 1; where both are the same array, no row is paired with itself.
    A block at a time."""
    for begun in range(0, len(left), BLOCK):
        asked = np.asarray(left[begun : begun + BLOCK])
        names, cosines = _greatest(asked, right, begun if left is right else None, degree)
        kept = cosines >= max(least, -1.0)
        rows = np.broadcast_to(np.arange(begun, begun + len(asked))[:, None], names.shape)
        yield Pairs(rows[kept].astype(np.int32), names[kept].astype(np.int32), cosines[kept])


def _greatest(asked: Vectors, right: Vectors, own: int | None, degree: int) -> tuple[Rows, Vectors]:
    """Of each asked row the `degree` greatest, over blocks of columns; row i is column own + i of `right`."""
    names = np.zeros((len(asked), 0), np.int64)
    cosines = np.zeros((len(asked), 0), np.float32)
    for begun in range(0, len(right), _COLUMNS):
        near = asked @ np.asarray(right[begun : begun + _COLUMNS]).T
        if own is not None:
            rows = np.arange(len(asked))
            mine = (own + rows >= begun) & (own + rows < begun + near.shape[1])
            near[rows[mine], own + rows[mine] - begun] = -np.inf
        best = _best(near, degree)
        names = np.hstack([names, best + begun])
        cosines = np.hstack([cosines, np.take_along_axis(near, best, 1)])
        order = np.lexsort((names, -cosines), axis=1)[:, :degree]
        names, cosines = np.take_along_axis(names, order, 1), np.take_along_axis(cosines, order, 1)
    return names, cosines


def _best(near: Vectors, degree: int) -> Rows:
    """The columns of the `degree` greatest of each row, of equal ones the first."""
    if near.shape[1] <= degree:
        return np.broadcast_to(np.arange(near.shape[1]), near.shape)
    best: Rows = np.argpartition(-near, degree - 1, axis=1)[:, :degree]
    least = np.take_along_axis(near, best, 1).min(axis=1, keepdims=True)
    for row in np.flatnonzero((near == least).sum(axis=1) > 1):  # argpartition takes any of equal ones
        best[row] = np.argsort(-near[row], kind="stable")[:degree]
    return best
