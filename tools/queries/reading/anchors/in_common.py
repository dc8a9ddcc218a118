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
_LEAST = 3


def said_in_common(tokens: Sequence[Token], words: SchemaWords) -> list[Token]:
    """The words with "have a station with" for "share a station with", "where do A and B" for "where do A and B meet",
    and for "where does A meet B"."""
    found = [_had(tokens, i, words) for i in range(len(tokens))]
    texts = [token.text for token in found]
    if texts[:1] != ["where"] or texts[1:2] not in (["do"], ["does"], ["did"]):
        return found
    place = next((i for i, text in enumerate(texts) if text in _MEETING and root(text) not in words.verbs), 0)
    if place == len(found) - 1:
        return found[:-1] if "and" in texts else found
    return [*found[:place], replace(found[place], text="and"), *found[place + 1 :]] if place >= _LEAST else found


def same_again(tokens: Sequence[Token], words: SchemaWords) -> list[Token]:
    """The words with the kind that is asked for in the place of "one": "what culture preceded the *one* that …"."""
    texts = [token.text for token in tokens]
    asked = texts[1] if texts[:1] in (["which"], ["what"]) and len(texts) > 1 and texts[1] in words.labels else ""
    return [
        replace(token, text=asked) if asked and token.text == "one" and texts[i - 1 : i] == ["the"] else token
        for i, token in enumerate(tokens)
    ]


def _had(tokens: Sequence[Token], place: int, words: SchemaWords) -> Token:
    """A word, or "have the same station with" for "share a station with"."""
    token = tokens[place]
    shares = place > 0 and tokens[place - 1].text in _SHARING and token.text in _ARTICLES
    if shares and root(tokens[place - 1].text) not in words.verbs and "with" in [t.text for t in tokens[place:]]:
        return replace(token, text="same")
    following = [each.text for each in tokens[place + 1 : place + 6]]
    shared = token.text in _SHARING and following[:1] and following[0] in _ARTICLES and "with" in following[1:]
    shared = shared and root(token.text) not in words.verbs
    return replace(token, text=_SHARING[token.text]) if shared else token
