"""Typing errors in the words of the schema: "membres" for "members"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rapidfuzz import process
from rapidfuzz.distance import OSA

from clew.tools.linking.ordinary import QUESTION_WORDS, is_english, nearest_english
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.words import NEGATIVE, adjectives, general
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_LEAST = 5
"""Letters of a word that may have an error …"""
_LEAST_OF_ASKING = 3
_TWO = 8
"""… and of one that may have two."""


def corrected(tokens: Sequence[Token], open_: Sequence[int], words: SchemaWords) -> list[Token]:
    """The tokens, those at the places `open_` replaced by the word of the schema, or of questions in general, that they
    are a misspelling of; of the verb of a relation the root. A word that is as near to two others stays."""
    found = list(tokens)
    for place in open_:
        text = tokens[place].text
        asking = _near(text, QUESTION_WORDS, 1, _LEAST_OF_ASKING) if place == 0 else []
        if asking:
            found[0] = replace(tokens[0], text=asking[0][0])  # "wich club"
        if len(text) < _LEAST or tokens[place].quoted or not text.isalpha() or text in NEGATIVE or text in general():
            continue
        if (doubled := _doubled(text)) in adjectives():
            found[place] = replace(tokens[place], text=doubled)
            continue
        if is_english(text):
            continue
        most = 2 if len(text) >= _TWO else 1
        near = _near(text, words.spelled, most) or _near(root(text), words.verbs, most)
        near = near or _near(text, general(), most)
        if not near and not is_english(text) and (word := nearest_english(text)) is not None:
            near = [(word, 1, 0)]
        if near and (len(near) == 1 or near[0][1] < near[1][1]):
            found[place] = replace(tokens[place], text=near[0][0])
    return found


def _doubled(text: str) -> str:
    """A degree with its last consonant twice: "biggest" for "bigest"."""
    length = 3 if text.endswith("est") else 2
    return f"{text[:-length]}{text[-length - 1 :]}" if text.endswith(("est", "er")) else ""


def _near(text: str, known: frozenset[str], most: int, least: int = _LEAST) -> list[tuple[str, int, int]]:
    """The known words with the same first letter that differ in up to so many letters, the nearest first."""
    if len(text) < least:
        return []
    near = process.extract(text, sorted(known), scorer=OSA.distance, score_cutoff=most, limit=3)
    return [each for each in near if each[0][0] == text[0]]
