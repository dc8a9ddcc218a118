"""Classes of words by how likely they are ordinary words rather than names."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from rapidfuzz import process
from rapidfuzz.distance import OSA

WordClass = Literal["function", "kind", "ordinary", "rare"]

_LONG = 8
QUESTION_WORDS = frozenset({"how", "what", "when", "where", "which", "who", "whom", "whose", "why"})

_SUFFIXES = (
    ("ies", "y"), ("ied", "y"), ("ily", "y"), ("ves", "f"), ("ves", "fe"), ("es", ""), ("s", ""), ("ed", ""), ("d", ""),
    ("ing", ""), ("ing", "e"), ("er", ""), ("r", ""), ("or", ""), ("est", ""), ("st", ""), ("ly", ""), ("ion", ""),
    ("ion", "e"),
)  # fmt: skip
_ADVERBS = ("ically", "ously", "ively", "fully", "lessly", "ingly", "edly")


@lru_cache(maxsize=20_000)
def word_class(word: str) -> WordClass:
    """The class of a folded word; inflected forms count as their base form."""
    sections = _sections()
    if word in sections["function"]:
        return "function"
    if word in sections["kind"] or (word.endswith("s") and word[:-1] in sections["kind"]):
        return "kind"
    ordinary = sections["ordinary"]
    if word in ordinary or word in sections["irregular"] or any(base in ordinary for base in _base_forms(word)):
        return "ordinary"
    return "rare"


@lru_cache(maxsize=20_000)
def is_english(word: str) -> bool:
    """Whether a folded word is a word of the language, common or not; inflected forms count as their base form.

    An adverb is recognised by its ending: "quixotically". Unlike `word_class`, this takes no surname and no misspelt
    word for a form of a word: "Carter" is not of "cart", "Jared" not of "jar", "pushr" not of "push".
    """
    return (
        _is_base(word)
        or word.endswith(_ADVERBS)
        or any(_is_base(base) or any(map(_is_base, _inflected_of(base))) for base in _inflected_of(word))
    )


def near_english(word: str) -> bool:
    """Whether a folded word is a word of the language with one typing error, or with two from eight letters on."""
    errors = 1 if len(word) < _LONG else 2
    forms = [word, *_inflected_of(word)]
    return any(process.extractOne(form, _english(), scorer=OSA.distance, score_cutoff=errors) for form in forms)


@lru_cache(maxsize=20_000)
def nearest_english(word: str) -> str | None:
    """The one word of the language that a folded word is with a typing error: "paintings" for "paitings"."""
    for form, ending in ((word, ""), (word.removesuffix("s"), "s")):
        near = process.extract(form, _english(), scorer=OSA.distance, score_cutoff=1, limit=2)
        near = [each for each in near if each[0][0] == word[0]]
        if len(near) == 1 and form + ending == word:
            return str(near[0][0]) + ending
    return None


@cache
def _english() -> list[str]:
    return sorted(set().union(*_sections().values()))


def _is_base(word: str) -> bool:
    sections = _sections()
    return any(word in words for words in sections.values())


def _inflected_of(word: str) -> list[str]:
    """The words of which `word` may be a plural, a form of the verb, an adverb, a superlative, or who does it."""
    forms = []
    for ending in ("s", "es", "ed", "ing", "ly", "y", "er", "ers", "est"):
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 3 or (ending == "s" and stem.endswith("s")):
            continue
        if ending == "es" and not stem.endswith(("s", "x", "z", "ch", "sh", "o", "i", "v")):
            continue
        if ending in ("er", "ers", "est"):
            bases = [*_verbs(stem), *([stem[:-1] + "y"] if stem.endswith("i") else [])]
            forms += [base for base in bases if ending == "est" or base in _sections()["ordinary"]]
            continue
        short = len(stem) == 3 and stem[-1] not in "aeiouwxy" and stem[-2] in "aeiou" and stem[0] not in "aeiou"
        if ending in ("s", "es", "ly") or not short:
            forms.append(stem)
        if ending in ("ed", "ing", "y"):
            forms += _verbs(stem)[1:]
        if stem.endswith("i") and ending in ("es", "ed", "ly"):
            forms.append(stem[:-1] + "y")
    return forms


def _verbs(stem: str) -> list[str]:
    """The words that lose or double a letter before "-ing" and "-er"."""
    return [stem, stem + "e", *([stem[:-1]] if len(stem) > 3 and stem[-1] == stem[-2] else [])]


def _base_forms(word: str) -> list[str]:
    forms = []
    for suffix, ending in _SUFFIXES:
        if word.endswith(suffix) and len(stem := word[: -len(suffix)]) >= 3:
            forms.append(stem + ending)
            if not ending and stem[-1] == stem[-2]:
                forms.append(stem[:-1])
    return forms


@cache
def _sections() -> dict[str, frozenset[str]]:
    """The words of the file by section."""
    sections: dict[str, set[str]] = {}
    current: set[str] = set()
    for line in Path(__file__).with_name("ordinary_words.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            current = sections.setdefault(line.strip("[]"), set())
        elif not line.startswith("#"):
            current.update(line.split())
    return {name: frozenset(words) for name, words in sections.items()}
