"""Words of questions: tokens, spans, stems, plurals, and the word lists beside the modules that use them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

Span = tuple[int, int]
"""A part of a text: its first character, and the one after its last."""

APOSTROPHE = "['\u2019]"
TOKEN = re.compile(rf"{APOSTROPHE}s\b|[^\W_][\w-]*(?:{APOSTROPHE}(?!s\b)\w+)*")
SUFFIXES = ("ies", "ing", "ers", "er", "ors", "or", "ed", "es", "s", "d")
UNSPECIFIC_LABELS = frozenset({"entity", "node", "thing", "resource", "object", "item", "concept"})
"""Labels that do not say what their nodes are."""


def load_toml(package: str, name: str) -> dict[str, Any]:
    """The TOML file `name` in a package of this room, such as "ranking"."""
    return tomllib.loads(_read(package, name))


def load_lines(package: str, name: str) -> list[str]:
    """The lines of the text file `name` in a package of this room, but for comments."""
    return [line for line in _read(package, name).splitlines() if line and not line.startswith("#")]


def _read(package: str, name: str) -> str:
    return files(f"clew.tools.queries.{package}".rstrip(".")).joinpath(name).read_text(encoding="utf-8")


FUNCTION_WORDS = frozenset(_read("ranking", "function_words.txt").split())
"""Words that name no relation. "By" and "of" give a direction, but types and phrases give it better."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text."""

    text: str
    """Lower case; of a quoted text what stands between the quotes, unchanged."""
    start: int
    end: int
    quoted: bool = False

    @property
    def content(self) -> bool:
        return self.text not in FUNCTION_WORDS


def tokens(text: str) -> list[Token]:
    """The words of a text; a possessive "'s" is a token of its own."""
    return [Token(m.group().lower().strip("-"), m.start(), m.end()) for m in TOKEN.finditer(text)]


def overlaps(start: int, end: int, spans: Iterable[Span]) -> bool:
    """Whether `text[start:end]` shares a character with one of the spans."""
    return any(start < to and end > since for since, to in spans)


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A crude English stem: director, directed and directors have the same, and so have teach and taught."""
    if (base := base_of(word)) != word:
        return stem(base)
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= (2 if suffix == "ies" else 3):
            return _undoubled(word[: -len(suffix)]) + ("y" if suffix == "ies" else "")
    return _undoubled(word[:-1] if len(word) > 3 and word.endswith("e") else word)


def _undoubled(word: str) -> str:
    """A stem without the second of two consonants that an ending doubles: "ship" of "shipped" and of "shipper"."""
    doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] in "bdgmnprt"
    return word[:-1] if doubled or (len(word) > 5 and word.endswith("ll")) else word


def base_of(word: str) -> str:
    """The base of an irregular form of a verb; any other word itself."""
    return _bases().get(word, word)


def is_past(word: str) -> bool:
    """Whether a word is a past form of a verb, as far as its ending or the irregular forms tell."""
    return word.endswith("ed") or base_of(word) != word


@cache
def _bases() -> dict[str, str]:
    """The base of each irregular form of a verb."""
    rows = [line.split() for line in load_lines("", "irregular_verbs.txt")]
    return {form: base for base, *forms in rows for form in forms}


def plural(noun: str) -> str:
    """The regular English plural."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"
