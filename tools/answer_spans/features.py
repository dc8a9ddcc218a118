"""What speaks for a candidate: how much of the question its sentence says, and how it stands to the question's
words."""

from __future__ import annotations

from collections.abc import Sequence

from clew.tools.answer_spans import position
from clew.tools.answer_spans.candidates import Candidate
from clew.tools.answer_spans.expected_answer import ExpectedAnswer
from clew.tools.answer_spans.passages import Passage, Word, alike, holds, last_is_enough
from clew.tools.answer_spans.question import Question
from clew.tools.text_search.words import terms

NEIGHBOUR, TITLE, EARLIER, GIVEN = 0.6, 0.6, 0.5, 0.9
"""What a word of the question counts for that only a sentence beside, the title, or the document before it has, or that
the graph explains."""
_NEAR = 4.0
"""Words between a candidate and a word of the question that halve what the nearness counts for."""
_FITS = {
    "person": {"name": 1.0},
    "place": {"name": 1.0},
    "time": {"time": 1.0},
    "number": {"number": 1.0, "code": 0.3},
    "quote": {"quote": 1.0},
    "name": {"name": 1.0, "code": 0.8, "quote": 0.5, "number": 0.1, "time": 0.1},
}
"""How well a kind of span answers a kind of question."""
Features = dict[str, float]


def fit(asked: ExpectedAnswer, candidate: Candidate) -> float:
    """How well the candidate's kind is the one that is asked for, 0 to 1."""
    return _FITS[asked.kind].get(candidate.kind, 0.0)


def features_of(question: Question, passage: Passage, candidate: Candidate, cosine: float) -> Features:
    """The features of a candidate; `cosine` is that of its sentence with the question."""
    asked = question.asked
    place = passage.sentence_of(candidate.start)
    start, end = passage.sentences[place]
    words = passage.words_between(start, end)
    outside = [word for word in words if not candidate.start <= word.start < candidate.end]
    if passage.chunk.kind == "table":
        return _of_cell(question, passage, candidate, outside, cosine)
    at_head = position.head(asked, passage, outside, candidate)
    return {
        "cover": _cover(question, passage, place, words, asked.terms),
        "names": _named(question, passage, words),
        "relation": _relation(question, passage, place, words),
        "cosine": cosine,
        "near": _near(question, words, candidate),
        "fit": fit(asked, candidate),
        "head": at_head,
        "loose": 1 - at_head if asked.head and asked.kind in ("name", "person") else 0.0,
        "unit": position.unit(asked, candidate, outside),
        "side": position.side(question, passage, outside, candidate),
        "placed": position.placed(asked, passage, candidate),
        "full": float(asked.kind == "person" and " " in passage.chunk.text[candidate.start : candidate.end]),
        "node": float(candidate.node is not None),
        "rank": 1 / (1 + passage.rank),
    }


def _of_cell(
    question: Question, passage: Passage, candidate: Candidate, outside: Sequence[Word], cosine: float
) -> Features:
    """Of a cell: its column is the noun that is asked for, and its row has the question's other words."""
    column = terms(candidate.column)
    asked = question.asked
    by_column = float(any(question.said(term, column) > 0 for term in asked.head or asked.terms))
    return {
        "cover": _cover(question, passage, passage.sentence_of(candidate.start), outside, asked.terms),
        "names": _named(question, passage, outside),
        "relation": max(by_column, _relation(question, passage, passage.sentence_of(candidate.start), outside)),
        "cosine": cosine,
        "near": by_column,
        "fit": max(fit(asked, candidate), 0.5),
        "head": by_column,
        "loose": 0.0,
        "unit": 0.5 * by_column,
        "side": 0.0,
        "placed": 0.0,
        "full": 0.0,
        "node": 0.0,
        "rank": 1 / (1 + passage.rank),
    }


def _cover(question: Question, passage: Passage, place: int, outside: Sequence[Word], wanted: Sequence[str]) -> float:
    """The share of the question's words that the sentence says, by their rarity; those beside it count less."""
    total = sum(map(question.rarity, wanted))
    if not total:
        return 1.0
    own = [word.term for word in outside]
    beside = _beside(passage, place)
    found = 0.0
    for term in wanted:
        said = max(
            question.said(term, own),
            NEIGHBOUR * question.said(term, beside),
            TITLE * holds(term, passage.titles),
            EARLIER * (term in passage.earlier),
            GIVEN * question.beside.says(term, passage),
        )
        found += question.rarity(term) * said
    return found / total


def coverage(question: Question, passage: Passage, place: int) -> float:
    """The share of the question's words, by their rarity, that a sentence says; those beside it and the title count
    less."""
    words = passage.words_between(*passage.sentences[place])
    return _cover(question, passage, place, words, (*question.asked.terms, *question.asked.head))


def _beside(passage: Passage, place: int) -> list[str]:
    """The terms of the sentences around one."""
    first, last = max(0, place - 2), min(len(passage.sentences), place + 2)
    return [
        word.term for i in range(first, last) if i != place for word in passage.words_between(*passage.sentences[i])
    ]


def _named(question: Question, passage: Passage, words: Sequence[Word]) -> float:
    """The share of the question's names that the sentence has; in the passage alone they count half."""
    names = question.asked.names
    if not names:
        return 0.5
    own = frozenset(word.term for word in words)
    found = 0.0
    for name in names:
        inside = all(term in own for term in name) or (last_is_enough(name) and name[-1] in own)
        found += 1.0 if inside else 0.5 * question.beside.has(name, passage)
    return found / len(names)


def _relation(question: Question, passage: Passage, place: int, outside: Sequence[Word]) -> float:
    """The share of the question's other words that the sentence says."""
    asked = question.asked
    others = [term for term in (*asked.terms, *asked.head) if not question.of_name(term)]
    if asked.measures:
        others = [term for term in others if term in asked.terms]
    return _cover(question, passage, place, outside, others) if others else 0.5


def _near(question: Question, words: Sequence[Word], candidate: Candidate) -> float:
    """How near the candidate stands to the question's words, by their rarity; those in it are nearest."""
    wanted = (*question.asked.terms, *question.asked.head)
    total = sum(map(question.rarity, wanted))
    if not total:
        return 0.0
    first = sum(1 for word in words if word.end <= candidate.start)
    last = sum(1 for word in words if word.start < candidate.end)
    found = 0.0
    for term in wanted:
        best = 0.0
        for place, word in enumerate(words):
            said = 1.0 if alike(term, word.term) else question.near.get(term, {}).get(word.term, 0.0)
            if said:
                between = first - 1 - place if place < first else max(0, place - last)
                best = max(best, said / (1 + between / _NEAR))
        found += question.rarity(term) * best
    return found / total
