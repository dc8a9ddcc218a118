"""Conditions on properties: which kind of comparison a property allows, values read as it needs them, and the Cypher.

"Under 20 dollars", "published 2016-02-11" and "after May 1990" arrive as texts or numbers. A date is compared as ISO
text: `toString` makes such text of years, days and instants on both databases, it sorts as time does, and "~" behind a
year or a month stands for its end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from clew.tools.graph.schema import Property
from clew.tools.queries.calculated import as_number, term
from clew.tools.queries.plans.plan import Kind, Predicate
from clew.tools.queries.space.query import Comparison
from clew.tools.queries.values import (
    DATES,
    LONGEST_VALUE,
    NUMBERS,
    Scalar,
    clock_time,
    holds_clock_times,
    holds_years,
    moment,
    number,
)

_WRITTEN = re.compile(r"\s*[$\u20ac\u00a3]?\s*\d[\d,]*(?:\.\d+)?\s*\Z")
_ISO_TEXT = re.compile(r"\d{4}-\d{2}(?:-\d{2}(?:[T ].*)?)?\Z|\d{4}\Z", re.S)
_TRUE, _FALSE = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0"})
_ORDERED = frozenset({"<", "<=", ">", ">="})


def kind_of(owned: Property, value: Scalar) -> Kind:
    """How the values of a property compare with `value`, by the property's type and examples."""
    if owned.type in NUMBERS:
        return "number"
    if owned.type in DATES:
        return "date"
    if owned.type == "BOOLEAN":
        return "boolean"
    if owned.type.startswith("LIST"):
        return "texts"
    if holds_clock_times(owned) and clock_time(value) is not None:
        return "date"
    examples = [str(each) for each in owned.examples if each is not None]
    if examples and all(_ISO_TEXT.match(each) for each in examples) and moment(value) is not None:
        return "date"
    if examples and all(_WRITTEN.match(each) for each in examples) and number(value) is not None:
        return "written number"
    return "text"


def typed(predicate: Predicate, owned: Property) -> Predicate | str:
    """The condition with a value of the property's own kind, or what is wrong with it."""
    kind, comparison = kind_of(owned, predicate.value), predicate.comparison
    value: Scalar | None
    if kind in ("number", "written number"):
        value = _year(predicate.value) if kind == "number" and holds_years(owned) else None
        value = number(predicate.value) if value is None else value
        comparison = "=" if comparison == "CONTAINS" else comparison
    elif kind == "date":
        value = clock_time(predicate.value) if holds_clock_times(owned) else moment(predicate.value)
        comparison = "=" if comparison == "CONTAINS" else comparison
    elif kind == "boolean":
        value = _truth(predicate.value)
    else:
        value = str(predicate.value)[:LONGEST_VALUE]
        if comparison in _ORDERED:
            return f"“{owned.name}” of {owned.label} holds text, which {comparison} does not compare"
    if value is None:
        wanted = {"date": "a date", "boolean": "true or false"}.get(kind, "a number")
        return f"“{owned.name}” of {owned.label} is compared with {wanted}"
    return replace(predicate, property=owned.name, comparison=comparison, value=value, kind=kind)


def condition(predicate: Predicate, variable: str, parameter: str) -> str:
    """A checked condition as a Cypher expression whose value is `$parameter`."""
    own, given, comparison = term(variable, predicate.property), f"${parameter}", predicate.comparison
    match predicate.kind:
        case "date":
            return _dated(f"toString({own})", comparison, given)
        case "written number":
            return f"{as_number(own)} {comparison} {given}"
        case "text":
            operator = comparison if comparison in ("=", "<>") else "CONTAINS"
            return f"toLower(toString({own})) {operator} toLower({given})"
        case "texts":
            # Some nodes may have a single text, and those without any have none of the values.
            found = f"any(each IN [] + coalesce({own}, []) WHERE toLower(toString(each)) "
            found += f"{'CONTAINS' if comparison == 'CONTAINS' else '='} toLower({given}))"
            return f"NOT {found}" if comparison == "<>" else found
        case "missing":
            return f"{own} IS {'NOT ' if comparison == '<>' else ''}NULL"
        case _:
            return f"{own} {comparison} {given}"


def conditions(where: Sequence[Predicate], variable: str) -> tuple[list[str], dict[str, Any]]:
    """All of them as expressions, with their parameters `w0`, `w1`, …"""
    texts = [condition(predicate, variable, f"w{i}") for i, predicate in enumerate(where)]
    return texts, {f"w{i}": predicate.value for i, predicate in enumerate(where)}


def _dated(own: str, comparison: Comparison, given: str) -> str:
    match comparison:
        case "<":
            return f"{own} < {given}"
        case ">=":
            return f"{own} >= {given}"
        case "<=":
            return f"{own} <= {given} + '~'"
        case ">":
            return f"{own} > {given} + '~'"
        case _:
            inside = f"({own} >= {given} AND {own} <= {given} + '~')"
            return f"NOT {inside}" if comparison == "<>" else inside


def _year(value: Scalar) -> int | None:
    """The year of a date, for a property that holds no more than years."""
    said = moment(value) if isinstance(value, str) else None
    return int(said[:4]) if said else None


def _truth(value: Scalar) -> bool | None:
    said = str(value).strip().lower()
    return True if said in _TRUE else False if said in _FALSE else None
