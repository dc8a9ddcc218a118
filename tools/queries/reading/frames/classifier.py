"""Which frame a question is: a linear model over the sentence vector of its masked words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
import numpy.typing as npt

from clew.tools.queries.reading.frames.slots import Slot, counts

PROBABLE = 0.25
"""From which probability on a question may be a frame."""
_OF_COUNTS = 0.3
"""The scale of the numbers of slots beside a vector of length 1."""


def features(vector: npt.NDArray[np.float32], numbers: Sequence[float]) -> npt.NDArray[np.float32]:
    """What the model looks at: a sentence vector, and how many slots of each kind there are (`slots.counts`)."""
    return np.concatenate([vector, _OF_COUNTS * np.array(numbers, np.float32)])


@dataclass(frozen=True)
class Classifier:
    """Multinomial logistic regression.

    Args:
        classes: The names of the frames.
        weights: One row for each class, as wide as a sentence vector, and a constant in its last column.
        words: Words of wordings that say how something is asked, not what.
    """

    classes: tuple[str, ...]
    weights: npt.NDArray[np.float32]
    words: frozenset[str]

    @classmethod
    def load(cls, path: Path) -> Classifier:
        with np.load(path) as stored:
            weights = stored["weights"].astype(np.float32)
            return cls(tuple(map(str, stored["classes"])), weights, frozenset(map(str, stored["words"])))

    def save(self, path: Path) -> None:
        """Write the model into a file."""
        weights = self.weights.astype(np.float16)
        np.savez_compressed(path, classes=np.array(self.classes), weights=weights, words=np.array(sorted(self.words)))

    def shares(self, row: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """The probability of each frame, for what `features` gives."""
        scores = self.weights[:, :-1] @ row + self.weights[:, -1]
        grown = np.exp(scores - scores.max())
        shares: npt.NDArray[np.float32] = grown / grown.sum()
        return shares

    def likely(self, vector: npt.NDArray[np.float32], slots: Sequence[Slot]) -> list[tuple[str, float]]:
        """The frames that a question is likely to be, with their probabilities, best first.

        Args:
            vector: The sentence vector of its masked words.
            slots: Its slots.
        """
        shares = self.shares(features(vector, counts(slots)))
        return [(self.classes[i], float(shares[i])) for i in np.argsort(-shares) if shares[i] >= PROBABLE]


@cache
def shipped() -> Classifier:
    """The model that the package carries."""
    with as_file(files("clew.tools.queries.reading.frames").joinpath("weights.npz")) as path:
        return Classifier.load(path)
