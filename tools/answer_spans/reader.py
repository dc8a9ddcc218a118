"""Choosing the span that answers a question among the candidates of some passages."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from clew.tools.answer_spans.candidates import Candidate, candidates_in
from clew.tools.answer_spans.corpus import Corpus
from clew.tools.answer_spans.expected_answer import ExpectedAnswer
from clew.tools.answer_spans.features import Features, features_of, fit
from clew.tools.answer_spans.name_kinds import people_odds
from clew.tools.answer_spans.passages import Passage, name_terms
from clew.tools.answer_spans.reading import Reading
from clew.tools.answer_spans.weights import weighed
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.mentions.vocabulary import Vocabulary
from clew.tools.graph.entity import Entity
from clew.tools.linking.normalise import fold

_LEAST_FIT = 0.5
_AGREEING = 0.3
"""What each further passage with the same span adds to its score; at most two do."""
_CONFIDENT_BY = ("sentence", "behind", "cover", "fit", "relation", "names", "near", "loose", "elsewhere", "side")
"""The features that the confidence depends on, beside the share of the odds."""
_ELSEWHERE = 0.6
"""Factor on the confidence where the noun that is asked for stands in the sentence, but not at the candidate."""
_MOST_SHARE = 0.92
"""Beyond it, a share says how few candidates there are."""
_LISTING = re.compile(r",? and |,? & |, ")
_AND = re.compile(r" (?:and|&) $")


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """`chunk.text[start:end]` answers the question."""

    chunk: Chunk
    start: int
    end: int
    kind: str
    """What the span is: name, number, time, quote, code or phrase."""
    score: float
    share: float
    """Of the odds of all candidates."""
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


def read(reading: Reading, corpus: Corpus) -> list[AnswerSpan]:
    """The spans that may answer a question, best first; none where it asks for no span."""
    asked = reading.question.asked
    return [] if asked.by_passage else grouped(scored(reading, corpus), asked)


def listed_with(best: AnswerSpan, spans: Sequence[AnswerSpan], asked: ExpectedAnswer) -> list[AnswerSpan]:
    """The best span with those that stand in one list with it ("Alan Lee and John Howe"), in their order, if the
    question may ask for several."""
    if not asked.several:
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


def scored(reading: Reading, corpus: Corpus) -> list[Scored]:
    """Every candidate with its score, best first."""
    question = reading.question
    vocabulary = Vocabulary.of(passage.chunk.text for passage in reading.passages)
    own = {*question.asked.terms, *question.asked.head, *question.beside.terms}
    fitting = [
        (passage, candidate)
        for passage in reading.passages
        for candidate in candidates_in(passage.chunk, vocabulary, corpus.nodes(passage.chunk))
        if _answers(passage, candidate, question.asked, own)
    ]
    people = _people(fitting, question.asked, reading)
    by_sentence = reading.scores()
    best = max(by_sentence.values(), default=0.0)
    found = []
    for passage, candidate in fitting:
        key = passage.rank, passage.sentence_of(candidate.start)
        person = people.get(_text(passage, candidate), 0.0)
        features = features_of(question, passage, candidate, reading.sentences[key], person)
        features |= {"sentence": by_sentence[key], "behind": best - by_sentence[key]}
        found.append(Scored(passage, candidate, features, weighed("span", features)))
    return sorted(found, key=lambda each: -each.score)


def _people(fitting: Sequence[tuple[Passage, Candidate]], asked: ExpectedAnswer, reading: Reading) -> dict[str, float]:
    """By name the log-odds of its being a person's, where a person or a place is asked for."""
    if asked.kind not in ("person", "place"):
        return {}
    names = {_text(passage, candidate) for passage, candidate in fitting if candidate.kind == "name"}
    return people_odds(sorted(names), reading.embedder)


def _text(passage: Passage, candidate: Candidate) -> str:
    return passage.chunk.text[candidate.start : candidate.end]


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


def grouped(found: Sequence[Scored], asked: ExpectedAnswer) -> list[AnswerSpan]:
    """One span for each different answer, its score raised by further passages that have it."""
    groups: dict[str, list[Scored]] = {}
    for each in found:
        start, end = each.candidate.spoken(counted=asked.counted)
        groups.setdefault(fold(each.passage.chunk.text[start:end]), []).append(each)
    ranked = sorted(groups.values(), key=lambda group: -_together(group))
    totals = [_together(group) for group in ranked]
    together = sum(math.exp(total - totals[0]) for total in totals)
    spans = []
    for group, total in zip(ranked, totals, strict=True):
        best = group[0]
        start, end = best.candidate.spoken(counted=asked.counted)
        share = math.exp(total - totals[0]) / together
        sure = _sure(share, best.features)
        chunk, candidate = best.passage.chunk, best.candidate
        spans.append(AnswerSpan(chunk, start, end, candidate.kind, total, share, sure, best.features, candidate.node))
    return spans


def _together(group: Sequence[Scored]) -> float:
    """The score of the best, and a share of the agreement of other passages."""
    others = {each.passage.chunk.id for each in group[1:]} - {group[0].passage.chunk.id}
    return group[0].score + _AGREEING * min(len(others), 2)


def confidence_features(share: float, features: Features) -> Features:
    """What the confidence of the best candidate depends on; `share` is its share of all candidates' odds."""
    bounded = min(max(share, 1 - _MOST_SHARE), _MOST_SHARE)
    found = {name: features.get(name, 0.0) for name in _CONFIDENT_BY}
    return {"base": 1.0, "share": math.log(bounded / (1 - bounded)), **found}


def _sure(share: float, features: Features) -> float:
    sure = 1 / (1 + math.exp(-weighed("confidence", confidence_features(share, features))))
    return round(sure * (_ELSEWHERE if features.get("elsewhere") else 1.0), 4)
