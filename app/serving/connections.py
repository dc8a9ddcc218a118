"""Connections: what says nothing is closed, and so is what has been silent longest where there are too many.

uvicorn waits for a request to begin as long as it takes, and takes headers of any length. What comes after the headers
is the gate's matter.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

MOST_CONNECTIONS = 512
HEADER_SECONDS = 10.0
"""For the first line and the headers of a request."""
HEADER_BYTES = 65_536

if TYPE_CHECKING:
    _Protocol = Any
else:
    _Protocol = AutoHTTPProtocol


class BoundedProtocol(_Protocol):  # type: ignore[misc]
    """One connection; what uvicorn's setting `http` takes."""

    most = MOST_CONNECTIONS
    header_seconds = HEADER_SECONDS

    def connection_made(self, transport: asyncio.Transport) -> None:
        self._since: float | None = time.monotonic()
        """When the request began whose headers are awaited; None while there is no such."""
        self._head = 0
        super().connection_made(transport)
        self._timer = asyncio.get_running_loop().call_later(self.header_seconds, self._look)
        if len(self.connections) > self.most:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        if self.idle:
            self._since = self._since or time.monotonic()
            self._head += len(data)
        super().data_received(data)
        if not self.idle:
            self._since, self._head = None, 0
        elif self._head > HEADER_BYTES:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._timer.cancel()
        super().connection_lost(exc)

    @property
    def idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _look(self) -> None:
        now = time.monotonic()
        if self.idle and self._since is not None and now - self._since >= self.header_seconds:
            self.transport.close()
            return
        self._timer = asyncio.get_running_loop().call_later(self.header_seconds / 2, self._look)

    def _make_room(self) -> None:
        """Close the connection that has been idle longest; this one, where all others are at work."""
        others = [one for one in self.connections if one is not self and one.idle]
        oldest = min(others, key=lambda one: one._since or 0.0, default=self)
        oldest.transport.close()
        self.connections.discard(oldest)
