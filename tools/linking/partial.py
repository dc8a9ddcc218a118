"""Readings by a part of a name: "Hanks", "J. Cameron", "the Shawshank one", "Rocky two"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.tools.graph.entity import Candidate
from clew.tools.linking.index import PARTIAL_SCORE, EntityIndex
from clew.tools.linking.normalise import compact, fold
from clew.tools.linking.ordinary import is_english
from clew.tools.linking.spans import Reading, reading_of
from clew.tools.linking.tokens import TITLES, Token, Words
from clew.tools.linking.word_forms import numerals

_MOST_WORDS = 10
_SHORTEST = 3
_QUALITY = 0.8
"""Quality of a reading that contains a part of a name as it is written."""
_WHOLE_QUALITY = 0.98
_PER_COST = 1.2
_APOSTROPHES = frozenset("'\u2019\u2018`\u00b4")
_DASHES = frozenset("-\u2010\u2011\u2012\u2013\u2014:,.")
_TITLES = TITLES | {"miss", "sir", "lady", "lord", "dame", "st"}
"""Words before a surname that are no part of the name, or seldom."""
_COUNTED = frozenset({"part", "volume", "vol", "chapter", "episode", "season", "number", "no"})
"""Words between a title and its number."""
_CALENDAR = frozenset(
    {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march",
     "april", "may", "june", "july", "august", "september", "october", "november", "december", "christmas", "easter"}
)  # fmt: skip
_BEFORE_NAMES = frozenset(
    {"about", "by", "with", "of", "from", "for", "to", "between", "does", "did", "than", "against"}
)
"""Words behind which a word of the language may be a surname: "films by wilder", but not "the wilder films"."""
_ASKING = frozenset(
    {"tell", "show", "list", "know", "find", "explain", "describe", "everything", "anything", "something", "else",
     "more", "information", "info", "details", "facts", "please"}
)  # fmt: skip
"""Words that may stand in a question for whatever there is of a topic."""
_OF_TOPICS = frozenset({"about", "happen", "happens", "happened", "happening", "connected", "linked", "related"})
"""Words of which such a question has one: "tell me about …", "what happened to …"."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A word as names have it: "o'connell" is one, though it is two tokens."""

    first: int
    last: int
    """Of the tokens; a possessive "'s" is left out unless names have it."""
    text: str
    token: Token
    stopped: bool
    """Whether a full stop follows."""

    @property
    def initial(self) -> bool:
        """Whether it is the first letter of a name; "a" and "i" have a capital or a full stop then."""
        letter = len(self.text) == 1 and self.text.isalpha()
        return letter and (self.text not in ("a", "i") or self.stopped or self.token.marked)

    @property
    def optional(self) -> bool:
        """Whether a name need not have it."""
        plain = self.token.kind in ("function", "question") and not self.token.marked
        return plain and not self.initial and (len(self.text) == 1 or not numerals(self.text))


def partial_readings(
    question: str, words: Words, known: Sequence[Reading], index: EntityIndex, m: int, *, misspelt: bool = False
) -> list[Reading]:
    """Runs of words that stand in the names of nodes, around words that no reading of a whole name explains.

    Args:
        known: The readings of whole names.
        misspelt: Whether to look for words with a typing error.
    """
    finder = _Finder(question, words, known, index, misspelt)
    readings = []
    for run in finder.runs():
        candidates = finder.candidates(run)
        if candidates:
            best = candidates[0].score
            whole = best > PARTIAL_SCORE
            cost = max(0.0, (PARTIAL_SCORE + 0.05 if whole else PARTIAL_SCORE) - best)
            quality = (_WHOLE_QUALITY if whole else _QUALITY) - _PER_COST * cost
            place = run[0].first, run[-1].last
            span = words.tokens[place[0]].start, words.tokens[place[1] - 1].end
            readings.append(reading_of(question, words, place, span, candidates, m, quality))
    return readings


class _Finder:
    """The runs of one question's words that may be parts of names."""

    def __init__(
        self, question: str, words: Words, known: Sequence[Reading], index: EntityIndex, misspelt: bool
    ) -> None:
        self._question = question
        self._words = words
        self._index = index
        self._misspelt = misspelt
        self._spelled = {(reading.first, reading.last) for reading in known}
        explaining = [r for r in known if r.value > 0 and not (r.torn and r.last == r.first + 1)]
        self._covered = {i for reading in explaining for i in range(reading.first, reading.last)}
        self._single = {r.first for r in known if r.value > 0 and r.last == r.first + 1}
        self._units = self._joined()

    def runs(self) -> list[list[_Word]]:
        """The runs that may name something, longest first."""
        units, found = self._units, set()
        occur = [self._occurs(unit) for unit in units]
        for suspect in self._suspects():
            first = last = suspect
            while first >= 0 and suspect - first < _MOST_WORDS and occur[first]:
                first -= 1
            while last < len(units) and last - suspect < _MOST_WORDS and occur[last]:
                last += 1
            found |= {
                (start, end)
                for start in range(first + 1, suspect + 1)
                for end in range(suspect + 1, last + 1)
                if not units[end - 1].optional and (not units[start].optional or numerals(units[end - 1].text))
            }
        ordered = sorted(found, key=lambda run: (run[0] - run[1], run))
        return [run for start, end in ordered if self._may_name(run := units[start:end])]

    def candidates(self, run: Sequence[_Word]) -> list[Candidate]:
        """The entities with the words of a run in their names."""
        texts = [f"{word.text}." if word.initial and word is not run[-1] else word.text for word in run]
        optional = frozenset(word.text for word in run[1:] if word.optional)
        found = self._index.partly(texts, optional=optional, misspelt=self._misspelt)
        if run[0].optional and found and found[0].score <= PARTIAL_SCORE:
            return []  # Only a whole name begins with "the" or "back to": "the sting two".
        if found and all(is_english(word.text) and not self._marked(word) for word in run):
            return found if self._is_plain_name(run, found) else []
        if len(run) == 1 and is_english(run[0].text) and found and found[0].score < PARTIAL_SCORE:
            return []  # a capitalised plural: "Oscars"
        return found

    def _joined(self) -> list[_Word]:
        tokens, units = self._words.tokens, list[_Word]()
        first = 0
        while first < len(tokens):
            last = first + 1
            while last < len(tokens) and self._question[tokens[last - 1].end : tokens[last].start] in _APOSTROPHES:
                last += 1
            text = compact(fold(self._question[tokens[first].start : tokens[last - 1].end]))
            if tokens[last - 1].kind == "clitic" and last - 1 > first and not self._index.words.count(text):
                text = compact(fold(self._question[tokens[first].start : tokens[last - 2].end]))
                units.append(_Word(first, last - 1, text, tokens[first], stopped=False))
            elif tokens[first].kind != "symbol" or not set(self._text(first)) <= _DASHES:
                stopped = self._question[tokens[last - 1].end : tokens[last - 1].end + 1] == "."
                units.append(_Word(first, last, text, tokens[first], stopped))
            first = last
        return units

    def _text(self, place: int) -> str:
        token = self._words.tokens[place]
        return self._question[token.start : token.end]

    def _suspects(self) -> list[int]:
        """The words around which to look: those that nothing explains, and those of single names that stand together
        or have an initial or a number beside them."""
        found = []
        for i, unit in enumerate(self._units):
            before = self._units[i - 1] if i else None
            behind_name = before is not None and before.first in self._covered
            counted = numerals(unit.text) and (behind_name or (before is not None and before.text in _COUNTED))
            if unit.first not in self._covered or (counted and unit.first in self._single):
                if counted or (not unit.optional and not unit.initial and unit.token.kind != "question"):
                    found.append(i)
            elif unit.first in self._single and before is not None and (before.first in self._single or before.initial):
                found.append(i)
        return found

    def _occurs(self, unit: _Word) -> bool:
        if unit.token.kind in ("symbol", "clitic") or not unit.text:
            return False
        if unit.optional or unit.initial:
            return True
        misspelt = self._misspelt and not is_english(unit.text)
        return bool(self._index.words.forms(unit.text, alone=False, misspelt=misspelt))

    def _marked(self, word: _Word) -> bool:
        """Whether a word is written as a name, or is all that is asked."""
        return word.token.marked or len(self._units) == 1

    def _is_topic(self, run: Sequence[_Word]) -> bool:
        """Whether the question asks for whatever there is of the run, and of nothing else."""
        others = [unit for unit in self._units if unit not in run]
        asks = all(unit.optional or unit.text in _ASKING or unit.text in _OF_TOPICS for unit in others)
        return asks and any(unit.text in _OF_TOPICS for unit in others)

    def _may_name(self, run: Sequence[_Word]) -> bool:
        content = [word for word in run if not word.optional and not word.initial]
        if not content or (run[0].first, run[-1].last) in self._spelled or self._torn(run):
            return False
        if run[-1].initial or not any(len(word.text) >= _SHORTEST for word in content):
            return False
        if len(content) > 1 or len(run) > 1:
            return True
        (word,) = content
        if word.text in _CALENDAR or not word.text.isalpha() or word.token.kind == "kind":
            return False
        return self._marked(word) or not self._words.case_marks_names

    def _is_plain_name(self, run: Sequence[_Word], found: Sequence[Candidate]) -> bool:
        """Whether words of the language without capitals are a name all the same: several that stand together in a
        name, or a surname where a name is expected."""
        if found[0].score < PARTIAL_SCORE:
            return False
        if self._is_topic(run):
            return True
        if len(run) > 1:
            return found[0].score > PARTIAL_SCORE or not any(word.optional for word in run)
        place = self._units.index(run[0])
        before = self._units[place - 1].text if place else ""
        verb = before == "to" and any(not unit.optional for unit in self._units[place + 1 : place + 2])
        expected = (before in _BEFORE_NAMES or not before) and not verb  # "to cook carrots"
        return expected and all(self._index.has_full_names(each.entity.label) for each in found)

    def _torn(self, run: Sequence[_Word]) -> bool:
        """Whether a word beside the run looks like another part of the name: "Tom" in "Tom Zorblaxian"."""
        tokens = self._words.tokens
        for inside, beside in ((run[0].first, run[0].first - 1), (run[-1].last - 1, run[-1].last)):
            if not 0 <= beside < len(tokens) or beside in self._covered:
                continue
            token, edge = tokens[beside], tokens[inside]
            between = self._question[min(token.end, edge.end) : max(token.start, edge.start)]
            known = token.folded in _TITLES or token.kind in ("kind", "number", "clitic", "symbol")
            if known or between.strip(" .-'\u2019_"):
                continue
            unknown = token.kind == "rare" and len(token.folded) > 1 and not self._words.case_marks_names
            if (token.marked and token.kind != "function") or (unknown and not is_english(token.folded)):
                return True
        return False
