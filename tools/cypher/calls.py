"""Calls in a query's tokens: where they end, their arguments, and what these say in numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from clew.tools.cypher.lexer import number_value

_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")


class Token(Protocol):
    """A token of a query: its kind, and its text; a word in capitals."""

    @property
    def kind(self) -> str: ...
    @property
    def text(self) -> str: ...


def size_of_range(inside: Sequence[Token], named: Mapping[str, float] = MappingProxyType({})) -> float:
    """How many elements `range(…)` has: exactly for numbers, else the product of the numbers in its arguments, and of
    those that are `named`."""
    given = ["".join(token.text for token in part) for part in arguments(inside)]
    try:
        first, last, step = (*map(int, given), *([1] if len(given) == 2 else []))
    except ValueError:
        known = (named[token.text] for token in inside if token.kind in ("word", "quoted") and token.text in named)
        return math.prod(max(1.0, number) for number in (*numbers(inside), *known))
    return (last - first) // step + 1 if step else 0


def named_numbers(tokens: Sequence[Token]) -> dict[str, float]:
    """What `100 AS n` gives names to: by name the greatest number."""
    found: dict[str, float] = {}
    for place, token in enumerate(tokens):
        if token.kind == "number" and text_at(tokens, place + 1) == "AS":
            name = text_at(tokens, place + 2)
            found[name] = max(found.get(name, 1.0), *numbers([token]))
    return found


def dotted_name(tokens: Sequence[Token], place: int) -> str:
    """The name of the function, with its namespace, that ends at a place."""
    parts = [tokens[place].text.lower()]
    while text_at(tokens, place - 1) == "." and place >= 2:
        place -= 2
        parts.insert(0, tokens[place].text.lower())
    return ".".join(parts)


def arguments(inside: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """The arguments between the brackets of a call."""
    start = 0
    for place in outside(inside, ","):
        yield inside[start:place]
        start = place + 1
    yield inside[start:]


def numbers(tokens: Sequence[Token]) -> Iterator[float]:
    """The numbers that are written in an expression."""
    for token in tokens:
        if token.kind == "number":
            value = number_value(token.text)
            yield math.inf if value is None else float(value)


def end_of(tokens: Sequence[Token], opening: int) -> int:
    """The place of the bracket that closes the one at `opening`."""
    depth = 0
    for place in range(opening, len(tokens)):
        depth += (tokens[place].text in _OPEN) - (tokens[place].text in _CLOSE)
        if not depth:
            return place
    return len(tokens)


def outside(tokens: Sequence[Token], mark: str) -> Iterator[int]:
    """The places of a mark outside all brackets."""
    depth = 0
    for place, token in enumerate(tokens):
        depth += (token.text in _OPEN) - (token.text in _CLOSE)
        if token.text == mark and not depth:
            yield place


def text_at(tokens: Sequence[Token], place: int) -> str:
    """The text of the token at `place`, "" beyond the ends."""
    return tokens[place].text if 0 <= place < len(tokens) else ""
