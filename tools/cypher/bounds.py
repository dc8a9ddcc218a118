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
"""The greatest number that a function may be given for the length of what it makes."""
_LENGTHS = {
    "lpad": 1, "rpad": 1, "apoc.text.lpad": 1, "apoc.text.rpad": 1, "apoc.text.repeat": 1, "apoc.text.random": 0,
    "apoc.coll.fill": 1, "apoc.coll.randomitems": 1, "apoc.coll.combinations": 2,
}  # fmt: skip
"""Functions whose argument at a place says how much they make."""
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
        elif _length(_name(tokens, place), inside) > LONGEST_TEXT:
            return f"{token.text.lower()}() is told to make more than {LONGEST_TEXT:,}"
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
    """Whether the accumulator of `reduce(total = …, x IN list | …)` is added to itself, and is not a number."""
    if not inside or _is_numeric(inside):
        return False
    bar = next(_outside(inside, "|"), len(inside))
    return _most_added(inside[bar + 1 :], inside[0]) > 1


def _is_numeric(inside: Sequence[Token]) -> bool:
    """Whether the accumulator starts as a number and nothing in `reduce` is a text or a list."""
    first = next(_arguments(inside))[2:]
    grows = any(token.kind == "string" or token.text == "[" for token in inside)
    return len(first) == 1 and first[0].kind == "number" and not grows


def _most_added(body: Sequence[Token], name: Token) -> int:
    """How often an expression adds `name`: in a CASE, the branch that does so most."""
    most, now = [0], [0]
    """For each CASE around the token: the count in its fullest branch, and in the current one."""
    for place, token in enumerate(body):
        before, after = _text(body, place - 1), _text(body, place + 1)
        if (token.kind, token.text) == (name.kind, name.text) and after != ".":
            now[-1] += "+" in (before, after)
        elif token.kind != "word" or before == "." or after == ":":
            continue
        elif token.text == "CASE":
            most.append(0)
            now.append(0)
        elif token.text in ("WHEN", "ELSE") and len(now) > 1:
            most[-1], now[-1] = max(most[-1], now[-1]), 0
        elif token.text == "THEN":
            now[-1] = 0
        elif token.text == "END" and len(now) > 1:
            fullest = max(most.pop(), now.pop())
            now[-1] += fullest
    return now[0]


def _length(name: str, inside: Sequence[Token]) -> float:
    """The length that a call of the function `name` says it makes; 0 where it says none."""
    arguments = list(_arguments(inside))
    if (place := _LENGTHS.get(name, len(arguments))) >= len(arguments):
        return 0.0
    return math.prod(_numbers(arguments[place]))


def _name(tokens: Sequence[Token], place: int) -> str:
    """The name of the function, with its namespace, that ends at a place."""
    parts = [tokens[place].text.lower()]
    while _text(tokens, place - 1) == "." and place >= 2:
        place -= 2
        parts.insert(0, tokens[place].text.lower())
    return ".".join(parts)


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
