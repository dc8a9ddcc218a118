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

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.schema import Property
from clew.tools.queries.plans.plan import Kind, Predicate, Scalar
from clew.tools.queries.space.query import Comparison

NUMBERS = frozenset({"INTEGER", "FLOAT"})
DATES = frozenset({"DATE", "LOCAL DATETIME", "ZONED DATETIME"})
LONGEST_VALUE = 200
_MONTH_NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
MONTHS = {form: i for i, name in enumerate(_MONTH_NAMES, 1) for form in (name, name[:3])} | {"sept": 9}
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_ISO = re.compile(r"(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?(?:[T ]\d[\d:.Z+\-]*)?\Z")
_DAY_MONTH = re.compile(rf"(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({_MONTH})\.?,?\s+(\d{{4}})\Z", re.I)
_MONTH_DAY = re.compile(rf"({_MONTH})\.?\s+(?:(\d{{1,2}})(?:st|nd|rd|th)?,?\s+)?(\d{{4}})\Z", re.I)
_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d{1,2})?")
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
        value = _year(predicate.value) if kind == "number" and _whole_years(owned) else None
        value = number(predicate.value) if value is None else value
        comparison = "=" if comparison == "CONTAINS" else comparison
    elif kind == "date":
        value = moment(predicate.value)
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
    own, given, comparison = f"{variable}.{quoted(predicate.property)}", f"${parameter}", predicate.comparison
    match predicate.kind:
        case "date":
            return _dated(f"toString({own})", comparison, given)
        case "written number":
            bare = f"replace(replace(replace(replace({own}, '$', ''), '\u20ac', ''), '\u00a3', ''), ',', '')"
            return f"toFloat({bare}) {comparison} {given}"
        case "text":
            operator = comparison if comparison in ("=", "<>") else "CONTAINS"
            return f"toLower(toString({own})) {operator} toLower({given})"
        case "texts":
            found = f"any(each IN {own} WHERE toLower(toString(each)) "
            found += f"{'CONTAINS' if comparison == 'CONTAINS' else '='} toLower({given}))"
            return f"NOT {found}" if comparison == "<>" else found
        case _:
            return f"{own} {comparison} {given}"


def conditions(where: Sequence[Predicate], variable: str) -> tuple[list[str], dict[str, Any]]:
    """All of them as expressions, with their parameters `w0`, `w1`, …"""
    texts = [condition(predicate, variable, f"w{i}") for i, predicate in enumerate(where)]
    return texts, {f"w{i}": predicate.value for i, predicate in enumerate(where)}


def number(value: Scalar) -> int | float | None:
    """The one number in a value: of "20 dollars" and "$1,200.50" too; None where there is none, or several."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value if abs(value) < 2**63 else None
    found = _NUMBER.findall(value[:LONGEST_VALUE])
    if len(found) != 1:
        return None
    read = float(found[0].replace(",", ""))
    if abs(read) >= 2**63:
        return None
    return int(read) if read.is_integer() else read


def moment(value: Scalar) -> str | None:
    """A year, month or day as ISO text: "1979", "2016-02", "2016-02-11"; None for what is none."""
    if isinstance(value, bool | float):
        return None
    text = " ".join(str(value)[:LONGEST_VALUE].split())
    if match := _ISO.match(text):
        year, month, day = match.group(1), match.group(2), match.group(3)
    elif match := _DAY_MONTH.match(text):
        day, month, year = match.group(1), str(MONTHS[match.group(2).lower()]), match.group(3)
    elif match := _MONTH_DAY.match(text):
        month, day, year = str(MONTHS[match.group(1).lower()]), match.group(2), match.group(3)
    else:
        return None
    if (month and not 1 <= int(month) <= 12) or (day and not 1 <= int(day) <= 31):
        return None
    return "-".join([year, *(f"{int(part):02}" for part in (month, day) if part)])


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


def _whole_years(owned: Property) -> bool:
    return bool(owned.examples) and all(isinstance(each, int) and 1000 <= each <= 2100 for each in owned.examples)


def _year(value: Scalar) -> int | None:
    """The year of a date, for a property that holds no more than years."""
    said = moment(value) if isinstance(value, str) else None
    return int(said[:4]) if said else None


def _truth(value: Scalar) -> bool | None:
    said = str(value).strip().lower()
    return True if said in _TRUE else False if said in _FALSE else None
