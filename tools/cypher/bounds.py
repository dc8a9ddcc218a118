"""What a query may generate: lists and strings whose sizes a query states itself, without a graph that bounds them.

A database that computes `all(x IN range(1, 100000) WHERE all(y IN range(1, 100000) WHERE …))` or doubles a string forty
times may not stop on request, and takes the memory of everybody's queries. The bounds are on what the text
says; the embedded server has a watchdog for the rest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from clew.tools.cypher import growth
from clew.tools.cypher.calls import (
    Token,
    arguments,
    dotted_name,
    end_of,
    named_numbers,
    numbers,
    outside,
    size_of_range,
    text_at,
)

MOST_GENERATED = 1_000_000
"""Elements of all lists of `range(…)` in a query, multiplied, since one may be inside another."""
LONGEST_TEXT = 100_000
"""The greatest number that a function may be given for the length of what it makes."""
_LENGTHS = {
    "lpad": 1, "rpad": 1, "apoc.text.lpad": 1, "apoc.text.rpad": 1, "apoc.text.repeat": 1, "apoc.text.random": 0,
    "apoc.coll.fill": 1, "apoc.coll.randomitems": 1,
}  # fmt: skip
"""Functions whose argument at a place says how much they make."""
MOST_COMBINED = 5
"""Elements that `apoc.coll.combinations` may combine."""


def fault(tokens: Sequence[Token]) -> str:
    """What a query would generate too much of; "" if nothing."""
    generated, repeated, named = 1.0, 1.0, named_numbers(tokens)
    for place, token in enumerate(tokens):
        if token.kind != "word" or text_at(tokens, place + 1) != "(":
            continue
        inside = tokens[place + 2 : end_of(tokens, place + 1)]
        if token.text == "RANGE":
            generated *= max(1.0, size_of_range(inside, named))
        elif token.text == "REDUCE" and _doubles(inside):
            return "reduce() doubles what it has so far at every step"
        elif (length := _length(dotted_name(tokens, place), inside)) > LONGEST_TEXT:
            return f"{token.text.lower()}() would make more than {LONGEST_TEXT:,}"
        elif token.text == "COMBINATIONS" and max((*numbers(inside), 0.0)) > MOST_COMBINED:
            return f"combinations() would combine more than {MOST_COMBINED}"
        elif token.text == "REPEAT":
            repeated *= max(1.0, length)
    if repeated > LONGEST_TEXT:
        return f"its repeat() would make more than {LONGEST_TEXT:,}"
    generated *= growth.walked_again(tokens, named)
    if generated > MOST_GENERATED:
        return f"its range() would generate more than {MOST_GENERATED:,} elements"
    return growth.fault(tokens)


def _doubles(inside: Sequence[Token]) -> bool:
    """Whether the accumulator of `reduce(total = …, x IN list | …)` is added to itself, and is not a number."""
    if not inside or _is_numeric(inside):
        return False
    bar = next(outside(inside, "|"), len(inside))
    body = inside[bar + 1 :]
    return _most_added(body, inside[0]) > 1 or any(True for _ in growth.squares(body))


def _is_numeric(inside: Sequence[Token]) -> bool:
    """Whether the accumulator starts as a number and nothing in `reduce` is a text or a list."""
    first = next(arguments(inside))[2:]
    grows = any(token.kind == "string" or token.text == "[" for token in inside)
    return len(first) == 1 and first[0].kind == "number" and not grows


def _most_added(body: Sequence[Token], name: Token) -> int:
    """How often an expression adds `name`: in a CASE, the branch that does so most."""
    most, now = [0], [0]
    """For each CASE around the token: the count in its fullest branch, and in the current one."""
    for place, token in enumerate(body):
        before, after = text_at(body, place - 1), text_at(body, place + 1)
        if (token.kind, token.text) == (name.kind, name.text) and after != ".":
            listed = before in ("[", ",") and after in (",", "]")
            now[-1] += listed or growth.adds(body, place)
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
    given = list(arguments(inside))
    if (place := _LENGTHS.get(name, len(given))) >= len(given):
        return 0.0
    return math.prod(numbers(given[place]))
