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
from clew.tools.ingest.formats.format import Format
from clew.tools.ingest.records import BadLine, EdgeRecord, NodeRecord, Record
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
            yield BadLine(file, number, "not UTF-8 text, or longer than 16 MiB")
        elif text.strip():
            try:
                yield _record(json.loads(text), number)
            except (ValueError, RecursionError) as error:
                yield BadLine(file, number, _reason(error))


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error.msg} at column {error.colno}"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def _record(found: Any, line: int) -> Record:
    if not isinstance(found, dict) or found.get("type") not in _KINDS:
        raise ValueError("no object with a `type` of node or relationship")
    properties = _properties(found.get("properties"))
    if found["type"] == "node":
        labels = found.get("labels") or []
        if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
            raise ValueError("`labels` is not a list of texts")
        return NodeRecord(_id(found, "id"), tuple(label for label in labels if label), properties, line)
    kind = found.get("label")
    if not isinstance(kind, str) or not kind:
        raise ValueError("the relationship has no `label`")
    return EdgeRecord(_end(found, "start"), kind, _end(found, "end"), properties, line)


def _end(found: dict[str, Any], side: str) -> str:
    end = found.get(side)
    if isinstance(end, dict):
        return _id(end, "id")
    raise ValueError(f"the relationship has no `{side}`")


def _id(found: dict[str, Any], key: str) -> str:
    value = found.get(key)
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise ValueError(f"no `{key}`")
    return str(value)


def _properties(found: Any) -> dict[str, Any]:
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise ValueError("`properties` is not an object")
    stored = {name: values.storable(value) for name, value in found.items() if name}
    return {name: value for name, value in stored.items() if value is not None}
