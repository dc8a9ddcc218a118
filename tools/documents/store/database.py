"""The SQLite file with a graph's documents.

It is SQLite because adding or removing one note must not rewrite the others, a document must be added or removed as a
whole even after an interruption, and readers must not wait for writers (write-ahead log). Everything else that is
derived from a graph is written as a whole and published (`arrays`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import filelock

from clew.tools.errors import ClewError, DamagedFile
from clew.tools.full_disk import full_disk
from clew.tools.sqlite_files import is_damage, opened, set_aside

FORMAT = 2
_OLDER = (0, 1)
"""0 is a new file. The additions of a format are made when an older file is opened."""
_ADDED = (
    ("documents", "described", "TEXT NOT NULL DEFAULT ''"),
    ("chunks", "described", "TEXT NOT NULL DEFAULT ''"),
    ("chunks", "columns", "TEXT NOT NULL DEFAULT '[]'"),
)
"""Columns that a file of format 1 may lack."""
_PATIENCE_S = 60.0
"""Time that a writer waits for others; each locks the file only to insert one finished document."""
ROWS_AT_ONCE = 500
_MOST_VARIABLES = 500
_TABLES = """
CREATE TABLE IF NOT EXISTS documents (
    id TEXT PRIMARY KEY, source TEXT UNIQUE NOT NULL, title TEXT NOT NULL, digest TEXT NOT NULL, settings TEXT NOT NULL,
    bytes INTEGER NOT NULL, chunks INTEGER NOT NULL, tables INTEGER NOT NULL, added REAL NOT NULL,
    linked TEXT NOT NULL DEFAULT '', described TEXT NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS chunks (
    number INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, document TEXT NOT NULL, place_in INTEGER NOT NULL,
    title TEXT NOT NULL, text TEXT NOT NULL, kind TEXT NOT NULL, place TEXT NOT NULL, topic TEXT NOT NULL,
    header TEXT NOT NULL, entities TEXT NOT NULL, described TEXT NOT NULL DEFAULT '', columns TEXT NOT NULL DEFAULT '[]'
);
CREATE INDEX IF NOT EXISTS chunks_not_described ON chunks (document, place_in) WHERE described = '';
CREATE UNIQUE INDEX IF NOT EXISTS chunks_of_document ON chunks (document, place_in);
CREATE TABLE IF NOT EXISTS mentions (
    chunk INTEGER NOT NULL, node TEXT NOT NULL, surface TEXT NOT NULL, start INTEGER NOT NULL, score REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS mentions_in_chunk ON mentions (chunk);
CREATE INDEX IF NOT EXISTS mentions_of_node ON mentions (node);
CREATE TABLE IF NOT EXISTS extractions (
    chunk TEXT PRIMARY KEY, document TEXT NOT NULL, content TEXT NOT NULL, prompt TEXT NOT NULL, model TEXT NOT NULL,
    said TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS extractions_of_document ON extractions (document);
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


def connected(path: Path) -> sqlite3.Connection:
    """A connection to the file, which is created where it is missing. Raises ClewError for one that cannot be used."""

    def prepare(connection: sqlite3.Connection) -> None:
        found = connection.execute("PRAGMA user_version").fetchone()[0]
        if found not in (*_OLDER, FORMAT):
            raise ClewError(f"{path} has format {found}; this version of Clew reads format {FORMAT}.", _AGAIN)
        if found in _OLDER:
            with filelock.FileLock(path.with_suffix(".lock")):  # SQLite does not wait to change to a log.
                connection.execute("PRAGMA journal_mode = WAL")
                _make_tables(connection)
        connection.execute("PRAGMA synchronous = NORMAL")

    try:
        return opened(path, prepare, timeout=_PATIENCE_S, isolation_level=None)
    except sqlite3.DatabaseError as error:
        raise failure(path, error) from error


def _make_tables(connection: sqlite3.Connection) -> None:
    """Create the tables of this format, or complete those of an older file. One process at a time."""
    older = connection.execute("PRAGMA user_version").fetchone()[0]
    if older == FORMAT:
        return
    lacking = "".join(
        f"ALTER TABLE {table} ADD COLUMN {column} {kind}; "
        for table, column, kind in _ADDED
        if older and column not in {each[1] for each in connection.execute(f"PRAGMA table_info({table})")}
    )
    connection.executescript(f"BEGIN IMMEDIATE; {lacking}{_TABLES} PRAGMA user_version = {FORMAT}; COMMIT;")


_AGAIN = "Remove the folder that it is in, then add the documents again."


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to the file as it is now, even if it is changed meanwhile."""
    connection = connected(path)
    try:
        connection.execute("BEGIN")
        yield connection
    except sqlite3.DatabaseError as error:
        raise failure(path, error) from error
    finally:
        connection.close()


@contextmanager
def writing(path: Path, connection: sqlite3.Connection) -> Iterator[None]:
    """One transaction: all of it is stored, or nothing."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # Ctrl-C may come when all is stored already.
                connection.execute("ROLLBACK")
            raise
    except sqlite3.DatabaseError as error:
        raise failure(path, error) from error


@contextmanager
def changing(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection with one transaction."""
    with closing(connected(path)) as connection, writing(path, connection):
        yield connection


def rows(path: Path, query: str, values: Sequence[object] = ()) -> Iterator[Any]:
    """The rows of a query as a stream; none where there is no file."""
    if path.exists():
        with reading(path) as db:
            yield from fetched(db.execute(query, values))


def rows_of_ids(path: Path, query: str, ids: Sequence[str], order: str = "") -> Iterator[Any]:
    """The rows of a query that ends in `IN`, for these ids, some hundred at a time; none where there is no file."""
    if path.exists():
        with reading(path) as db:
            for first in range(0, len(ids), _MOST_VARIABLES):
                part = ids[first : first + _MOST_VARIABLES]
                yield from db.execute(f"{query} ({', '.join('?' * len(part))}) {order}", part)


def fetched(cursor: sqlite3.Cursor) -> Iterator[Any]:
    """The rows of a cursor, fetched some hundred at a time."""
    while some := cursor.fetchmany(ROWS_AT_ONCE):
        yield from some


def failure(path: Path, error: sqlite3.Error) -> Exception:
    """The error as one for people."""
    message = str(error)
    if full := full_disk(error, path.parent):
        return full
    if "locked" in message or "busy" in message:
        return ClewError(f"{path} is in use by another command.", "Wait until it has ended, then try again.")
    if is_damage(error):
        set_aside(path)
        return DamagedFile(f"{path} was damaged.", "Add the documents again.")
    return ClewError(f"{path} cannot be used: {message}.", "Check its permissions and the space on the disk.")
