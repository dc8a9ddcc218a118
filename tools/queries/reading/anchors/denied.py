"""Participles that deny a relation: "uninsured patients" are patients that are not insured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.words import opposites, phrase
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_LONGEST_KIND = 3
"""Words that name a kind of thing, at most."""


def without_prefixes(tokens: Sequence[Token], words: SchemaWords) -> list[Token]:
    """The words of a question with "not insured" behind its noun for "uninsured", where a relation is called so and no
    property is."""
    for place, token in enumerate(tokens):
        verb = _denied(token, words)
        if verb:
            denial = [replace(token, text="not"), replace(token, text=verb)]
            noun = _noun(tokens, place + 1, words)
            return [*tokens[:place], *tokens[place + 1 : noun], *denial, *without_prefixes(tokens[noun:], words)]
    return list(tokens)


def _denied(token: Token, words: SchemaWords) -> str:
    """The participle of a relation's verb that a word denies; "" if it is no such word."""
    if token.quoted or not token.text.endswith("ed") or words.property(token.text):
        return ""
    found = (each for each in opposites(token.text) if root(each) in words.verbs)
    return next((each for each in found if not any(c.kind == "boolean" for c in words.property(each))), "")


def _noun(tokens: Sequence[Token], place: int, words: SchemaWords) -> int:
    """Where the kind of thing ends that begins at a token; the token itself where none begins."""
    ends = range(min(place + _LONGEST_KIND, len(tokens)), place, -1)
    return next((end for end in ends if phrase(tokens, place, end) in words.labels), place)
