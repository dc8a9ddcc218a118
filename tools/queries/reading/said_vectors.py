"""The vectors of a question's words, embedded in one call and kept for further questions."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from clew.tools.embedding import Embedder

_MOST = 20_000


class SaidVectors:
    """Text → its vector, for texts that `prepare` has seen."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, np.ndarray] = {}

    def prepare(self, texts: Iterable[str]) -> None:
        """Embed all texts that are new."""
        if len(self._known) > _MOST:
            self._known.clear()
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._embedder.embed(new), strict=True))

    def vector(self, text: str) -> np.ndarray | None:
        """The unit vector of a text; None where `prepare` has not seen it."""
        return self._known.get(text)
