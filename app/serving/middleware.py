"""The middleware: every request passes it first, and may be rejected here.

It checks, in this order: that the `Host` header names this server, that no page of another site sends the request, the
token and its rate limit, and the size and speed of the body. It reads the body as a whole, so that nothing behind it
waits for a slow client. A client that disconnects cancels its request. Every request is counted and logged by its
route, without its content.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import Response

from clew.app.serving.authentication import Caller, SingleToken, Tokens
from clew.app.serving.errors import RETRY_AFTER, error_response, internal_error, status_of
from clew.app.serving.hosts import Hosts
from clew.app.serving.metrics import Metrics
from clew.app.serving.rate_limits import RateLimits
from clew.tools.errors import ClewError

MOST_BYTES = 1_000_000
"""Of a request's body."""
BODY_SECONDS = 15.0
"""To receive the whole body."""
SEND_SECONDS = 60.0
"""For a client to accept each part of the response."""
OPEN_PATHS = frozenset({"/health", "/ready"})
"""Paths that need no token."""
_CLOSING = {"Connection": "close"}
_ALWAYS = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer"))

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
_log = logging.getLogger("clew.serve")


@dataclass(slots=True)
class RequestMiddleware:
    """An ASGI application around another one."""

    app: App
    hosts: Hosts
    tokens: Tokens | SingleToken
    metrics: Metrics | None = None
    origins: Collection[str] = ()
    """Other sites whose pages may send requests."""
    open_here: bool = False
    """Whether requests need no token; this ends for good with the first token."""
    larger: dict[str, int] = field(default_factory=dict)
    """The largest body, in bytes, of paths that begin so; MOST_BYTES for others."""
    pages: frozenset[str] = frozenset()
    """Paths of static files: they need no token, and other sites may link to them."""
    rates: RateLimits = field(default_factory=RateLimits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = _MonitoredSend(send)
        scope.setdefault("state", {})
        try:
            body = await self._rejection(scope) or await self._body(scope, receive)
            if isinstance(body, Response):
                await body(scope, receive, response)
            elif body is not None:
                await _until_disconnect(self.app, scope, body, receive, response)
        finally:
            self._count(scope, response)

    async def _rejection(self, scope: Scope) -> Response | None:
        headers, path = Headers(scope=scope), str(scope["path"])
        host = headers.get("host", "")
        if not self.hosts.knows(host):
            return error_response(path, 421, "This server does not have that name; `--allow-host NAME` adds it.")
        origin = headers.get("origin")
        foreign = origin is not None and origin not in self.origins and not self.hosts.knows_origin(origin, host)
        linked = origin is None and headers.get("sec-fetch-site") == "cross-site"
        if foreign or (linked and not (path in self.pages and headers.get("sec-fetch-dest") == "document")):
            return error_response(path, 403, "Pages of other sites may not send requests here.")
        if any(ord(character) < 32 or character == "\x7f" for character in path):
            return error_response(path, 404, "Not Found")
        if path in OPEN_PATHS or path in self.pages:
            scope["state"]["caller"] = Caller()
            return None
        try:
            return await self._unauthenticated(scope, headers, path)
        except ClewError as error:
            return error_response(path, status_of(error), error.message, {**RETRY_AFTER, **_CLOSING})

    async def _unauthenticated(self, scope: Scope, headers: Headers, path: str) -> Response | None:
        authorization = headers.get("authorization", "")
        fresh = self.tokens.fresh
        caller = self._caller(authorization) if fresh else await asyncio.to_thread(self._caller, authorization)
        if caller is None:
            challenge = {"WWW-Authenticate": "Bearer", **_CLOSING}
            return error_response(path, 401, "The token is missing or wrong.", challenge)
        wait = await asyncio.to_thread(self.rates.wait, caller) if self.rates.shared else self.rates.wait(caller)
        if wait:
            return error_response(
                path, 429, "There are too many requests with this token.", {"Retry-After": str(wait), **_CLOSING}
            )
        scope["state"]["caller"] = caller
        return None

    def _caller(self, authorization: str) -> Caller | None:
        """Who sends a request with this header; None where a token is missing or wrong."""
        self.open_here = self.open_here and not self.tokens.there
        if self.open_here:
            return Caller()
        scheme, _, secret = authorization.partition(" ")
        return self.tokens.caller(secret.strip()) if scheme.lower() == "bearer" else None

    async def _body(self, scope: Scope, receive: Receive) -> bytes | Response | None:
        """The body, or an error response; None if the client disconnected first."""
        path = str(scope["path"])
        most = next((most for begin, most in self.larger.items() if path.startswith(begin)), MOST_BYTES)
        large = error_response(path, 413, f"A request has {most:,} bytes at most.", _CLOSING)
        length = Headers(scope=scope).get("content-length", "")
        if length.isdecimal() and int(length[:20]) > most:
            return large
        body = bytearray()
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    body += message.get("body", b"")
                    if len(body) > most:
                        return large
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError:
            return error_response(path, 408, f"The request took longer than {BODY_SECONDS:g} seconds.", _CLOSING)

    def _count(self, scope: Scope, response: _MonitoredSend) -> None:
        route = _route(scope, "(none)" if response.status == 404 else "(refused)")
        seconds = time.monotonic() - response.started
        status = response.status or 499
        if self.metrics is not None:
            self.metrics.request(route, _method(scope), status, seconds, response.first)
        caller = scope["state"].get("caller")
        user = caller.owner if caller is not None and caller.owner is not None else "-"
        _log.info("%s %s %s %d %.1f ms", user, _method(scope), route, status, seconds * 1000)


async def _until_disconnect(app: App, scope: Scope, body: bytes, receive: Receive, response: _MonitoredSend) -> None:
    """Have `app` answer the request; cancel it if the client disconnects first."""
    disconnected = asyncio.Event()
    unread = [body]

    async def buffered() -> Message:
        if unread:
            return {"type": "http.request", "body": unread.pop(), "more_body": False}
        await disconnected.wait()
        return {"type": "http.disconnect"}

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    answering = asyncio.ensure_future(app(scope, buffered, response))
    watching = asyncio.ensure_future(watch())
    try:
        await asyncio.wait({answering, watching}, return_when=asyncio.FIRST_COMPLETED)
        if not answering.done() and not response.ended:
            disconnected.set()
            answering.cancel()
        await answering
    except asyncio.CancelledError:
        answering.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await answering
        if not disconnected.is_set():
            raise
    except Exception as error:
        _log.error("A request to %s failed.", _route(scope, "(none)"), exc_info=error)
        if not response.status:
            await internal_error(str(scope["path"]))(scope, buffered, response)
    finally:
        watching.cancel()


class _MonitoredSend:
    """ASGI's `send` with the status, and when the body began and ended."""

    __slots__ = ("ended", "first", "send", "started", "status")

    def __init__(self, send: Send) -> None:
        self.send = send
        self.started = time.monotonic()
        self.status = 0
        self.first: float | None = None
        """Seconds until the first byte of the body."""
        self.ended = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message.get("headers", ()), *_ALWAYS]
        elif message["type"] == "http.response.body":
            if self.first is None and message.get("body"):
                self.first = time.monotonic() - self.started
            self.ended = not message.get("more_body", False)
        async with asyncio.timeout(SEND_SECONDS):
            await self.send(message)


def _route(scope: Scope, otherwise: str) -> str:
    """The path as the route declares it, without the client's values."""
    return getattr(scope.get("route"), "path", None) or otherwise


def _method(scope: Scope) -> str:
    known = ("GET", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS", "PUT")
    return scope["method"] if scope["method"] in known else "(other)"
