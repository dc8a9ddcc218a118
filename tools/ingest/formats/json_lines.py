"""JSON Lines as APOC's export writes them: one node or relationship a line.

https://neo4j.com/docs/apoc/5/export/json/
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from clew.tools.ingest.formats import values
from clew.tools.ingest.records import BadLine, EdgeRecord, Format, NodeRecord, Record, unreadable_line
from clew.tools.ingest.source import Advance, lines

_KINDS = ("node", "relationship")


def recognise(path: Path, sample: Sequence[str]) -> Format | None:
    """The file as JSON Lines, or None where its first line is no JSON object with a `type` of node or relationship."""
    first = next((line for line in sample if line.strip()), "")
    try:
        found = json.loads(first)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or found.get("type") not in _KINDS:
        return None
    return Format(path, "json-lines", "JSON Lines of nodes and relationships (APOC export)", partial(read, path))


def read(path: Path, advance: Advance | None = None) -> Iterator[Record]:
    """NodeRecords and EdgeRecords in the order of the file; maps in properties become JSON text."""
    file = str(path)
    for number, text in lines(path, advance):
        if text is None:
            yield unreadable_line(file, number)
        elif text.strip():
            yield record_of(text, file, number)


def record_of(text: str, file: str, number: int) -> Record:
    """The node or relationship of one line; a BadLine where there is none."""
    try:
        return _record(_loaded(text), number)
    except json.JSONDecodeError as error:
        return BadLine(file, number, f"not JSON: {error.msg} at column {error.colno}")
    except ValueError as error:
        return BadLine(file, number, str(error))
    except RecursionError:
        return BadLine(file, number, "nested too deeply")


def _loaded(text: str) -> Any:
    """The JSON value of a line. Raises ValueError for a text with half a character, which no database takes."""
    found = json.loads(text)
    if "\\ud" in text.lower() and values.has_half_character(json.dumps(found, ensure_ascii=False)):
        raise ValueError(values.HALF_CHARACTER)
    return found


def _record(found: Any, line: int) -> Record:
    if not isinstance(found, dict) or found.get("type") not in _KINDS:
        raise ValueError("no object with a `type` of node or relationship")
    properties = _properties(found.get("properties"))
    if found["type"] == "node":
        labels = found.get("labels") or []
        if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
            raise ValueError("`labels` is not a list of texts")
        return NodeRecord(_id(found), tuple(label for label in labels if label), properties, line)
    kind = found.get("label")
    if not isinstance(kind, str) or not kind:
        raise ValueError("the relationship has no `label`")
    for side in ("start", "end"):
        if not isinstance(found.get(side), dict):
            raise ValueError(f"the relationship has no `{side}`")
    return EdgeRecord(_id(found["start"]), kind, _id(found["end"]), properties, line)


def _id(found: dict[str, Any]) -> str:
    value = found.get("id")
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise ValueError("no `id`")
    return str(value)


def _properties(found: Any) -> dict[str, Any]:
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise ValueError("`properties` is not an object")
    stored = {name: values.storable(value) for name, value in found.items() if name}
    return {name: value for name, value in stored.items() if value is not None}
