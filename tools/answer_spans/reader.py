"""Choosing the span that answers a question among the candidates of some passages."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from clew.tools.answer_spans.candidates import Candidate, candidates_in
from clew.tools.answer_spans.corpus import Corpus
from clew.tools.answer_spans.expected_answer import ExpectedAnswer, expected_answer
from clew.tools.answer_spans.features import Features, features_of, fit
from clew.tools.answer_spans.nearness import near_words, sentence_cosines
from clew.tools.answer_spans.passages import Passage, name_terms
from clew.tools.answer_spans.question import NOTHING_BESIDE, Beside, Question
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.mentions.vocabulary import Vocabulary
from clew.tools.embedding import Embedder
from clew.tools.graph.entity import Entity
from clew.tools.linking.normalise import fold

WEIGHTS = {
    "cover": 3.0, "names": 1.5, "relation": 2.0, "cosine": 2.0, "near": 3.0, "fit": 2.0, "head": 1.5, "unit": 1.5,
    "side": 0.6, "placed": 1.0, "full": 0.4, "node": 0.3, "rank": 0.5, "loose": -1.2,
}  # fmt: skip
"""Of the features, in log-odds."""
_CONFIDENCE = {"base": -11.0, "score": 1.05, "margin": 0.8}
_LEAST_FIT = 0.5
_AGREEING = 0.3
"""What each further passage with the same span adds, as a share of its own score."""
_WIDEST_MARGIN = 3.0
_LISTING = re.compile(r",? and |,? & |, ")
_AND = re.compile(r" (?:and|&) $")


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """`chunk.text[start:end]` answers the question."""

    chunk: Chunk
    start: int
    end: int
    kind: str
    """What the span is: name, number, time, quote or code."""
    score: float
    confidence: float
    features: Features
    node: Entity | None = None

    @property
    def text(self) -> str:
        return self.chunk.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with what speaks for it."""

    passage: Passage
    candidate: Candidate
    features: Features
    score: float


def read(
    question: str, chunks: Sequence[Chunk], embedder: Embedder, corpus: Corpus, beside: Beside = NOTHING_BESIDE
) -> list[AnswerSpan]:
    """The spans that may answer a question, best first; none where it asks for no span.

    Args:
        question: The question.
        chunks: The passages that were found, best first.
        embedder: For the nearness of sentences and words.
        corpus: All documents.
        beside: What the graph gives for a part of the question.
    """
    asked = expected_answer(question)
    if asked.by_passage:
        return []
    passages = passages_with_names(chunks, asked, corpus, beside)
    return _grouped(_scored(question, Question(asked, corpus.rarity, beside=beside), passages, embedder, corpus), asked)


def listed_with(best: AnswerSpan, spans: Sequence[AnswerSpan], question: str) -> list[AnswerSpan]:
    """The best span with those that stand in one list with it ("Alan Lee and John Howe"), in their order, if the
    question may ask for several."""
    if not expected_answer(question).several:
        return [best]
    text = best.chunk.text
    there = sorted((span for span in spans if span.chunk.id == best.chunk.id), key=lambda span: span.start)
    runs: list[list[AnswerSpan]] = []
    for span in there:
        if runs and _LISTING.fullmatch(text[runs[-1][-1].end : span.start]):
            runs[-1].append(span)
        else:
            runs.append([span])
    return next((run for run in runs if best in run and _ends_with_and(run, text)), [best])


def _ends_with_and(run: Sequence[AnswerSpan], text: str) -> bool:
    """Whether "and" stands before the last of a list, which a row of names without it need not be."""
    return len(run) == 1 or bool(_AND.search(text[run[-2].end : run[-1].start]))


def passages_with_names(
    chunks: Sequence[Chunk], asked: ExpectedAnswer, corpus: Corpus, beside: Beside = NOTHING_BESIDE
) -> list[Passage]:
    """The passages that have all names of the question, or what the graph gives for it."""
    terms = {term for name in asked.names for term in name}
    passages = [
        Passage(chunk, rank, frozenset(term for term in terms if corpus.earlier(chunk, term)))
        for rank, chunk in enumerate(chunks)
    ]
    return [passage for passage in passages if all(beside.has(name, passage) for name in asked.names)]


def _scored(
    question: str, asking: Question, passages: Sequence[Passage], embedder: Embedder, corpus: Corpus
) -> list[Scored]:
    """Every candidate with its score, best first."""
    vocabulary = Vocabulary.of(passage.chunk.text for passage in passages)
    own = {*asking.asked.terms, *asking.asked.head, *asking.beside.terms}
    pairs = [
        (passage, candidate)
        for passage in passages
        for candidate in candidates_in(passage.chunk, vocabulary, corpus.nodes(passage.chunk))
        if _answers(passage, candidate, asking.asked, own)
    ]
    wanted = {(passage.rank, passage.sentence_of(candidate.start)) for passage, candidate in pairs}
    cosines = sentence_cosines(question, passages, wanted, embedder)
    asking = replace(asking, near=near_words(asking.asked, passages, cosines, embedder))
    found = []
    for passage, candidate in pairs:
        cosine = cosines[passage.rank, passage.sentence_of(candidate.start)]
        features = features_of(asking, passage, candidate, cosine)
        score = sum(WEIGHTS[name] * value for name, value in features.items())
        found.append(Scored(passage, candidate, features, score))
    return sorted(found, key=lambda each: -each.score)


def _answers(passage: Passage, candidate: Candidate, asked: ExpectedAnswer, own: set[str]) -> bool:
    """Whether a candidate can be the answer: it is of a fitting kind, and says something that the question does not."""
    if fit(asked, candidate) < _LEAST_FIT and not candidate.column and candidate.kind != "code":
        return False
    if fit(asked, candidate) == 0 and not candidate.column:
        return False
    if candidate.within_date and not asked.head:
        return False
    said = name_terms(passage.chunk.text[candidate.start : candidate.end])
    return not all(term in own for term in said)


def _grouped(found: Sequence[Scored], asked: ExpectedAnswer) -> list[AnswerSpan]:
    """One span for each different answer, its score raised by further passages that have it."""
    groups: dict[str, list[Scored]] = {}
    for each in found:
        start, end = each.candidate.spoken(counted=asked.counted)
        groups.setdefault(fold(each.passage.chunk.text[start:end]), []).append(each)
    ranked = sorted(groups.values(), key=lambda group: -_together(group))
    totals = [_together(group) for group in ranked]
    spans = []
    for place, group in enumerate(ranked):
        best = group[0]
        start, end = best.candidate.spoken(counted=asked.counted)
        following = totals[place + 1] if place + 1 < len(totals) else 0.0
        sure = _sure(totals[place], totals[place] - following if place == 0 else 0.0)
        chunk, candidate = best.passage.chunk, best.candidate
        spans.append(AnswerSpan(chunk, start, end, candidate.kind, totals[place], sure, best.features, candidate.node))
    return spans


def _together(group: Sequence[Scored]) -> float:
    """The score of the best, and a share of the agreement of other passages."""
    others = {each.passage.chunk.id for each in group[1:]} - {group[0].passage.chunk.id}
    return group[0].score + _AGREEING * min(len(others), 2)


def _sure(score: float, margin: float) -> float:
    odds = _CONFIDENCE["base"] + _CONFIDENCE["score"] * score + _CONFIDENCE["margin"] * min(margin, _WIDEST_MARGIN)
    return round(1 / (1 + math.exp(-odds)), 4)
