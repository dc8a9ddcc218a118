"""The words that say that a relation is taken any number of times: "also indirectly", "at any level", "and so on"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from clew.tools.linking.ordinary import QUESTION_WORDS
from clew.tools.queries.lexical import Token, stem
from clew.tools.queries.reading.english.words import listed, unit_measure

_ANY_WORD = "*"
_SO_ON = (("and", "so", "on"), ("and", "so", "forth"), ("et", "cetera"))
_THEIRS = frozenset({"their", "its", "his", "her"})
_REPEATED = frozenset({"his", "her", "their", "its", "those", "including", "i.e", "ie"})
"""With what begins what is said again of what was said: "…, their pupils, and so on"."""
_COUNTING = frozenset({"counting", "including", "even", "plus", "also", "and", "with", "or"})
_WITHIN = frozenset({"of", "to", "within", "in", "inside", "under", "by", "below"})
_WITHIN_ALONE = frozenset({"within", "inside", "under", "by"})
_TRACING = frozenset({"trace", "traces", "traced", "tracing"})
_TRACED = frozenset({"back", "down", "up", "along", "line", "chain"})
_BETWEEN = _WITHIN | {"its", "their", "his", "her", "the", "those", "these", "such", "other", "own"}
"""What stands before and between a noun that is said again: "including areas within those areas"."""
_LONGEST_REPEATED = 3
_BEHIND = 3
"""Words that may end a phrase of depth: "through other companies"."""


def words_of_depth(said: Sequence[Token]) -> frozenset[int]:
    """The places of the words that say so."""
    return _places(tuple(token.text for token in said))


@lru_cache(maxsize=256)
def _places(texts: tuple[str, ...]) -> frozenset[int]:
    words, levels, all_of = (listed("depth", part) for part in ("words", "levels", "all"))
    places = {
        i
        for i, text in enumerate(texts)
        if text in words or (text in levels and all_of & set(texts[max(0, i - 2) : i]))
    }
    for i, text in enumerate(texts):
        for phrase in _phrases().get(text, ()):
            end = i + len(phrase)
            if _is_said(phrase, texts[i:end]):
                closes = len(texts) - end <= _BEHIND and words.isdisjoint(texts[end:])
                places |= set(range(i, len(texts) if closes else end))
    places |= _said_again(texts) | _from_one_to_the_next(texts) | _of_its_own_kind(texts) | _traced(texts)
    beside = listed("depth", "beside") | all_of
    return frozenset(places | {i for i, text in enumerate(texts) if text in beside}) if places else frozenset()


@cache
def _phrases() -> Mapping[str, Sequence[Sequence[str]]]:
    """The phrases by their first words."""
    found: dict[str, list[Sequence[str]]] = {}
    for phrase in sorted(listed("depth", "phrases")):
        found.setdefault(phrase.split()[0], []).append(phrase.split())
    return found


def _is_said(phrase: Sequence[str], texts: Sequence[str]) -> bool:
    return len(phrase) == len(texts) and all(
        one in (_ANY_WORD, other) for one, other in zip(phrase, texts, strict=True)
    )


def _from_one_to_the_next(texts: Sequence[str]) -> set[int]:
    """ "From station to station"."""
    for i, text in enumerate(texts):
        for n in range(1, _LONGEST_REPEATED + 1):
            once, again = texts[i + 1 : i + 1 + n], texts[i + 2 + n : i + 2 + 2 * n]
            if (
                text == "from"
                and once == again
                and QUESTION_WORDS.isdisjoint(once)
                and texts[i + 1 + n : i + 2 + n] == ("to",)
            ):
                return set(range(i, i + 2 + 2 * n))
    return set()


def _of_its_own_kind(texts: Sequence[str]) -> set[int]:
    """ "Counting subsidiaries of its subsidiaries", "including areas within those areas"."""
    places: set[int] = set()
    for i, text in enumerate(texts):
        again = next((j for j in range(i + 2, min(i + 5, len(texts))) if stem(texts[j]) == stem(text)), 0)
        between = set(texts[i + 1 : again])
        if not (again and text[0].isalpha() and between <= _BETWEEN and between & _WITHIN):
            continue
        # "Seas within seas", "script by script", but no "month by month".
        if again == i + 2 and between <= _WITHIN_ALONE and "time" not in unit_measure(text):
            places |= set(range(i, again + 1))
        before = next((j for j in range(i - 1, max(i - 4, -1), -1) if texts[j] in _COUNTING), None)
        places |= set(range(before, again + 1)) if before is not None else set()
    return places


def _traced(texts: Sequence[str]) -> set[int]:
    """ "Trace the story back": of the words that say so."""
    said = {i for i, text in enumerate(texts) if text in _TRACING}
    ways = {i for i, text in enumerate(texts) if text in _TRACED}
    return said | ways if said and ways else set()


def _said_again(texts: Sequence[str]) -> set[int]:
    """ "Her pupils, their pupils and so on" behind "the pupils of X"."""
    for i, text in enumerate(texts[:-1]):
        again = next((j for j in range(i + 2, len(texts) - 1) if texts[j : j + 2] == texts[i : i + 2]), 0)
        if text in _THEIRS and again:  # "Her teachers, their teachers, and their teachers in turn."
            return set(range(max(0, i - 2), again + 2))
    end = next(
        (i + len(each) for each in _SO_ON for i in range(len(texts)) if tuple(texts[i : i + len(each)]) == each), 0
    )
    first = next((i for i in range(2, end) if texts[i] in _REPEATED), max(0, end - 3))
    return set(range(first, len(texts) if len(texts) - end <= _BEHIND else end)) if end else set()
