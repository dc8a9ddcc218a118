"""Values of JSON as cells: MongoDB's extended JSON, points of GeoJSON, and lists of scalars."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from clew.tools.ingest.tables.sources.source_table import NULLS

Scalar = str | int | float | bool
_NUMBERS = ("$numberInt", "$numberLong", "$numberDouble", "$numberDecimal")
_TEXTS = ("$oid", "$uuid", "$symbol")
_GEOMETRIES = frozenset({
    "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection",
})  # fmt: skip


def plain(value: Any) -> Any:
    """The value without what only says its type: `{"$oid": "65f0"}` is `65f0`, and a point two numbers.

    Returns:
        None for binary values, for shapes other than points, and for texts that stand for no value; what is no such
        object unchanged.
    """
    if isinstance(value, str):
        return None if value.strip() in NULLS else value
    if not isinstance(value, dict):
        return value
    if len(value) <= 2 and any(key.startswith("$") for key in value):
        return _extended(value)
    kind = str(value.get("type", ""))
    if kind in _GEOMETRIES and (value.keys() & {"coordinates", "geometries"}):
        return _point(value.get("coordinates")) if kind == "Point" else None
    if kind == "Feature" and isinstance(value.get("properties"), dict):
        own = {"id": value["id"]} if "id" in value else {}
        point = plain(value.get("geometry"))
        return own | value["properties"] | (point if isinstance(point, dict) else {})
    return value


def is_scalar(value: Any) -> bool:
    return isinstance(value, str | int | float)


def text(value: Any) -> str:
    """A scalar as the text that a cell of it holds."""
    return ("true" if value else "false") if isinstance(value, bool) else str(value).strip()


def bare(name: str) -> str:
    """A field's name without the signs by which programs mark fields of their own: `_id`, `@id`."""
    return name.strip().lstrip("_$@") or name.strip() or "value"


def _extended(value: Mapping[str, Any]) -> Any:
    """https://www.mongodb.com/docs/manual/reference/mongodb-extended-json/"""
    for key in _TEXTS:
        if key in value:
            return value[key]
    for key in _NUMBERS:
        if key in value:
            return str(value[key])
    if "$date" in value:
        return _date(value["$date"])
    if "$ref" in value:
        return plain(value.get("$id"))
    return None


def _date(value: Any) -> str | None:
    """ISO 8601, of a text or of milliseconds since 1970."""
    milliseconds = value.get("$numberLong") if isinstance(value, dict) else value
    said = str(milliseconds)
    if not said.lstrip("-").isdigit():
        return said if isinstance(milliseconds, str) else None
    try:
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=int(said))).isoformat()
    except (ValueError, OverflowError):
        return None


def _point(coordinates: Any) -> dict[str, float] | None:
    if isinstance(coordinates, list) and len(coordinates) >= 2 and all(map(is_scalar, coordinates[:2])):
        return {"longitude": coordinates[0], "latitude": coordinates[1]}
    return None
