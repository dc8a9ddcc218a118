"""Numbers and dates as questions write them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.tools.queries.lexical import Token
from clew.tools.queries.values import NUMERALS, clock_time, moment

MULTIPLES = {
    "k": 1_000, "grand": 1_000, "dozen": 12, "hundred": 100, "thousand": 1_000, "million": 1_000_000,
    "billion": 1_000_000_000, "bn": 1_000_000_000,
}  # fmt: skip
"""Words for so many of what stands before them."""
PLACES = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth",
)  # fmt: skip
"""Words for places in an order, and for days of a month."""
ORDINALS = (
    {word: i for i, word in enumerate(PLACES, 1) if i > 1} | {"2nd": 2, "3rd": 3} | {f"{i}th": i for i in range(4, 21)}
)
"""The numbers of places. The first of several is what comes first, and has no number of its own."""
_WORDS = NUMERALS | {"fiver": 5, "tenner": 10}
"""Numerals, and names of banknotes."""


def number(text: str) -> float | None:
    """The number that a word says, in digits or letters."""
    bare = re.sub(r"[,\s]", "", text).removesuffix("%").removeprefix("$")
    if bare.replace(".", "", 1).removeprefix("-").isdecimal():
        return float(bare)
    return float(_WORDS[text]) if text in _WORDS else None


def date_at(question: str, tokens: Sequence[Token], first: int) -> tuple[str, int] | None:
    """The day, month, year or time of day that begins at a token, as ISO text, and the token after it."""
    begins, end = tokens[first].text, tokens[first].end
    day = str(PLACES.index(begins) + 1) if begins in PLACES else question[tokens[first].start : end]
    for last in range(min(first + 6, len(tokens)), first, -1):
        if tokens[last - 1].end < end:
            continue  # A word that stands before in the question: "orders per month in 1997".
        text = begins if last == first + 1 else day + question[end : tokens[last - 1].end]
        digits = any(character.isdecimal() for character in text)
        if (read := (moment(text) if digits else None) or clock_time(text)) is not None:
            return read, last
    return None
