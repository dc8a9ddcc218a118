"""The values of a question: texts that properties hold, quoted texts, numbers and dates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, cast

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.items import (
    AnyItem,
    ConditionNoun,
    Feature,
    Item,
    Meaning,
    Number,
    Operator,
    PropertyChoice,
)
from clew.tools.queries.reading.scoring import cost
from clew.tools.queries.reading.words import ASKING, FREE, date_at, meaning_of, number, phrase
from clew.tools.queries.space.query import Comparison

_LONGEST = 5
"""Words of a value that nobody put in quotes."""
_LONGEST_TEST = 3
_MOST_LISTED = 100
_MULTIPLES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}

Values = Callable[[str], dict[tuple[str, str], list[str]]]
"""(label, property) → the values that are a text but for case."""


def literals(question: str, tokens: Sequence[Token], values: Values) -> Iterator[AnyItem]:
    """The items of all values in a question."""
    for first, token in enumerate(tokens):
        for last in range(first + 1, min(first + _LONGEST, len(tokens)) + 1):
            yield from _value(question, tokens, first, last, values)
        yield from _text(tokens, first, token)
        if (dated := date_at(question, tokens, first)) is not None:
            year = token.text.isdecimal() and dated[1] == first + 1
            yield _item(first, dated[1], Number(dated[0], True), ("guess", 0.3 if year else 0.0))
        yield from _number(tokens, first, token)


def _item(first: int, last: int, meaning: Meaning, *features: Feature) -> AnyItem:
    return Item(first, last, meaning, cost(features), features)


def _value(question: str, tokens: Sequence[Token], first: int, last: int, values: Values) -> Iterator[AnyItem]:
    """A text that some property holds: "Berlin", "out of print"."""
    head = tokens[first]
    if not head.quoted and (head.text in FREE | ASKING or number(head.text) is not None):
        return
    text = head.text if last == first + 1 and head.quoted else question[head.start : tokens[last - 1].end]
    found = values(text)
    if found:
        choices = tuple(PropertyChoice(label, name, 0.0, kind="text") for label, name in found)
        written = tuple(dict.fromkeys(value for each in found.values() for value in each))
        yield _item(first, last, ConditionNoun(choices, values=written), ("value", 0.3))


def _text(tokens: Sequence[Token], first: int, token: Token) -> Iterator[AnyItem]:
    """A quoted text: the value of whichever property is named, or a part of it ("starting with 'C'")."""
    if token.quoted:
        yield _item(first, first + 1, Number(token.text, text=True), ("value", 0.5))
    letter = len(token.text) == 1 and token.text not in FREE
    for length in range(1, min(_LONGEST_TEST, first) + 1) if token.quoted or letter else ():
        test = meaning_of("tests", phrase(tokens, first - length, first))
        if test is not None:
            kind = cast(Literal["STARTS WITH", "ENDS WITH", "CONTAINS"], test)
            yield _item(first - length, first + 1, ConditionNoun((), values=(token.text,), test=kind))


def _number(tokens: Sequence[Token], first: int, token: Token) -> Iterator[AnyItem]:
    """A number, and how many of something are listed: "the top 3"."""
    start = first + 1 if token.text == "$" and first + 1 < len(tokens) else first
    value = number(tokens[start].text)
    if value is None:
        return
    whole = int(value) if value == int(value) else value
    multiple = _MULTIPLES.get(tokens[start + 1].text) if start + 1 < len(tokens) else None
    if multiple is not None:
        yield _item(first, start + 2, Number(int(value * multiple)))
    yield _item(first, start + 1, Number(whole))
    behind = meaning_of("behind", phrase(tokens, start + 1, start + 3))
    if behind is not None:
        yield _item(first, start + 3, ConditionNoun((), cast(Comparison, behind), (whole,)))
    place = meaning_of("listing", tokens[first - 1].text) if first else None
    if place is not None and isinstance(whole, int) and 0 < whole <= _MOST_LISTED:
        yield _item(first - 1 if place == "first" else first, start + 1, Operator("first", whole))
