"""A table of JSON objects: its rows are written into a file, and read from there as those of any source."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any

from clew.tools.ingest.records import BadLine
from clew.tools.ingest.source import Advance
from clew.tools.ingest.tables.sources.json_files.layout import Kind
from clew.tools.ingest.tables.sources.json_files.reading import JsonFile
from clew.tools.ingest.tables.sources.source_table import DeclaredReference, Row, Source

Cells = dict[str, Any]


@dataclass(slots=True)
class WrittenTable:
    """A table that is written."""

    file: JsonFile
    spool: Path
    out: IO[str]
    key: tuple[str, ...] = ()
    """The column that other tables refer to, or the two of a table that joins."""
    columns: dict[str, str] = field(default_factory=dict)
    """Column to the separator of its lists; "" where it holds none."""
    references: dict[str, DeclaredReference] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    bad: list[BadLine] = field(default_factory=list)
    count: int = 0
    entities: dict[str, tuple[int, Cells]] = field(default_factory=dict)
    """Key to line and row, of tables whose rows are put together from several places."""

    def write(self, line: int, cells: Cells) -> None:
        self.out.write(json.dumps([line, cells], ensure_ascii=False) + "\n")

    def merge(self, key: str, line: int, cells: Cells) -> bool:
        """Add to an entity what is not known of it. Returns whether it is new."""
        known = self.entities.get(key)
        if known is None:
            self.entities[key] = line, cells
            return True
        known[1].update({name: value for name, value in cells.items() if known[1].get(name) is None})
        return False

    def refer(self, column: str, other: Kind) -> None:
        """Add a column that refers to the rows of another kind."""
        self.columns.setdefault(column, "")
        self.references[column] = DeclaredReference((column,), other.table, (other.key_column,))

    def source(self, name: str, notes: list[str]) -> Source:
        lists = {column: separator for column, separator in self.columns.items() if separator}
        return Source(
            table=name,
            path=self.file.shown,
            what="JSON objects",
            columns=tuple(self.columns),
            rows=partial(_rows, self.spool, tuple(self.columns), lists, self.bad),
            lists=lists,
            left_out={name: why for name, why in self.left_out.items() if name not in self.columns},
            key=self.key,
            references=tuple(self.references.values()),
            notes=notes,
        )


def _rows(
    spool: Path,
    columns: Sequence[str],
    lists: Mapping[str, str],
    bad: Sequence[BadLine],
    _advance: Advance | None = None,
) -> Iterator[Row | BadLine]:
    yield from bad
    with spool.open(encoding="utf-8") as file:
        for row in file:
            line, cells = json.loads(row)
            yield line, [_joined(cells.get(name), lists.get(name, "")) for name in columns]


def _joined(value: Any, separator: str) -> Any:
    return (separator or "; ").join(value) if isinstance(value, list) else value
