"""What two things have in common: "lines that share a station with X", "where do A and B meet", in graphs that have no
relation of that name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_SHARING = {"share": "have", "shares": "has", "shared": "had", "sharing": "having"}
_MEETING = frozenset({"meet", "cross", "intersect", "connect", "converge", "overlap"})
_ARTICLES = frozenset({"a", "an"})
_LEAST, _REACH = 3, 6


def said_in_common(tokens: Sequence[Token], words: SchemaWords) -> list[Token]:
    """The words with "have the same station with" for "share a station with", and "where do A and B" for "where do A
    and B meet" and "where does A meet B"."""
    found = _shared(tokens, words)
    texts = [token.text for token in found]
    if texts[:1] != ["where"] or texts[1:2] not in (["do"], ["does"], ["did"]):
        return found
    place = next((i for i, text in enumerate(texts) if text in _MEETING and root(text) not in words.verbs), 0)
    if place == len(found) - 1:
        return found[:-1] if "and" in texts else found
    return [*found[:place], replace(found[place], text="and"), *found[place + 1 :]] if place >= _LEAST else found


def _shared(tokens: Sequence[Token], words: SchemaWords) -> list[Token]:
    """The words with "have the same station with" for "share a station with"."""
    found, texts = list(tokens), [token.text for token in tokens]
    for i, text in enumerate(texts[:-1]):
        shared = text in _SHARING and texts[i + 1] in _ARTICLES and "with" in texts[i + 2 : i + _REACH]
        if shared and root(text) not in words.verbs:
            found[i : i + 2] = [replace(tokens[i], text=_SHARING[text]), replace(tokens[i + 1], text="same")]
    return found
