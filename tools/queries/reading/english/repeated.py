"""What a sentence says twice, said once: "set in Rome or Warsaw" for "set in Rome or set in Warsaw"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.gap import KEPT
from clew.tools.queries.reading.english.words import FREE

_LONGEST = 5
"""Words that are repeated, at most."""
_ARTICLES = ("the", "a", "an", "those", "all")


def said_once(tokens: Sequence[Token]) -> list[Token]:
    """The words of a question without those that are repeated behind "or", "as well as", or "between … and"."""
    joined = _joined(tokens)
    texts = [token.text for token in joined]
    for place, text in enumerate(texts):
        if text == "or" or (text == "and" and "between" in texts[:place]):
            start = place + 1 + (texts[place + 1 : place + 2] != [] and texts[place + 1] in _ARTICLES)
            length = _repeated(texts, place, start)
            if length:
                return [*joined[: place + 1], *joined[start + length :]]
    return joined


def _joined(tokens: Sequence[Token]) -> list[Token]:
    """ "or" for "as well as" between two sets of one kind."""
    texts = [token.text for token in tokens]
    for place in range(1, len(texts) - 3):
        if texts[place : place + 3] == ["as", "well", "as"]:
            start = place + 3 + (texts[place + 3] in _ARTICLES)
            kind = texts[start] not in KEPT  # "from A as well as from B" is from both.
            if kind and _repeated(texts, place, start):
                return [*tokens[:place], replace(tokens[place], text="or"), *tokens[place + 3 :]]
    return list(tokens)


def _repeated(texts: Sequence[str], place: int, start: int) -> int:
    """How many words from `start` on stand before `place` as well, with a word behind them both times: the longest."""
    for length in range(min(_LONGEST, len(texts) - start - 1), 0, -1):
        said = texts[start : start + length]
        if all(text in FREE and text not in KEPT for text in said) or said[-1] in ("and", "or"):
            continue
        if any(texts[i : i + length] == said and i + length < place for i in range(place - length)):
            return length
    return 0
