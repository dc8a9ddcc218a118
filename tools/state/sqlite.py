"""Tables in a SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from clew.tools.errors import BadInput
from clew.tools.sqlite_files import in_use, opened
from clew.tools.state.tables import NO_VALUES, Row, Values


@dataclass(frozen=True, slots=True)
class SqliteChange:
    """A transaction of a SQLite file, which one process at a time has."""

    connection: sqlite3.Connection

    def rows(self, query: str, values: Values = NO_VALUES) -> Sequence[Row]:
        return _rows(self.connection, query, values)

    def execute(self, statement: str, values: Values = NO_VALUES) -> int:
        return self.connection.execute(statement, values).rowcount

    def insert(self, table: str, rows: Sequence[Values]) -> None:
        if rows:
            names = ", ".join(rows[0])
            places = ", ".join(f":{name}" for name in rows[0])
            self.connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", rows)

    def lock(self, name: str) -> None:
        """The transaction has the whole file as soon as it changes something."""

    def exceed(self, size: float) -> bool:
        """Of the pages in use; free pages are filled before the file grows."""
        pages, free, page = (
            self.connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
        return bool((pages - free) * page > size)


class SqliteTables:
    """Tables behind a connection that `connection` gives, to one thread at a time."""

    def __init__(self, path: Path, connection: Callable[[], AbstractContextManager[sqlite3.Connection]]) -> None:
        self.place = str(path)
        self._path = path
        self._connection = connection

    def rows(self, query: str, values: Values = NO_VALUES) -> Sequence[Row]:
        if not self._path.exists():
            return []
        with self._connection() as connection:
            return _rows(connection, query, values)

    @contextmanager
    def changes(self) -> Iterator[SqliteChange]:
        with self._connection() as connection, connection:
            yield SqliteChange(connection)

    def text_in(self, column: str, key: str) -> str:
        return f"json_extract({column}, '$.{key}')"

    def size(self) -> int:
        if not self._path.exists():
            return 0
        with self._connection() as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return self._path.stat().st_size

    def shrink(self) -> None:
        with self._connection() as connection:
            connection.execute("VACUUM")

    @contextmanager
    def alone(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise BadInput(f"{self._path} is in use: {error}.", "Try again in a moment.") from error

    def close(self) -> None:
        """The owner of the connection closes it."""


class SqliteFile(SqliteTables):
    """Tables in a file of their own, which is made when something is first stored.

    The one connection stays open: closing a database's last connection makes SQLite fold its log into the file, which
    costs more than a transaction.
    """

    def __init__(self, path: Path, prepare: Callable[[sqlite3.Connection], object], format: int) -> None:
        """`prepare` and `format` are those of `clew.tools.sqlite_files.opened`."""
        super().__init__(path, self._used)
        self._prepare, self._format = prepare, format
        self._open: sqlite3.Connection | None = None
        self._lock = Lock()

    def close(self) -> None:
        with self._lock:
            self._let_go()

    @contextmanager
    def _used(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._open is None:
                self._open = opened(self._path, self._prepare, format=self._format)
            with in_use(self._path, self._let_go):
                yield self._open

    def _let_go(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


def _rows(connection: sqlite3.Connection, query: str, values: Values) -> Sequence[Row]:
    found = connection.execute(query, values)
    names = [each[0] for each in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]
