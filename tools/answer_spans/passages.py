"""Passages as sentences and stemmed words with their places, as the question's words are looked for in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from clew.tools.documents.chunk import Chunk
from clew.tools.linking.normalise import compact, fold
from clew.tools.linking.ordinary import word_class
from clew.tools.text_search.sentences import sentences
from clew.tools.text_search.words import stem

_WORD = re.compile(r"[^\W_]+")
_SHORTEST_PREFIX = 4
_DIFFERENT_ENDING = 3


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a passage, `text[start:end]`."""

    start: int
    end: int
    term: str


@dataclass(frozen=True)
class Passage:
    """A chunk that was found, with its sentences and words."""

    chunk: Chunk
    rank: int
    """Its place among the passages that were found, from 0."""
    earlier: frozenset[str] = frozenset()
    """Terms of the question's names that stand in the document before it: what the document is about."""

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        return sentences(self.chunk.text)

    @cached_property
    def words(self) -> list[Word]:
        return [Word(match.start(), match.end(), _term(match.group())) for match in _WORD.finditer(self.chunk.text)]

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms of the text, of its title and of its place in the document."""
        return frozenset(word.term for word in self.words) | self.titles

    @cached_property
    def titles(self) -> frozenset[str]:
        return frozenset(name_terms(f"{self.chunk.title} {self.chunk.place}"))

    def sentence_of(self, start: int) -> int:
        """The number of the sentence that contains a character."""
        return max((i for i, (first, _) in enumerate(self.sentences) if first <= start), default=0)

    def words_between(self, start: int, end: int) -> list[Word]:
        return [word for word in self.words if start <= word.start < end]


def name_terms(name: str) -> list[str]:
    """The terms of a name, all of its words."""
    return [_term(match.group()) for match in _WORD.finditer(name)]


def _term(word: str) -> str:
    return stem(compact(fold(word)))


def alike(one: str, other: str) -> bool:
    """Whether two terms are the same word, or derived from one: "design" and "designer"."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return (
        len(short) >= _SHORTEST_PREFIX
        and len(long) - len(short) <= _DIFFERENT_ENDING
        and long.startswith(short)
        and not long[len(short) :].isdigit()
    )


def holds(term: str, held: Iterable[str]) -> bool:
    """Whether some of these terms is the same word."""
    return any(alike(term, each) for each in held)


def has_name(passage: Passage, name: Sequence[str]) -> bool:
    """Whether a passage, its title or the document before it has the words of a name; a last word that is no
    ordinary one, such as a surname, is enough in the passage."""
    known = passage.terms | passage.earlier
    return all(term in known for term in name) or (last_is_enough(name) and name[-1] in passage.terms)


def last_is_enough(name: Sequence[str]) -> bool:
    """Whether the last word of a name says the name."""
    return len(name) > 1 and word_class(name[-1]) == "rare" and not name[-1].isdecimal()
