"""The entities of a graph that a text names: by spelling alone, and conservatively.

A question is short and is about something, so `linking.mentions` finds its best reading. A text is long, and most of
its words name nothing. So what is spelled like a name counts only where it is also written like one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from clew.tools.graph.entity import Candidate
from clew.tools.linking.index import EntityIndex
from clew.tools.linking.normalise import compact, fold, short_forms, without_article
from clew.tools.linking.tokens import Token, words_of

MOST_MEANT = 4
"""Maximum number of entities with one name; names of more entities are ignored."""
SURNAME_SCORE = 0.8
_LEAST_DIGITS = 4
_TORN = {"": 1.0, "left": 0.9, "right": 0.7}
"""The factor on the score of a name with a capitalised word beside it."""
_MOST_WORDS = 20
_RARE = ("rare", "number")
_OF_A_NAME = re.compile(r" (?:of|de|du|di|do|da|von|van)(?: the| la)? (?=[^\W\d_])(?![a-z])")
_ARTICLES = ("the", "a", "an")
_FIRST_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class TextMention:
    """`text[start:end]`, and the equally likely entities that it may stand for."""

    start: int
    end: int
    surface: str
    meant: tuple[Candidate, ...]
    score: float
    """0 to 1, of each entity: less where there are several."""


@dataclass(frozen=True, slots=True)
class _Span:
    """The words [first, last) that are spelled like a name."""

    first: int
    last: int
    mention: TextMention


class MentionFinder:
    """Finds the entities that texts mention. It reads all names of the index when it is created."""

    def __init__(self, index: EntityIndex) -> None:
        self._index = index
        self._reach: dict[str, int] = {}
        """By the first word of a name, the number of letters and digits of the longest name that begins with it."""
        for _, name in index.distinct_names():
            for form in (name, *short_forms(name)):
                self._learn(form)

    def in_text(self, text: str, *, cells: bool = False) -> list[TextMention]:
        """The mentions in a text, in order; of those that overlap, the longest.

        In `cells` of a table, names may be adjacent without a sign between them.
        """
        tokens = words_of(text).tokens
        spans = sorted(self._spans(text, tokens), key=lambda span: (span.first - span.last, span.first))
        taken = [False] * len(tokens)
        found = []
        for span in spans:
            if any(taken[span.first : span.last]):
                continue
            torn = _torn(text, tokens, span, taken)
            if torn and (span.last - span.first == 1 or (torn == "right" and not cells)):
                continue
            taken[span.first : span.last] = [True] * (span.last - span.first)
            found.append(replace(span.mention, score=span.mention.score * _TORN[torn]))
        return sorted(found, key=lambda mention: mention.start)

    def _learn(self, name: str) -> None:
        full = fold(name)
        for folded in {full, without_article(full)}:
            size, first = len(compact(folded)), folded.partition(" ")[0]
            written = _FIRST_WORD.search(name if folded == full else name.partition(" ")[2])
            # "McDuck" and "O'Brien" fold to two words and to one, but are one word and two in a text.
            for word in {first, compact(fold(written.group())) if written else first}:
                self._reach[word] = max(size, self._reach.get(word, 0))

    def _spans(self, text: str, tokens: Sequence[Token]) -> Iterator[_Span]:
        runs = list(self._runs(tokens))
        spelled = self._index.keys_spelled([spelling for _, _, spelling in runs])
        small = {token.folded for token in tokens if text[token.start].islower()}
        for (first, last, _), keys in zip(runs, spelled, strict=True):
            if not keys:
                continue
            start, end = tokens[first].start, tokens[last - 1].end
            candidates = self._index.spelled(text[start:end], keys)
            meant = tuple(each for each in candidates if each.score >= candidates[0].score - 1e-6)
            if len(meant) <= MOST_MEANT and _is_name(text, tokens[first:last], meant[0], small):
                mention = TextMention(start, end, text[start:end], meant, meant[0].score / len(meant))
                yield _Span(first, last, mention)

    def _runs(self, tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
        """Runs of words that can be a name, with their letters."""
        for first, token in enumerate(tokens):
            reach = self._reach_of(token)
            spelling = ""
            for last in range(first + 1, min(len(tokens), first + _MOST_WORDS) + 1):
                spelling += tokens[last - 1].folded
                if len(spelling) > reach:
                    break
                if tokens[last - 1].folded:
                    yield first, last, spelling

    def _reach_of(self, token: Token) -> int:
        """The largest length of a name that begins with this word.

        The word can be the beginning of a longer word of the name: "Spider" of "Spiderman", and each letter of a script
        without spaces.
        """
        if token.kind in ("clitic", "symbol") or not token.folded:
            return 0
        if token.folded in self._reach:
            return self._reach[token.folded]
        return 0 if token.folded.isascii() else self._index.longest


def _is_name(text: str, words: Sequence[Token], meant: Candidate, small: set[str]) -> bool:
    """Whether words that are spelled like a name are also written like one."""
    surface = text[words[0].start : words[-1].end]
    letters = "".join(word.folded for word in words)
    if letters.isdigit():
        return len(words) == 1 and len(letters) >= _LEAST_DIGITS and meant.score == 1
    cased = any(letter.isupper() or letter.islower() for letter in surface)
    if not cased:
        return len(letters) > 1 and meant.score == 1
    if len(letters) < 3:
        return len(letters) == 2 and surface.isupper() and meant.score == 1
    content = [word for word in words if word.kind not in ("function", "question", "clitic", "symbol")]
    rare = [word for word in content if word.kind in _RARE]
    if len(words) == 1:
        return _is_lone_name(surface, words[0], meant, small)
    if not (surface in meant.matched or all(_is_large(text, word) for word in content)):
        return len(content) > 1 and bool(rare)  # All in lower case: a term, unless it is an everyday phrase.
    if not rare and not _is_large(text, words[0]) and words[0].folded not in _ARTICLES:
        return False  # "in the Family" does not name the film "In the Family".
    return bool(rare) or any(word.marked for word in words)


def _is_lone_name(surface: str, word: Token, meant: Candidate, small: set[str]) -> bool:
    """Whether a single word is written as the name is; an everyday word needs a capital within a sentence."""
    if word.joined in ("-", "_") or word.kind in ("function", "question"):
        return False
    if meant.matched.islower():
        return word.kind == "rare" and surface.lower() in meant.matched
    if surface not in meant.matched:
        return False
    if word.kind != "rare":
        return word.marked
    return not (surface[0].isupper() and not word.marked and word.folded in small)


def _is_large(text: str, word: Token) -> bool:
    return not text[word.start].islower()


def _torn(text: str, tokens: Sequence[Token], span: _Span, taken: Sequence[bool]) -> str:
    """The side with an adjacent capitalised word that belongs to no other mention, "" for none.

    "New York" in "New York Times" does not mention the city, and "University" in "University of Virginia" nothing.
    """
    end, after = tokens[span.last - 1].end, span.last
    if span.last - span.first == 1 and _OF_A_NAME.match(text, end):
        return "right"
    if after < len(tokens) and not taken[after] and _close(text, end, tokens[after]):
        return "right"
    before = span.first - 1
    if before >= 0 and not taken[before] and tokens[before].kind not in ("function", "question", "clitic"):
        previous = tokens[before]
        near = text[previous.end : tokens[span.first].start] in (" ", "-", ". ") and text[previous.start].isupper()
        if near and (previous.marked or previous.kind == "rare"):
            return "left"
    return ""


def _close(text: str, end: int, word: Token) -> bool:
    """Whether a capitalised word, or the rest of a compound, directly follows."""
    gap = text[end : word.start]
    if gap == "-":
        return True
    return gap == " " and text[word.start].isupper() and word.kind not in ("function", "question")
