"""Fitting the weights of a preference by L-BFGS, with all training examples as matrices."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import logsumexp

from clew.tools.embedding import Embedder
from clew.tools.learning.teaching.options import CROSSED, FEATURES, Option
from clew.tools.learning.teaching.preference import PER_SCORE, Floats, Meanings, Preference
from clew.tools.learning.teaching.training_examples import TrainingExample

PLAIN_RIDGE = 1e-3
SHARPNESS = 2.0
"""Exponent of F1 in an option's target probability."""
DIMENSIONS = 128
"""Number of principal directions of the questions' embeddings; the learned weights lie in their span."""
STEPS = 60
ENOUGH = 1e-4
"""Minimum relative improvement of the loss per step; below it, fitting ends."""

Setting = TypeVar("Setting", bound=Hashable)
ExampleNumbers = npt.NDArray[np.int64]
"""Shape (n,): the numbers of examples."""


@dataclass(frozen=True, slots=True)
class HeldBack:
    """The first options of held-back questions: mean F1, and the share with a correct answer."""

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
        """The sum of both. F1 alone hardly measures correctness if questions have few answers."""
        return self.taught_f1 + self.taught_hits


@dataclass(frozen=True)
class Fitted:
    """Weights as in Preference, those for words along `Tables.axes`."""

    plain: Floats
    words: Floats
    crossed: Floats


@dataclass(frozen=True)
class Tables:
    """All examples as matrices. N options, Q examples, M questions without entities, P parts, d dimensions."""

    starts: npt.NDArray[np.int64]
    """Shape (Q + 1,): where each example's options begin."""
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
    """Embeddings of the options' patterns."""
    f1: Floats
    right: Floats
    """Shape (N,): whether an option has a right answer."""
    parts: dict[str, int]

    @classmethod
    def of(cls, examples: Sequence[TrainingExample], embedder: Embedder) -> Tables:
        rated = [r for example in examples for r in example.rated]
        options = [r.option for r in rated]
        parts = {p: i for i, p in enumerate(sorted({p for o in options for p in o.pattern.parts}))}
        asked = {text: i for i, text in enumerate(sorted({o.masked for o in options}))}
        text_numbers = {text: i for i, text in enumerate(sorted({o.pattern.words for o in options}))}
        vectors = embedder.embed(list(asked)).astype(np.float64)
        meanings = embedder.embed(list(text_numbers)).astype(np.float64)
        question = np.array([asked[o.masked] for o in options])
        meaning = np.array([text_numbers[o.pattern.words] for o in options])
        cosines = np.einsum("ij,ij->i", vectors[question], meanings[meaning])
        axes = np.linalg.svd(vectors, full_matrices=False)[2][:DIMENSIONS]
        columns = [parts[p] for o in options for p in o.pattern.parts]
        rows = np.repeat(np.arange(len(options)), [len(o.pattern.parts) for o in options])
        return cls(
            np.cumsum([0, *(len(example.rated) for example in examples)]),
            np.column_stack([np.array([o.features for o in options]), cosines]),
            np.array([o.crossed for o in options]),
            csr_matrix((np.ones(len(columns)), (rows, columns)), shape=(len(options), len(parts))),
            question,
            vectors @ axes.T,
            axes,
            options,
            Meanings(text_numbers, meanings.astype(np.float32)),
            np.array([r.f1 for r in rated]),
            np.array([float(r.hits > 0) for r in rated]),
            parts,
        )

    def fit(self, examples: ExampleNumbers, strength: float, near: Fitted | None = None) -> Fitted:
        """Minimise over these examples, beginning at `near`."""
        options = np.concatenate([np.arange(self.starts[q], self.starts[q + 1]) for q in examples])
        starts = np.cumsum([0, *(self.starts[q + 1] - self.starts[q] for q in examples)])[:-1]
        example = np.repeat(np.arange(len(examples)), np.diff([*starts, len(options)]))
        plain, cross, has, question = (
            self.plain[options],
            self.cross[options],
            self.has[options],
            self.question[options],
        )
        rows, columns = has.nonzero()
        cells = question[rows] * len(self.parts) + columns  # of a table of questions by parts
        share = self.f1[options] ** SHARPNESS
        target = share / np.add.reduceat(share, starts)[example]
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
            scores -= np.maximum.reduceat(scores, starts)[example]
            logs = scores - np.log(np.add.reduceat(np.exp(scores), starts))[example]
            error = (np.exp(logs) - target) / len(examples)
            value = -(target * logs).sum() / len(examples) + PLAIN_RIDGE * ((w - prior) ** 2).sum()
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
        return Fitted(*parted(minimize(loss, start, jac=True, method="L-BFGS-B", options=ending).x))

    def scores(self, fitted: Fitted, example: int) -> Floats:
        """The scores of the example's options."""
        rows = self._rows(example)
        has = self.has[rows]
        scores = self.plain[rows] @ fitted.plain + ((has @ fitted.crossed) * self.cross[rows]).sum(axis=1)
        found: Floats = scores + ((has @ fitted.words) * self.vectors[self.question[rows]]).sum(axis=1)
        return found

    def cosines(self, examples: ExampleNumbers, encoder: Embedder) -> dict[int, Floats]:
        """By example, of each of its options' question and pattern."""
        options = {int(q): self.options[self._rows(int(q))] for q in examples}
        vectors = Meanings().embedded([option for each in options.values() for option in each], encoder)
        return {
            q: np.array([vectors[o.masked] @ vectors[o.pattern.words] for o in each]) for q, each in options.items()
        }

    def settled(
        self,
        scores: Mapping[Setting, Mapping[int, Floats]],
        groups: Sequence[ExampleNumbers],
        worth: Callable[[int, Floats], float],
    ) -> tuple[Setting, HeldBack]:
        """The setting whose scores are worth most on average, of equals the first one; and what such a choice gives:
        every group of questions is judged with the setting that is best for the others."""
        worths = {setting: {q: worth(q, values) for q, values in each.items()} for setting, each in scores.items()}

        def best(examples: Sequence[int]) -> Setting:
            return max(worths, key=lambda setting: round(float(np.mean([worths[setting][q] for q in examples])), 6))

        members = [[int(q) for q in group] for group in groups]
        found: list[tuple[float, float, float, float]] = []
        for number, group in enumerate(members):
            setting = best([q for other in members[:number] + members[number + 1 :] for q in other])
            for q in group:
                untaught, taught = self._first(q, self.plain[self._rows(q), 0]), self._first(q, scores[setting][q])
                found.append((untaught[0], taught[0], untaught[1], taught[1]))
        means = (round(float(mean), 6) for mean in np.mean(found, axis=0))
        return best([q for group in members for q in group]), HeldBack(len(found), *means)

    def worth(self, example: int, scores: Floats) -> float:
        """As `HeldBack.worth`, for one example."""
        return sum(self._first(example, scores))

    def loss(self, example: int, scores: Floats) -> float:
        """The training loss of one example."""
        share = self.f1[self._rows(example)] ** SHARPNESS
        return float(logsumexp(scores) - share @ scores / share.sum())

    def _first(self, example: int, scores: Floats) -> tuple[float, float]:
        """F1 of the first option, and whether it has a correct answer; the mean of tied options."""
        rows, first = self._rows(example), scores == scores.max()
        return float(self.f1[rows][first].mean()), float(self.right[rows][first].mean())

    def _rows(self, example: int) -> slice:
        return slice(int(self.starts[example]), int(self.starts[example + 1]))

    def preference(self, fitted: Fitted) -> Preference:
        assert fitted.plain.shape == (len(FEATURES) + 1,)
        return Preference(self.parts, fitted.plain, fitted.words @ self.axes, fitted.crossed, self.meanings)
