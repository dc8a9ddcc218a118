"""The phrases by which questions ask for numbers, order and conditions (aggregation_words.toml), found in tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from clew.tools.queries.lexical import Token, load_toml
from clew.tools.queries.values import NUMERALS, moment


@cache
def table() -> dict[str, dict[str, list[str]]]:
    return load_toml("aggregation", "aggregation_words.toml")


@cache
def words(part: str, name: str) -> frozenset[str]:
    return frozenset(table()[part][name])


@cache
def _phrases(part: str) -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """By first word: phrase → what it stands for, the longest first."""
    found = [(tuple(phrase.split()), name) for name, phrases in table()[part].items() for phrase in phrases]
    by_word: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for phrase, name in sorted(found, key=lambda each: -len(each[0])):
        by_word.setdefault(phrase[0], []).append((phrase, name))
    return by_word


def phrase_at(part: str, tokens: Sequence[Token], first: int, names: Sequence[str] = ()) -> tuple[str, int] | None:
    """What a phrase that begins at a token stands for, and where it ends; of several the longest."""
    if first >= len(tokens):
        return None
    for phrase, name in _phrases(part).get(tokens[first].text, ()):
        if names and name not in names:
            continue
        texts = [token.text for token in tokens[first : first + len(phrase)] if not token.quoted]
        if tuple(texts) == phrase:
            return name, first + len(phrase)
    return None


def number_at(tokens: Sequence[Token], first: int) -> float | None:
    """The number that a token says, in digits or as a word."""
    if first >= len(tokens):
        return None
    text = tokens[first].text
    bare = text.replace(",", "").removesuffix("%")
    if bare.replace(".", "", 1).isdecimal():
        return float(bare)
    return float(NUMERALS[text]) if text in NUMERALS else None


def date_at(question: str, tokens: Sequence[Token], first: int) -> tuple[str, int] | None:
    """The day, month or year that begins at a token, as ISO text, and where it ends."""
    for last in range(min(first + 6, len(tokens)), first, -1):
        text = tokens[first].text if last == first + 1 else question[tokens[first].start : tokens[last - 1].end]
        if any(character.isdecimal() for character in text) and (read := moment(text)) is not None:
            return read, last
    return None


def names_of(hints: Mapping[str, tuple[str, ...]], *said: str) -> tuple[str, ...]:
    return tuple(name for word in said for name in hints.get(word, ()))
