"""Names that one process at a time may hold, by advisory locks of PostgreSQL.

A lock belongs to the connection that took it: when a process dies, the server frees its names at once.
"""

from __future__ import annotations

from contextlib import suppress
from threading import Lock
from typing import Any

import psycopg
from psycopg import Connection

from clew.tools.state.postgres import Postgres, key_of


class Claims:
    """The names that this process holds. Safe for several threads; it has one connection of its own."""

    def __init__(self, database: Postgres) -> None:
        self._database = database
        self._connection: Connection[dict[str, Any]] | None = None
        self._held: set[str] = set()
        self._lock = Lock()

    def take(self, name: str) -> bool:
        """Hold a name, unless somebody holds it already. Raises DatabaseUnavailable."""
        with self._lock:
            if name in self._held:
                return False
            try:
                taken = self._taken(name)
            except psycopg.OperationalError:  # The connection was lost; another one begins with what is held.
                self._connection = None
                taken = self._taken(name)
            if taken:
                self._held.add(name)
            return taken

    def give(self, name: str) -> None:
        """Hold a name no longer."""
        with self._lock:
            self._held.discard(name)
            if self._connection is not None:
                try:
                    self._connection.execute("SELECT pg_advisory_unlock(%s)", [key_of(name)])
                except psycopg.Error:  # What the connection held is free, since it is gone.
                    self._connection = None

    def close(self) -> None:
        """Hold nothing."""
        with self._lock:
            self._held.clear()
            if self._connection is not None:
                with suppress(psycopg.Error):
                    self._connection.close()
                self._connection = None

    def _taken(self, name: str) -> bool:
        if self._connection is None:
            self._connection = self._database.connected()
            for held in self._held:
                self._try(self._connection, held)
        return self._try(self._connection, name)

    def _try(self, connection: Connection[dict[str, Any]], name: str) -> bool:
        row = connection.execute("SELECT pg_try_advisory_lock(%s) AS taken", [key_of(name)]).fetchone()
        return bool(row and row["taken"])
