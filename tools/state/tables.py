"""The interface of stored tables: rows are read, and changed in transactions.

Statements are SQL that SQLite and PostgreSQL both read, with values by name (`:name`). Scripts that create tables are
written for SQLite; `clew.tools.state.postgres` translates the few words that differ.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

Row = Mapping[str, Any]
"""A row, by the names of its columns."""
Values = Mapping[str, Any]
NO_VALUES: Values = {}
ALL = 2**31
"""As LIMIT: no limit, where an OFFSET needs one before it."""


class Change(Protocol):
    """A transaction."""

    def rows(self, query: str, values: Values = NO_VALUES) -> Sequence[Row]:
        """What a query finds."""

    def execute(self, statement: str, values: Values = NO_VALUES) -> int:
        """Change rows; returns how many."""

    def insert(self, table: str, rows: Sequence[Values]) -> None:
        """Add rows that have the same columns."""

    def lock(self, name: str) -> None:
        """Let no other transaction go beyond its `lock` of the same name until this one ends."""

    def exceed(self, size: float) -> bool:
        """Whether the rows of these tables take more than `size` bytes."""


class Tables(Protocol):
    """Tables that belong together. Safe for several threads and processes."""

    place: str
    """Where they are, for messages."""

    def rows(self, query: str, values: Values = NO_VALUES) -> Sequence[Row]:
        """What a query finds."""

    def changes(self) -> AbstractContextManager[Change]:
        """A transaction: kept when the block ends, and undone when it raises."""

    def text_in(self, column: str, key: str) -> str:
        """An expression: what a column of JSON objects has under `key`, a list or an object as JSON."""

    def size(self) -> int:
        """Bytes on disk; 0 where nothing was stored yet."""

    def shrink(self) -> None:
        """Give the space of removed rows back."""

    def alone(self) -> AbstractContextManager[None]:
        """Raises BadInput for a block that other processes keep from changing the tables."""

    def close(self) -> None:
        """Close the connection; the next use opens it again."""


def among(expression: str, names: Collection[str], name: str = "among") -> tuple[str, dict[str, Any]]:
    """A condition that an expression has one of these values, and the values of the condition, called `name` and a
    number."""
    values = {f"{name}{number}": each for number, each in enumerate(sorted(names))}
    return (f"{expression} IN ({', '.join(f':{each}' for each in values)})" if values else "1 = 0"), values


def having(text: str) -> str:
    """A pattern for `LIKE … ESCAPE '!'` that finds texts which have this one in them, in lower case."""
    return "%" + "".join(f"!{each}" if each in "!%_" else each for each in text.lower()) + "%"
