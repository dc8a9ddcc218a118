"""The client's side of a query's time limit: ask the server to stop it, and cut the connection if it does not."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clew.tools.errors import ClewError

if TYPE_CHECKING:
    from neo4j import Session

log = logging.getLogger(__name__)
GRACE_S = 0.8
"""Seconds that a server has to stop a query once asked, before its connection is cut."""


@dataclass(slots=True, eq=False)
class RunningQuery:
    """A query that the time limit watches."""

    session: Session
    due: float
    expired: bool = False
    """Whether its time was up before it ended."""
    ended: bool = False
    cut: bool = False
    """Whether its connection was cut."""
    asking: threading.Lock = field(default_factory=threading.Lock)
    """Held while the server is asked to stop the query, so that its connection has no other query meanwhile."""
    cutting: threading.Lock = field(default_factory=threading.Lock)
    """The same while its connection is cut, which does not wait for a server that is slow to answer."""


class TimeLimit:
    """Watches the running queries of one process from a single thread."""

    terminate: Callable[[int], None] | None = None
    """Asks the server to stop the query of the connection from a local port; None where it has its own limit."""
    _next_due = float("inf")

    def __init__(self) -> None:
        self._running: set[RunningQuery] = set()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    @contextmanager
    def over(self, session: Session, timeout_s: float) -> Iterator[RunningQuery]:
        """Limit the time of the query that runs in `session` within the block."""
        query = RunningQuery(session, time.monotonic() + timeout_s)
        with self._changed:
            self._running.add(query)
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="clew-time-limit", daemon=True)
                self._thread.start()
            elif query.due < self._next_due:
                self._changed.notify()
        try:
            yield query
        finally:
            with query.cutting:
                query.ended = True
            if not query.cut:
                with query.asking:  # wait until nobody asks any more
                    pass
            with self._changed:
                self._running.discard(query)

    def close(self) -> None:
        """End the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _watch(self) -> None:
        while True:
            with self._changed:
                if self._closed:
                    return
                now = time.monotonic()
                due = [each for each in self._running if each.due <= now]
                if not due:
                    self._next_due = min((each.due for each in self._running), default=float("inf"))
                    self._changed.wait(None if self._next_due == float("inf") else self._next_due - now)
                    continue
            for each in due:
                # A server that is slow to stop one query must not delay the others' limits.
                each.due = time.monotonic() + GRACE_S
                threading.Thread(target=self._stop, args=(each,), daemon=True).start()

    def _stop(self, query: RunningQuery) -> None:
        # The driver offers no public way to its connection; without one, only the server's own limit holds.
        connection = getattr(query.session, "_connection", None)
        if query.expired:
            with query.cutting:
                if not query.ended:
                    query.cut = True
                    with suppress(AttributeError, OSError):
                        connection.socket._socket.shutdown(socket.SHUT_RDWR)  # type: ignore[union-attr]
            return
        with query.asking:
            if query.ended:
                return
            query.expired = True
            port = getattr(connection, "local_port", None)
            if self.terminate is None or not port:
                return
            try:
                self.terminate(port)
            except ClewError as error:
                log.debug("the server was not asked to stop a query: %s", error)
