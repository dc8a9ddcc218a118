"""Nearness in meaning: of sentences with a question, and of their words with the question's."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

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


def sentence_cosines(
    question: str, passages: Sequence[Passage], wanted: Collection[SentenceKey], embedder: Embedder
) -> dict[SentenceKey, float]:
    """The cosines of sentences, each with the title of its document, with the question."""
    by_rank = {passage.rank: passage for passage in passages}
    keys = sorted(wanted)
    if not keys:
        return {}
    texts = []
    for rank, place in keys:
        chunk = by_rank[rank].chunk
        start, end = by_rank[rank].sentences[place]
        texts.append(f"{chunk.title}. {chunk.text[start:end]}")
    vectors = embedder.embed([question, *texts])
    return {key: float(value) for key, value in zip(keys, vectors[1:] @ vectors[0], strict=True)}


def near_words(
    asked: ExpectedAnswer, passages: Sequence[Passage], cosines: Mapping[SentenceKey, float], embedder: Embedder
) -> dict[str, dict[str, float]]:
    """By each word of the question that the nearest sentences do not have: their words near to it in meaning, with the
    cosines. Names have no such words."""
    by_rank = {passage.rank: passage for passage in passages}
    held: dict[str, str] = {}
    for rank, place in sorted(cosines, key=lambda key: -cosines[key])[:_SENTENCES]:
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
