"""Numbers as questions write them: "the top 3", "half an hour", "30 or more"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import cast

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.numbers import MULTIPLES, number
from clew.tools.queries.reading.english.words import meaning_of, phrase, unit_measure
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, Number, Operator
from clew.tools.queries.reading.forms.scoring import anchor
from clew.tools.queries.space.query import Comparison
from clew.tools.queries.values import Scalar, whole

_LONGEST = 5
"""Words of a number."""
_MOST_LISTED = 100
_YEAR = re.compile("1[5-9][0-9]{2}|20[0-9]{2}")
_BEFORE_ONE = frozenset({"than", "over", "under", "above", "below", "within", "exactly"})
_NO_MORE = frozenset({"only", "just", "merely"})
_HAVING = frozenset({"with", "has", "have", "had", "having"})
_REQUEST = frozenset({"the", "give", "show", "list", "name", "me", "us", "return", "find", "get", "take", "pick", "or"})
"""Words before "just one" that ask for one answer."""
_WILL = frozenset(
    {"to", "will", "would", "should", "must", "that", "which", "who", "can", "could", "did", "does", "do"}
)
"""Words before the verb "last"."""
_BEFORE_YEARS = frozenset({"in", "since", "during", "before", "after", "until", "till"})


def amounts(tokens: Sequence[Token], first: int) -> Iterator[AnyItem]:
    """The numbers that begin at a token, and how many of something are listed: "the top 3"."""
    start = first + 1 if tokens[first].text == "$" and first + 1 < len(tokens) else first
    for written, last in (*_of_several_words([t.text for t in tokens[start : start + _LONGEST]]), *_one(tokens, first)):
        yield anchor(first, start + last, Number(whole(written)))
        if is_rate(tokens, start + last):
            yield anchor(first, start + last + 2, Number(whole(written)))
        yield from _or_more(tokens, first, start + last, whole(written))
    yield from _single(tokens, first)
    value = number(tokens[start].text)
    if value is None:
        return
    bounded = list(_or_more(tokens, first, start + 1, whole(value)))
    yield from bounded
    if (bounded and not _YEAR.fullmatch(tokens[first].text)) or _is_year(tokens, first):
        return
    yield anchor(first, start + 1, Number(whole(value)))
    if is_rate(tokens, start + 1):
        yield anchor(first, start + 3, Number(whole(value)))
    place = meaning_of("listing", tokens[first - 1].text) if first else "before"
    lasts = first > 1 and tokens[first - 1].text == "last" and tokens[first - 2].text in _WILL
    if place is not None and 0 < value <= _MOST_LISTED and value == int(value) and not lasts:
        yield anchor(first - 1 if place == "first" else first, start + 1, Operator("first", int(value)))


def _is_year(tokens: Sequence[Token], first: int) -> bool:
    """Whether a number is a year by the word before it and is followed by no unit: "in 2023", no 2023 euros."""
    dated = first > 0 and tokens[first - 1].text in _BEFORE_YEARS and _YEAR.fullmatch(tokens[first].text) is not None
    return dated and not unit_measure(singular(phrase(tokens, first + 1, first + 2)))


def is_rate(tokens: Sequence[Token], end: int) -> bool:
    """Whether "a year" or "per hour" stands behind a number."""
    each = phrase(tokens, end, end + 1) in ("a", "an", "per", "each", "every")
    return each and "time" in unit_measure(phrase(tokens, end + 1, end + 2))


def _one(tokens: Sequence[Token], first: int) -> Iterator[tuple[float, int]]:
    """The "an" of "longer than an hour", with its end."""
    before = phrase(tokens, max(0, first - 2), first).split()
    compared = bool(before) and (before[-1] in _BEFORE_ONE or before in (["at", "least"], ["at", "most"]))
    if compared and tokens[first].text in ("a", "an") and unit_measure(phrase(tokens, first + 1, first + 2)):
        yield 1.0, 1


def _single(tokens: Sequence[Token], first: int) -> Iterator[AnyItem]:
    """ "only one", "just a single", "with a single": exactly one."""
    before = tokens[first - 1].text if first else "the"
    only = tokens[first].text in _NO_MORE and before not in _REQUEST
    start = first + 1 if only else first
    said = tuple(token.text for token in tokens[start : start + 2])
    if said == ("a", "single") and (only or before in _HAVING):
        yield anchor(first, start + 2, ConditionNoun((), "=", (1,)))
    elif only and said[:1] in (("one",), ("1",)) and said[1:] not in (("of",), ("that",), ("who",), ("which",), ()):
        yield anchor(first, start + 1, ConditionNoun((), "=", (1,)))


def _or_more(tokens: Sequence[Token], first: int, end: int, amount: Scalar) -> Iterator[AnyItem]:
    """ "30 or more"."""
    behind = meaning_of("behind", phrase(tokens, end, end + 2))
    if behind is not None:
        yield anchor(first, end + 2, ConditionNoun((), cast(Comparison, behind), (amount,)))


def _of_several_words(words: Sequence[str]) -> Iterator[tuple[float, int]]:
    """Numbers of several words at the beginning, each with its end: "a million", "half a million", "four and a half",
    "1.5 million", "50k"."""
    value, last = (1.0, 1) if words[0] in ("a", "an") else (number(words[0]), 1)
    if list(words[:2]) in (["half", "a"], ["half", "an"]):
        value, last = 0.5, 2
        yield value, last
    if value is None:
        return
    if list(words[last : last + 3]) == ["and", "a", "half"] and words[0] not in ("a", "an", "half"):
        value, last = value + 0.5, last + 3
        yield value, last
    if (multiple := MULTIPLES.get("".join(words[last : last + 1]))) is not None:
        yield value * multiple, last + 1
        if list(words[last + 1 : last + 4]) == ["and", "a", "half"]:
            yield (value + 0.5) * multiple, last + 4
