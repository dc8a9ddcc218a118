"""Questions for several numbers of each group: "number of orders and total freight per country"."""

from __future__ import annotations

from collections.abc import Sequence

from clew.tools.queries.lexical import Span, Token
from clew.tools.queries.reading.english.clause_order import COMMA
from clew.tools.queries.reading.english.words import listed, meaning_of, phrase

_AND = frozenset({"and", "plus", "&"})
_ARTICLES = frozenset({"the", "their", "its", "his", "her", "our", "what", "also", "a", "an"})
_LONGEST_HEAD, _LONGEST_NUMBER = 3, 8
"""Words of "number of", and of one number of a list."""
_MOST = 5


def parts(tokens: Sequence[Token]) -> list[list[Span]]:
    """One question for each number of a list, as spans of the text; none where no list is asked for.

    Args:
        tokens: The words of the question.
    """
    heads = _heads(tokens)
    if not 1 < len(heads) <= _MOST:
        return []
    starts = [first for first, _ in heads]
    stops = [*(_end_before(tokens, first) or first for first in starts[1:]), len(tokens)]
    group = next((i for i in range(starts[0], len(tokens)) if _groups(tokens, i)), None)
    tail = (len(tokens), len(tokens))
    if group is not None:
        of = next(i for i, stop in enumerate(stops) if group < stop)
        tail, stops[of] = (group, stops[of]), group
    elif not any(_groups(tokens, i) for i in range(starts[0])):
        return []
    if any(stop - first > _LONGEST_NUMBER for first, stop in zip(starts, stops, strict=True)):
        return []
    things = [(end, stop) for (_, end), stop in zip(heads, stops, strict=True)]
    if things[-1][0] >= things[-1][1]:
        return []
    found = []
    for place, (first, end) in enumerate(heads):
        thing = next((first, stop) for first, stop in things[place:] if first < stop)
        lead = [(0, tokens[starts[0]].start)] if starts[0] else []  # With the comma at its end.
        found.append(lead + _spans(tokens, [(first, end), thing, tail]))
    return found


def _heads(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Where the numbers of a list begin, and where the words of each that say what is worked out end: the first one
    anywhere, each other one behind "and" or a comma."""
    found: list[tuple[int, int]] = []
    place = 0
    while place < len(tokens):
        length = _head(tokens, place)
        if length and (not found or _end_before(tokens, place) is not None):
            found.append((place, place + length))
        place += length or 1
    return found


def _head(tokens: Sequence[Token], place: int) -> int:
    """How many words say what is worked out: "number of", "average"."""
    lengths = range(_LONGEST_HEAD, 0, -1)
    return next((n for n in lengths if phrase(tokens, place, place + n) in listed("number heads", "words")), 0)


def _end_before(tokens: Sequence[Token], place: int) -> int | None:
    """Where the words before "and", or before a comma, end; None where neither stands before a place."""
    first = place
    while first and tokens[first - 1].text in _ARTICLES:
        first -= 1
    if first and tokens[first - 1].text in _AND:
        return first - 1
    return first if first and tokens[first].start - tokens[first - 1].end >= COMMA else None


def _groups(tokens: Sequence[Token], place: int) -> bool:
    """Whether "per" or "for each" stands at a place."""
    return tokens[place].text == "by" or any(
        meaning_of("functions", phrase(tokens, place, place + n)) == "each" for n in range(1, _LONGEST_HEAD + 1)
    )


def _spans(tokens: Sequence[Token], ranges: Sequence[Span]) -> list[Span]:
    return [(tokens[first].start, tokens[last - 1].end) for first, last in ranges if first < last]
