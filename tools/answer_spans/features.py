"""What speaks for a candidate: how much of the question its sentence says, and how it stands to the question's
words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from clew.tools.answer_spans.asked import Asked, kind_of
from clew.tools.answer_spans.candidates import Candidate
from clew.tools.answer_spans.passages import Passage, Word, alike, has_name, holds, name_terms
from clew.tools.queries.reading.inflection import singular
from clew.tools.queries.reading.words import titles, unit_measure
from clew.tools.text_search.words import terms

NEIGHBOUR, TITLE, EARLIER, GIVEN = 0.6, 0.6, 0.5, 0.9
"""What a word of the question counts for that only a sentence beside, the title, or the document before it has, or that
the graph explains."""
_NEAR = 4.0
"""Words between a candidate and a word of the question that halve what the nearness counts for."""
_BESIDE = 3
_PLACE_WORDS = frozenset({"in", "at", "from", "to", "near", "off", "into", "through", "between", "around", "toward"})
_TITLES = frozenset({"mr", "mrs", "ms", "miss", "sir", "lady", "lord", "king", "queen", "captain", "professor"})
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


@dataclass(frozen=True, slots=True)
class Beside:
    """What the graph gives for a part of a question: a passage may have that instead of the question's words."""

    names: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    """The words of the question that are not of this part."""

    @property
    def terms(self) -> frozenset[str]:
        return frozenset(term for name in self.names for term in name_terms(name))

    def is_in(self, passage: Passage) -> bool:
        """Whether a passage has one of the names."""
        return any(has_name(passage, name_terms(name)) for name in self.names)

    def says(self, term: str, passage: Passage) -> bool:
        """Whether a passage says a word of the question by one of the names."""
        return bool(self.names) and term not in self._left_terms and self.is_in(passage)

    def has(self, name: Sequence[str], passage: Passage) -> bool:
        """Whether a passage has a name of the question, or what the graph gives for it."""
        return has_name(passage, name) or all(self.says(term, passage) for term in name)

    @property
    def _left_terms(self) -> list[str]:
        return name_terms(" ".join(self.left))


NOTHING_BESIDE = Beside()


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the measures of its words."""

    asked: Asked
    rarity: Callable[[str], float]
    """The inverse document frequency of a term."""
    near: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """The cosines of question terms with the terms of passages, where they are close in meaning."""
    beside: Beside = NOTHING_BESIDE

    def said(self, term: str, held: Sequence[str]) -> float:
        """How well some of these terms say a term of the question: 1 for the word itself, else its nearness."""
        if holds(term, held):
            return 1.0
        nearness = self.near.get(term, {})
        return max((nearness.get(each, 0.0) for each in held), default=0.0)


def fit(asked: Asked, candidate: Candidate) -> float:
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
    head = _head(asked, passage, outside, candidate)
    return {
        "cover": _cover(question, passage, place, outside, asked.terms),
        "names": _named(question, passage, words),
        "relation": _relation(question, passage, place, outside),
        "cosine": cosine,
        "near": _near(question, outside, candidate),
        "fit": fit(asked, candidate),
        "head": head,
        "loose": 1 - head if asked.head and asked.kind in ("name", "person") else 0.0,
        "unit": _unit(asked, candidate, outside),
        "side": _side(question, passage, outside, candidate),
        "placed": _placed(asked, passage, candidate),
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


def _of_name(question: Question, term: str) -> bool:
    return any(term in name for name in question.asked.names)


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
        inside = all(term in own for term in name) or (len(name) > 1 and name[-1] in own)
        found += 1.0 if inside else 0.5 * question.beside.has(name, passage)
    return found / len(names)


def _relation(question: Question, passage: Passage, place: int, outside: Sequence[Word]) -> float:
    """The share of the question's other words that the sentence says."""
    asked = question.asked
    others = [term for term in (*asked.terms, *asked.head) if not _of_name(question, term)]
    if asked.measures:
        others = [term for term in others if term in asked.terms]
    return _cover(question, passage, place, outside, others) if others else 0.5


def _near(question: Question, outside: Sequence[Word], candidate: Candidate) -> float:
    """How near the candidate stands to the question's words, by their rarity."""
    wanted = (*question.asked.terms, *question.asked.head)
    total = sum(map(question.rarity, wanted))
    if not total:
        return 0.0
    found = 0.0
    for term in wanted:
        best = 0.0
        for place, word in enumerate(outside):
            said = 1.0 if alike(term, word.term) else question.near.get(term, {}).get(word.term, 0.0)
            if said:
                best = max(best, said / (1 + _distance(outside, place, candidate) / _NEAR))
        found += question.rarity(term) * best
    return found / total


def _distance(outside: Sequence[Word], place: int, candidate: Candidate) -> int:
    """The number of words between a word and the candidate."""
    before = sum(1 for word in outside if word.end <= candidate.start)
    return before - 1 - place if place < before else place - before


def _head(asked: Asked, passage: Passage, outside: Sequence[Word], candidate: Candidate) -> float:
    """Whether the noun that is asked for stands at the candidate ("the stowaway X", "X, the captain"), or in it."""
    if not asked.head:
        return 0.0
    inside = [word.term for word in passage.words_between(candidate.start, candidate.end)]
    if any(holds(term, inside) for term in asked.head):
        return 1.0
    before = [word for word in outside if word.end <= candidate.start][-_BESIDE:]
    after = [word for word in outside if word.start >= candidate.end][: _BESIDE + 1]
    if any(holds(term, [word.term for word in before]) for term in asked.head):
        return 1.0
    behind = passage.chunk.text[candidate.end : candidate.end + 2].strip()
    apposed = behind[:1] in (",", "(") and any(holds(term, [word.term for word in after]) for term in asked.head)
    return 1.0 if apposed else 0.3 * any(holds(term, [word.term for word in outside]) for term in asked.head)


def _unit(asked: Asked, candidate: Candidate, outside: Sequence[Word]) -> float:
    """Whether a number counts, or measures, what is asked for; -1 where it is of something else."""
    if asked.kind != "number" or candidate.kind != "number":
        return 0.0
    if asked.counted:
        near = [word.term for word in outside if candidate.end <= word.start][:2]
        unit = terms(candidate.unit) if candidate.unit else []
        if any(holds(term, [*unit, *near]) for term in asked.head):
            return 1.0
        return -1.0 if candidate.unit else 0.0
    if not asked.measures:
        return 0.0
    measured = unit_measure(singular(candidate.unit))
    if any(each in asked.measures for each in measured):
        return 1.0
    return -0.3 if not candidate.unit else -1.0


def _side(question: Question, passage: Passage, outside: Sequence[Word], candidate: Candidate) -> float:
    """Whether the candidate stands on the side of the verb that is asked for: "by X" and "X founded" for "who founded";
    -1 on the other side."""
    asked = question.asked
    verbs = [term for term in asked.terms if not _of_name(question, term)]
    if not asked.side or not verbs:
        return 0.0
    verb = verbs[0] if asked.side == "before" else verbs[-1]
    before = [word.term for word in outside if word.end <= candidate.start]
    if asked.side == "before" and before[-1:] == ["by"]:
        return 1.0
    places = [word.start for word in outside if alike(verb, word.term)]
    if not places:
        return 0.0
    verb_before = min(places, key=lambda place: abs(place - candidate.start)) < candidate.start
    return 1.0 if verb_before == (asked.side == "after") else -1.0


def _placed(asked: Asked, passage: Passage, candidate: Candidate) -> float:
    """Whether a name is a person's or a place's, as it is asked for: by the label of the node, the preposition before
    it, or a person's title. -1 where it is the other."""
    if candidate.kind != "name" or asked.kind not in ("person", "place"):
        return 0.0
    is_person, is_place = _of_label(candidate)
    if not (is_person or is_place):
        text = passage.chunk.text
        first = text[candidate.start : candidate.end].split()[0].strip(".").lower()
        is_person, is_place = first in titles() or first in _TITLES, _preposition(text, candidate) in _PLACE_WORDS
    sign = 1.0 if asked.kind == "person" else -1.0
    return sign if is_person else -sign if is_place else 0.0


def _of_label(candidate: Candidate) -> tuple[bool, bool]:
    """Whether the label of the node is one of persons, or of places."""
    if candidate.node is None:
        return False, False
    kind = kind_of(candidate.node.label.lower())
    return kind == "person", kind == "place"


def _preposition(text: str, candidate: Candidate) -> str:
    """The word before a name, or before its article."""
    before = text[: candidate.start].rsplit(None, 2)[-2:]
    words = [word.strip("(\"'\u201c").lower() for word in before]
    return words[-2] if len(words) > 1 and words[-1] == "the" else words[-1] if words else ""
