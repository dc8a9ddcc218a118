"""An embedder for tests that costs nothing, and whose cosines can be worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clew.tools.embedding import Vectors


class Letters:
    """Texts as bags of letters: near where they share letters."""

    name = "letters"
    dimension = 128

    def __init__(self) -> None:
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.seen += texts
        counts = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for letter in text.lower():
                counts[row, ord(letter) % self.dimension] += 1
        vectors: Vectors = counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)
        return vectors

    def cosine(self, one: str, other: str) -> float:
        return float(self.embed([one])[0] @ self.embed([other])[0])
