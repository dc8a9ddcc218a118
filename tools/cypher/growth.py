"""What a query makes larger step by step: each step is small, and they multiply.

`WITH s + s AS s` thirty times makes a text of 10^9 characters from one, `replace(s, 'x', s)` squares its length, and a
list that is gone through within a walk through itself has the square of its elements.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from clew.tools.cypher.calls import Token, arguments, end_of, size_of_range, text_at

MOST_DOUBLINGS = 10
"""Projections in a query that add a variable to itself."""
MOST_WALKS = 2
"""Walks through one list that may be inside one another."""
MOST_SQUARES = 1
"""Calls in a query that put a text into itself."""
_SQUARING = {"REPLACE": (0, 2), "JOIN": (0, 1)}
"""Functions, also those of `apoc.text`, and the arguments that make a square if both have the same variable."""
_QUANTIFIERS = frozenset({"ALL", "ANY", "NONE", "SINGLE"})
_BEGIN_ITEM = frozenset({"WITH", "RETURN", "DISTINCT", "UNWIND", "MATCH", "WHERE"})


def fault(tokens: Sequence[Token]) -> str:
    """What a query makes too large; "" if nothing."""
    if _doublings(tokens) > MOST_DOUBLINGS:
        return f"it adds a variable to itself more than {MOST_DOUBLINGS} times"
    if sum(1 for _ in squares(tokens)) > MOST_SQUARES:
        return "it puts a text into itself again and again"
    if _walks_within_walks(tokens) > MOST_WALKS:
        return f"it walks through a list within {MOST_WALKS} walks through it"
    return ""


def _walks_within_walks(tokens: Sequence[Token]) -> int:
    """How many walks through one list are inside one another: `[x IN list | [y IN list | …]]`, `all(x IN list …)`,
    `reduce(…, x IN list | …)`. How long the list is only the database knows."""
    most, around = 0, list[str]()
    """By open bracket the list that a walk in it goes through, "" for none."""
    for place, token in enumerate(tokens):
        if token.kind == "mark" and token.text in "([{":
            around.append("")
        elif token.kind == "mark" and token.text in ")]}" and around:
            around.pop()
        elif token.kind == "word" and token.text == "IN" and around and _is_walk(tokens, place):
            around[-1] = text_at(tokens, place + 1)
            most = max(most, around.count(around[-1]))
    return most


def _is_walk(tokens: Sequence[Token], place: int) -> bool:
    """Whether the IN at a place is of a walk through a variable, and does not ask whether something is in a list."""
    if place < 3 or text_at(tokens, place + 1) in "([{":
        return False
    before = text_at(tokens, place - 2)
    return before in ("[", ",") or (before == "(" and text_at(tokens, place - 3) in _QUANTIFIERS)


def _doublings(tokens: Sequence[Token]) -> int:
    """How many projections add a variable to itself."""
    found, depth, added = 0, 0, Counter[str]()
    for place, token in enumerate(tokens):
        depth += (token.text in "([{") - (token.text in ")]}") if token.kind == "mark" else 0
        if token.kind == "word" and token.text == "AS":
            found += max(added.values(), default=0) > 1
            added.clear()
        elif (token.kind == "word" and token.text in _BEGIN_ITEM) or (token.text == "," and not depth):
            added.clear()
        elif token.kind in ("word", "quoted") and text_at(tokens, place + 1) not in (".", "(") and adds(tokens, place):
            added[token.text] += text_at(tokens, place - 1) != "."
    return found


def adds(tokens: Sequence[Token], place: int) -> bool:
    """Whether the token at a place is joined to something by + or ||."""
    before = "+" if text_at(tokens, place - 1) == "+" else text_at(tokens, place - 2) + text_at(tokens, place - 1)
    after = "+" if text_at(tokens, place + 1) == "+" else text_at(tokens, place + 1) + text_at(tokens, place + 2)
    return "+" in (before, after) or "||" in (before, after)


def squares(tokens: Sequence[Token]) -> Iterator[int]:
    """The places of functions that put a variable into itself."""
    for place, token in enumerate(tokens):
        if token.kind == "word" and token.text in _SQUARING and text_at(tokens, place + 1) == "(":
            given = list(arguments(tokens[place + 2 : end_of(tokens, place + 1)]))
            into, what = _SQUARING[token.text]
            if what < len(given) and _variables(given[into]) & _variables(given[what]):
                yield place


def walked_again(tokens: Sequence[Token], named: Mapping[str, float]) -> float:
    """By how much walks through lists of `range(…) AS name` multiply, beyond the first walk through each."""
    sizes = {}
    for place, token in enumerate(tokens):
        if token.kind == "word" and token.text == "RANGE" and text_at(tokens, place + 1) == "(":
            end = end_of(tokens, place + 1)
            if text_at(tokens, end + 1) == "AS":
                sizes[text_at(tokens, end + 2)] = max(1.0, size_of_range(tokens[place + 2 : end], named))
    walks: dict[str, set[int]] = defaultdict(set)
    """List to the depths in brackets of its walks: at one depth they follow each other, but for UNWIND."""
    depth = 0
    for number, (before, token) in enumerate(pairwise(tokens)):
        depth += (before.text in "([{") - (before.text in ")]}") if before.kind == "mark" else 0
        if token.text in sizes and before.kind == "word" and before.text in ("IN", "UNWIND"):
            walks[token.text].add(depth if before.text == "IN" else -number - 1)
    product = 1.0
    for name, places in walks.items():
        product *= sizes[name] ** (len(places) - 1)
    return product


def _variables(part: Sequence[Token]) -> set[str]:
    return {
        token.text
        for place, token in enumerate(part)
        if token.kind in ("word", "quoted")
        and text_at(part, place + 1) not in (".", "(")
        and text_at(part, place - 1) != "."
    }
