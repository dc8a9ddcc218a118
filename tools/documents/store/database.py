"""The file that holds a graph's documents: SQLite, because adding or removing one note must not rewrite the others, a
document must come or go as a whole whatever interrupts it, and readers must not wait for writers (write-ahead log).
Everything else derived from a graph is written whole and published (`arrays`), which suits what is built whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock

from clew.tools.errors import ClewError

FORMAT = 2
_OLDER = (0, 1)
"""0 is a new file. What a format adds to the one before is made when the file is opened."""
_ADDED = (
    ("documents", "described", "TEXT NOT NULL DEFAULT ''"),
    ("chunks", "described", "TEXT NOT NULL DEFAULT ''"),
    ("chunks", "columns", "TEXT NOT NULL DEFAULT '[]'"),
)
"""Columns that a file of format 1 may lack."""
_PATIENCE_S = 60.0
"""Time that a writer waits for others; each holds the file only while it puts one finished document in."""
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
    """A connection to the file, which is made where it is missing. Raises ClewError for one that cannot be used."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False)
    try:
        found = connection.execute("PRAGMA user_version").fetchone()[0]
        if found not in (*_OLDER, FORMAT):
            raise ClewError(f"{path} has format {found}; this version of Clew reads format {FORMAT}.", _AGAIN)
        if found in _OLDER:
            with filelock.FileLock(path.with_suffix(".lock")):  # The change to a log waits for nobody.
                connection.execute("PRAGMA journal_mode = WAL")
                _make_tables(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection
    except sqlite3.DatabaseError as error:
        connection.close()
        raise failure(path, error) from error
    except BaseException:
        connection.close()
        raise


def _make_tables(connection: sqlite3.Connection) -> None:
    """All tables of this format, those that an older file has completed. One process at a time."""
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
    """A connection that sees the file as it is now, whatever is written meanwhile."""
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
    """One transaction: all of it is kept, or nothing."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
    except sqlite3.DatabaseError as error:
        raise failure(path, error) from error


def failure(path: Path, error: sqlite3.Error) -> Exception:
    """The error as one for people; a full disk is told where all full disks are."""
    said = str(error)
    if "full" in said:
        return error
    if "locked" in said or "busy" in said:
        return ClewError(f"{path} is in use by another command.", "Wait until it has ended, then try again.")
    if "not a database" in said or "malformed" in said:
        return ClewError(f"{path} is damaged: {said}.", _AGAIN)
    return ClewError(f"{path} cannot be used: {said}.", "Check its permissions and the space on the disk.")
