"""Aligning the words of a question with the hops of every path at once.

Words are read outward from the mention; consecutive spans are given to consecutive hops, a word may also name the
kind of node where the path stands, repeat the last hop, or be skipped at a cost. Paths share their prefixes, so a
level of paths is scored from the level above (dynamic programming over words, one row a path).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

LONGEST_SPAN = 5
NOTHING = -1e9


@dataclass(frozen=True, slots=True)
class Gains:
    """What every span and word of one order of reading is worth; n words, S steps, L labels."""

    step: Floats
    """Shape (S, n + 1, n + 1): words i..j explained by a step."""
    first: Floats
    """Shape (S, n + 1, n + 1): the same for the step next to the mention, whose part in the sentence is known."""
    pair: Floats
    """Shape (S, n + 1, n + 1): words i..j explained by a step and its way back."""
    label: Floats
    """Shape (L, n): word i as the name of the node's label."""
    repeat: Floats
    """Shape (S, n): word i as the last step said again."""
    skip: Floats
    """Shape (n,): what leaving word i unexplained costs (positive)."""
    silent: float
    """What a hop costs that no word speaks of (positive): "museums on the island", by way of its towns."""


@dataclass(frozen=True, slots=True)
class Level:
    """The paths of one length. Row p ends with step `last[p]` and extends row `parent[p]` of the level above."""

    last: Ints
    parent: Ints
    label: Ints
    """The label at which the path stands, -1 for none."""
    returns: npt.NDArray[np.bool_]
    """Whether its last hop goes straight back along the one before."""
    cost: Floats


@dataclass(frozen=True, slots=True)
class Scored:
    """A level with, per order of reading, the best gain of each path once the first j words are read.

    `scores[o]` has shape (paths, n + 1); -1e9 where that is impossible.
    """

    level: Level
    scores: tuple[Floats, ...]

    def kept(self, rows: Ints) -> Scored:
        """Only these paths."""
        level = self.level
        part = Level(level.last[rows], level.parent[rows], level.label[rows], level.returns[rows], level.cost[rows])
        return Scored(part, tuple(scores[rows] for scores in self.scores))

    @property
    def promise(self) -> Floats:
        """Shape (paths,): the best gain so far in any order, whatever is still to be read."""
        best: Floats = np.max([scores.max(axis=1) for scores in self.scores], axis=0)
        return best


def root(label: int, orders: tuple[Gains, ...]) -> Scored:
    """The path of no hop, which stands at the mention."""
    level = Level(np.array([-1]), np.array([-1]), np.array([label]), np.array([False]), np.zeros(1))
    tables = []
    for gains in orders:
        scores = np.full((1, len(gains.skip) + 1), NOTHING)
        scores[0, 0] = 0.0
        _read_on(level.last, level.label, scores, gains.label, gains.repeat, gains.skip)
        tables.append(scores)
    return Scored(level, tuple(tables))


def extended(above: Scored, before: Scored | None, level: Level, orders: tuple[Gains, ...]) -> Scored:
    """Score a level from the one above it, and from the one above that for hops that go straight back."""
    rows = np.flatnonzero(level.returns) if before is not None else np.zeros(0, dtype=np.int64)
    tables = []
    for order, gains in enumerate(orders):
        scores = np.full((len(level.last), len(gains.skip) + 1), NOTHING)
        step = gains.first if before is None else gains.step
        _explain(level.parent, level.last, level.cost, above.scores[order], step, gains.silent, scores)
        if before is not None and len(rows):
            middle = level.parent[rows]
            pairs = np.full((len(rows), scores.shape[1]), NOTHING)
            _explain(
                above.level.parent[middle], above.level.last[middle], level.cost[rows] + above.level.cost[middle],
                before.scores[order], gains.pair, -NOTHING, pairs,
            )  # fmt: skip
            scores[rows] = np.maximum(scores[rows], pairs)
        _read_on(level.last, level.label, scores, gains.label, gains.repeat, gains.skip)
        tables.append(scores)
    return Scored(level, tuple(tables))


def _explain(parent: Ints, step: Ints, cost: Floats, above: Floats, gain: Floats, silent: float, out: Floats) -> None:
    """out[p, j] = max over i of above[parent, i] + gain[step, i, j], and above[parent, j] - silent; less the cost."""
    words = out.shape[1] - 1
    costs = cost[:, None]
    reached = above[parent]
    out[:] = reached - silent - costs
    reached = np.where(reached < NOTHING / 10, -np.inf, reached)
    for i in range(words):
        spans = slice(i + 1, i + LONGEST_SPAN + 1)
        np.maximum(out[:, spans], reached[:, i, None] + gain[:, i, spans][step] - costs, out=out[:, spans])


def _read_on(last: Ints, label: Ints, scores: Floats, labels: Floats, repeats: Floats, skip: Floats) -> None:
    """Let every path read further words without a hop: its label's name, its last hop again, or skipped."""
    gains = np.broadcast_to(-skip, (len(scores), len(skip))).copy()
    for rows, values in ((label, labels), (last, repeats)):
        if len(values):
            np.maximum(gains, np.where(rows[:, None] >= 0, values[rows], -np.inf), out=gains)
    for j in range(1, scores.shape[1]):
        np.maximum(scores[:, j], scores[:, j - 1] + gains[:, j - 1], out=scores[:, j])
