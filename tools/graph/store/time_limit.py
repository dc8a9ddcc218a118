"""The client's side of a query's time limit: ask the server to stop it, and give the connection up if it does not."""

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
GRACE_S = 3.0
"""Seconds that a server has to stop a query once asked, before its connection is cut."""


@dataclass(slots=True, eq=False)
class Watched:
    """One running query."""

    session: Session
    due: float
    expired: bool = False
    """Its time was up before it ended."""
    ended: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)
    """Held while the query is being stopped, so that its connection is not used for another one meanwhile."""


class TimeLimit:
    """Watches the running queries of one process from a single thread."""

    def __init__(self, terminate: Callable[[int], None] | None) -> None:
        """`terminate` asks the server to stop what runs for the connection from a local port; None where the
        server keeps the limit itself."""
        self._terminate = terminate
        self._watched: set[Watched] = set()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    @contextmanager
    def over(self, session: Session, timeout_s: float) -> Iterator[Watched]:
        """Watch what runs in `session` for as long as the block lasts."""
        watched = Watched(session, time.monotonic() + timeout_s)
        with self._changed:
            self._watched.add(watched)
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="clew-time-limit", daemon=True)
                self._thread.start()
            elif len(self._watched) == 1 or watched.due < self._next_due:
                self._changed.notify()
        try:
            yield watched
        finally:
            with watched.lock:
                watched.ended = True
            with self._changed:
                self._watched.discard(watched)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()

    _next_due = float("inf")

    def _watch(self) -> None:
        while True:
            with self._changed:
                if self._closed:
                    return
                now = time.monotonic()
                due = [each for each in self._watched if each.due <= now]
                if not due:
                    self._next_due = min((each.due for each in self._watched), default=float("inf"))
                    self._changed.wait(None if self._next_due == float("inf") else self._next_due - now)
                    continue
            for each in due:
                # A server that is slow to stop one query must not delay the others' limits.
                each.due = time.monotonic() + GRACE_S
                threading.Thread(target=self._stop, args=(each,), daemon=True).start()

    def _stop(self, watched: Watched) -> None:
        with watched.lock:
            if watched.ended:
                return
            # The driver offers no public way to its connection; without one, only the server's own limit holds.
            connection = getattr(watched.session, "_connection", None)
            if watched.expired:
                with suppress(AttributeError, OSError):
                    connection.socket._socket.shutdown(socket.SHUT_RDWR)  # type: ignore[union-attr]
                return
            watched.expired = True
            port = getattr(connection, "local_port", None)
            if self._terminate is None or not port:
                return
            try:
                self._terminate(port)
            except ClewError as error:
                log.debug("the server was not asked to stop a query: %s", error)
