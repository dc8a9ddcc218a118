"""The vectors of a question's words: all are embedded in one call, when the first one is needed, and kept for further
questions."""

from __future__ import annotations

from collections.abc import Iterable
from threading import local

import numpy as np

from clew.tools.embedding import Embedder

_MOST = 20_000


class SaidVectors:
    """Text → its vector, for texts that `prepare` has seen. Safe for several threads."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, np.ndarray] = {}
        self._question = local()
        """`waiting`: the texts of the question that this thread reads, while none of them is needed."""

    def prepare(self, texts: Iterable[str]) -> None:
        """Announce the texts of a question whose vectors may be needed."""
        if len(self._known) > _MOST:
            self._known = {}
        self._question.waiting = [text for text in dict.fromkeys(texts) if text not in self._known]

    def vector(self, text: str) -> np.ndarray | None:
        """The unit vector of a text; None where `prepare` has not seen it."""
        waiting = getattr(self._question, "waiting", [])
        if text in waiting:
            self._question.waiting = []
            vectors: dict[str, np.ndarray] = dict(zip(waiting, self._embedder.embed(waiting), strict=True))
            self._known.update(vectors)
            return vectors[text]
        return self._known.get(text)
