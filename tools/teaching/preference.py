"""The learned preference among a question's options: small, plain, and without a neural network of its own.

The score of an option is the sum of

- a weight for each plain feature (the untaught ranker's score above all) and for the cosine of the question without
  its entities and the pattern in words;
- for each part of the pattern, a vector's product with the embedding of the question without its entities: what words
  speak for this hop, this neighbourhood of hops, this whole pattern;
- for each part of the pattern, weights for `CROSSED`.

It is a bi-encoder whose pattern side is a sum over the pattern's parts: patterns that were never taught are understood
as far as their parts were. Trained by `tools.teaching.training`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tools.embedding import Embedder
from tools.teaching.options import CROSSED, FEATURES, Option

Floats = npt.NDArray[np.float64]
PER_SCORE = 10.0
"""Units of learned score per unit of the untaught score where nothing else is known."""


@dataclass(frozen=True)
class Preference:
    """P parts, d the embeddings' dimension."""

    parts: Mapping[str, int]
    """Row by part."""
    plain: Floats
    """Shape (len(FEATURES) + 1,), the last one for the cosine."""
    words: Floats
    """Shape (P, d)."""
    crossed: Floats
    """Shape (P, len(CROSSED))."""

    def scores(self, options: Sequence[Option], embedder: Embedder) -> Floats:
        """Shape (len(options),): the higher the likelier; PER_SCORE units are one of the untaught ranker."""
        if not options:
            return np.zeros(0)
        texts = list(dict.fromkeys([o.masked for o in options] + [o.pattern.words for o in options]))
        vectors = dict(zip(texts, embedder.embed(texts).astype(np.float64), strict=True))
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
            parts=np.array(sorted(self.parts, key=lambda part: self.parts[part]), dtype=np.str_),
            plain=self.plain,
            words=self.words.astype(np.float32),
            crossed=self.crossed,
        )

    @classmethod
    def load(cls, path: Path) -> Preference:
        """Raises OSError, ValueError or KeyError where it is none of this release."""
        with np.load(path, allow_pickle=False) as file:
            parts = {str(part): row for row, part in enumerate(file["parts"])}
            made = cls(parts, file["plain"], file["words"].astype(np.float64), file["crossed"])
        if made.plain.shape != (len(FEATURES) + 1,) or made.crossed.shape != (len(parts), len(CROSSED)):
            raise ValueError("it has other features")
        return made
