"""Nouns for women, where the graph tells who is one by a property: "actresses" are female actors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.anchors.literals import OF_GENDER, Values
from clew.tools.queries.reading.english.inflection import plural_of, singular
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_NOUNS = {
    "actress": "actor", "goddess": "god", "waitress": "waiter", "hostess": "host", "heiress": "heir",
    "headmistress": "headmaster", "stewardess": "steward", "sculptress": "sculptor", "priestess": "priest",
    "sorceress": "sorcerer", "poetess": "poet", "heroine": "hero", "authoress": "author", "manageress": "manager",
    "policewoman": "police officer", "sportswoman": "athlete", "businesswoman": "entrepreneur", "chairwoman": "chair",
    "saleswoman": "salesperson", "songstress": "singer", "ballerina": "ballet dancer",
}  # fmt: skip
"""By what they are called, whether women or men."""
_FEMALE = ("female", "f", "w", "woman")


def told_by_gender(tokens: Sequence[Token], words: SchemaWords, values: Values) -> list[Token]:
    """ "Female actors" for "actresses", in a graph with a gender that has no such kind of thing and no such value."""
    found: list[Token] = []
    for token in tokens:
        noun = _NOUNS.get(singular(token.text)) or _NOUNS.get(token.text)
        known = noun is not None and (words.has(token.text) or values(token.text) or values(singular(token.text)))
        if noun is None or known or not _has_gender(values):
            found.append(token)
            continue
        plural = singular(token.text) != token.text and token.text not in _NOUNS
        female = replace(token, text="female", end=token.start)
        *before, last = (plural_of(noun) if plural else noun).split()
        found += [female, *(replace(token, text=each, end=token.start) for each in before), replace(token, text=last)]
    return found


def _has_gender(values: Values) -> bool:
    """Whether a property holds the genders of somebody."""
    return any(OF_GENDER & set(identifier_words(name)) for each in _FEMALE for _, name, _ in values(each))
