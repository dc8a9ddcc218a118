"""Fitting a preference to lessons: a softmax over each question's options, its own wrong ones the hard negatives.

The loss is convex and is minimised by L-BFGS. How strongly weights are drawn to the untaught ranker is chosen on
questions that were held back, and so is whether to use what was learned at all: it must put better queries first there.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from tools.embedding import Embedder
from tools.teaching.lessons import Lesson
from tools.teaching.options import CROSSED, FEATURES
from tools.teaching.preference import PER_SCORE, Floats, Preference

STRENGTHS = (1.0, 0.03, 0.01, 0.003, 0.001)
"""Of the ridge on what is learned about parts, the strongest first."""
PLAIN_RIDGE = 1e-3
SHARPNESS = 2.0
"""The share of an option in what should be chosen is its F1 to this power."""
DIMENSIONS = 128
"""Of the questions' embeddings, the directions along which they differ most; what is learned lies in these."""
STEPS = 60
ENOUGH = 1e-4
"""A step that improves the loss by a smaller share than this is the last."""
FOLDS = 3
ONE_SPLIT = 600
"""From this many lessons on, one fold is held back, once."""
FEWEST = 8
"""Fewer lessons are not learned from."""


@dataclass(frozen=True, slots=True)
class HeldBack:
    """What was put first for questions that were held back: means of F1, and the share that has a right answer."""

    questions: int
    untaught_f1: float
    taught_f1: float
    untaught_hits: float
    taught_hits: float

    @property
    def better(self) -> bool:
        return self.taught_f1 > self.untaught_f1


@dataclass(frozen=True, slots=True)
class Trained:
    preference: Preference
    strength: float
    held_back: HeldBack


def train(
    lessons: Sequence[Lesson], embedder: Embedder, seed: int = 0, step: Callable[[int], None] = lambda _: None
) -> Trained | None:
    """A preference fitted to the lessons with a good query; None where they are fewer than FEWEST. Whether it is
    better than the untaught ranker, `held_back` says. `step` hears how many fits are done, of `fits(len(lessons))`."""
    usable = [lesson for lesson in lessons if lesson.found and lesson.quality > 0]
    if len(usable) < FEWEST:
        return None
    random.Random(seed).shuffle(usable)
    tables = _Tables.of(usable, embedder)
    done = 0
    chosen: dict[float, list[tuple[int, int]]] = {strength: [] for strength in STRENGTHS}
    for fold in _folds(len(usable)):
        fitted: _Fitted | None = None
        for strength in STRENGTHS:
            fitted = tables.fit(np.setdiff1d(np.arange(len(usable)), fold), strength, fitted)
            chosen[strength] += tables.chosen(fitted, fold)
            done += 1
            step(done)
    results = [(strength, tables.judged(pairs)) for strength, pairs in chosen.items()]
    strength, held_back = max(results, key=lambda r: r[1].taught_f1)  # of equals the most cautious
    preference = tables.preference(tables.fit(np.arange(len(usable)), strength))
    step(done + 1)
    return Trained(preference, strength, held_back)


def fits(lessons: int) -> int:
    """How many fits `train` makes."""
    return len(STRENGTHS) * len(_folds(lessons)) + 1


def _folds(count: int) -> list[npt.NDArray[np.int64]]:
    folds = [np.arange(start, count, FOLDS) for start in range(FOLDS)]
    return folds[:1] if count >= ONE_SPLIT else folds


@dataclass(frozen=True)
class _Fitted:
    """Weights as in Preference, those for words along `_Tables.axes`."""

    plain: Floats
    words: Floats
    crossed: Floats


@dataclass(frozen=True)
class _Tables:
    """All lessons as matrices. N options, Q lessons, M questions without entities, P parts, d dimensions."""

    starts: npt.NDArray[np.int64]
    """Shape (Q + 1,): where each lesson's options begin."""
    plain: Floats
    """Shape (N, features)."""
    cross: Floats
    """Shape (N, len(CROSSED))."""
    has: csr_matrix
    """Shape (N, P): the parts of each option's pattern."""
    question: npt.NDArray[np.int64]
    """Shape (N,): the row of `vectors`."""
    vectors: Floats
    """Shape (M, r): the embeddings along `axes`."""
    axes: Floats
    """Shape (r, d), r at most DIMENSIONS: orthonormal rows."""
    f1: Floats
    right: Floats
    """Shape (N,): whether an option has a right answer."""
    parts: dict[str, int]

    @classmethod
    def of(cls, lessons: Sequence[Lesson], embedder: Embedder) -> _Tables:
        rated = [r for lesson in lessons for r in lesson.rated]
        options = [r.option for r in rated]
        parts = {p: i for i, p in enumerate(sorted({p for o in options for p in o.pattern.parts}))}
        asked = {text: i for i, text in enumerate(sorted({o.masked for o in options}))}
        said = {text: i for i, text in enumerate(sorted({o.pattern.words for o in options}))}
        vectors = embedder.embed(list(asked)).astype(np.float64)
        meanings = embedder.embed(list(said)).astype(np.float64)
        question = np.array([asked[o.masked] for o in options])
        meaning = np.array([said[o.pattern.words] for o in options])
        cosines = np.einsum("ij,ij->i", vectors[question], meanings[meaning])
        axes = np.linalg.svd(vectors, full_matrices=False)[2][:DIMENSIONS]
        columns = [parts[p] for o in options for p in o.pattern.parts]
        rows = np.repeat(np.arange(len(options)), [len(o.pattern.parts) for o in options])
        return cls(
            np.cumsum([0, *(len(lesson.rated) for lesson in lessons)]),
            np.column_stack([np.array([o.features for o in options]), cosines]),
            np.array([o.crossed for o in options]),
            csr_matrix((np.ones(len(columns)), (rows, columns)), shape=(len(options), len(parts))),
            question,
            vectors @ axes.T,
            axes,
            np.array([r.f1 for r in rated]),
            np.array([float(r.hits > 0) for r in rated]),
            parts,
        )

    def fit(self, lessons: npt.NDArray[np.int64], strength: float, near: _Fitted | None = None) -> _Fitted:
        """Minimise over these lessons, beginning at `near`."""
        options = np.concatenate([np.arange(self.starts[q], self.starts[q + 1]) for q in lessons])
        starts = np.cumsum([0, *(self.starts[q + 1] - self.starts[q] for q in lessons)])[:-1]
        lesson = np.repeat(np.arange(len(lessons)), np.diff([*starts, len(options)]))
        plain, cross, has, question = (
            self.plain[options],
            self.cross[options],
            self.has[options],
            self.question[options],
        )
        rows, columns = has.nonzero()
        cells = question[rows] * len(self.parts) + columns  # of a table of questions by parts
        share = self.f1[options] ** SHARPNESS
        wanted = share / np.add.reduceat(share, starts)[lesson]
        prior = np.zeros(plain.shape[1])
        prior[0] = PER_SCORE
        shapes = [(plain.shape[1],), (len(self.parts), self.vectors.shape[1]), (len(self.parts), len(CROSSED))]
        ends = np.cumsum([int(np.prod(shape)) for shape in shapes])

        def parted(values: Floats) -> list[Floats]:
            return [part.reshape(shape) for part, shape in zip(np.split(values, ends[:-1]), shapes, strict=True)]

        def loss(values: Floats) -> tuple[float, Floats]:
            w, u, b = parted(values)
            table = (self.vectors @ u.T).ravel()
            scores = plain @ w + np.bincount(rows, table[cells], len(options)) + ((has @ b) * cross).sum(axis=1)
            scores -= np.maximum.reduceat(scores, starts)[lesson]
            logs = scores - np.log(np.add.reduceat(np.exp(scores), starts))[lesson]
            error = (np.exp(logs) - wanted) / len(lessons)
            value = -(wanted * logs).sum() / len(lessons) + PLAIN_RIDGE * ((w - prior) ** 2).sum()
            value += strength * ((u**2).sum() + (b**2).sum())
            summed = np.bincount(cells, error[rows], len(table)).reshape(len(self.vectors), -1)
            slopes = [plain.T @ error + 2 * PLAIN_RIDGE * (w - prior)]
            slopes += [summed.T @ self.vectors + 2 * strength * u, has.T @ (error[:, None] * cross) + 2 * strength * b]
            return float(value), np.concatenate([slope.ravel() for slope in slopes])

        start = np.zeros(int(ends[-1]))
        start[: len(prior)] = prior
        if near is not None:
            start = np.concatenate([near.plain, near.words.ravel(), near.crossed.ravel()])
        ending = {"maxiter": STEPS, "ftol": ENOUGH}
        return _Fitted(*parted(minimize(loss, start, jac=True, method="L-BFGS-B", options=ending).x))

    def chosen(self, fitted: _Fitted, lessons: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
        """For each lesson the option that comes first untaught, and taught."""
        found = []
        for q in lessons:
            rows = slice(self.starts[q], self.starts[q + 1])
            has = self.has[rows]
            scores = self.plain[rows] @ fitted.plain + ((has @ fitted.crossed) * self.cross[rows]).sum(axis=1)
            scores += ((has @ fitted.words) * self.vectors[self.question[rows]]).sum(axis=1)
            start = int(self.starts[q])
            found.append((start + int(self.plain[rows, 0].argmax()), start + int(scores.argmax())))
        return found

    def judged(self, chosen: Sequence[tuple[int, int]]) -> HeldBack:
        untaught, taught = np.array(chosen).T
        f1, right = self.f1, self.right
        means = (f1[untaught].mean(), f1[taught].mean(), right[untaught].mean(), right[taught].mean())
        return HeldBack(len(chosen), *(round(float(mean), 6) for mean in means))

    def preference(self, fitted: _Fitted) -> Preference:
        assert fitted.plain.shape == (len(FEATURES) + 1,)
        return Preference(self.parts, fitted.plain, fitted.words @ self.axes, fitted.crossed)
