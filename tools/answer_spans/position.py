"""How a candidate stands in its sentence: at the noun that is asked for, with a unit, on a side of the verb, behind a
preposition of place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.tools.answer_spans.candidates import Candidate
from clew.tools.answer_spans.expected_answer import ExpectedAnswer, kind_of
from clew.tools.answer_spans.passages import Passage, Word, alike, holds
from clew.tools.answer_spans.question import Question
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.words import titles, unit_measure
from clew.tools.text_search.words import terms

_BESIDE = 3
_GIVEN = re.compile(r"\b(?:call|nam|nicknam|christen|dubb)\w*(?: \w+){0,2} [\"\u201c]?$")
_PLACE_WORDS = frozenset({"in", "at", "from", "to", "near", "off", "into", "through", "between", "around", "toward"})
_TITLES = frozenset({"mr", "mrs", "ms", "miss", "sir", "lady", "lord", "king", "queen", "captain", "professor"})


def head(asked: ExpectedAnswer, passage: Passage, outside: Sequence[Word], candidate: Candidate) -> float:
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


def unit(asked: ExpectedAnswer, candidate: Candidate, outside: Sequence[Word]) -> float:
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


def side(question: Question, passage: Passage, outside: Sequence[Word], candidate: Candidate) -> float:
    """Whether the candidate stands on the side of the verb that is asked for: "by X" and "X founded" for "who founded";
    -1 on the other side."""
    asked = question.asked
    verbs = [term for term in asked.terms if not question.of_name(term)]
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


def placed(asked: ExpectedAnswer, passage: Passage, candidate: Candidate) -> float:
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


def given(passage: Passage, candidate: Candidate) -> float:
    """Whether a name is one that something is given: "the crew called them Bruce"."""
    return float(candidate.kind == "name" and bool(_GIVEN.search(passage.chunk.text[: candidate.start])))


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
