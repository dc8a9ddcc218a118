"""Times that the driver cannot hold, such as the year 12000, as ISO 8601 text."""

from __future__ import annotations

from datetime import date
from typing import Any

from clew.tools.errors import QueryFailed

_CYCLE_DAYS, _CYCLE_YEARS = 146_097, 400
"""The calendar repeats after these days and years."""
_EPOCH = date(1970, 1, 1).toordinal()
_NANOSECONDS = 1_000_000_000


def time_text(structure: Any) -> str:
    """The value of a Bolt structure (its `tag` and `fields`) that the driver could not read.

    A time with a zone's name is given in UTC, with the name behind it. Raises QueryFailed, which names the value, if it
    is not a time.
    """
    try:
        return _text(structure.tag, *structure.fields)
    except (AttributeError, TypeError, ValueError) as error:
        raise QueryFailed(
            f"The database returned a value that cannot be read: {str(structure)[:200]}.",
            "Return its parts or a text in its place, such as toString(x).",
        ) from error


def _text(tag: bytes, first: int, *others: Any) -> str:
    match tag, others:
        case b"D", ():
            return _day(first)
        case b"d", (nanoseconds,):
            return _moment(first, nanoseconds)
        case b"I", (nanoseconds, int(offset)):
            return _moment(first + offset, nanoseconds) + _offset(offset)
        case b"F", (nanoseconds, int(offset)):  # local seconds, in Bolt before 5.0
            return _moment(first, nanoseconds) + _offset(offset)
        case b"i", (nanoseconds, str(zone)):
            return f"{_moment(first, nanoseconds)}Z[{zone}]"
        case b"f", (nanoseconds, str(zone)):
            return f"{_moment(first, nanoseconds)}[{zone}]"
        case b"E", (days, seconds, nanoseconds):
            return f"P{first}M{days}DT{_seconds(seconds * _NANOSECONDS + nanoseconds)}S"
    raise ValueError(tag)


def _day(days: int) -> str:
    """The date `days` days after 1970-01-01; years beyond four digits have a sign, as Java writes them."""
    cycles, rest = divmod(_EPOCH + days - 1, _CYCLE_DAYS)
    like = date.fromordinal(rest + 1)
    year = like.year + cycles * _CYCLE_YEARS
    return f"{year:+05d}{like:-%m-%d}".removeprefix("+" if 0 <= year <= 9999 else "")


def _moment(seconds: int, nanoseconds: int) -> str:
    days, second = divmod(seconds, 86_400)
    return f"{_day(days)}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.{nanoseconds:09}"


def _offset(seconds: int) -> str:
    minutes = abs(seconds) // 60
    return f"{'-' if seconds < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"


def _seconds(nanoseconds: int) -> str:
    whole, part = divmod(abs(nanoseconds), _NANOSECONDS)
    return f"{'-' if nanoseconds < 0 else ''}{whole}" + (f".{part:09}" if part else "")
