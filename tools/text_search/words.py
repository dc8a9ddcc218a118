"""Texts as the words that BM25 counts: folded, without function words, English endings cut off."""

from __future__ import annotations

from functools import lru_cache

from clew.tools.linking.normalise import fold
from clew.tools.linking.ordinary import QUESTION_WORDS, word_class

_ENDINGS = (
    ("sses", "ss"), ("ies", "y"), ("ied", "y"), ("ily", "y"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"),
    ("ing", ""), ("ed", ""), ("ly", ""), ("es", "e"), ("s", ""),
)  # fmt: skip
_SHORTEST_STEM = 3
_DOUBLED = frozenset("bdfgmnprt")


def terms(text: str) -> list[str]:
    """The counted words of a text in order, with repeats; all its words where it has function words alone."""
    words = fold(text).split()
    counted = [term for word in words if (term := _term(word))]
    return counted or [stem(word) for word in words]


def stem(word: str) -> str:
    """A folded word without one English ending: a light form of Porter's (1980) first step. "treats", "treated" and
    "treating" are one word, as are "parasite" and "parasites"."""
    if not word.isascii() or not word.isalpha() or word.endswith(("ss", "us", "is")):
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(base := word[: -len(ending)]) >= _SHORTEST_STEM and _has_vowel(base):
            return _mute(base + instead if instead else _undoubled(base))
    return _mute(word)


@lru_cache(maxsize=200_000)
def _term(word: str) -> str:
    """The stem, "" for a function word."""
    return "" if word in QUESTION_WORDS or word_class(word) == "function" else stem(word)


def _has_vowel(base: str) -> bool:
    return any(letter in "aeiouy" for letter in base)


def _undoubled(base: str) -> str:
    return base[:-1] if len(base) > _SHORTEST_STEM and base[-1] == base[-2] and base[-1] in _DOUBLED else base


def _mute(base: str) -> str:
    """The word without a final e, so that "rate", "rates" and "rating" are one."""
    return base[:-1] if base.endswith("e") and len(base) > _SHORTEST_STEM else base
