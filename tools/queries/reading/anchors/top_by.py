"""The first ones by a property of a relationship: "top 3 pupils by mark in the exam"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_WAYS = {"top": "highest", "best": "highest", "highest": "highest", "bottom": "lowest", "lowest": "lowest"}
_LONGEST_KIND = 3


def top_by(tokens: Sequence[Token], words: SchemaWords) -> list[Token]:
    """The words with "pupils with the 3 highest mark" for "top 3 pupils by mark", where only relationships have it."""
    found = list(tokens)
    texts = [token.text for token in tokens]
    first = next((i for i, text in enumerate(texts[:-1]) if text in _WAYS and number(texts[i + 1]) is not None), None)
    by = texts.index("by") if "by" in texts[:-1] else 0
    if first is None or not 0 < by - first - 2 <= _LONGEST_KIND:
        return found
    behind = by + 1 + (texts[by + 1] in ("the", "their", "his", "her", "its"))
    choices = words.property(texts[behind]) if behind < len(texts) else []
    least = min((choice.cost for choice in choices), default=0.0)
    if not choices or not all(choice.of_relation for choice in choices if choice.cost == least):
        return found
    way = [replace(tokens[by], text="with"), replace(tokens[by], text="the"), tokens[first + 1]]
    way.append(replace(tokens[first], text=_WAYS[texts[first]], start=tokens[by].start, end=tokens[by].end))
    return [*tokens[:first], *tokens[first + 2 : by], *way, *tokens[behind:]]
