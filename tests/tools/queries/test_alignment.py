"""The alignment's dynamic programme against brute force: every way to read the words, for every path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.tools.queries.ranking.alignment import LONGEST_SPAN, NOTHING, Gains, Level, Scored, extended, root

STEPS, HOPS, LABELS = 4, 3, 3


@dataclass(frozen=True)
class Unit:
    """One hop of a path as brute force sees it."""

    step: int
    label: int
    returns: bool
    cost: float


@dataclass(frozen=True)
class Task:
    """Gains in two orders of reading, and the paths of one to three hops to score with them."""

    words: int
    orders: tuple[Gains, ...]
    start: int
    """The mention's label."""
    levels: list[Level]
    paths: list[list[tuple[Unit, ...]]] = field(default_factory=list)
    """Per level and row."""


def make(words: int, seed: int) -> Task:
    rng = np.random.default_rng(seed)
    task = Task(words, (gains(words, rng), gains(words, rng)), int(rng.integers(-1, LABELS)), [])
    above: list[tuple[Unit, ...]] = [()]
    for depth in range(3):
        parents = [row for row, path in enumerate(above) if not path or path[-1].step < HOPS]
        parent = rng.choice(parents, size=6) if parents else np.zeros(0, dtype=np.int64)
        last = rng.integers(0, STEPS, size=len(parent))
        level = Level(
            last,
            parent,
            rng.integers(-1, LABELS, size=len(parent)),
            (rng.random(len(parent)) < 0.5) & (depth > 0) & (last < HOPS),
            rng.random(len(parent)).round(1),
        )
        task.levels.append(level)
        units = [
            Unit(int(level.last[row]), int(level.label[row]), bool(level.returns[row]), float(level.cost[row]))
            for row in range(len(parent))
        ]
        above = [(*above[int(up)], unit) for up, unit in zip(parent, units, strict=True)]
        task.paths.append(above)
    return task


def gains(words: int, rng: np.random.Generator) -> Gains:
    step = rng.normal(0.3, 1, (STEPS, words + 1, words + 1)).round(2)
    first = rng.normal(0.3, 1, (STEPS, words + 1, words + 1)).round(2)
    label = rng.normal(-0.2, 0.5, (LABELS, words)).round(2)
    label[rng.random(label.shape) < 0.5] = NOTHING
    repeat = rng.normal(-0.2, 0.5, (STEPS, words)).round(2)
    repeat[rng.random(repeat.shape) < 0.5] = NOTHING
    pair = rng.normal(0.6, 1, (HOPS, words + 1, words + 1)).round(2)
    return Gains(step, first, pair, label, repeat, rng.random(words).round(2), round(rng.random(), 2))


def readings(path: tuple[Unit, ...], start: int, g: Gains, depth: int = 0, at: int = 0) -> Iterator[tuple[int, float]]:
    """(words read, gain) of every way to explain the whole path with a beginning of the words."""
    words = len(g.skip)
    if depth == len(path):
        yield at, 0.0
    if at < words:
        for gain in word_gains(path[depth - 1] if depth else None, start, g, at):
            for end, more in readings(path, start, g, depth, at + 1):
                yield end, gain + more
    if depth < len(path):
        for last, more in readings(path, start, g, depth + 1, at):
            yield last, more - g.silent - path[depth].cost
    step = g.step if depth else g.first
    for end in range(at + 1, min(words, at + LONGEST_SPAN) + 1):
        if depth < len(path):
            unit = path[depth]
            for last, more in readings(path, start, g, depth + 1, end):
                yield last, step[unit.step, at, end] - unit.cost + more
        if depth + 1 < len(path) and path[depth + 1].returns:
            first, second = path[depth : depth + 2]
            for last, more in readings(path, start, g, depth + 2, end):
                yield last, g.pair[first.step, at, end] - first.cost - second.cost + more


def word_gains(unit: Unit | None, start: int, g: Gains, at: int) -> Iterator[float]:
    """What a word is worth that no hop explains."""
    yield -g.skip[at]
    label = start if unit is None else unit.label
    if label >= 0 and g.label[label, at] > NOTHING:
        yield g.label[label, at]
    if unit is not None and g.repeat[unit.step, at] > NOTHING:
        yield g.repeat[unit.step, at]


def brute_force(path: tuple[Unit, ...], start: int, g: Gains) -> list[float | None]:
    """The best gain once the first j words are read, None where no reading has that many."""
    best: list[float | None] = [None] * (len(g.skip) + 1)
    for end, gain in readings(path, start, g):
        so_far = best[end]
        best[end] = gain if so_far is None else max(so_far, gain)
    return best


def score(task: Task) -> list[Scored]:
    before, above, found = None, root(task.start, task.orders), []
    for level in task.levels:
        scored = extended(above, before, level, task.orders)
        found.append(scored)
        before, above = above, scored
    return found


def assert_same(scores: np.ndarray, expected: list[float | None]) -> None:
    for j, best in enumerate(expected):
        if best is None:
            assert scores[j] < NOTHING / 10
        else:
            assert scores[j] == pytest.approx(best, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 4), st.integers(0, 10_000))
def test_every_path_gets_the_score_of_its_best_reading(words: int, seed: int) -> None:
    task = make(words, seed)
    for scored, paths in zip(score(task), task.paths, strict=True):
        for row, path in enumerate(paths):
            for order, g in enumerate(task.orders):
                assert_same(scored.scores[order][row], brute_force(path, task.start, g))


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 10_000))
def test_a_span_has_a_longest_length(seed: int) -> None:
    task = make(LONGEST_SPAN + 2, seed)
    scored = score(task)[0]
    for row, path in enumerate(task.paths[0]):
        assert_same(scored.scores[0][row], brute_force(path, task.start, task.orders[0]))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_the_root_reads_words_without_a_hop(seed: int) -> None:
    task = make(5, seed)
    scored = root(task.start, task.orders)
    for order, g in enumerate(task.orders):
        assert_same(scored.scores[order][0], brute_force((), task.start, g))


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 4), st.integers(0, 10_000))
def test_dropping_other_paths_changes_no_score(words: int, seed: int) -> None:
    """A beam keeps some rows of a level; the rows below them score as if all were there."""
    task = make(words, seed)
    _, second, third = task.levels
    if len(second.last) == 0:
        return
    whole = score(task)
    kept = np.unique(second.parent)
    above = whole[0].kept(kept)
    renumbered = np.searchsorted(kept, second.parent)
    level = Level(second.last, renumbered, second.label, second.returns, second.cost)
    part = extended(above, root(task.start, task.orders), level, task.orders)
    for order in range(len(task.orders)):
        np.testing.assert_array_equal(part.scores[order], whole[1].scores[order])
    if len(third.last):
        deeper = extended(part, above, third, task.orders)
        np.testing.assert_array_equal(deeper.scores[0], whole[2].scores[0])


@given(st.integers(0, 10_000))
def test_promise_is_the_best_gain_anywhere(seed: int) -> None:
    scored = score(make(3, seed))[0]
    for row, promise in enumerate(scored.promise):
        assert promise == max(scores[row].max() for scores in scored.scores)


def flat(words: int, **changed: np.ndarray) -> Gains:
    """Gains where nothing is worth anything."""
    none = {
        "step": np.full((STEPS, words + 1, words + 1), NOTHING),
        "pair": np.full((HOPS, words + 1, words + 1), NOTHING),
        "label": np.full((LABELS, words), NOTHING),
        "repeat": np.full((STEPS, words), NOTHING),
        "skip": np.ones(words),
    }
    first = changed.get("step", none["step"])
    return Gains(**{**none, **changed}, first=first, silent=-NOTHING)


def path_of(*steps: tuple[int, bool]) -> list[Level]:
    return [
        Level(np.array([step]), np.array([0]), np.array([-1]), np.array([returns]), np.zeros(1))
        for step, returns in steps
    ]


def test_one_span_explains_a_hop_and_its_way_back() -> None:
    """ "same director": two hops, one span; only where the second goes straight back."""
    pair = np.full((HOPS, 3, 3), NOTHING)
    pair[1, 0, 2] = 5.0
    orders = (flat(2, pair=pair),)
    start = root(-1, orders)
    first, back = path_of((1, False), (2, True))
    above = extended(start, None, first, orders)
    assert extended(above, start, back, orders).scores[0][0, 2] == 5.0
    onward = Level(back.last, back.parent, back.label, np.array([False]), back.cost)
    assert extended(above, start, onward, orders).scores[0][0, 2] < NOTHING / 10


def test_spans_follow_the_order_of_hops() -> None:
    step = np.full((STEPS, 3, 3), NOTHING)
    step[0, 0, 1], step[1, 1, 2] = 1.0, 2.0
    orders = (flat(2, step=step),)
    for steps, expected in (((0, 1), 3.0), ((1, 0), None)):
        start = root(-1, orders)
        first, second = path_of(*((s, False) for s in steps))
        found = extended(extended(start, None, first, orders), start, second, orders).scores[0][0, 2]
        assert found == expected if expected is not None else found < NOTHING / 10
