"""A question and the passages that were found for it, with the features of each sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clew.tools.answer_spans.corpus import Corpus
from clew.tools.answer_spans.expected_answer import ExpectedAnswer, expected_answer
from clew.tools.answer_spans.features import Features, sentence_features
from clew.tools.answer_spans.nearness import SentenceKey, near_words, sentence_nearness
from clew.tools.answer_spans.passages import Passage
from clew.tools.answer_spans.question import NOTHING_BESIDE, Beside, Question
from clew.tools.answer_spans.weights import weighed
from clew.tools.documents.chunk import Chunk
from clew.tools.embedding import Embedder


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader knows before it looks at candidates."""

    question: Question
    passages: Sequence[Passage]
    """() if a name of the question stands in none of them."""
    sentences: Mapping[SentenceKey, Features]
    embedder: Embedder

    @classmethod
    def of(
        cls,
        text: str,
        chunks: Sequence[Chunk],
        embedder: Embedder,
        corpus: Corpus,
        beside: Beside = NOTHING_BESIDE,
    ) -> Reading:
        """Measure the sentences of the passages that were found.

        Args:
            text: The question.
            chunks: The passages, best first.
            embedder: For the nearness of sentences and words.
            corpus: All documents.
            beside: What the graph gives for a part of the question.
        """
        asked = expected_answer(text)
        passages = passages_of(chunks, asked, corpus)
        if not all(any(beside.has(name, passage) for passage in passages) for name in asked.names):
            passages = []
        near = sentence_nearness(text, passages, embedder)
        question = Question(text, asked, corpus.rarity, near_words(asked, passages, near, embedder), beside)
        found = {
            (passage.rank, place): sentence_features(question, passage, place, near[passage.rank, place])
            for passage in passages
            for place in range(len(passage.sentences))
        }
        return cls(question, passages, found, embedder)

    def scores(self) -> dict[SentenceKey, float]:
        """How likely each sentence has the answer, in log-odds but for a constant."""
        return {key: weighed("sentence", features) for key, features in self.sentences.items()}


def passages_of(chunks: Sequence[Chunk], asked: ExpectedAnswer, corpus: Corpus) -> list[Passage]:
    """The chunks as passages, with the names of the question that stand before them in their documents."""
    terms = {term for name in asked.names for term in name}
    return [
        Passage(chunk, rank, frozenset(term for term in terms if corpus.earlier(chunk, term)))
        for rank, chunk in enumerate(chunks)
    ]
