"""The graph store: `open_database` opens the embedded database or any other Bolt server.

In: a home folder, or a URL with credentials. Out: a `BoltDatabase`, which opens graphs by name as `GraphStore`s. A
store runs the queries of questions as a read-only user within limits (`read`), and Clew's own queries as a stream
(`scan`) or as writes (`write`).
"""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clew.tools.graph.store.bolt import BoltDatabase
    from clew.tools.graph.store.connection import Server

_TOUCH_EVERY_S = 15.0


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

    if url is None:
        return _embedded(home, heap)
    server = Server(url, user, password, reader, http_url)
    return BoltDatabase(lambda: server)


def _embedded(home: Path, heap: str) -> BoltDatabase:
    from clew.tools.graph.store import daemon
    from clew.tools.graph.store.arcadedb import READER, reader_password
    from clew.tools.graph.store.bolt import BoltDatabase
    from clew.tools.graph.store.connection import Server

    def locate() -> Server:
        endpoint = daemon.ensure_running(home, heap=heap)
        reader = (READER, reader_password(endpoint.secret))
        may_blame = partial(daemon.may_blame, home, endpoint.pid)
        return Server(endpoint.bolt_url, "root", endpoint.secret, reader, endpoint.http_url, may_blame)

    last = 0.0

    def on_use() -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > _TOUCH_EVERY_S:
            last = now
            daemon.touch(home)

    return BoltDatabase(locate, on_use)
