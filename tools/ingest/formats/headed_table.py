"""Delimited text with a header row: a table, whose columns the import of tables explains.

A file with three columns may also be triples. It is a table if its first row is a header, which these rules decide:

1. Every field of the first row is a name: not empty, not a number or a date.
2. No field of the first row occurs again further down in its column, as a relation would.
3. With three columns, one column below holds only numbers or dates, or the first field ends like the name of a key
   ("id", "code", "key", "name", …), or all fields are written like names of columns (`grp_cd`) and the second column
   hardly ever says the same twice, as relations do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from clew.tools.errors import BadInput
from clew.tools.ingest.formats.delimited import DELIMITER_NAMES, rows
from clew.tools.ingest.formats.triples import column_order
from clew.tools.ingest.records import BadLine, Format, Record
from clew.tools.ingest.source import Advance

DELIMITERS = (",", "\t", ";", "|")
_ENOUGH = 0.5
"""Share of the sampled rows that have as many fields as the header."""
_SEVERAL, _DIFFERENT = 4, 0.9
"""Rows, and the share of different fields in the second column, from which on it holds no relations."""
_COLUMN_NAME = re.compile(r"[a-z][a-z\d]*(_[a-z\d]+)+|[a-z]+([A-Z][a-z\d]*)+")
_LONGEST_NAME = 80
_NUMBER = re.compile(r"[-+]?[\d.,]*\d[\d.,]*%?\Z")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T].*)?\Z")
_KEY_NAME = re.compile(
    r"(.*[a-z\d])?(Id|ID|Code|Key|Name|No|Nr)\Z|(.*[\W_])?(id|code|key|name|no|nr|title)\Z", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Layout:
    """How the fields of a table are separated, and its header."""

    delimiter: str
    header: tuple[str, ...]
    line: int
    """Of the header, from 1."""


def recognise(path: Path, sample: Sequence[str]) -> Format | None:
    """The file as a table with a header row, else None."""
    found = layout(sample)
    if found is None or not _is_header(found, _body(sample, found)):
        return None
    why = f"a table with the header {', '.join(found.header[:4])}{', …' if len(found.header) > 4 else ''}"
    return Format(path, "table", f"{why}, separated by {DELIMITER_NAMES[found.delimiter]}", partial(_no_records, path))


def layout(sample: Sequence[str]) -> Layout | None:
    """The layout by which most sampled rows have the same number of fields (two at least), else None."""
    found: list[tuple[float, Layout]] = []
    for delimiter in DELIMITERS:
        table = [row for row in _rows(sample, delimiter) if row[1]]
        if not table:
            continue
        line, header = table[0]
        share = sum(len(fields) == len(header) for _line, fields in table) / len(table)
        if len(header) > 1 and share >= _ENOUGH:
            found.append((share * len(header), Layout(delimiter, tuple(header), line)))
    return max(found, key=lambda each: each[0])[1] if found else None


def _rows(sample: Sequence[str], delimiter: str) -> list[tuple[int, list[str]]]:
    numbered = [(number, text) for number, text in enumerate(sample, start=1) if not _is_hint(text)]
    found = rows(numbered, delimiter, quoted=True, multiline=True, file="")
    return [(row[0], [field.strip() for field in row[1]]) for row in found if not isinstance(row, BadLine)]


def _is_hint(text: str) -> bool:
    """Excel's first line that names the delimiter."""
    return re.fullmatch(r"sep=.", text.strip()) is not None


def _body(sample: Sequence[str], found: Layout) -> list[list[str]]:
    table = [fields for _line, fields in _rows(sample, found.delimiter)[1:]]
    return [fields for fields in table if len(fields) == len(found.header)]


def _is_header(found: Layout, body: list[list[str]]) -> bool:
    named = [field for field in found.header if field]
    if column_order(found.header) is not None or len(named) < len(found.header) - 1:
        return False
    if any(_is_value(field) or len(field) > _LONGEST_NAME for field in named):
        return False
    columns = list(zip(*body, strict=True)) if body else [() for _field in found.header]
    if any(field and field in column for field, column in zip(found.header, columns, strict=True)):
        return False
    if len(found.header) != 3 or _KEY_NAME.match(found.header[0]) is not None or any(map(_holds_values, columns)):
        return True
    said = [field for field in columns[1] if field]
    differ = len(said) >= _SEVERAL and len(set(said)) >= _DIFFERENT * len(said)
    return differ and all(map(_COLUMN_NAME.fullmatch, found.header))


def _holds_values(column: Sequence[str]) -> bool:
    filled = [field for field in column if field]
    return bool(filled) and all(map(_is_value, filled))


def _is_value(field: str) -> bool:
    return _NUMBER.match(field) is not None or _DATE.match(field) is not None


def _no_records(path: Path, _advance: Advance | None) -> Iterator[Record]:
    """A table needs a model, and is read by `tables`."""
    raise BadInput(f"{path} is a table, not a file of nodes, relationships or triples.", "Import it as a table.")
