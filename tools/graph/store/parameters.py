"""The values of a query's parameters, as far as a database can hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.tools.errors import BadInput

_LEAST, _MOST = -(2**63), 2**63 - 1
_SIMPLE = (bool, float, bytes, bytearray, type(None))
_LIBRARIES = {"datetime", "neo4j", "numpy", "pandas"}
"""Where types come from that the driver knows too: times, points, scalars."""


def checked_parameters(parameters: Mapping[str, Any] | None) -> dict[str, Any]:
    """The parameters, if a database can hold their values. Raises BadInput, which names the first that it cannot."""
    for name, value in (parameters or {}).items():
        if reason := _fault(name) or _fault(value):
            raise BadInput(f"The parameter {name!r:.100} cannot be sent to the database: {reason}.", _REMEDY)
    return dict(parameters or {})


_REMEDY = "Give texts, truth values, lists and maps of them, fractions, or whole numbers of 64 bits."


def _fault(value: Any) -> str:
    """What a database cannot hold in a value; "" if it can hold it."""
    if isinstance(value, str):
        return "" if value.isascii() or _is_unicode(value) else "it holds half a character (a surrogate)"
    if isinstance(value, _SIMPLE):
        return ""
    if isinstance(value, int):
        if _LEAST <= value <= _MOST:
            return ""
        return f"the whole number {_shortened(value)} is not between {_LEAST} and {_MOST} (64 bits)"
    if isinstance(value, list | tuple):
        return next(filter(None, map(_fault, value)), "")
    if isinstance(value, Mapping):
        if any(not isinstance(key, str) for key in value):
            return "it has keys that are no text"
        return next(filter(None, map(_fault, [*value, *value.values()])), "")
    known = type(value).__module__.partition(".")[0] in _LIBRARIES
    return "" if known else f"it holds a value of the type {type(value).__name__}"


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _shortened(number: int) -> str:
    digits = number.bit_length() // 4  # Python refuses to write thousands of digits.
    return str(number) if digits < 100 else f"of {number.bit_length()} bits"
