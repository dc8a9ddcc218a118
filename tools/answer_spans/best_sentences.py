"""The sentences of passages that answer where no span does: "why …", "what does the report say about …"."""

from __future__ import annotations

from dataclasses import dataclass

from clew.tools.answer_spans.reading import Reading
from clew.tools.documents.chunk import Chunk

_LEAST = 6.0
"""The least score of a sentence that is shown. Of 116 questions of four piles that are answered in a sentence, the best
sentence of 3 has less, and that of 2 of 27 that no document answers."""


@dataclass(frozen=True, slots=True)
class BestSentence:
    """`chunk.text[start:end]`, a sentence that is near to the question."""

    chunk: Chunk
    start: int
    end: int
    cosine: float

    @property
    def text(self) -> str:
        return self.chunk.text[self.start : self.end]


def best_sentences(reading: Reading, most: int = 3) -> list[BestSentence]:
    """The sentences that answer most likely, by the learned weights of their features, best first; at most `most`."""
    by_rank = {passage.rank: passage for passage in reading.passages}
    scores = reading.scores()
    ranked = sorted((key for key, score in scores.items() if score >= _LEAST), key=lambda key: -scores[key])
    return [
        BestSentence(by_rank[rank].chunk, *by_rank[rank].sentences[place], reading.sentences[rank, place]["cosine"])
        for rank, place in ranked[:most]
    ]
