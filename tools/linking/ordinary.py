"""Classes of words by how likely they are ordinary words rather than names."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

WordClass = Literal["function", "kind", "ordinary", "rare"]

QUESTION_WORDS = frozenset({"how", "what", "when", "where", "which", "who", "whom", "whose", "why"})

_SUFFIXES = (
    ("ies", "y"), ("ied", "y"), ("ily", "y"), ("ves", "f"), ("ves", "fe"), ("es", ""), ("s", ""), ("ed", ""), ("d", ""),
    ("ing", ""), ("ing", "e"), ("er", ""), ("r", ""), ("or", ""), ("est", ""), ("st", ""), ("ly", ""), ("ion", ""),
    ("ion", "e"),
)  # fmt: skip


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
