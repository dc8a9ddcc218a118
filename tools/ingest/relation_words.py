"""The words of a relation's name, and the class of its ends that they suggest: English rules, no data."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

Side = Literal["subject", "object"]

FALLBACK = "Entity"
PHRASE, NOUN, BY, HEAD = 4, 3, 3, 1
"""Strength of the evidence: a listed phrase, a listed noun, "by", and the bare head noun of the name."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PATH = re.compile(r"[./]")
_GREEK = re.compile(r"(gnos|alys|thes|cris|nops)es$")
"""How plurals of words in -sis end: diagnoses, analyses, theses."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A class for a relation's end, and the strength of the evidence."""

    name: str
    strength: int


@dataclass(frozen=True, slots=True)
class _Table:
    nouns: dict[str, str]
    object_phrases: dict[str, str]
    subject_phrases: dict[str, str]
    subject_words: dict[str, str]
    dropped: frozenset[str]
    no_class: frozenset[str]
    plurals: dict[str, str]


def words(relation: str) -> list[str]:
    """`/film/has_genre`, `hasGenre` and `has-genre` all give [has, genre] (lower case, plurals kept)."""
    last = [part for part in _PATH.split(relation.split("#")[-1]) if part][-1:] or [relation]
    return [word for word in re.split(r"[\W_]+", _CAMEL.sub(" ", last[0]).lower()) if word]


@cache
def guess(relation: str, side: Side) -> Guess | None:
    """The class of `side` that the relation's name suggests; None where it suggests none."""
    if typed := _from_path(relation, side):
        return typed
    found = [singular(word) for word in words(relation)]
    if not found:
        return None
    table = _table()
    core = _core(found)
    phrases = table.object_phrases if side == "object" else table.subject_phrases
    for name in (" ".join(found), " ".join(words(relation)), " ".join(core)):
        if name in phrases:
            return Guess(phrases[name], PHRASE)
    return _object(found, core) if side == "object" else _subject(found)


def singular(word: str) -> str:
    """`countries` gives country, `children` child; words that only look plural stay."""
    table = _table()
    if word in table.plurals:
        return table.plurals[word]
    if len(word) <= 3 or word.endswith(("ss", "us", "is", "news")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if _GREEK.search(word):
        return word[:-2] + "is"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") else word


def title(word: str) -> str:
    """A word with a capital; its other letters stay."""
    return word[:1].upper() + word[1:]


def _object(found: list[str], core: list[str]) -> Guess | None:
    table = _table()
    if found[-1] == "by":
        return Guess("Person", BY)
    if "of" in core[1:-1]:  # place of birth, cause of death
        core = core[: core.index("of")]
    named = len(core) < len(found)  # after "has" or before "of" stands a noun
    if not core or (not named and (core[-1] in table.no_class or core[-1].endswith(("ed", "ing")))):
        return None
    for noun in (" ".join(core[-2:]), core[-1]):
        if noun in table.nouns:
            return Guess(table.nouns[noun], NOUN)
    return Guess(title(core[-1]), HEAD) if re.fullmatch(r"[^\W\d]{3,}", core[-1]) else None


def _subject(found: list[str]) -> Guess | None:
    table = _table()
    if len(found) > 1 and found[-1] == "of" and found[-2] not in table.no_class:
        noun = found[-2]
        if noun in table.nouns:
            return Guess(table.nouns[noun], NOUN)
        return None if noun in ("part", "kind", "type", "instance", "made", "consist") else Guess(title(noun), HEAD)
    for word in found:
        if word in table.subject_words:
            return Guess(table.subject_words[word], NOUN)
    return None


def _from_path(relation: str, side: Side) -> Guess | None:
    """`/people/person/place_of_birth` and `people.person.place_of_birth` name the subject's type themselves."""
    parts = [part for part in _PATH.split(relation) if part]
    if side == "object" or len(parts) != 3 or "://" in relation or not all(re.fullmatch(r"\w+", p) for p in parts):
        return None
    return Guess("".join(title(word) for word in words(parts[1])), PHRASE)


def _core(found: list[str]) -> list[str]:
    core = found
    while len(core) > 1 and core[0] in _table().dropped:
        core = core[1:]
    return core


@cache
def _table() -> _Table:
    text = resources.files("clew.tools.ingest").joinpath("class_names.toml").read_text("utf-8")
    found: dict[str, Any] = tomllib.loads(text)

    def by_word(section: str) -> dict[str, str]:
        return {word: name for name, listed in found[section].items() for word in listed}

    return _Table(
        nouns=by_word("nouns"),
        object_phrases=by_word("object_phrases"),
        subject_phrases=by_word("subject_phrases"),
        subject_words=by_word("subject_words"),
        dropped=frozenset(found["prefixes"]["dropped"]),
        no_class=frozenset(found["no_class"]["last_words"]),
        plurals=dict(found["irregular_plurals"]),
    )
