"""The kind of thing that a label or a noun stands for, as pronouns distinguish them."""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal["person", "place", "thing", "value", "unknown"]

_WORDS: dict[Kind, str] = {
    "person": (
        "person people human man woman actor actress director writer author artist player employee character singer "
        "musician composer producer screenwriter politician scientist researcher student teacher professor athlete "
        "coach doctor patient customer user member friend husband wife spouse parent father mother child son daughter "
        "brother sister king queen president minister inventor founder designer painter poet novelist guy"
    ),
    "place": (
        "place city country town state province region county location village island continent river mountain lake "
        "district capital area territory street address venue building museum station airport"
    ),
    "thing": (
        "film movie picture book novel song album game show series episode work play poem painting company "
        "organization organisation team club band university school institution product category award prize event "
        "paper article drug disease gene protein ship aircraft vehicle software language genre tag"
    ),
    "value": "year date number rating votes score age gender count amount price time month day",
}
_KIND: dict[str, Kind] = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_SAME = [
    {"film", "movie", "picture", "motion picture"},
    {"book", "novel"},
    {"person", "people", "human", "man", "woman", "guy", "one"},
    {"company", "organization", "organisation", "firm", "business"},
    {"show", "series"},
    {"song", "track"},
    {"place", "location"},
    {"award", "prize"},
    {"team", "club"},
]
_IDENTIFIER_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_IRREGULAR = {"people": "person", "men": "man", "women": "woman", "children": "child", "wives": "wife"}


def label_kind(label: str) -> Kind:
    """The kind of a node label, by its last known word ("FilmDirector" is a person)."""
    for word in reversed(label_words(label)):
        if word in _KIND:
            return _KIND[word]
    return "unknown"


def noun_kind(noun: str) -> Kind:
    """The kind of a noun."""
    return _KIND.get(singular(noun.casefold()), "unknown")


def names_label(noun: str, label: str) -> bool:
    """Whether `noun` (one word, singular or plural) is a word for nodes of `label`."""
    word, words = singular(noun.casefold()), label_words(label)
    if word in words or any(word in same and same & set(words) for same in _SAME):
        return True
    return noun_kind(noun) == "person" and bool({"person", "human"} & set(words))


def label_words(label: str) -> list[str]:
    """The words of an identifier, lower case and singular: "FilmDirectors" is film, director."""
    return [singular(word.casefold()) for word in _IDENTIFIER_WORD.findall(label)]


def singular(word: str) -> str:
    """The singular of an English noun in lower case."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _KIND:
        return word
    if word[:-1] in _KIND and word.endswith("s"):
        return word[:-1]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
