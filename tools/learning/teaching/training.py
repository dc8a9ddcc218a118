"""Fitting a preference to lessons: a softmax over each question's options, its own wrong ones the hard negatives.

The loss is convex and is minimised by L-BFGS. How strongly weights are drawn to the untaught ranker is chosen on
questions that were held back, and so is how much a fine-tuned encoder (encoder) has to say. Whether to
use what was learned at all is decided by questions that had no part in these choices: it must put better queries first
there.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import logsumexp

from clew.tools.embedding import Embedder
from clew.tools.learning.teaching.lessons import Lesson
from clew.tools.learning.teaching.options import CROSSED, FEATURES, Option
from clew.tools.learning.teaching.preference import (
    PER_SCORE,
    TEMPERATURE,
    Floats,
    Meanings,
    Preference,
    TunedPreference,
)

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
WEIGHTS = (0.0, 0.125, 0.25, 0.5, 1.0)
"""Of a tuned encoder's cosine."""

Tune = Callable[[Sequence[Lesson]], Embedder | None]
"""Fine-tunes an encoder on lessons, their best option first; None where that cannot be."""
Setting = TypeVar("Setting", bound=Hashable)
Lessons = npt.NDArray[np.int64]
"""Shape (n,): the numbers of lessons."""


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
        return self.worth > self.untaught_f1 + self.untaught_hits

    @property
    def worth(self) -> float:
        """Both count: F1 alone hardly says whether a query is right where questions have few answers and queries many
        results."""
        return self.taught_f1 + self.taught_hits


@dataclass(frozen=True, slots=True)
class Tried:
    """What a tuned encoder was worth on questions that were held back from it."""

    weight: float
    """0 where it is not used."""
    frozen: HeldBack
    tuned: HeldBack


@dataclass(frozen=True, slots=True)
class Trained:
    preference: Preference | TunedPreference
    strength: float
    held_back: HeldBack
    encoder: Tried | None = None
    """None where none was tuned."""


def train(
    lessons: Sequence[Lesson],
    embedder: Embedder,
    seed: int = 0,
    step: Callable[[int], None] = lambda _: None,
    tune: Tune | None = None,
    *,
    only_tuned: bool = False,
) -> Trained | None:
    """A preference fitted to the lessons with a good query; None where they are fewer than FEWEST. Whether it is
    better than the untaught ranker, `held_back` says. `step` hears how many fits are done, of `fits(len(lessons))`.

    With `tune`, an encoder is tuned on the lessons that the first fold leaves, and is used where that fold is the
    better for it; with `only_tuned`, in any case.
    """
    usable = [lesson for lesson in lessons if lesson.found and lesson.quality > 0]
    if len(usable) < FEWEST:
        return None
    random.Random(seed).shuffle(usable)
    tables = _Tables.of(usable, embedder)
    folds = _folds(len(usable))
    done = 0
    scores: dict[float, dict[int, Floats]] = {strength: {} for strength in STRENGTHS}
    for fold in folds:
        fitted: _Fitted | None = None
        for strength in STRENGTHS:
            fitted = tables.fit(np.setdiff1d(np.arange(len(usable)), fold), strength, fitted)
            scores[strength] |= {int(q): tables.scores(fitted, int(q)) for q in fold}
            done += 1
            step(done)
    groups = folds if len(folds) > 1 else _halves(folds[0])
    strength, held_back = tables.settled(scores, groups, tables.worth)
    encoder = tried = None
    if tune is not None:
        unseen = set(folds[0].tolist())
        encoder = tune([lesson for q, lesson in enumerate(usable) if q not in unseen])
    if encoder is not None:
        tried = _tried(tables, scores[strength], folds[0], encoder, only_tuned)
        if tried.weight and not held_back.better:
            held_back = tried.tuned
    preference = tables.preference(tables.fit(np.arange(len(usable)), strength))
    step(done + 1)
    if encoder is None or tried is None or not tried.weight:
        return Trained(preference, strength, held_back, tried)
    meanings = Meanings.of(list(preference.meanings.rows), encoder)
    return Trained(TunedPreference(preference, encoder, tried.weight, meanings), strength, held_back, tried)


def _tried(tables: _Tables, scores: Mapping[int, Floats], fold: Lessons, encoder: Embedder, always: bool) -> Tried:
    """What the encoder adds to `scores` on a fold that neither of them has seen. Its weight is the one of the least
    loss, which says more where few queries change places."""
    cosines = tables.cosines(fold, encoder)
    with_it = {
        weight: {q: scores[q] + weight / TEMPERATURE * cosines[q] for q in cosines}
        for weight in (WEIGHTS[1:] if always else WEIGHTS)
    }
    weight, tuned = tables.settled(with_it, _halves(fold), lambda q, values: -tables.loss(q, values))
    _, frozen = tables.settled({0.0: scores}, _halves(fold), tables.worth)
    return Tried(weight if always or tuned.worth > frozen.worth else 0.0, frozen, tuned)


def fits(lessons: int) -> int:
    """How many fits `train` makes."""
    return len(STRENGTHS) * len(_folds(lessons)) + 1


def tuned_on(lessons: int) -> int:
    """Of so many lessons, those that `train` has an encoder tuned on."""
    return lessons - len(_folds(lessons)[0])


def _folds(count: int) -> list[Lessons]:
    folds = [np.arange(start, count, FOLDS) for start in range(FOLDS)]
    return folds[:1] if count >= ONE_SPLIT else folds


def _halves(fold: Lessons) -> list[Lessons]:
    return [fold[::2], fold[1::2]]


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
    options: Sequence[Option]
    meanings: Meanings
    """Of the options' patterns."""
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
            options,
            Meanings(said, meanings.astype(np.float32)),
            np.array([r.f1 for r in rated]),
            np.array([float(r.hits > 0) for r in rated]),
            parts,
        )

    def fit(self, lessons: Lessons, strength: float, near: _Fitted | None = None) -> _Fitted:
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

    def scores(self, fitted: _Fitted, lesson: int) -> Floats:
        """Of the lesson's options."""
        rows = self._rows(lesson)
        has = self.has[rows]
        scores = self.plain[rows] @ fitted.plain + ((has @ fitted.crossed) * self.cross[rows]).sum(axis=1)
        found: Floats = scores + ((has @ fitted.words) * self.vectors[self.question[rows]]).sum(axis=1)
        return found

    def cosines(self, lessons: Lessons, encoder: Embedder) -> dict[int, Floats]:
        """By lesson, of each of its options' question and pattern."""
        options = {int(q): self.options[self._rows(int(q))] for q in lessons}
        said = Meanings().embedded([option for each in options.values() for option in each], encoder)
        return {q: np.array([said[o.masked] @ said[o.pattern.words] for o in each]) for q, each in options.items()}

    def settled(
        self,
        scores: Mapping[Setting, Mapping[int, Floats]],
        groups: Sequence[Lessons],
        worth: Callable[[int, Floats], float],
    ) -> tuple[Setting, HeldBack]:
        """The setting whose scores are worth most on average, of equals the first one; and what such a choice gives:
        every group of questions is judged with the setting that is best for the others."""
        worths = {setting: {q: worth(q, values) for q, values in each.items()} for setting, each in scores.items()}

        def best(lessons: Sequence[int]) -> Setting:
            return max(worths, key=lambda setting: round(float(np.mean([worths[setting][q] for q in lessons])), 6))

        members = [[int(q) for q in group] for group in groups]
        found: list[tuple[float, float, float, float]] = []
        for number, group in enumerate(members):
            setting = best([q for other in members[:number] + members[number + 1 :] for q in other])
            for q in group:
                untaught, taught = self._first(q, self.plain[self._rows(q), 0]), self._first(q, scores[setting][q])
                found.append((untaught[0], taught[0], untaught[1], taught[1]))
        means = (round(float(mean), 6) for mean in np.mean(found, axis=0))
        return best([q for group in members for q in group]), HeldBack(len(found), *means)

    def worth(self, lesson: int, scores: Floats) -> float:
        """As `HeldBack.worth`, for one lesson."""
        return sum(self._first(lesson, scores))

    def loss(self, lesson: int, scores: Floats) -> float:
        """Of training, for one lesson."""
        share = self.f1[self._rows(lesson)] ** SHARPNESS
        return float(logsumexp(scores) - share @ scores / share.sum())

    def _first(self, lesson: int, scores: Floats) -> tuple[float, float]:
        """F1 of the option that comes first, and whether it has a right answer; the mean where several do."""
        rows, first = self._rows(lesson), scores == scores.max()
        return float(self.f1[rows][first].mean()), float(self.right[rows][first].mean())

    def _rows(self, lesson: int) -> slice:
        return slice(int(self.starts[lesson]), int(self.starts[lesson + 1]))

    def preference(self, fitted: _Fitted) -> Preference:
        assert fitted.plain.shape == (len(FEATURES) + 1,)
        return Preference(self.parts, fitted.plain, fitted.words @ self.axes, fitted.crossed, self.meanings)
