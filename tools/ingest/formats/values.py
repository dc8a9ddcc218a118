"""Property values: from text by type, and to and from JSON including dates."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any

_INTEGER = re.compile(r"[+-]?\d{1,19}\Z")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_INT64 = 2**63
_SURROGATE = re.compile("[\ud800-\udfff]")
HALF_CHARACTER = "a \\u escape of half a character (a surrogate)"
"""Why a line is bad whose text no database takes."""


def _integer(text: str) -> int:
    if not _INTEGER.match(text.strip()) or not -_INT64 <= int(text) < _INT64:
        raise ValueError(text)
    return int(text)


def _float(text: str) -> float:
    if "_" in text:
        raise ValueError(text)
    return float(text)


def _boolean(text: str) -> bool:
    # neo4j-admin reads every other text as false; a typing error should be reported instead.
    if text.strip().lower() not in ("true", "false"):
        raise ValueError(text)
    return text.strip().lower() == "true"


def _datetime(text: str) -> datetime:
    found = datetime.fromisoformat(text.strip())
    return found.astimezone(UTC) if found.tzinfo else found


TYPES: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("int", "long", "short", "byte", "integer"), _integer),
    **dict.fromkeys(("float", "double"), _float),
    **dict.fromkeys(("string", "char", "point", "duration", "time", "localtime"), str),
    "boolean": _boolean,
    "date": lambda text: date.fromisoformat(text.strip()),
    **dict.fromkeys(("datetime", "localdatetime"), _datetime),
}
"""From a type in a CSV header to its reader, which raises ValueError; points, times and durations stay text."""


def iso_date(text: str) -> date | None:
    """The day of a text such as 2024-03-05; None for any other text."""
    with suppress(ValueError):
        return date.fromisoformat(text) if _DATE.fullmatch(text) else None
    return None


def has_half_character(*texts: str) -> bool:
    """Whether half a character is in one of the texts; only escapes such as `\\ud800` can put it there."""
    return any(map(_SURROGATE.search, texts))


def dump(properties: dict[str, Any]) -> str:
    """As JSON, keys sorted so that equal properties give equal text."""
    return _ENCODER.encode(properties)


def load(text: str) -> dict[str, Any]:
    """What `dump` wrote."""
    found: dict[str, Any] = _DECODER.decode(text)
    return found


def storable(value: Any) -> Any:
    """A JSON value as a graph property: text, number, boolean, or a list of one of them; None to leave it out.

    Maps, and lists that mix kinds, become JSON text: databases keep neither.
    """
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    if isinstance(value, list):
        kinds = {type(item) for item in value}
        if kinds <= {int, float}:
            return value if len(kinds) <= 1 else [float(item) for item in value]
        return value if kinds in ({str}, {bool}) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    if isinstance(value, int) and not isinstance(value, bool) and not -_INT64 <= value < _INT64:
        return str(value)
    return value


def _tagged(value: object) -> dict[str, str]:
    if isinstance(value, datetime):
        return {"@datetime": value.isoformat()}
    if isinstance(value, date):
        return {"@date": value.isoformat()}
    raise TypeError(f"not a property value: {value!r}")


def _untagged(found: dict[str, Any]) -> Any:
    if len(found) == 1:
        if "@datetime" in found:
            return datetime.fromisoformat(found["@datetime"])
        if "@date" in found:
            return date.fromisoformat(found["@date"])
    return found


_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, default=_tagged, separators=(",", ":"))
_DECODER = json.JSONDecoder(object_hook=_untagged)
