"""A table as its source gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from clew.tools.ingest.records import BadLine
from clew.tools.ingest.source import Advance

Hint = Literal["text", "boolean"]
NULLS = ("", "NULL", "null", "\\N")
"""Texts that stand for no value."""
Row = tuple[int, list[Any]]
"""The line (or the number of the row, where there are no lines) and the values in the order of the columns."""


@dataclass(frozen=True, slots=True)
class DeclaredReference:
    """A foreign key that a database declares."""

    columns: tuple[str, ...]
    table: str
    key: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """One table."""

    table: str
    """Its name: that of the file without extensions, of the sheet, or of the table in the database."""
    path: Path
    """The file, or the database's URL without its password."""
    what: str
    """For people: "a table separated by comma"."""
    columns: tuple[str, ...]
    rows: Callable[[Advance | None], Iterator[Row | BadLine]]
    """Reads the rows; may be called more than once."""
    size: int | None = None
    """In bytes of the file, where `rows` reports them as its progress."""
    hints: Mapping[str, Hint] = field(default_factory=dict)
    """Column to the type that the source declares: text stays text, unless it holds dates."""
    lists: Mapping[str, str] = field(default_factory=dict)
    """Column of lists of texts to what separates the values in its cells."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Columns that are not read, with the reason."""
    key: tuple[str, ...] = ()
    """The declared primary key."""
    references: tuple[DeclaredReference, ...] = ()
    """The declared foreign keys."""
    notes: list[str] = field(default_factory=list)
    """What people should know of how the table was read; `rows` may add to it when it has read all."""
