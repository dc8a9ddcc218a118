"""Node and edge CSV with the header convention of neo4j-admin import.

https://neo4j.com/docs/operations-manual/5/tools/neo4j-admin/neo4j-admin-import/#import-tool-header-format
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from clew.tools.errors import BadInput
from clew.tools.ingest.formats import values
from clew.tools.ingest.formats.delimited import DELIMITER_NAMES, rows, split
from clew.tools.ingest.records import BadLine, EdgeRecord, Format, NodeRecord, Record
from clew.tools.ingest.source import Advance, lines

ARRAY_DELIMITER = ";"
Role = Literal["id", "label", "start", "end", "type", "property", "ignore"]
_ROLES: dict[str, Role] = {
    "ID": "id", "LABEL": "label", "START_ID": "start", "END_ID": "end", "TYPE": "type", "IGNORE": "ignore",
}  # fmt: skip
_FIELD = re.compile(
    r"(?P<name>.*?)(?::(?P<type>[A-Za-z_]+)(?P<array>\[\])?(?:\((?P<space>[^)]*)\))?(?:\{(?P<options>.*)\})?)?\Z"
)
_KIND_OF_FILE = re.compile(r"(?:nodes?|vertices|vertex|rels?|relationships?|relations?|edges?)[-_ ]+", re.I)
"""What people put before a label or type in a file's name."""
_SPECIAL = re.compile(r"[^:]*:(ID|START_ID|END_ID)(\([^)]*\))?(\{.*\})?\Z")


@dataclass(frozen=True, slots=True)
class Column:
    """One field of the header."""

    role: Role
    name: str
    """The property's name; empty where the column is not a property."""
    parse: Callable[[str], Any]
    array: bool
    space: str
    """The ID space, empty for the global one."""
    type: str


@dataclass(frozen=True, slots=True)
class Dialect:
    """The columns of one file, from its header."""

    delimiter: str
    columns: tuple[Column, ...]
    default: str
    """Label or relationship type from the file's name, where the file has no column for it."""

    @property
    def holds_nodes(self) -> bool:
        return any(column.role == "id" for column in self.columns)


def recognise(path: Path, sample: Sequence[str]) -> Format | None:
    """The file as node or edge CSV, or None where its first line holds no :ID, :START_ID or :END_ID field.

    Raises BadInput where the header is of that kind but wrong.
    """
    header = next((line for line in sample if line.strip()), "")
    for delimiter in (",", "\t", ";", "|"):
        fields = split(header, delimiter, quoted=True)
        if fields is not None and any(_SPECIAL.match(field.strip()) for field in fields):
            columns = tuple(_column(field.strip(), str(path)) for field in fields)
            _check(columns, str(path))
            dialect = Dialect(delimiter, columns, _stem(path))
            what = "nodes" if dialect.holds_nodes else "relationships"
            why = f"CSV of {what} with a neo4j-admin header, separated by {DELIMITER_NAMES[delimiter]}"
            if not any(column.role in ("label", "type") for column in columns):
                noun = "label" if dialect.holds_nodes else "type"
                why += f", {noun} `{dialect.default}` from the file's name"
            return Format(path, "csv", why, partial(read, path, dialect))
    return None


def read(path: Path, dialect: Dialect, advance: Advance | None = None) -> Iterator[Record]:
    """NodeRecords or EdgeRecords; a value that is not of its column's type makes the line bad."""
    file = str(path)
    make = _node if dialect.holds_nodes else _edge
    header = True
    for row in rows(lines(path, advance), dialect.delimiter, quoted=True, multiline=True, file=file):
        if header and not isinstance(row, BadLine):
            header = False
            continue
        if isinstance(row, BadLine):
            yield row
            continue
        number, fields = row
        if len(fields) > len(dialect.columns):
            yield BadLine(file, number, f"{len(fields)} columns instead of {len(dialect.columns)}")
            continue
        try:
            yield make(dialect, fields, number)
        except ValueError as error:
            yield BadLine(file, number, str(error))


def _node(dialect: Dialect, fields: list[str], line: int) -> NodeRecord:
    key, labels = "", []
    for column, text in zip(dialect.columns, fields, strict=False):
        if column.role == "id":
            key = _key(column, text)
        elif column.role == "label":
            labels += [label.strip() for label in text.split(ARRAY_DELIMITER) if label.strip()]
    if not key:
        raise ValueError("the :ID is empty")
    return NodeRecord(key, tuple(labels) or (dialect.default,), _properties(dialect, fields), line)


def _edge(dialect: Dialect, fields: list[str], line: int) -> EdgeRecord:
    found = {"start": "", "end": "", "type": ""}
    for column, text in zip(dialect.columns, fields, strict=False):
        if column.role in ("start", "end"):
            found[column.role] = _key(column, text)
        elif column.role == "type":
            found["type"] = text.strip()
    for role, field in (("start", ":START_ID"), ("end", ":END_ID")):
        if not found[role]:
            raise ValueError(f"the {field} is empty")
    kind = found["type"] or dialect.default
    return EdgeRecord(found["start"], kind, found["end"], _properties(dialect, fields), line)


def _key(column: Column, text: str) -> str:
    text = text.strip()
    return f"{column.space}:{text}" if column.space and text else text


def _properties(dialect: Dialect, fields: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for column, text in zip(dialect.columns, fields, strict=False):
        if not column.name or text == "":
            continue
        try:
            if column.array:
                found[column.name] = [column.parse(item) for item in text.split(ARRAY_DELIMITER)]
            else:
                found[column.name] = column.parse(text)
        except ValueError:
            raise ValueError(f"`{text[:80]}` in column `{column.name}` is not of type {column.type}") from None
    return found


def _column(field: str, file: str) -> Column:
    match = _FIELD.match(field)
    assert match is not None  # every part of the pattern is optional
    kind, name = match["type"] or "string", match["name"]
    space = match["space"] or ""
    if role := _ROLES.get(kind):
        keeps_name = name if role == "id" else ""
        return Column(role, keeps_name, str, False, space, kind)
    parse = values.TYPES.get(kind.lower())
    if parse is None or not name:
        raise BadInput(
            f"{file}:1: the header field `{field}` has no known type.",
            "Use name:type with int, long, float, double, boolean, string, date or datetime, [] for lists.",
        )
    return Column("property", name, parse, bool(match["array"]), space, kind + (match["array"] or ""))


def _check(columns: tuple[Column, ...], file: str) -> None:
    roles = [column.role for column in columns]
    is_edges = "start" in roles or "end" in roles
    wrong = (
        roles.count("id") > 1 or ("id" in roles and is_edges) or (is_edges and not {"start", "end"} <= set(roles))
        or roles.count("start") > 1 or roles.count("end") > 1
    )  # fmt: skip
    if wrong:
        raise BadInput(
            f"{file}:1: the header is neither one of nodes nor one of relationships.",
            "A node file has one :ID field; a relationship file has one :START_ID and one :END_ID.",
        )


def _stem(path: Path) -> str:
    """`data/Person.csv.gz` and `nodes-Person.csv` give Person."""
    stem = path.name.split(".")[0]
    kind = _KIND_OF_FILE.match(stem)
    return stem[kind.end() if kind else 0 :] or stem or "Entity"
