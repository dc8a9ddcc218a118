"""The values that a query compares: literals and parameters, each with the property that it is compared with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from clew.tools.cypher.lexer import number_value, string_value, token_at
from clew.tools.cypher_repair.syntax import ParsedQuery, Variable, VariableUse

Case = Literal["", "lower", "upper"]

_MARKS = frozenset({"=", "<>", "<", "<=", ">", ">=", "=~"})
_CASES: dict[str, Case] = {"tolower": "lower", "lower": "lower", "toupper": "upper", "upper": "upper", "trim": ""}
EQUAL = frozenset({"=", "<>", "IN"})
"""Operators that compare with a whole value."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A value in a comparison or in the property map of a pattern."""

    first: int
    last: int
    """The position after its last token."""
    value: str | int | float | None
    """None for a parameter, whose value is supplied separately."""
    operator: str
    """An operator sign, CONTAINS, STARTS, ENDS or IN; "=" in a property map."""
    variable: Variable | None = None
    property: int | None = None
    """The position of the property's name."""
    case: Case = ""
    """Whether the property is compared in lower or upper case."""


def comparisons(query: ParsedQuery) -> list[Comparison]:
    """All comparisons, in the order of the text."""
    return sorted({each.first: each for each in (*_in_expressions(query), *_in_maps(query))}.values(),
                  key=lambda each: each.first)  # fmt: skip


def _in_maps(query: ParsedQuery) -> Iterator[Comparison]:
    for pattern in query.patterns:
        for key, first, last in pattern.properties.entries if pattern.properties else ():
            value = _value(query, first, last)
            if value is not _NO_VALUE:
                yield Comparison(first, last, value, "=", pattern.variable, key)  # type: ignore[arg-type]


def _in_expressions(query: ParsedQuery) -> Iterator[Comparison]:
    tokens = query.tokens
    uses = {use.place: use for use in query.property_uses}
    place = 0
    while place < len(tokens):
        last = _value_end(query, place)
        if last:
            found = _compared_here(query, place, last, uses)
            if found is not None:
                yield found
        place = last or place + 1


_NO_VALUE = object()


def _value(query: ParsedQuery, first: int, last: int) -> object:
    """The value of tokens `first` to `last`, None for a parameter, _NO_VALUE for anything else."""
    if _value_end(query, first) != last:
        return _NO_VALUE
    token = query.tokens[last - 1]
    if token.kind == "string":
        return string_value(token)
    if query.tokens[first].text == "$":
        return None
    number = number_value(token.text)
    if number is None:
        return _NO_VALUE
    return -number if query.tokens[first].text == "-" else number


def _value_end(query: ParsedQuery, first: int) -> int:
    """The position after the literal or parameter that starts at `first`; 0 if there is none."""
    token, after = query.tokens[first], token_at(query.tokens, first + 1)
    if token.kind in ("string", "number"):
        return first + 1
    if token.kind == "mark" and token.text == "$" and (after.is_name or after.kind == "number"):
        return first + 2
    if token.kind == "mark" and token.text == "-" and after.kind == "number":
        before = token_at(query.tokens, first - 1)
        return first + 2 if before.upper in _MARKS | {":", "[", ","} else 0
    return 0


def _compared_here(query: ParsedQuery, first: int, last: int, uses: dict[int, VariableUse]) -> Comparison | None:
    value = _value(query, first, last)
    if value is _NO_VALUE:
        return None
    start, end = first, last
    if token_at(query.tokens, first - 1).text == "(" and token_at(query.tokens, first - 2).text.lower() in _CASES:
        start, end = first - 2, last + 1  # toLower('…')
    operator, subject = _operator_before(query, start)
    if operator:
        variable, place, case = _subject_before(query, subject, uses)
    else:
        operator = token_at(query.tokens, end).upper
        if operator not in _MARKS or token_at(query.tokens, end).kind != "mark":
            return None
        variable, place, case = _subject_after(query, end + 1, uses)
    return Comparison(first, last, value, operator, variable, place, case)  # type: ignore[arg-type]


def _operator_before(query: ParsedQuery, place: int) -> tuple[str, int]:
    """The operator that ends before `place`, and its position; ("", 0) if there is none."""
    token = token_at(query.tokens, place - 1)
    if token.upper in _MARKS or token.upper == "CONTAINS":
        return token.upper, place - 1
    if token.upper == "WITH" and token_at(query.tokens, place - 2).upper in {"STARTS", "ENDS"}:
        return token_at(query.tokens, place - 2).upper, place - 2
    start = place - 1
    while token_at(query.tokens, start).text == "," and (before := _value_start(query, start)) is not None:
        start = before - 1
    if token_at(query.tokens, start).upper == "[" and token_at(query.tokens, start - 1).upper == "IN":
        return "IN", start - 1
    return "", 0


def _value_start(query: ParsedQuery, end: int) -> int | None:
    """The position of the value that ends before token `end`."""
    return next((first for first in (end - 2, end - 1) if first >= 0 and _value_end(query, first) == end), None)


_Subject = tuple[Variable | None, int | None, Case]


def _subject_before(query: ParsedQuery, end: int, uses: dict[int, VariableUse]) -> _Subject:
    if token_at(query.tokens, end - 1).text == ")" and token_at(query.tokens, end - 5).text == "(":
        case = _CASES.get(token_at(query.tokens, end - 6).text.lower())
        if case is not None and end - 2 in uses:
            return uses[end - 2].variable, end - 2, case
    if end - 1 in uses:
        return uses[end - 1].variable, end - 1, ""
    return None, None, ""


def _subject_after(query: ParsedQuery, first: int, uses: dict[int, VariableUse]) -> _Subject:
    if token_at(query.tokens, first + 1).text == "(" and token_at(query.tokens, first + 5).text == ")":
        case = _CASES.get(token_at(query.tokens, first).text.lower())
        if case is not None and first + 4 in uses:
            return uses[first + 4].variable, first + 4, case
    if first + 2 in uses and token_at(query.tokens, first + 3).text not in (".", "+", "("):
        return uses[first + 2].variable, first + 2, ""
    return None, None, ""
