"""The server as a process: how it begins, and how it ends without losing what was begun."""

from __future__ import annotations

import socket
from typing import Any

import uvicorn

from clew.app.serving.connections import BoundedProtocol

KEEP_ALIVE_SECONDS = 30


def uvicorn_server(app: Any, closing_seconds: float) -> uvicorn.Server:
    """On SIGINT or SIGTERM it takes no more requests, lets those under way end for `closing_seconds`, and then cancels
    them. A run that is cancelled leaves its trace, and its conversation as it was before the question."""
    _let_streams_end()
    config = uvicorn.Config(
        app,
        http=BoundedProtocol,
        ws="none",
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=max(1, round(closing_seconds)),
    )
    return uvicorn.Server(config)


def serve(app: Any, bound: socket.socket, closing_seconds: float) -> None:
    """Until SIGINT or SIGTERM."""
    uvicorn_server(app, closing_seconds).run(sockets=[bound])


def _let_streams_end() -> None:
    """sse-starlette 1, which LangServe needs, cuts every stream at the signal. Streams under way shall end by
    themselves, as other responses do."""
    from sse_starlette import sse

    restore = getattr(sse, "unpatch_uvicorn_signal_handler", None)
    if restore is not None:
        restore()
