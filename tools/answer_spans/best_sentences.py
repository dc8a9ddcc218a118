"""The sentences of passages that answer where no span does: "why …", "what does the report say about …"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.tools.answer_spans.corpus import Corpus
from clew.tools.answer_spans.expected_answer import expected_answer
from clew.tools.answer_spans.features import coverage
from clew.tools.answer_spans.nearness import near_words, sentence_cosines
from clew.tools.answer_spans.question import NOTHING_BESIDE, Beside, Question
from clew.tools.answer_spans.reader import passages_with_names
from clew.tools.documents.chunk import Chunk
from clew.tools.embedding import Embedder

_LEAST_COVER, _LEAST_COVER_OF_SPAN = 0.4, 0.75
"""The least share of the question's words, by rarity, in a sentence and those beside it; and where a name, a number or
a date is asked for, which the sentence may say in other words."""


@dataclass(frozen=True, slots=True)
class BestSentence:
    """`chunk.text[start:end]`, the sentence of a passage that is nearest to the question."""

    chunk: Chunk
    start: int
    end: int
    cosine: float

    @property
    def text(self) -> str:
        return self.chunk.text[self.start : self.end]


def best_sentences(
    question: str,
    chunks: Sequence[Chunk],
    embedder: Embedder,
    corpus: Corpus,
    beside: Beside = NOTHING_BESIDE,
    most: int = 3,
) -> list[BestSentence]:
    """The nearest sentence of each of the first `most` passages that say enough of the question.

    Args:
        question: The question.
        chunks: The passages that were found, best first.
        embedder: For the nearness of sentences.
        corpus: All documents.
        beside: What the graph gives for a part of the question.
        most: The most sentences.
    """
    asked = expected_answer(question)
    least = _LEAST_COVER if asked.by_passage else _LEAST_COVER_OF_SPAN
    passages = passages_with_names(chunks, asked, corpus, beside)
    wanted = {(passage.rank, place) for passage in passages for place in range(len(passage.sentences))}
    cosines = sentence_cosines(question, passages, wanted, embedder)
    asking = Question(asked, corpus.rarity, near_words(asked, passages, cosines, embedder), beside)
    found: list[BestSentence] = []
    for passage in passages:
        best = max(range(len(passage.sentences)), key=lambda place: cosines[passage.rank, place], default=None)
        if len(found) < most and best is not None and coverage(asking, passage, best) >= least:
            found.append(BestSentence(passage.chunk, *passage.sentences[best], cosines[passage.rank, best]))
    return found
