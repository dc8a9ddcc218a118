"""Times of facts: when a relationship held, read from its properties or from its name.

Graphs write times in many ways: `start_time` and `end_time`, `since`, `validFrom`, `year`, a text "1979 - 1983", or a
relation that itself ends in a time, "position held (1979 - 1983)", as quadruples become triplets in ByoKG-RAG
section 4.1. All of them become a `Period`.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

from clew.tools.graph.identifiers import identifier_words

FIRST_YEAR, LAST_YEAR = 1000, 2100
"""Whole numbers in this range are years, others are not."""

Moment = int | date
"""A year, or a day."""
Role = Literal["start", "end", "at"]
"""The role of a property in a fact's time: its start, its end, or a single time."""

STARTS = frozenset({"start", "starts", "started", "starting", "from", "since", "begin", "begins", "began", "beginning"})
ENDS = frozenset({
    "end", "ends", "ended", "ending", "to", "until", "till", "thru", "through", "finish", "finishes", "finished"
})  # fmt: skip
TIMES = frozenset({
    "time", "times", "date", "dates", "datetime", "year", "years", "month", "day", "timestamp", "when", "period",
    "interval", "term", "tenure",
})  # fmt: skip
AROUND = frozenset({"valid", "effective", "in", "at", "on", "of", "point"})
"""Words without a meaning of their own beside those: `valid_from`, `point_in_time`."""

_DAY = r"[+]?\d{4}(?:-\d{2}(?:-\d{2}(?:T[\d:.,+\-Z\[\]/\w]*)?)?)?"
_MOMENT = re.compile(rf"{_DAY}\Z")
_SPAN = re.compile(
    rf"(?:from |between )?(?P<start>{_DAY})\s*(?:-|\u2013|\u2014|/|\.\.|\bto\b|\buntil\b|\band\b)\s*"
    rf"(?P<end>{_DAY}|present|now|today|ongoing|\u2026|)\Z",
    re.I,
)
_SHORT = re.compile(r"(\d{2})(\d{2})\s*(?:\u2013|-)\s*(\d{2})\Z")
_OPEN_SPAN = re.compile(rf"(?P<which>since|from|until|till|up to)\s+(?P<moment>{_DAY})\Z", re.I)
_IN_NAME = re.compile(
    r"(?P<name>.*?[^\W\d_].*?)\s*(?:[(\[:,]|\s-|_|\s)\s*"
    r"(?P<time>(?:(?:since|from|until|till) )?[+]?\d{4}(?!\d).*?)[)\]]?\Z",
    re.S,
)


@dataclass(frozen=True, slots=True)
class Period:
    """From `start` to `end`, both included; None leaves an end open.

    A year means all of it: `Period(1979, 1983)` lasts from 1979-01-01 to 1983-12-31. Raises ValueError where it would
    end before it starts, and where neither end is known.
    """

    start: Moment | None
    end: Moment | None

    def __post_init__(self) -> None:
        if self.start is None and self.end is None:
            raise ValueError("a period needs a start or an end")
        if self.first > self.last:
            raise ValueError(f"a period cannot start after it ends: {self.start} > {self.end}")

    @property
    def first(self) -> date:
        """Its first day; `date.min` where it is open."""
        start = self.start
        return date.min if start is None else start if isinstance(start, date) else date(start, 1, 1)

    @property
    def last(self) -> date:
        """Its last day; `date.max` where it is open."""
        end = self.end
        return date.max if end is None else end if isinstance(end, date) else date(end, 12, 31)

    def words(self) -> str:
        """The period as text: two ends with an en dash between, "since 1990", "until 1983", "1981"; days as ISO."""
        if self.end is None:
            return f"since {self.start}"
        if self.start is None:
            return f"until {self.end}"
        if self.start == self.end:
            return str(self.start)
        return _month(self.first, self.last) or f"{self.start}\u2013{self.end}"


def period_of(properties: Mapping[str, Any], relation: str = "") -> Period | None:
    """When a relationship held, by its properties, else by its type's name; None where neither gives a time.

    A start or an end takes precedence over a single time, and that over a text such as "1979 - 1983" under any name.
    Times that contradict each other (an end before the start) are ignored.
    """
    by_role: dict[Role, Period] = {}
    for name, value in properties.items():
        role = role_of(name)
        found = None if role is None else read_period(value)
        if role is not None and found is not None:
            by_role.setdefault(role, found)
    if "start" in by_role or "end" in by_role:
        start = by_role["start"].start if "start" in by_role else None
        end = by_role["end"].end if "end" in by_role else None
        return _period(start, end)
    if "at" in by_role:
        return by_role["at"]
    spans = (read_span(value) for value in properties.values() if isinstance(value, str))
    return next((span for span in spans if span is not None), None) or split_relation(relation)[1]


def role_of(name: str) -> Role | None:
    """The role of a property in a fact's time, by its name; None for a name that is not one of a time.

    `start_time`, `validFrom` and `since` are a start, `until` and `endYear` an end, `year` and `point_in_time` a time.
    """
    words = identifier_words(name)
    others = [word for word in words if word not in TIMES | AROUND]
    if len(others) > 1:
        return None
    if others:
        return "start" if others[0] in STARTS else "end" if others[0] in ENDS else None
    return "at" if any(word in TIMES for word in words) else None


def read_period(value: object) -> Period | None:
    """A property's value as a period: a year, a day, a month, an ISO time, or a text such as "1979 - 1983"."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        whole = value == int(value) if isinstance(value, int) or abs(value) < 1e9 else False
        return Period(int(value), int(value)) if whole and FIRST_YEAR <= value <= LAST_YEAR else None
    if isinstance(value, datetime):
        return Period(value.date(), value.date())
    if isinstance(value, date):
        return Period(value, value)
    if not isinstance(value, str):
        written = getattr(value, "iso_format", None)  # the driver's own dates and times
        return read_period(written()) if callable(written) else None
    text = value.strip()
    return (_moment(text) if _MOMENT.match(text) else None) or read_span(text)


def read_span(text: str) -> Period | None:
    """The period of a text with a start and an end, or with one of them: "1979 - 1983", "1979-83", "since 1990",
    "1979-present", "1979-05-03/1983-06-08"."""
    text = text.strip()
    if (short := _SHORT.match(text)) and not ("-" in text and int(short[3]) <= 12):  # 1979-12 is a month
        return _period(int(short[1] + short[2]), int(short[1] + short[3]))
    if span := _SPAN.match(text):
        start = _moment(span["start"])
        end = _moment(span["end"]) if _MOMENT.match(span["end"]) else None
        return None if start is None else _period(start.start, end.end if end is not None else None)
    if span := _OPEN_SPAN.match(text):
        moment = _moment(span["moment"])
        if moment is not None:
            since = span["which"].lower() in ("since", "from")
            return _period(moment.start, None) if since else _period(None, moment.end)
    return None


def split_relation(relation: str) -> tuple[str, Period | None]:
    """A relation's name and the time at its end: "position held (1979 - 1983)" gives "position held" and 1979 to 1983;
    names without a time come back as they are."""
    if not (parts := _IN_NAME.match(relation)):
        return relation, None
    time = parts["time"]
    found = read_period(time) or read_period(re.sub(r"\s*[_,;]\s*", " - ", time))
    return (parts["name"].rstrip(" _-:,"), found) if found is not None else (relation, None)


def _period(start: Moment | None, end: Moment | None) -> Period | None:
    try:
        return Period(start, end)
    except ValueError:
        return None


def _moment(text: str) -> Period | None:
    """A year, month or day in ISO form; months and days of 00 are unknown, as Wikidata writes them."""
    year, month, day = ([*(int(part) for part in text.lstrip("+")[:10].split("-")), 0, 0])[:3]
    if not FIRST_YEAR <= year <= LAST_YEAR and month == 0:
        return None
    try:
        if month == 0:
            return Period(year, year)
        days = (day, day) if day else (1, monthrange(year, month)[1])
        return Period(date(year, month, days[0]), date(year, month, days[1]))
    except ValueError:
        return None


def _month(first: date, last: date) -> str | None:
    """ "1979-05" for a whole month."""
    whole = first.replace(day=1) == first and last == first.replace(day=monthrange(first.year, first.month)[1])
    return f"{first:%Y-%m}" if whole else None
