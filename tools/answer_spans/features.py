"""What speaks for a candidate: how much of the question its sentence says, and how it stands to the question's
words."""

from __future__ import annotations

from collections.abc import Sequence

from clew.tools.answer_spans import position
from clew.tools.answer_spans.candidates import Candidate
from clew.tools.answer_spans.expected_answer import ExpectedAnswer
from clew.tools.answer_spans.nearness import Nearness
from clew.tools.answer_spans.passages import Passage, Word, alike, holds, last_is_enough
from clew.tools.answer_spans.question import Question
from clew.tools.text_search.words import terms

NEIGHBOUR, TITLE, EARLIER, GIVEN = 0.6, 0.6, 0.5, 0.9
"""What a word of the question counts for that only a sentence beside, the title, or the document before it has, or that
the graph explains."""
_NEAR = 4.0
"""Words between a candidate and a word of the question that halve what the nearness counts for."""
_SHORT, _LONG = 5, 60
"""Words of a heading, and of a long sentence."""
_FITS = {
    "person": {"name": 1.0},
    "place": {"name": 1.0, "phrase": 0.6},
    "time": {"time": 1.0},
    "number": {"number": 1.0, "code": 0.3},
    "quote": {"quote": 1.0},
    "name": {"name": 1.0, "code": 0.8, "quote": 0.5, "number": 0.1, "time": 0.1},
    "any": {"name": 0.5, "code": 0.5, "quote": 0.5, "number": 0.5, "time": 0.5},
}
"""How well a kind of span answers a kind of question."""
Features = dict[str, float]


def fit(asked: ExpectedAnswer, candidate: Candidate) -> float:
    """How well the candidate's kind is the one that is asked for, 0 to 1."""
    return _FITS[asked.kind].get(candidate.kind, 0.0)


def sentence_features(question: Question, passage: Passage, place: int, near: Nearness) -> Features:
    """The features of a sentence."""
    start, end = passage.sentences[place]
    words = passage.words_between(start, end)
    return {
        "cosine": near.own,
        "around": near.around,
        "whole": near.whole,
        "cover": _cover(question, passage, place, words, (*question.asked.terms, *question.asked.head)),
        "names": _named(question, passage, words),
        "rank": 1 / (1 + passage.rank),
        "short": float(len(words) < _SHORT),
        "length": min(len(words), _LONG) / _LONG,
        "asks": float(passage.chunk.text[start:end].endswith("?")),
    }


def features_of(
    question: Question, passage: Passage, candidate: Candidate, sentence: Features, person: float = 0.0
) -> Features:
    """The features of a candidate, with those of its sentence; `person` is the log-odds of its being a person."""
    asked, text = question.asked, passage.chunk.text[candidate.start : candidate.end]
    words = passage.words_between(*passage.sentences[passage.sentence_of(candidate.start)])
    outside = [word for word in words if not candidate.start <= word.start < candidate.end]
    own = _of_cell(question, candidate) if candidate.column else _of_text(question, passage, candidate, words, outside)
    fits = fit(asked, candidate)
    kinds = {candidate.kind: 1.0, **({f"any {candidate.kind}": 1.0} if asked.kind == "any" else {})}
    return {
        **sentence,
        **own,
        **kinds,
        "fit": fits,
        "fit and cover": fits * sentence["cover"],
        "relation": _relation(question, passage, passage.sentence_of(candidate.start), outside),
        "unit": position.unit(asked, candidate, outside),
        "said": float(text.lower() in question.text.lower()),
        "words": float(" " in text),
        f"person for a {asked.kind}": person,
    }


def _of_text(
    question: Question, passage: Passage, candidate: Candidate, words: Sequence[Word], outside: Sequence[Word]
) -> Features:
    """How a candidate stands in its sentence."""
    asked = question.asked
    at_head = position.head(asked, passage, outside, candidate)
    return {
        "near": _near(question, words, candidate),
        "head": at_head,
        "loose": 1 - at_head if asked.head and asked.kind in ("name", "person") else 0.0,
        "elsewhere": float(0 < at_head < 1),
        "given": position.given(passage, candidate),
        "side": position.side(question, passage, outside, candidate),
        "placed": position.placed(asked, passage, candidate),
        "full": float(asked.kind == "person" and " " in passage.chunk.text[candidate.start : candidate.end]),
    }


def _of_cell(question: Question, candidate: Candidate) -> Features:
    """Whether the column of a cell is what is asked for."""
    column, asked = terms(candidate.column), question.asked
    called = max((question.said(term, column) for term in (*asked.head, *asked.terms)), default=0.0)
    return {"column": 1.0, "called": called, "called by the noun": float(any(holds(t, column) for t in asked.head))}


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
