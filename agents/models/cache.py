"""A cache of replies in SQLite, keyed by the request, so that repeating a run costs nothing."""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock

from clew.tools.errors import ClewError
from clew.tools.sqlite_files import in_use, opened, written_ahead

REPLIES_KEPT = 50_000
FORMAT = 1


class ReplyCache:
    """The cache in the file `path`, which is created when needed. Safe for several threads and processes.

    A file that cannot be used counts as empty, and a warning is logged. A damaged one is replaced.
    """

    def __init__(
        self, path: Path, replies_kept: int = REPLIES_KEPT, redact: Callable[[str], str] | None = None
    ) -> None:
        """Replies that `redact` would change are not stored, since they hold a secret."""
        self._redact = redact
        self._path = path
        self._kept = replies_kept
        self._lock = Lock()

    def get(self, key: str) -> tuple[str, str] | None:
        """(text, finish reason) of the reply stored under `key`."""
        if not self._path.exists():
            return None
        try:
            with self._connection() as connection:
                row = connection.execute("SELECT text, finish FROM replies WHERE key = ?", [key]).fetchone()
        except (ClewError, sqlite3.Error, OSError) as error:
            self._unusable(error)
            return None
        return None if row is None else (str(row[0]), str(row[1]))

    def put(self, key: str, text: str, finish_reason: str) -> None:
        if self._redact is not None and self._redact(text) != text:
            return
        try:
            with self._connection() as connection, connection:
                connection.execute(
                    "INSERT OR REPLACE INTO replies (key, text, finish) VALUES (?, ?, ?)", [key, text, finish_reason]
                )
                connection.execute(
                    "DELETE FROM replies WHERE number <= (SELECT MAX(number) FROM replies) - ?", [self._kept]
                )
        except (ClewError, sqlite3.Error, OSError) as error:
            self._unusable(error)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with self._lock, in_use(self._path), closing(opened(self._path, _prepare, format=FORMAT)) as connection:
            yield connection

    def _unusable(self, error: Exception) -> None:
        logging.getLogger(__name__).warning("Replies are not cached in %s: %s", self._path, error)


def _prepare(connection: sqlite3.Connection) -> None:
    written_ahead(connection)
    connection.execute(
        "CREATE TABLE IF NOT EXISTS replies (number INTEGER PRIMARY KEY AUTOINCREMENT, "
        "key TEXT NOT NULL UNIQUE, text TEXT NOT NULL, finish TEXT NOT NULL)"
    )


def cache_key(place: str, request: dict[str, object]) -> str:
    """A digest of everything that the reply depends on, without the API key."""
    return hashlib.sha256(json.dumps([place, request], sort_keys=True).encode()).hexdigest()
