"""What is left of a thing, as its stock: "how many bottles of X are left?"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token

_LEFT = ("left", "remaining", "stock", "hand")
_IS_LEFT = ("is", "are", "do", "have", "in", "on", "left", "remaining")
"""Words that begin "are left", "have we got left", "do we have in stock"."""


def in_stock(tokens: Sequence[Token], is_property: Callable[[str], bool]) -> list[Token]:
    """ "The stock of X" for "how many bottles of X are left" and "how much X have we got left", where a stock is
    stored."""
    texts = [token.text for token in tokens]
    if texts[:1] != ["how"] or texts[-1] not in _LEFT or not is_property("word stock"):
        return list(tokens)
    end = next((i for i in range(2, len(texts)) if texts[i] in _IS_LEFT), len(texts) - 1)
    of = texts.index("of") + 1 if texts[1:2] == ["many"] and "of" in texts[:end] else 2
    if not of < end or (texts[1:3] == ["many", texts[of]]):
        return list(tokens)
    return [replace(tokens[0], text="stock"), replace(tokens[1], text="of"), *tokens[of:end]]
