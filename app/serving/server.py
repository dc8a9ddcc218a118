"""The server process: its socket, its connections, and how it shuts down.

uvicorn waits without limit for a request to begin, and accepts headers of any length; connections are bounded here.
What follows the headers is the middleware's task.
"""

from __future__ import annotations

import asyncio
import socket
import time
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from clew.app.serving.hosts import is_loopback
from clew.tools.errors import BadInput

KEEP_ALIVE_SECONDS = 30
MOST_CONNECTIONS = 512
HEADER_SECONDS = 10.0
"""For the first line and the headers of a request."""
HEADER_BYTES = 65_536
STOP_RUNS = "stop_runs"
"""Key of the lifespan's state: a function that stops all runs, so that their responses end."""
DRAIN = "drain"
"""Key of the lifespan's state: a function that is called at the signal to stop, while the server accepts requests."""
_LAST_SECONDS = 5
"""For responses to end after their runs were stopped."""
_STEP_SECONDS = 0.1

if TYPE_CHECKING:
    _Protocol = Any
else:
    _Protocol = AutoHTTPProtocol


def bound_socket(host: str, port: int, *, has_tokens: bool, remedy: str = "") -> socket.socket:
    """The socket to serve on; port 0 takes a free one.

    Raises BadInput if the address cannot be used, or if other machines could send requests without a token; `remedy`
    says how to set one.
    """
    if not (has_tokens or is_loopback(host)):
        remedy = remedy or "Make one (clew serve token add NAME), or serve on 127.0.0.1."
        raise BadInput(f"On {host} other machines can send requests, and there are no tokens.", remedy)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(256)  # Requests that arrive while a model is loaded wait.
    except OSError as error:
        bound.close()
        raise BadInput(f"{host}:{port} cannot be served on: {error.strerror}.", "Choose another --port.") from None
    return bound


def url_of(host: str, bound: socket.socket) -> str:
    """The address of a socket bound to `host`, as `http://host:port`."""
    return f"http://{f'[{host}]' if ':' in host else host}:{bound.getsockname()[1]}"


def uvicorn_server(app: Any, closing_seconds: float, draining_seconds: float = 0.0) -> uvicorn.Server:
    """A server that on SIGINT or SIGTERM goes on for `draining_seconds`, in which `/ready` sends new requests
    elsewhere; then it accepts no more requests, lets running ones finish for `closing_seconds`, and
    then stops their runs, whose streams end in an error. A stopped run leaves its trace, and its conversation as it was
    before the question. What has not ended then is cancelled."""
    _let_streams_end()
    config = uvicorn.Config(
        app,
        http=BoundedProtocol,
        ws="none",
        log_level="error",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=max(1, round(closing_seconds)),
    )
    return _Server(config, draining_seconds)


class _Server(uvicorn.Server):
    """Drains, and stops the runs of its application before uvicorn cancels the requests."""

    def __init__(self, config: uvicorn.Config, draining_seconds: float) -> None:
        super().__init__(config)
        self._draining_seconds = draining_seconds

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if (drain := self.lifespan.state.get(DRAIN)) is not None:
            drain()
            until = time.monotonic() + self._draining_seconds
            while time.monotonic() < until and not self.force_exit:
                await asyncio.sleep(_STEP_SECONDS)
        if (stop_runs := self.lifespan.state.get(STOP_RUNS)) is not None:
            closing = self.config.timeout_graceful_shutdown or 1
            self.config.timeout_graceful_shutdown = closing + _LAST_SECONDS
            asyncio.get_running_loop().call_later(closing, stop_runs)
        await super().shutdown(sockets)


def serve(app: Any, bound: socket.socket, closing_seconds: float, draining_seconds: float = 0.0) -> None:
    """Serve until SIGINT or SIGTERM."""
    uvicorn_server(app, closing_seconds, draining_seconds).run(sockets=[bound])


def _let_streams_end() -> None:
    """sse-starlette 1, which LangServe needs, cuts every stream at the signal: let them finish."""
    from sse_starlette import sse

    restore = getattr(sse, "unpatch_uvicorn_signal_handler", None)
    if restore is not None:
        restore()


class BoundedProtocol(_Protocol):  # type: ignore[misc]
    """One connection, for uvicorn's setting `http`. Closes silent connections, and the longest idle one when there are
    too many."""

    most = MOST_CONNECTIONS
    header_seconds = HEADER_SECONDS

    def connection_made(self, transport: asyncio.Transport) -> None:
        self._since: float | None = time.monotonic()
        """When the request began whose headers are awaited; None while there is no such request."""
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
        """Close the connection that has been idle longest; this one if all others are busy."""
        others = [one for one in self.connections if one is not self and one.idle]
        oldest = min(others, key=lambda one: one._since or 0.0, default=self)
        oldest.transport.close()
        self.connections.discard(oldest)
