"""The forms in which people write a word of a name: nicknames, numerals, the singular of a plural."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path

_SHORTEST_PLURAL = 4
_NUMERALS = (
    ("1", "i", "one"), ("2", "ii", "two"), ("3", "iii", "three"), ("4", "iv", "four"), ("5", "v", "five"),
    ("6", "vi", "six"), ("7", "vii", "seven"), ("8", "viii", "eight"), ("9", "ix", "nine"), ("10", "x", "ten"),
    ("11", "xi", "eleven"), ("12", "xii", "twelve"), ("13", "xiii", "thirteen"), ("14", "xiv", "fourteen"),
)  # fmt: skip
_FORMS_OF_NUMBERS = {form: frozenset(forms) - {form} for forms in _NUMERALS for form in forms}


def singulars(word: str) -> list[str]:
    """What an English plural may be the plural of, likeliest first; nothing for other words."""
    if len(word) < _SHORTEST_PLURAL or not word.endswith("s") or word.endswith("ss"):
        return []
    found = [word[:-1]]
    if word.endswith("ies"):
        found.insert(0, word[:-3] + "y")
    elif word.endswith("es"):
        found.append(word[:-2])
    return found


def numerals(word: str) -> frozenset[str]:
    """The other ways to write a number up to 14: digits, Roman, in letters."""
    return _FORMS_OF_NUMBERS.get(word, frozenset())


def nicknames(word: str) -> frozenset[str]:
    """The first names of which `word` is a short form, and the short forms of `word`."""
    return _nicknames().get(word, frozenset())


@cache
def _nicknames() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for line in Path(__file__).with_name("nicknames.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, *forms = line.split()
            found[name].update(forms)
            for form in forms:
                found[form].add(name)
    return {name: frozenset(others) for name, others in found.items()}
