"""The records of a file of JSON: which of its lists and objects are tables, and the objects in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from clew.tools.errors import BadInput
from clew.tools.ingest import source
from clew.tools.ingest.formats.values import HALF_CHARACTER, has_half_character
from clew.tools.ingest.records import BadLine, unreadable_line
from clew.tools.ingest.tables.sources.delimited_text import table_name
from clew.tools.ingest.tables.sources.json_files.values import bare, is_scalar, plain

SUFFIXES = frozenset({".json", ".jsonl", ".ndjson", ".geojson"})
_CONTAINERS = frozenset({
    "content", "data", "documents", "elements", "entries", "features", "hits", "items", "list", "objects", "output",
    "payload", "records", "response", "result", "results", "rows", "value", "values",
})  # fmt: skip
"""Keys that say nothing of what their list holds."""
_ALIKE = 0.6
"""The share of all their keys that the objects of one kind have on average."""
_DEEPEST = 20
Object = dict[str, Any]
Numbered = tuple[int, Object] | BadLine
"""The line (or the number, where a file is one value) of a record, and the record."""


@dataclass(frozen=True)
class JsonFile:
    """A file of JSON."""

    path: Path
    shown: Path
    """What messages call it."""
    notes: list[str] = field(default_factory=list)

    def tables(self) -> dict[str, Sequence[Object] | None]:
        """Name to records; None where the file has one object a line, which `records` reads.

        Raises BadInput if the file is no JSON, or holds no object.
        """
        if self._has_lines:
            return {table_name(self.shown): None}
        value = _transposed(plain(self._value))
        found: dict[str, Sequence[Object]] = {}
        left_out: list[str] = []
        _collect(value, table_name(self.shown), found, left_out)
        if not found and isinstance(value, dict) and value:
            found, left_out = {table_name(self.shown): [value]}, []
        if not found:
            message = f"{self.shown} holds no JSON object, and so no rows."
            raise BadInput(message, "Give it a list of objects, or save it as CSV.")
        if left_out:
            self.notes.append(f"Left out of {self.shown}: {', '.join(left_out)} (beside the tables).")
        if len(found) == 1 and next(iter(found)).lower() in _CONTAINERS:
            return {table_name(self.shown): next(iter(found.values()))}
        return dict(found)

    def records(self, rows: Sequence[Object] | None) -> Iterator[Numbered]:
        """The records of one of the tables."""
        if rows is None:
            yield from self._lines()
        else:
            yield from enumerate(rows, start=1)

    @cached_property
    def _has_lines(self) -> bool:
        """Whether the first two lines are an object each, or one of the first is and the file is called so."""
        filled = [line for line in source.sample_lines(self.path, 50) if line.strip()]
        if not filled:  # The first line alone is longer than the sample.
            return _is_lines(self.shown)
        objects = list(map(_is_object, filled[:2]))
        return any(map(_is_object, filled)) if _is_lines(self.shown) else len(objects) == 2 and all(objects)

    @cached_property
    def _value(self) -> Any:
        remedy = "Write one object a line (JSON Lines); `jq -c '.[]'` does that."
        text = source.whole_text(self.path, self.shown, "one JSON value", remedy)
        try:
            value = json.loads(text, parse_constant=lambda _name: None)
        except json.JSONDecodeError as error:
            message = f"{self.shown}:{error.lineno}: not JSON: {error.msg} at column {error.colno}."
            raise BadInput(message, "Correct the file and import it again.") from error
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{self.shown}: not JSON: {_why(error)}.", "Correct the file.") from error
        at = text.lower().find("\\ud")
        if at >= 0 and has_half_character(json.dumps(value, ensure_ascii=False)):
            line = text.count("\n", 0, at) + 1
            raise BadInput(f"{self.shown}:{line}: {HALF_CHARACTER}.", "Correct the file.")
        return value

    def _lines(self) -> Iterator[Numbered]:
        for number, text in source.lines(self.path):
            if text is None:
                yield unreadable_line(str(self.shown), number)
            elif text.strip():
                yield self._line(text, number)

    def _line(self, text: str, number: int) -> Numbered:
        try:
            value = plain(json.loads(text, parse_constant=lambda _name: None))
        except json.JSONDecodeError as error:
            return BadLine(str(self.shown), number, f"not JSON: {error.msg} at column {error.colno}")
        except (ValueError, RecursionError) as error:
            return BadLine(str(self.shown), number, f"not JSON: {_why(error)}")
        if not isinstance(value, dict):
            return BadLine(str(self.shown), number, "not a JSON object")
        if "\\ud" in text.lower() and has_half_character(json.dumps(value, ensure_ascii=False)):
            return BadLine(str(self.shown), number, HALF_CHARACTER)
        return number, value


def is_json(path: Path) -> bool:
    """Whether a file begins as JSON does, and is called so or has an object or a list of objects at its beginning."""
    begins = (source.head(path, 4096) if path.is_file() else b"").removeprefix(b"\xef\xbb\xbf").lstrip()
    if not begins.startswith((b"{", b"[")):
        return False
    called = source.suffix(path) in SUFFIXES
    first = begins.removeprefix(b"[").lstrip()
    return called or (first.startswith(b"{") and first[1:].lstrip().startswith((b'"', b"}")))


def is_map(value: Mapping[str, Any]) -> bool:
    """Whether an object has an entry for each of several like objects: the services of a company by their names."""
    objects = [each for each in value.values() if isinstance(each, dict)]
    if len(objects) < 2 or len(objects) < len(value):
        return False
    keys = {key for each in objects for key in each}
    return bool(keys) and sum(map(len, objects)) / (len(objects) * len(keys)) >= _ALIKE


def keyed(value: Mapping[str, Any]) -> list[Object]:
    """The objects of a map, each with its key as a name, or as an `id` where they have names."""
    have = {key for each in value.values() for key in each}
    column = next(name for name in ("name", "id", "key", "entry") if name not in have)
    return [{column: key} | each for key, each in value.items()]


def _collect(value: Any, name: str, found: dict[str, Sequence[Object]], left_out: list[str], depth: int = 0) -> None:
    """Add the tables in a value to `found`, and the names of scalars beside them to `left_out`."""
    if isinstance(value, list):
        rows = [each for each in map(plain, value) if isinstance(each, dict)]
        if rows:
            found[_new_name(name, found)] = rows
            left_out += [f"{len(value) - len(rows)} values of {name}"] if len(rows) < len(value) else []
    elif isinstance(value, dict) and is_map(value):
        found[_new_name(name, found)] = keyed(value)
    elif isinstance(value, dict) and depth < _DEEPEST:
        if not any(isinstance(each, dict | list) for each in value.values()):
            left_out.append(name)
            return
        is_geo = value.get("type") == "FeatureCollection"
        for key, each in value.items():
            if is_geo and key != "features":
                continue
            if is_scalar(each) or (isinstance(each, list) and each and all(map(is_scalar, each))):
                left_out.append(key)
            else:
                _collect(each, key, found, left_out, depth + 1)


def _new_name(name: str, found: Mapping[str, Any]) -> str:
    name = bare(name)
    names = [name, *(f"{name}_{number}" for number in range(2, len(found) + 2))]
    return next(each for each in names if each not in found)


def _transposed(value: Any) -> Any:
    """The rows of what pandas writes: by columns and the numbers of rows, or "split"."""
    if not isinstance(value, dict) or not value:
        return value
    columns, data = value.get("columns"), value.get("data")
    if isinstance(columns, list) and isinstance(data, list) and all(isinstance(row, list) for row in data):
        return [dict(zip(map(str, columns), row, strict=False)) for row in data]
    lists = list(value.values())
    if all(isinstance(each, dict) and each for each in lists):
        numbers = list(lists[0])
        if numbers == [str(n) for n in range(len(numbers))] and all(list(each) == numbers for each in lists):
            return [{name: column[n] for name, column in value.items()} for n in numbers]
    are_columns = len(lists) > 1 and all(isinstance(each, list) and all(map(_is_cell, each)) for each in lists)
    if are_columns and len({len(each) for each in lists}) == 1 and len(lists[0]) > 1:
        return [dict(zip(value, row, strict=True)) for row in zip(*lists, strict=True)]
    return value


def _is_cell(value: Any) -> bool:
    return value is None or is_scalar(value)


def _is_lines(path: Path) -> bool:
    """Whether a file is called as one with an object a line."""
    return source.suffix(path) in (".jsonl", ".ndjson")


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _why(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)[:120]
