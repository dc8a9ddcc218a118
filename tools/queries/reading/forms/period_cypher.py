"""Parts of dates in Cypher: of a date in ISO 8601 the year, the month of any year, the day of the week."""

from __future__ import annotations

from collections.abc import Sequence

from clew.tools.queries.reading.forms.functions import PeriodUnit
from clew.tools.queries.values import WEEKDAY_NAMES, month_name

_CHARACTERS = {"decade": 3, "year": 4, "quarter": 4, "month": 7, "day": 10}
"""Of a date that tell the period."""
_WEEK = tuple(name.capitalize() for name in WEEKDAY_NAMES)
_MONTHS = tuple(month_name(str(number)) for number in range(1, 13))
_SHIFTS = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]
"""By month the days of the week by which it begins later than January (T. Sakamoto's method; from March on, of the
year before)."""


def in_period(own: str, period: PeriodUnit) -> str:
    """The part of a date or a year: "1997", "1997-05", "1997-Q2", "1990s", "1997-05-31", "May", "Saturday"."""
    if period == "weekday":
        return _weekday(own)
    if period == "calendar month":
        return f"{_listed(_MONTHS)}[{_month(own)} - 1]"
    part = f"substring(toString({own}), 0, {_CHARACTERS[period]})"
    if period == "quarter":
        return f"{part} + '-Q' + toString(({_month(own)} + 2) / 3)"
    return f"{part} + '0s'" if period == "decade" else part


def period_order(name: str, period: PeriodUnit) -> str:
    """What periods are ordered by: their time; months and weekdays by their place in the year and the week."""
    names: Sequence[str] = {"weekday": _WEEK, "calendar month": _MONTHS}.get(period, ())
    whens = " ".join(f"WHEN '{each}' THEN {place}" for place, each in enumerate(names))
    return f"CASE {name} {whens} END" if whens else name


def days_apart(first: str, last: str, period: PeriodUnit) -> str:
    """The days from one date to another, or the full years."""
    since, until = (f"date(substring(toString({each}), 0, 10))" for each in (first, last))
    if period == "year":
        return f"duration.between({since}, {until}).years"
    return f"duration.inDays({since}, {until}).days"


def _weekday(own: str) -> str:
    year = f"toInteger(substring(toString({own}), 0, 4)) - CASE WHEN {_month(own)} < 3 THEN 1 ELSE 0 END"
    day = f"toInteger(substring(toString({own}), 8, 2))"
    days = f"y + y / 4 - y / 100 + y / 400 + {_SHIFTS}[{_month(own)} - 1] + {day}"
    return f"head([y IN [{year}] | {_listed((_WEEK[-1], *_WEEK[:-1]))}[({days}) % 7]])"


def _month(own: str) -> str:
    return f"toInteger(substring(toString({own}), 5, 2))"


def _listed(names: Sequence[str]) -> str:
    return f"[{', '.join(map(repr, names))}]"
