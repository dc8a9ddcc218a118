"""The learned preference among a question's options: small, plain, and without a neural network of its own.

The score of an option is the sum of

- a weight for each plain feature (the untaught ranker's score above all) and for the cosine of the question without
  its entities and the pattern in words;
- for each part of the pattern, a vector's product with the embedding of the question without its entities: what words
  speak for this hop, this neighbourhood of hops, this whole pattern;
- for each part of the pattern, weights for `CROSSED`.

It is a bi-encoder whose pattern side is a sum over the pattern's parts: patterns that were never taught are understood
as far as their parts were. Trained by `clew.tools.learning.teaching.training`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from clew.tools.embedding import Embedder
from clew.tools.learning.teaching.options import CROSSED, FEATURES, Option

Floats = npt.NDArray[np.float64]
PER_SCORE = 10.0
"""Initial weight: units of learned score per unit of the untaught score."""
TEMPERATURE = 0.05
"""Temperature of a tuned encoder's cosine, in training and in scores."""


@dataclass(frozen=True)
class Meanings:
    """Embeddings of patterns in words that were computed when the graph was taught; texts beyond them are embedded."""

    rows: Mapping[str, int] = field(default_factory=dict)
    vectors: npt.NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0), np.float32))

    @classmethod
    def of(cls, texts: Sequence[str], embedder: Embedder) -> Meanings:
        return cls({text: row for row, text in enumerate(texts)}, embedder.embed(texts))

    def embedded(self, options: Sequence[Option], embedder: Embedder) -> dict[str, Floats]:
        """The vectors of the options' questions and patterns, the unknown ones embedded at once."""
        texts = dict.fromkeys([o.masked for o in options] + [o.pattern.words for o in options])
        missing = [text for text in texts if text not in self.rows]
        found = dict(zip(missing, embedder.embed(missing).astype(np.float64), strict=True)) if missing else {}
        return found | {t: self.vectors[self.rows[t]].astype(np.float64) for t in texts if t in self.rows}


@dataclass(frozen=True)
class Preference:
    """The learned weights. P parts, d dimensions of the embeddings."""

    parts: Mapping[str, int]
    """Row by part."""
    plain: Floats
    """Shape (len(FEATURES) + 1,), the last one for the cosine."""
    words: Floats
    """Shape (P, d)."""
    crossed: Floats
    """Shape (P, len(CROSSED))."""
    meanings: Meanings = field(default_factory=Meanings)

    def scores(self, options: Sequence[Option], embedder: Embedder) -> Floats:
        """Shape (len(options),): the higher the likelier; PER_SCORE units are one of the untaught ranker."""
        if not options:
            return np.zeros(0)
        vectors = self.meanings.embedded(options, embedder)
        asked = {text: self.words @ vectors[text] for text in {o.masked for o in options}}
        known: dict[str, tuple[list[int], Floats]] = {}
        found = np.zeros(len(options))
        for i, option in enumerate(options):
            pattern = option.pattern
            if pattern.key not in known:
                rows = [self.parts[part] for part in pattern.parts if part in self.parts]
                known[pattern.key] = rows, self.crossed[rows].sum(axis=0)
            rows, crossed = known[pattern.key]
            cosine = vectors[option.masked] @ vectors[pattern.words]
            found[i] = self.plain[:-1] @ option.features + self.plain[-1] * cosine
            found[i] += asked[option.masked][rows].sum() + crossed @ option.crossed
        return found

    def save(self, path: Path) -> None:
        np.savez_compressed(
            path,
            parts=_ordered(self.parts),
            plain=self.plain,
            words=self.words.astype(np.float32),
            crossed=self.crossed,
            said=_ordered(self.meanings.rows),
            meanings=self.meanings.vectors,
        )

    @classmethod
    def load(cls, path: Path) -> Preference:
        """Load a preference. Raises OSError, ValueError or KeyError if the file is not of this release."""
        with np.load(path, allow_pickle=False) as file:
            parts = {str(part): row for row, part in enumerate(file["parts"])}
            words = file["words"].astype(np.float64)
            made = cls(parts, file["plain"], words, file["crossed"], _read_meanings(file))
        if made.plain.shape != (len(FEATURES) + 1,) or made.crossed.shape != (len(parts), len(CROSSED)):
            raise ValueError("it has other features")
        return made


@dataclass(frozen=True)
class TunedPreference:
    """A preference, combined with a fine-tuned encoder's cosine."""

    preference: Preference
    encoder: Embedder
    weight: float
    meanings: Meanings
    """By the tuned encoder."""

    def scores(self, options: Sequence[Option], embedder: Embedder) -> Floats:
        """As `Preference.scores`; `embedder` is the untuned one."""
        if not options:
            return np.zeros(0)
        said = self.meanings.embedded(options, self.encoder)
        cosines = np.array([said[option.masked] @ said[option.pattern.words] for option in options])
        return self.preference.scores(options, embedder) + self.weight / TEMPERATURE * cosines


Scorer = Preference | TunedPreference
"""A trained preference of either kind."""


def save_meanings(path: Path, meanings: Meanings) -> None:
    """Write the meanings of phrases to a compressed file of arrays."""
    np.savez_compressed(path, said=_ordered(meanings.rows), meanings=meanings.vectors)


def load_meanings(path: Path) -> Meanings:
    """Raises OSError, ValueError or KeyError."""
    with np.load(path, allow_pickle=False) as file:
        return _read_meanings(file)


def _ordered(rows: Mapping[str, int]) -> npt.NDArray[np.str_]:
    return np.array(sorted(rows, key=lambda text: rows[text]), dtype=np.str_)


def _read_meanings(file: Mapping[str, npt.NDArray[np.generic]]) -> Meanings:
    vectors = file["meanings"].astype(np.float32)
    return Meanings({str(text): row for row, text in enumerate(file["said"])}, vectors)
