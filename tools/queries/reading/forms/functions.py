"""Functions over the values of a form, and the parts of dates by which nodes are grouped."""

from __future__ import annotations

from typing import Literal

Function = Literal["count", "sum", "avg", "median", "min", "max", "difference", "ratio", "commonest", "rarest", "share"]
"""How values become one; "difference" and "ratio" are of the greatest and the least, "share" is a percentage."""
PeriodUnit = Literal["", "year", "quarter", "month", "decade", "day", "weekday", "calendar month"]
"""A part of a date by which nodes are grouped; a calendar month is that of any year."""
AVERAGES: tuple[Function, ...] = ("avg", "median")
WORKED_OUT: tuple[Function, ...] = ("sum", *AVERAGES, "min", "max")
"""Functions of numbers."""
BY_FREQUENCY = ("commonest", "rarest")
"""Functions of values of any kind."""
LENGTH = "length"
"""The kind of a value that is how many characters a text has: "the longest names"."""
