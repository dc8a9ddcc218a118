"""Properties that are calculated from others of one node or relationship: price times quantity, days between dates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, Self

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.identifiers import identifier_words

Operator = Literal["+", "-", "*", "/", "days", "years", "hours", "minutes", "calendar years"]
"""How two operands become a number; "days" and the like are those from the second date to the first."""
SPANS: tuple[Operator, ...] = ("days", "years", "hours", "minutes", "calendar years")
_SECONDS: dict[Operator, int] = {"hours": 3600, "minutes": 60}
_SINCE_MIDNIGHT = "toInteger(split({own}, ':')[0]) * 60 + toInteger(split({own}, ':')[1])"
_PARTS_OF_MINUTES: dict[Operator, str] = {"hours": " / 60.0", "minutes": ""}
_SIGNS: dict[Operator, str] = {"+": "+", "-": "−", "*": "×", "/": "÷"}  # noqa: RUF001
_SUMS = ("+", "-")
_MOST_PARTS = 100
_PART = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([^\W\d]\w*(?:[ _]+[^\W\d]\w*)*)|([-+*/()]))")


@dataclass(frozen=True, slots=True)
class Operand:
    """A property that a calculation reads."""

    property: str
    written: bool = False
    """Whether its numbers are texts: "$1,200"."""
    absent: bool = False
    """Whether a missing value counts as 0: no discount is a discount of 0."""
    clock: bool = False
    """Whether it is a time of day: "9:30"."""
    ongoing: bool = False
    """Whether a missing date is today: what has not ended. Without a property it is today."""


@dataclass(frozen=True, slots=True)
class Calculation:
    """Two operands and how they become one number."""

    operator: Operator
    left: Term
    right: Term


Term = Calculation | Operand | float
"""A part of a formula."""


class Expressed(str):
    """The name of a property that is a Cypher expression, wherever the name of a property stands."""

    __slots__ = ()

    def cypher(self, owner: str) -> str:
        """The property of the node or relationship in a variable."""
        raise NotImplementedError


class Calculated(Expressed):
    """The name of a calculated property, wherever the name of a property stands: "revenue (unit price × quantity)"."""  # noqa: RUF002

    __slots__ = ("calculation", "called")
    calculation: Term
    called: str

    def __new__(cls, calculation: Term, called: str = "") -> Self:
        formula = _said(calculation)
        made = super().__new__(cls, f"{called} ({formula})" if called else formula)
        made.calculation, made.called = calculation, called
        return made

    def __getnewargs__(self) -> tuple[Term, str]:  # type: ignore[override]
        return self.calculation, self.called

    def cypher(self, owner: str) -> str:
        return _cypher(self.calculation, owner)

    @property
    def adds_up(self) -> bool:
        """Whether the numbers of several nodes add up to one of the same kind; ratios do not."""
        return not (isinstance(self.calculation, Calculation) and self.calculation.operator == "/")

    @property
    def operands(self) -> tuple[str, ...]:
        """The properties that it is calculated from."""
        return tuple(dict.fromkeys(_properties(self.calculation)))


def term(owner: str, name: str) -> str:
    """A property of the node or relationship in a variable, as a Cypher expression."""
    return name.cypher(owner) if isinstance(name, Expressed) else f"{owner}.{quoted(name)}"


def as_number(own: str) -> str:
    """A number that the graph writes as text, such as "$1,200", as a Cypher expression."""
    return f"toFloat(replace(replace(replace(replace({own}, '$', ''), '\u20ac', ''), '\u00a3', ''), ',', ''))"


def parsed(formula: str, operand: Callable[[str], Term | None]) -> Term | None:
    """A formula such as "price * quantity * (1 - discount)".

    Args:
        formula: Names of properties, numbers, `+ - * /` and parentheses.
        operand: Gives the property that a name means; None where there is none.

    Returns:
        None if the text is no formula, or a name means nothing.
    """
    parts, at = list[str](), 0
    while formula[at:].strip():
        match = _PART.match(formula, at)
        if match is None:
            return None
        parts.append(match.group().strip())
        at = match.end()
        if len(parts) > _MOST_PARTS:
            return None
    return combined(parts, operand)


def combined(parts: Sequence[str], operand: Callable[[str], Term | None]) -> Term | None:
    """A formula given as its parts; products and ratios bind more closely than sums and differences."""
    waiting = list(reversed(parts))
    try:
        found = _sum(waiting, operand)
    except LookupError:
        return None
    return None if waiting else found


def _sum(waiting: list[str], operand: Callable[[str], Term | None]) -> Term:
    found = _product(waiting, operand)
    while waiting and waiting[-1] in _SUMS:
        sign: Operator = "+" if waiting.pop() == "+" else "-"
        found = Calculation(sign, found, _product(waiting, operand))
    return found


def _product(waiting: list[str], operand: Callable[[str], Term | None]) -> Term:
    found = _single(waiting, operand)
    while waiting and waiting[-1] in ("*", "/"):
        sign: Operator = "*" if waiting.pop() == "*" else "/"
        found = Calculation(sign, found, _single(waiting, operand))
    return found


def _single(waiting: list[str], operand: Callable[[str], Term | None]) -> Term:
    part = waiting.pop()
    if part == "(":
        found = _sum(waiting, operand)
        if waiting.pop() != ")":
            raise LookupError(part)
        return found
    if part.replace(".", "", 1).isdecimal():
        return float(part)
    meant = operand(part)
    if meant is None:
        raise LookupError(part)
    return meant


def _cypher(part: Term, owner: str) -> str:
    if isinstance(part, float):
        return str(part)
    if isinstance(part, Operand):
        own = term(owner, part.property)
        own = as_number(own) if part.written else own
        if part.ongoing:
            today = f"'{date.today().isoformat()}'"
            return f"coalesce({own}, {today})" if part.property else today
        return f"coalesce({own}, 0)" if part.absent else own
    left, right = _cypher(part.left, owner), _cypher(part.right, owner)
    if part.operator in SPANS:
        return span(part.operator, right, left, clock=isinstance(part.left, Operand) and part.left.clock)
    if part.operator == "/" and isinstance(part.right, float) and part.right:
        return f"(1.0 * {left} / {right})"
    if part.operator == "/":  # Integers are divided as numbers, and nothing is divided by 0.
        return f"CASE WHEN {right} <> 0 THEN 1.0 * {left} / {right} END"
    return f"({left} {part.operator} {right})"


def span(unit: Operator, since: str, until: str, *, clock: bool = False) -> str:
    """The time from one date to another, as a Cypher expression.

    Args:
        unit: One of SPANS; "calendar years" are those from one year to another.
        since: The earlier date, or year, as a Cypher expression.
        until: The later one.
        clock: Whether both are times of day; the later one may be after midnight.
    """
    if clock:
        first, last = (_SINCE_MIDNIGHT.format(own=each) for each in (since, until))
        return f"((({last}) - ({first}) + 1440) % 1440{_PARTS_OF_MINUTES[unit]})"
    if unit == "calendar years":
        first, last = (f"toInteger(substring(toString({each}), 0, 4))" for each in (since, until))
        return f"({last} - {first})"
    if unit in _SECONDS:
        first, last = (f"datetime(toString({each}))" for each in (since, until))
        return f"(duration.inSeconds({first}, {last}).seconds / {_SECONDS[unit]}.0)"
    first, last = (f"date(substring(toString({each}), 0, 10))" for each in (since, until))
    return f"duration.{'inDays' if unit == 'days' else 'between'}({first}, {last}).{unit}"


def _said(part: Term, *, inside: bool = False) -> str:
    if isinstance(part, float):
        return f"{part:g}"
    if isinstance(part, Operand):
        name = " ".join(identifier_words(part.property)) or part.property
        return (f"{name} or today" if name else "today") if part.ongoing else name
    left, right = _said(part.left, inside=True), _said(part.right, inside=True)
    if part.operator in SPANS:
        return f"{part.operator.removeprefix('calendar ')} from {right} to {left}"
    text = f"{left} {_SIGNS[part.operator]} {right}"
    return f"({text})" if inside and part.operator in _SUMS else text


def _properties(part: Term) -> Iterator[str]:
    if isinstance(part, Operand):
        yield from [part.property] if part.property else []
    elif isinstance(part, Calculation):
        yield from _properties(part.left)
        yield from _properties(part.right)
