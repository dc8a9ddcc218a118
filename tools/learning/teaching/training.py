"""Training a preference on examples: a softmax over each question's options, its own wrong ones the hard negatives.

The loss is convex and is minimised by L-BFGS. How strongly weights are drawn to the untaught ranker is chosen on
held-back questions, and so is the weight of a fine-tuned encoder (`encoder`). Questions that had no part in these
choices decide whether the result is used at all: it must put better queries first there.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clew.tools.embedding import Embedder
from clew.tools.learning.teaching.fitting import ExampleNumbers, Fitted, HeldBack, Tables
from clew.tools.learning.teaching.preference import (
    TEMPERATURE,
    Floats,
    Meanings,
    Preference,
    TunedPreference,
)
from clew.tools.learning.teaching.training_examples import TrainingExample

STRENGTHS = (1.0, 0.03, 0.01, 0.003, 0.001)
"""Strengths of the ridge penalty on part weights, strongest first."""
FOLDS = 3
ONE_SPLIT = 600
"""Number of examples from which on one fold is held back once."""
FEWEST = 8
"""Minimum number of examples."""
WEIGHTS = (0.0, 0.125, 0.25, 0.5, 1.0)
"""Candidate weights of a tuned encoder's cosine."""

Tune = Callable[[Sequence[TrainingExample]], Embedder | None]
"""Fine-tunes an encoder on examples, their best option first; None if that is not possible."""


@dataclass(frozen=True, slots=True)
class EncoderTrial:
    """The evaluation of a tuned encoder on held-back questions."""

    weight: float
    """0 if it is not used."""
    frozen: HeldBack
    tuned: HeldBack


@dataclass(frozen=True, slots=True)
class Trained:
    """What training has learned."""

    preference: Preference | TunedPreference
    strength: float
    held_back: HeldBack
    encoder: EncoderTrial | None = None
    """None if none was tuned."""


def train(
    examples: Sequence[TrainingExample],
    embedder: Embedder,
    seed: int = 0,
    step: Callable[[int], None] = lambda _: None,
    tune: Tune | None = None,
    *,
    only_tuned: bool = False,
) -> Trained | None:
    """A preference fitted to the examples with a good query; None where there are fewer than FEWEST.

    `held_back` of the result says whether it is better than the untaught ranker.

    Args:
        step: Called with the number of fits done, of `fits(len(examples))`.
        tune: Fine-tunes an encoder on the examples outside the first fold; it is used where it improves that fold.
        only_tuned: Use the tuned encoder in any case.

    Source: GraphRAFT, section 4.1.
    """
    usable = [example for example in examples if example.found and example.quality > 0]
    if len(usable) < FEWEST:
        return None
    random.Random(seed).shuffle(usable)
    tables = Tables.of(usable, embedder)
    folds = _folds(len(usable))
    done = 0
    scores: dict[float, dict[int, Floats]] = {strength: {} for strength in STRENGTHS}
    for fold in folds:
        fitted: Fitted | None = None
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
        encoder = tune([example for q, example in enumerate(usable) if q not in unseen])
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


def _tried(
    tables: Tables, scores: Mapping[int, Floats], fold: ExampleNumbers, encoder: Embedder, always: bool
) -> EncoderTrial:
    """What the encoder adds to `scores` on a fold that neither of them has seen. Its weight is the one of the least
    loss, which says more where few queries change places."""
    cosines = tables.cosines(fold, encoder)
    with_it = {
        weight: {q: scores[q] + weight / TEMPERATURE * cosines[q] for q in cosines}
        for weight in (WEIGHTS[1:] if always else WEIGHTS)
    }
    weight, tuned = tables.settled(with_it, _halves(fold), lambda q, values: -tables.loss(q, values))
    _, frozen = tables.settled({0.0: scores}, _halves(fold), tables.worth)
    return EncoderTrial(weight if always or tuned.worth > frozen.worth else 0.0, frozen, tuned)


def fits(examples: int) -> int:
    """Number of fits that `train` performs."""
    return len(STRENGTHS) * len(_folds(examples)) + 1


def tuned_on(examples: int) -> int:
    """The number of examples that `train` tunes an encoder on."""
    return examples - len(_folds(examples)[0])


def _folds(count: int) -> list[ExampleNumbers]:
    folds = [np.arange(start, count, FOLDS) for start in range(FOLDS)]
    return folds[:1] if count >= ONE_SPLIT else folds


def _halves(fold: ExampleNumbers) -> list[ExampleNumbers]:
    return [fold[::2], fold[1::2]]
