"""The kind that a question asks for, where "one" stands for it: "what culture preceded the *one* that …"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.schema.vocabulary import SchemaWords


def same_kind(tokens: Sequence[Token], words: SchemaWords) -> list[Token]:
    """The words with the kind that is asked for in the place of "one" behind "the"."""
    texts = [token.text for token in tokens]
    if texts[:1] not in (["which"], ["what"]) or not any(text in words.labels for text in texts[1:2]):
        return list(tokens)
    return [
        replace(token, text=texts[1]) if token.text == "one" and texts[i - 1] == "the" else token
        for i, token in enumerate(tokens)
    ]
