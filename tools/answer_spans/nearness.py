"""Nearness in meaning: of sentences with a question, and of their words with the question's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clew.tools.answer_spans.expected_answer import ExpectedAnswer
from clew.tools.answer_spans.passages import Passage
from clew.tools.embedding import Embedder

SYNONYM = 0.55
"""Cosine of two words from which on one is taken to say the other."""
_SENTENCES = 8
"""Number of sentences, nearest first, whose words are compared."""
_SHORTEST = 3

SentenceKey = tuple[int, int]
"""The rank of a passage and the place of a sentence in it."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """Cosines with the question."""

    own: float
    """Of the sentence, with the title of its document."""
    around: float
    """Of the mean of the sentence and those beside it."""
    whole: float
    """Of the mean of all sentences of the passage."""


def sentence_nearness(question: str, passages: Sequence[Passage], embedder: Embedder) -> dict[SentenceKey, Nearness]:
    """The nearness of every sentence of the passages."""
    texts = [f"{each.chunk.title}. {each.chunk.text[a:b]}" for each in passages for a, b in each.sentences]
    if not texts:
        return {}
    vectors = embedder.embed([question, *texts])
    found, first = {}, 1
    for passage in passages:
        own = vectors[first : first + len(passage.sentences)]
        first += len(own)
        whole = _cosine(own.sum(axis=0), vectors[0])
        for place in range(len(own)):
            around = _cosine(own[max(0, place - 1) : place + 2].sum(axis=0), vectors[0])
            found[passage.rank, place] = Nearness(float(own[place] @ vectors[0]), around, whole)
    return found


def _cosine(total: npt.NDArray[np.float32], question: npt.NDArray[np.float32]) -> float:
    length = float(np.linalg.norm(total))
    return float(total @ question) / length if length else 0.0


def near_words(
    asked: ExpectedAnswer, passages: Sequence[Passage], near: Mapping[SentenceKey, Nearness], embedder: Embedder
) -> dict[str, dict[str, float]]:
    """By each word of the question that the nearest sentences do not have: their words near to it in meaning, with the
    cosines. Names have no such words."""
    by_rank = {passage.rank: passage for passage in passages}
    held: dict[str, str] = {}
    for rank, place in sorted(near, key=lambda key: -near[key].own)[:_SENTENCES]:
        passage = by_rank[rank]
        for word in passage.words_between(*passage.sentences[place]):
            text = passage.chunk.text[word.start : word.end]
            if len(text) >= _SHORTEST and text.islower():
                held.setdefault(word.term, text)
    of_names = {term for name in asked.names for term in name}
    wanted = {term: word for term, word in asked.said_words.items() if term not in of_names and term not in held}
    if not wanted or not held:
        return {}
    vectors = embedder.embed([*wanted.values(), *held.values()])
    cosine = vectors[: len(wanted)] @ vectors[len(wanted) :].T
    return {
        term: {other: float(value) for other, value in zip(held, row, strict=True) if value >= SYNONYM}
        for term, row in zip(wanted, cosine, strict=True)
    }
