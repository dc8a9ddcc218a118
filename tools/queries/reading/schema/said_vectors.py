"""The vectors of a question's words: all are embedded in one call, when the first one is needed, and kept for further
questions."""

from __future__ import annotations

from collections.abc import Iterable
from threading import local
from typing import Any

import numpy as np

from clew.tools.embedding import Embedder

_MOST = 20_000


class SaidVectors:
    """Text → its vector, for the texts of the question that a thread reads. Safe for several threads.

    A question has the vectors of its own texts alone, so that its readings do not depend on earlier questions.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, np.ndarray] = {}
        self._question = local()

    def prepare(self, texts: Iterable[str], also: Iterable[str] = ()) -> None:
        """Announce the texts of a question whose vectors may be needed.

        Args:
            texts: The texts.
            also: Texts that the embedder itself will be asked for: it keeps their vectors, if any are made here. A call
                for a few more texts takes as long as without them.
        """
        if len(self._known) > _MOST:
            self._known = {}
        own = self._question
        own.texts, own.also, own.vectors, own.found = dict.fromkeys(texts), list(also), None, {}

    def vector(self, text: str) -> np.ndarray | None:
        """The unit vector of a text; None where it is none of those that `prepare` was given."""
        if text not in getattr(self._question, "texts", ()):
            return None
        if self._question.vectors is None:
            known = self._known
            waiting = [each for each in self._question.texts if each not in known]
            if waiting:
                known.update(zip(waiting, self._embedder.embed([*waiting, *self._question.also]), strict=False))
            self._question.vectors = {each: known[each] for each in self._question.texts}
        vectors: dict[str, np.ndarray] = self._question.vectors
        return vectors[text]

    @property
    def found(self) -> dict[Any, float]:
        """What was found with the vectors of this question, by whatever key."""
        if not hasattr(self._question, "found"):
            self.prepare(())
        found: dict[Any, float] = self._question.found
        return found
