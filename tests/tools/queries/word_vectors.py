"""An embedder for tests: texts by the words in them, each word in a direction of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.strings import hash_text
from clew.tools.text_search.words import terms


class WordVectors:
    """Keeps what it embeds."""

    name = "word vectors"
    dimension = 2048

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.embedded.extend(texts)
        found = np.full((len(texts), self.dimension), 1e-3, np.float32)
        for row, text in enumerate(texts):
            for term in terms(text):
                found[row, hash_text(term) % self.dimension] += 1
        return found / np.linalg.norm(found, axis=1, keepdims=True)
