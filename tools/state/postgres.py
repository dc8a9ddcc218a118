"""Tables in PostgreSQL, which the processes of several machines share. It takes the extra `postgres`.

Everything is in one schema of the database, `clew`, which is made when it is first used. A connection is taken from a
pool for each statement or transaction.
"""

from __future__ import annotations

import hashlib
import logging
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg import ClientCursor, Connection
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool, PoolTimeout

from clew.tools.errors import BadInput, ClewError, DatabaseUnavailable
from clew.tools.state.tables import NO_VALUES, Row, Values

EXAMPLE = "postgresql://USER:PASSWORD@HOST:5432/DATABASE"
SCHEMA = "clew"
FORMAT = 1
"""Of the schema, which a later version of Clew may change."""
MOST_CONNECTIONS = 10
_SECONDS = 5.0
"""To connect, and to wait for a free connection."""
_PAUSE = 0.05
_SERVER_NOTICES_DEATH = "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3"
_PARAMETER = re.compile(r"(?<![:\w]):([a-z]\w*)")
_TYPES = (("REAL", "DOUBLE PRECISION"), ("BLOB", "BYTEA"), (" WITHOUT ROWID", ""))
"""Words of SQLite's scripts, and PostgreSQL's."""
_NO_TEXT = re.compile(r"[\x00\ud800-\udfff]|(?<!\\)((?:\\\\)*)\\u0000")
"""What PostgreSQL keeps in no text: NUL, also escaped in JSON, and halves of pairs."""
_NO_CONNECTION = (psycopg.OperationalError, psycopg.InterfaceError)

Pool = ConnectionPool[Connection[dict[str, Any]]]


class Postgres:
    """The database that a URL names. Opens its connections when first used; safe for several threads."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.place = place_of(url)
        self._lock = Lock()
        self._pool: Pool | None = None

    @property
    def pool(self) -> Pool:
        """The open pool. Raises DatabaseUnavailable, and BadInput if the schema cannot be used."""
        with self._lock:
            if self._pool is None:
                logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)  # Our own errors say the same.
                self._prepare()
                self._pool = ConnectionPool(
                    self._url,
                    min_size=0,
                    max_size=MOST_CONNECTIONS,
                    timeout=_SECONDS,
                    kwargs={"autocommit": True, "row_factory": dict_row, "connect_timeout": round(_SECONDS)},
                    configure=_configured,
                    check=ConnectionPool.check_connection,
                    open=True,
                    name=SCHEMA,
                )
            return self._pool

    @contextmanager
    def connection(self) -> Iterator[Connection[dict[str, Any]]]:
        """A connection of the pool, in autocommit mode. Raises DatabaseUnavailable."""
        with self.answering(), self.pool.connection() as connection:
            yield connection

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Raises DatabaseUnavailable in place of the driver's error where the server is away, and ClewError in place of
        others."""
        try:
            yield
        except PoolTimeout:
            self.connected().close()  # It says why there is none.
            raise DatabaseUnavailable(f"{self.place} has no free connection.", "Try again in a moment.") from None
        except _NO_CONNECTION as error:
            raise self._unavailable(error) from None
        except psycopg.Error as error:  # Its further lines may quote what was to be stored.
            raise ClewError(f"{self.place} refused a statement: {_first_line(error)}.") from None

    def connected(self) -> Connection[dict[str, Any]]:
        """A connection beside the pool. Raises DatabaseUnavailable."""
        try:
            connection = psycopg.connect(
                self._url, autocommit=True, row_factory=dict_row, connect_timeout=round(_SECONDS)
            )
            _configured(connection)
        except _NO_CONNECTION as error:
            raise self._unavailable(error) from None
        except psycopg.ProgrammingError:  # Its message has the whole URL.
            raise BadInput(
                "CLEW_STATE_URL is not the address of a PostgreSQL server.", f"Write it as {EXAMPLE}."
            ) from None
        return connection

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """No two processes are in a block of this name at once. It asks again and again: one that waits for a lock
        would keep the other from building an index."""
        with self.connected() as connection:
            query = "SELECT pg_try_advisory_lock(%s) AS taken"
            while not (row := connection.execute(query, [key_of(name)]).fetchone()) or not row["taken"]:
                time.sleep(_PAUSE)
            yield

    def tables(self, script: str) -> PostgresTables:
        """The tables that a script creates. They are made when they are first used."""
        return PostgresTables(self, script)

    def set_up(self, script: str) -> None:
        """Create the tables of a script where they are missing."""
        for word, ours in _TYPES:
            script = script.replace(word, ours)
        with self.connection() as connection, connection.transaction():
            _lock(connection, "setup")
            connection.execute(script)

    def close(self) -> None:
        """Close the connections; the next use opens others."""
        with self._lock:
            if self._pool is not None:
                self._pool.close()
                self._pool = None

    def _prepare(self) -> None:
        """Make the schema. Raises BadInput if that is not allowed, or a later version of Clew has changed it."""
        try:
            with self.connected() as connection, connection.transaction():
                _lock(connection, "setup")
                there = connection.execute("SELECT to_regnamespace(%s) AS name", [SCHEMA]).fetchone()
                if there is None or there["name"] is None:
                    connection.execute(f"CREATE SCHEMA {SCHEMA}")
                connection.execute("CREATE TABLE IF NOT EXISTS format (number INTEGER NOT NULL)")
                connection.execute("INSERT INTO format SELECT %s WHERE NOT EXISTS (SELECT 1 FROM format)", [FORMAT])
                row = connection.execute("SELECT max(number) AS number FROM format").fetchone()
        except psycopg.errors.InsufficientPrivilege as error:
            raise BadInput(
                f"{self.place} does not let Clew make its tables: {_first_line(error)}.",
                f"Let its user create schemas (GRANT CREATE ON DATABASE), or make it owner of a schema {SCHEMA}.",
            ) from None
        if row is not None and row["number"] > FORMAT:
            raise BadInput(
                f"{self.place} has format {row['number']}; this version of Clew reads formats up to {FORMAT}.",
                "A later version of Clew wrote it: use that one, or another database (CLEW_STATE_URL).",
            )

    def _unavailable(self, error: Exception) -> DatabaseUnavailable:
        return DatabaseUnavailable(
            f"{self.place} does not answer: {_first_line(error)}.", "Start it, or correct CLEW_STATE_URL."
        )


@dataclass(frozen=True, slots=True)
class PostgresChange:
    """A transaction."""

    connection: Connection[dict[str, Any]]
    names: tuple[str, ...]
    """The tables."""

    def rows(self, query: str, values: Values = NO_VALUES) -> Sequence[Row]:
        return _executed(self.connection, query, values).fetchall()

    def execute(self, statement: str, values: Values = NO_VALUES) -> int:
        return _executed(self.connection, statement, values).rowcount

    def insert(self, table: str, rows: Sequence[Values]) -> None:
        """In one statement: each takes a way to the server and back."""
        values = {f"{name}_{number}": value for number, row in enumerate(rows) for name, value in row.items()}
        if values:
            places = (f"({', '.join(f':{name}_{number}' for name in rows[0])})" for number in range(len(rows)))
            self.execute(f"INSERT INTO {table} ({', '.join(rows[0])}) VALUES {', '.join(places)}", values)

    def lock(self, name: str) -> None:
        _lock(self.connection, name)

    def exceed(self, size: float) -> bool:
        """Counts the rows themselves only where the tables on disk, free space included, take that much."""
        if _on_disk(self.connection, self.names) <= size:
            return False
        counts = (f"(SELECT coalesce(sum(pg_column_size(t.*)), 0) FROM {name} t)" for name in self.names)
        [row] = self.rows(f"SELECT {' + '.join(counts)} AS size")
        return bool(row["size"] > size)


class PostgresTables:
    """Tables of a `Postgres`."""

    def __init__(self, database: Postgres, script: str) -> None:
        self.place = database.place
        self._database = database
        self._script = script
        self._names = tuple(re.findall(r"CREATE TABLE IF NOT EXISTS (\w+)", script))
        self._made = False

    def rows(self, query: str, values: Values = NO_VALUES) -> Sequence[Row]:
        with self._connection() as connection:
            return _executed(connection, query, values).fetchall()

    @contextmanager
    def changes(self) -> Iterator[PostgresChange]:
        with self._connection() as connection, connection.transaction():
            yield PostgresChange(connection, self._names)

    def text_in(self, column: str, key: str) -> str:
        return f"(CAST({column} AS json) ->> '{key}')"

    def size(self) -> int:
        with self._connection() as connection:
            return _on_disk(connection, self._names)

    def shrink(self) -> None:
        with self._connection() as connection:
            connection.execute(f"VACUUM FULL {', '.join(self._names)}")

    def alone(self) -> AbstractContextManager[None]:
        return nullcontext()  # Transactions wait for one another.

    def close(self) -> None:
        """The database closes the connections of all its tables."""

    @contextmanager
    def _connection(self) -> Iterator[Connection[dict[str, Any]]]:
        if not self._made:
            self._database.set_up(self._script)
            self._made = True
        with self._database.connection() as connection:
            yield connection


def place_of(url: str) -> str:
    """How messages call the database of a URL: without user, password and options."""
    parts = urlsplit(url)
    return f"The PostgreSQL {parts.hostname or 'on this machine'}{parts.path}"


def key_of(name: str) -> int:
    """The number of an advisory lock."""
    return int.from_bytes(hashlib.sha256(f"clew {name}".encode("utf-8", "replace")).digest()[:8], "big", signed=True)


def storable(text: str) -> str:
    """A text as PostgreSQL can keep it."""
    return _NO_TEXT.sub(lambda found: f"{found[1] or ''}\N{REPLACEMENT CHARACTER}", text)


def _configured(connection: Connection[Any]) -> None:
    """Use the schema of Clew, and have the server notice in half a minute that this machine is gone."""
    connection.execute(f"SET search_path = {SCHEMA}; {_SERVER_NOTICES_DEATH}")


def _executed(connection: Connection[dict[str, Any]], statement: str, values: Values) -> ClientCursor[dict[str, Any]]:
    cursor = ClientCursor(connection, row_factory=dict_row)
    named = _PARAMETER.sub(r"%(\1)s", statement.replace("%", "%%"))
    cleaned = {name: storable(value) if isinstance(value, str) else value for name, value in values.items()}
    return cursor.execute(named, cleaned)


def _lock(connection: Connection[Any], name: str) -> None:
    connection.execute("SELECT pg_advisory_xact_lock(%s)", [key_of(name)])


def _on_disk(connection: Connection[dict[str, Any]], names: Sequence[str]) -> int:
    each = "sum(pg_total_relation_size(to_regclass(name)))"
    query = f"SELECT coalesce({each}, 0)::bigint AS size FROM unnest(%s::text[]) name"
    row = connection.execute(query, [list(names)]).fetchone()
    return int(row["size"]) if row else 0


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
