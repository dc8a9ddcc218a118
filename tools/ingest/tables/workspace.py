"""The tables of an import in a temporary DuckDB database, typed: keys, references and counts are queries on it.

Rows are split by Clew and not by DuckDB's CSV reader, whose line numbers are wrong after a quoted line break, and which
gives up the rest of a file at a quote that never closes. Memory stays flat: tables and their intermediate results are
on disk.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import time
from pathlib import Path
from typing import Any

import duckdb

from clew.tools.arrays.index_files import Stage
from clew.tools.errors import BadInput, BoundPassed
from clew.tools.ingest.records import BadLine
from clew.tools.ingest.tables import column_types
from clew.tools.ingest.tables.column_types import ColumnType, quoted
from clew.tools.ingest.tables.sources import NULLS, Source

LINE = "_clew_line"
MEMORY_MB = 384
"""Of the database; what does not fit is on disk, but for single rows and the names of columns."""
_LINE_END = re.compile(r"\r\n?")
KEPT_BAD = 1000
"""Bad rows of a table that are reported one by one; the others are counted."""


@dataclass(slots=True)
class Table:
    """A table in the workspace."""

    source: Source
    rows: int = 0
    """Rows read, without bad ones."""
    types: dict[str, ColumnType] = field(default_factory=dict)
    """Column to type."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Columns that are no properties, with the reason."""
    notes: list[str] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)
    """The first KEPT_BAD rows that cannot be used."""
    bad_count: int = 0

    @property
    def name(self) -> str:
        return self.source.table

    def add_bad(self, line: BadLine) -> None:
        self.bad_count += 1
        if len(self.bad) < KEPT_BAD:
            self.bad.append(line)


class Workspace:
    """The tables of one import. Close it after use."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self.tables: dict[str, Table] = {}
        self.db = duckdb.connect(str(scratch / "tables.duckdb"))
        self.db.execute(f"SET memory_limit = '{MEMORY_MB}MB'")
        self.db.execute("SET threads = 2")
        self.db.execute("SET TimeZone = 'UTC'")
        self.db.execute("SET preserve_insertion_order = true")

    def close(self) -> None:
        self.db.close()

    @contextmanager
    def in_memory(self) -> Iterator[None]:
        """Raises BoundPassed where rows of the tables do not fit into memory within the block."""
        try:
            yield
        except duckdb.OutOfMemoryException as error:
            raise BoundPassed(
                f"The tables take more than {MEMORY_MB} MB of memory: texts are too long, or columns too many.",
                "Leave out columns that are no properties, or split the tables.",
                bound="memory",
            ) from error

    def add(self, source: Source, stage: Stage, given: Mapping[str, ColumnType] | None = None) -> Table:
        """Read a table.

        Args:
            source: where it is.
            stage: shows the progress.
            given: the types of columns that are known; others are found from the values.

        Raises:
            BadInput: another table has the same name, or the table has no row.
        """
        same = next((name for name in self.tables if name.lower() == source.table.lower()), None)
        if same is not None:
            other = self.tables[same].source.path
            message = f"{source.path} and {other} both give a table called {source.table}."
            raise BadInput(message, "Rename one of them, or import them one after the other.")
        table = Table(source, left_out=dict(source.left_out))
        self.tables[source.table] = table
        spool = self._scratch / "rows.csv"
        self._spool(table, spool, stage)
        raw = quoted(f"raw {source.table}")
        columns = ", ".join(f"'{_escaped(name)}': 'VARCHAR'" for name in source.columns)
        nulls = ", ".join(f"'{text}'" for text in NULLS)
        self.db.execute(
            f"CREATE TABLE {raw} AS SELECT * FROM read_csv('{_escaped(str(spool))}', auto_detect = false, "
            f"header = false, delim = ',', quote = '\"', escape = '\"', nullstr = [{nulls}], "
            f"max_line_size = {64 * 1024 * 1024}, columns = {{'{LINE}': 'BIGINT', {columns}}})"
        )
        spool.unlink()
        self._type(table, raw, given or {})
        self.db.execute(f"DROP TABLE {raw}")
        return table

    def _spool(self, table: Table, spool: Path, stage: Stage) -> None:
        source = table.source
        unit = "bytes" if source.size else "rows"
        with stage(f"Reading {source.path.name}", unit, source.size) as advance, spool.open("w", newline="") as out:
            write = csv.writer(out, lineterminator="\n").writerow
            for row in source.rows(advance if source.size else None):
                if isinstance(row, BadLine):
                    table.add_bad(row)
                    continue
                table.rows += 1
                write([row[0], *map(_text, row[1])])
        table.notes += source.notes

    def _type(self, table: Table, raw: str, given: Mapping[str, ColumnType]) -> None:
        """Make the typed table, and move the rows that have a value of another type to the bad ones."""
        for name in table.source.columns:
            is_list = name in table.source.lists and (name not in given or given[name].kind == "list")
            if is_list or name in given:
                table.types[name] = ColumnType("list", table.source.lists[name]) if is_list else given[name]
                continue
            found = column_types.detect(self.db, raw, name, table.source.hints.get(name))
            table.types[name] = found.type
            if found.left_out:
                table.left_out[name] = found.left_out
            if found.note:
                table.notes.append(f"{table.name}.{found.note}")
        self._reject(table, raw, given)
        typed = ", ".join(
            f"{column_types.converted(quoted(name), type)} AS {quoted(name)}" for name, type in table.types.items()
        )
        self.db.execute(f"CREATE TABLE {quoted(table.name)} AS SELECT {LINE}, {typed} FROM {raw}")

    def _reject(self, table: Table, raw: str, given: Mapping[str, ColumnType]) -> None:
        """Delete the rows with a value that is not of the given type of its column."""
        for name in table.source.columns:
            type = given.get(name)
            if type is None or type.kind in ("text", "list"):
                continue
            column = quoted(name)
            wrong = (
                f"{column} IS NOT NULL AND NOT {column_types.is_missing(column, type)} "
                f"AND {column_types.converted(column, type)} IS NULL"
            )
            for line, text in self.rows(f"SELECT {LINE}, {column} FROM {raw} WHERE {wrong} ORDER BY {LINE}"):
                table.add_bad(
                    self.bad_line(table, line, f"`{text[:80]}` in column `{name}` is not of type {type.kind}")
                )
                table.rows -= 1
            self.db.execute(f"DELETE FROM {raw} WHERE {wrong}")

    def bad_line(self, table: Table, line: int, reason: str) -> BadLine:
        """A row of a table that cannot be used."""
        return BadLine(str(table.source.path), line, reason)

    def rows(self, query: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        return self.db.execute(query, parameters).fetchall()

    def number(self, query: str, parameters: Sequence[Any] = ()) -> int:
        """The only value of a query that counts."""
        return int(self.rows(query, parameters)[0][0])


def _text(value: Any) -> Any:
    """A value as the text from which its type is found again, without blanks around it; the CSV writer turns None into
    nothing."""
    if value is None:
        return value
    if type(value) is str:
        return _LINE_END.sub("\n", value.strip()) if "\r" in value else value.strip()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, time) and not (value.second or value.microsecond):
        return value.isoformat("minutes")  # A workbook has seconds that nobody wrote.
    return value.isoformat() if hasattr(value, "isoformat") else value


def _escaped(text: str) -> str:
    return text.replace("'", "''")
