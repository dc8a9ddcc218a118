"""ArcadeDB's bulk load of relationships, whose ends are given by their record ids and need no look-up.

A request that is cut off writes what has arrived of it. A server that ends while it loads leaves the earlier requests
whole, but relationships of this one may be missing at one of their ends: `is_whole` tells.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol, TypeVar

from clew.tools.errors import QueryFailed
from clew.tools.graph.store.arcadedb import ArcadeDB
from clew.tools.graph.store.connection import Connection

T = TypeVar("T")
LEAST_VERSION = (26, 10)
"""Of the server: earlier ones were not tested, and do not stream record ids."""
_BUSY = "already in progress"
"""What the server says while it loads another request."""
_WAIT_S = 600.0
_POLL_S = 0.2
_FIRST = "#-1:-1"
"""Before the id of every record."""
PAGE = 500_000
"""Records whose ids are read at once: the server refuses a response of more than a million rows."""


class Database(Protocol):
    """A `BoltDatabase`."""

    def ask(self, request: Callable[[Connection], T]) -> T: ...


class ArcadeDBLoad:
    """The bulk load into one graph (the protocol `BulkLoad`)."""

    def __init__(self, database: Database, name: str) -> None:
        """`name` is that of ArcadeDB's database."""
        self._database = database
        self._name = name

    def record_ids(self, label: str) -> Iterator[tuple[str, str]]:
        last, more = _FIRST, True
        while more:
            behind, more = last, False
            for key, last in self._ask(
                partial(ArcadeDB.records, name=self._name, label=label, behind=behind, most=PAGE)
            ):
                yield key, last
                more = True

    def load(self, lines: bytes, count: int) -> None:
        self._ask(lambda server: server.load(self._name, lines, count))

    def wait(self) -> None:
        deadline = time.monotonic() + _WAIT_S
        while True:
            try:
                return self.load(b"", 0)
            except QueryFailed as error:
                if _BUSY not in error.message or time.monotonic() > deadline:
                    raise
                time.sleep(_POLL_S)

    def is_whole(self, relation: str) -> bool:
        return self._ask(lambda server: server.has_both_ends(self._name, relation))

    def recreate(self) -> None:
        def replace(server: ArcadeDB) -> None:
            server.drop(self._name)
            server.create(self._name)

        self._ask(replace)

    def _ask(self, request: Callable[[ArcadeDB], T]) -> T:
        def asked(connection: Connection) -> T:
            assert isinstance(connection.catalogue, ArcadeDB)
            return request(connection.catalogue)

        return self._database.ask(asked)


def bulk_load(database: Database, name: str) -> ArcadeDBLoad | None:
    """The bulk load into a database of the server; None where it has none that can be used."""

    def able(connection: Connection) -> bool:
        return isinstance(connection.catalogue, ArcadeDB) and connection.catalogue.server_version() >= LEAST_VERSION

    return ArcadeDBLoad(database, name) if database.ask(able) else None
