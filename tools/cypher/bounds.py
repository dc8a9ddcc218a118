"""What a query may generate: lists and strings whose sizes a query states itself, without a graph that bounds them.

A database that computes `all(x IN range(1, 100000) WHERE all(y IN range(1, 100000) WHERE …))` or doubles a string forty
times may not stop when it is told to, and takes the memory of everybody's queries. The bounds are on what the text
says; the embedded server has a watchdog for the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Protocol

from clew.tools.cypher.lexer import number_value

MOST_GENERATED = 1_000_000
"""Elements of all lists of `range(…)` in a query, multiplied, since one may be inside another."""
LONGEST_TEXT = 100_000
"""The greatest number that a function of strings or lists may be given: a length, or how often to repeat."""
_SIZED = ("apoc.text.", "apoc.coll.")
_PADDING = frozenset({"lpad", "rpad"})
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")


class Token(Protocol):
    """A token of a query: its kind, and its text; a word in capitals."""

    @property
    def kind(self) -> str: ...
    @property
    def text(self) -> str: ...


def fault(tokens: Sequence[Token]) -> str:
    """What a query would generate too much of; "" if nothing."""
    generated = 1.0
    for place, token in enumerate(tokens):
        if token.kind != "word" or _text(tokens, place + 1) != "(":
            continue
        inside = tokens[place + 2 : _end(tokens, place + 1)]
        if token.text == "RANGE":
            generated *= max(1.0, _size(inside))
        elif token.text == "REDUCE" and _doubles(inside):
            return "reduce() doubles what it has so far at every step"
        elif _is_sized(tokens, place) and max(_numbers(inside), default=0.0) > LONGEST_TEXT:
            return f"{token.text.lower()}() is given a number above {LONGEST_TEXT:,}"
    if generated > MOST_GENERATED:
        return f"its range() would generate more than {MOST_GENERATED:,} elements"
    return ""


def _size(inside: Sequence[Token]) -> float:
    """How many elements `range(…)` has: exactly for numbers, else the product of the numbers in its arguments."""
    arguments = ["".join(token.text for token in part) for part in _arguments(inside)]
    try:
        first, last, step = (*map(int, arguments), *([1] if len(arguments) == 2 else []))
    except ValueError:
        return math.prod(max(1.0, number) for number in _numbers(inside))
    return (last - first) // step + 1 if step else 0


def _doubles(inside: Sequence[Token]) -> bool:
    """Whether the accumulator of `reduce(total = …, x IN list | …)` is added to itself."""
    if not inside:
        return False
    bar = next(_outside(inside, "|"), len(inside))
    body, name = inside[bar + 1 :], inside[0]
    added = [
        i
        for i, token in enumerate(body)
        if (token.kind, token.text) == (name.kind, name.text) and "+" in (_text(body, i - 1), _text(body, i + 1))
    ]
    return len(added) > 1


def _is_sized(tokens: Sequence[Token], place: int) -> bool:
    """Whether a function makes as much as a number says."""
    parts = [tokens[place].text.lower()]
    while _text(tokens, place - 1) == "." and place >= 2:
        place -= 2
        parts.insert(0, tokens[place].text.lower())
    name = ".".join(parts)
    return name in _PADDING or name.startswith(_SIZED)


def _arguments(inside: Sequence[Token]) -> Iterator[Sequence[Token]]:
    start = 0
    for place in _outside(inside, ","):
        yield inside[start:place]
        start = place + 1
    yield inside[start:]


def _numbers(tokens: Sequence[Token]) -> Iterator[float]:
    for token in tokens:
        if token.kind == "number":
            value = number_value(token.text)
            yield math.inf if value is None else float(value)


def _end(tokens: Sequence[Token], opening: int) -> int:
    """The place of the bracket that closes the one at `opening`."""
    depth = 0
    for place in range(opening, len(tokens)):
        depth += (tokens[place].text in _OPEN) - (tokens[place].text in _CLOSE)
        if not depth:
            return place
    return len(tokens)


def _outside(tokens: Sequence[Token], mark: str) -> Iterator[int]:
    """The places of a mark outside all brackets."""
    depth = 0
    for place, token in enumerate(tokens):
        depth += (token.text in _OPEN) - (token.text in _CLOSE)
        if token.text == mark and not depth:
            yield place


def _text(tokens: Sequence[Token], place: int) -> str:
    return tokens[place].text if 0 <= place < len(tokens) else ""
