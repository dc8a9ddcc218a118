"""Times in the words of a conversation: "that day", and the part of a date that a follow-up leaves out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.tools.queries.follow_ups.past import PastReading
from clew.tools.queries.values import MONTH, moment, month_name

_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
TIME = re.compile(
    rf"\b\d{{4}}-\d{{2}}(?:-\d{{2}})?\b|\b(?:the\s+)?(?:{_DAY}\s+(?:of\s+)?)?(?:{MONTH})\b(?:\s+{_DAY}\b)?(?:,?\s+\d{{4}}\b)?"
    r"|\b(?:1[5-9]|20)\d\d\b(?!-)|\bthe\s+(?:(?:1[5-9]|20)\d)?\d0s\b",
    re.I,
)
"""A day, a month, a year or a decade in words or figures."""
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_POINTED = re.compile(
    r"(?P<before>\b(?:on|in|during|for)\s+)?\b(?:that|the\s+same|this)(?:\s+very)?\s+"
    r"(?P<unit>day|date|night|evening|morning|afternoon|month|year|season)\b",
    re.I,
)
_NEXT = re.compile(
    r"\b(?:(?:in|for|during)\s+)?the\s+(?:(?P<which>previous|preceding|prior|following|next)\s+(?P<one>year|month)"
    r"|(?P<other>year|month)\s+(?P<side>before|earlier|after|later)(?:\s+that)?)(?=\W*$)",
    re.I,
)
_BACK = {"previous", "preceding", "prior", "before", "earlier"}
_WORDS = {"may", "march", "mar", "dec"}
"""Names of months that are words, or abbreviations of others, in small letters."""
_REACH = 3
"""Turns back to which "that day" reaches."""


def times_in(text: str) -> list[re.Match[str]]:
    """The times that a text names."""
    return [m for m in TIME.finditer(text) if m.group() not in _WORDS]


def dated_like(time: str, other: str) -> str:
    """A time with the year of another one, where it has none itself."""
    year = _YEAR.search(other)
    bare = _YEAR.search(time) is None and not time.lower().endswith("0s")
    return f"{time} {year.group()}" if bare and year else time


def with_times(question: str, past: Sequence[PastReading]) -> str:
    """A question with the day, month or year that it points to written out; unchanged where the conversation named
    none."""
    if (match := _NEXT.search(question)) is not None:
        unit, words = str(match["one"] or match["other"]).lower(), {str(match["which"] or match["side"]).lower()}
        time = _shifted(_named(past, unit), -1 if words & _BACK else 1)
        return question if time is None else f"{question[: match.start()]}in {time}{question[match.end() :]}"
    match = _POINTED.search(question)
    if match is None:
        return question
    unit = {"month": "month", "year": "year", "season": "year"}.get(match["unit"].lower(), "day")
    named = _named(past, unit)
    before = "on" if unit == "day" else "in"
    return question if named is None else f"{question[: match.start()]}{before} {named}{question[match.end() :]}"


def _named(past: Sequence[PastReading], unit: str) -> str | None:
    """The last day, month or year that the conversation named."""
    for turn in reversed(past[-_REACH:]):
        values = turn.values if len(turn.values) == 1 else ()
        for said in (*values, *(m.group() for m in reversed(times_in(turn.text)))):
            if (time := _of_unit(said, unit)) is not None:
                return time
    return None


def _shifted(time: str | None, by: int) -> str | None:
    """The year, or the month, before or after one."""
    iso = moment(time.lower()) if time is not None else None
    if iso is None:
        return None
    year, *rest = iso.split("-")
    if not rest:
        return str(int(year) + by)
    month = int(year) * 12 + int(rest[0]) - 1 + by
    return f"{month_name(f'{month % 12 + 1:02}')} {month // 12}"


def _of_unit(said: str, unit: str) -> str | None:
    """The day, month or year of a time; None where it is not that exact."""
    iso = moment(said.lower().removeprefix("the "))
    if iso is None:
        return None
    year, *rest = iso.split("-")
    if unit == "year":
        return year
    if unit == "month":
        return f"{month_name(rest[0])} {year}" if rest else None
    return said if len(rest) > 1 else None
