"""The graph store: `open_database` opens the embedded database or any other Bolt server.

In: a home folder, or a URL with credentials. Out: a `BoltDatabase`, which opens graphs by name as `GraphStore`s. A
store runs the queries of questions as a read-only user within limits (`read`), and Clew's own queries as a stream
(`scan`) or as writes (`write`).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neo4j import Driver

    from clew.tools.graph.store.bolt import BoltDatabase


def open_database(
    home: Path,
    url: str | None = None,
    user: str | None = None,
    password: str | None = None,
    *,
    reader: tuple[str, str] | None = None,
    http_url: str | None = None,
    heap: str = "1g",
) -> BoltDatabase:
    """The database of a Clew home: the embedded one, or the Bolt server at `url`.

    Nothing is started or connected before the first use.

    Args:
        reader: user and password of a user who can only read, for the queries that questions cause.
        http_url: the HTTP API of an ArcadeDB server that does not have it on port 2480.
        heap: the most memory of the embedded engine, where this call starts it.
    """
    from clew.tools.graph.store.bolt import BoltDatabase
    from clew.tools.graph.store.connection import Server
    from clew.tools.graph.store.home_database import HomeDatabase

    if url is None:
        return HomeDatabase(home, heap)
    server = Server(url, user, password, reader, http_url)
    return BoltDatabase(lambda: server)


def lent_database(url: str, driver: Driver) -> BoltDatabase:
    """The Bolt server at `url` through a driver that is connected to it already, and that its owner closes."""
    from clew.tools.graph.store.bolt import BoltDatabase
    from clew.tools.graph.store.connection import Server
    from clew.tools.graph.store.lent import LentDriver

    server = Server(url, driver=LentDriver(driver))
    return BoltDatabase(lambda: server)
