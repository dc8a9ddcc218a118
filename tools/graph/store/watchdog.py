"""The server's own time limit for queries, and its last resort.

The engine stops a query where it looks at the clock, and a loop inside one expression never does. Such a query would
take a core for hours and keep the server from stopping when idle. So the server ends itself instead: clients start
another one at their next request, and do not send again what
did not end (`ENDED`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from clew.tools.graph.store.arcadedb import READER

QUERY_LIMIT_S = 5.0
"""Longest time that a query of the read-only user may run, even if its client is gone."""
GRACE_S = 3.0
"""Seconds that a query has to end after a request to end."""
ENDED = "ended.json"
"""What a server that ends by itself leaves: its process id, and the queries that did not end."""
WRITES_S = 30.0
"""Seconds that writes have to end before the server does."""


class Watchdog:
    """Watches the running queries of a server."""

    def __init__(self, running: Any, clock: Callable[[], float] = time.monotonic) -> None:
        """`running` is the engine's registry of running queries."""
        self._running, self._clock = running, clock
        self._told: dict[str, float] = {}
        """Query → when the request to end was first seen."""

    def hung(self) -> list[str]:
        """Stop the reader's queries that have run for too long, also those whose client is gone.

        Returns the texts of those that do not end; none while something is being written, for WRITES_S.
        """
        now = self._clock()
        queries = list(self._running.getRunning())
        readers = [query for query in queries if str(query.getUser()) == READER]
        for query in readers:
            if query.getElapsedMillis() > QUERY_LIMIT_S * 1000:
                query.terminate("time limit")
        told = {str(query.getId()): query for query in readers if query.isTerminated()}
        self._told = {id_: self._told.get(id_, now) for id_ in told}
        waited = {id_: now - since for id_, since in self._told.items()}
        writing = len(queries) > len(readers)
        limit = GRACE_S + (WRITES_S if writing else 0.0)
        return [str(told[id_].getText()) for id_, seconds in waited.items() if seconds > limit]
