"""The gate: every request passes it before anything else sees it, and is refused there if need be.

In this order: does the `Host` header name this server, does a page of another site ask, who asks and how often, is the
body too large or too slow. The body is read here as a whole, so that nothing behind the gate waits for a slow client.
A client that leaves cancels what was begun for it. Every request is counted and logged, by its route and not by its
words.
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

from clew.app.serving.callers import Caller
from clew.app.serving.hosts import Hosts
from clew.app.serving.metrics import Metrics
from clew.app.serving.rates import Rates
from clew.app.serving.refusals import fault, refusal
from clew.app.serving.tokens import TokenFile

MOST_BYTES = 1_000_000
"""Of one request's body."""
BODY_SECONDS = 15.0
"""For all of it."""
SEND_SECONDS = 60.0
"""For a client to take what it is sent, piece by piece."""
OPEN_PATHS = frozenset({"/health", "/ready"})
"""What anybody may ask."""
_CLOSING = {"Connection": "close"}
_ALWAYS = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer"))

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
_log = logging.getLogger("clew.serve")


@dataclass(slots=True)
class Gate:
    """An ASGI application around another one."""

    app: App
    hosts: Hosts
    tokens: TokenFile
    metrics: Metrics
    origins: Collection[str] = ()
    """Other sites whose pages may ask."""
    open_here: bool = False
    """Whether whoever is at this machine may ask without a token; that ends for good with the first token."""
    larger: dict[str, int] = field(default_factory=dict)
    """Paths, by how they begin, whose bodies may be larger than others."""
    pages: frozenset[str] = frozenset()
    """Paths of files that are the same for everybody: they need no token, and links of other sites may lead to them."""
    rates: Rates = field(default_factory=Rates)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = _Answer(send)
        scope.setdefault("state", {})
        try:
            refused = self._refused(scope) or await self._read(scope, receive)
            if isinstance(refused, Response):
                await refused(scope, receive, answer)
            elif refused is not None:
                await _until_left(self.app, scope, refused, receive, answer)
        finally:
            self._count(scope, answer)

    def _refused(self, scope: Scope) -> Response | None:
        headers, path = Headers(scope=scope), str(scope["path"])
        host = headers.get("host", "")
        if not self.hosts.knows(host):
            return refusal(path, 421, "This server is not known by that name; `--allow-host NAME` tells it.")
        origin = headers.get("origin")
        foreign = origin is not None and origin not in self.origins and not self.hosts.knows_origin(origin, host)
        linked = origin is None and headers.get("sec-fetch-site") == "cross-site"
        if foreign or (linked and not (path in self.pages and headers.get("sec-fetch-dest") == "document")):
            return refusal(path, 403, "Pages of other sites may not ask here.")
        if any(ord(character) < 32 or character == "\x7f" for character in path):
            return refusal(path, 404, "Not Found")
        if path in OPEN_PATHS or path in self.pages:
            scope["state"]["caller"] = Caller()
            return None
        return self._unknown(scope, headers, path)

    def _unknown(self, scope: Scope, headers: Headers, path: str) -> Response | None:
        caller: Caller | None = Caller()
        self.open_here = self.open_here and not self.tokens.there
        if not self.open_here:
            scheme, _, secret = headers.get("authorization", "").partition(" ")
            caller = self.tokens.caller(secret.strip()) if scheme.lower() == "bearer" else None
        if caller is None:
            told = {"WWW-Authenticate": "Bearer", **_CLOSING}
            return refusal(path, 401, "The token is missing or wrong.", told)
        if wait := self.rates.wait(caller):
            return refusal(path, 429, "You ask too often.", {"Retry-After": str(wait), **_CLOSING})
        scope["state"]["caller"] = caller
        return None

    async def _read(self, scope: Scope, receive: Receive) -> bytes | Response | None:
        """The body; None where the client left before it was there."""
        path = str(scope["path"])
        most = next((most for begin, most in self.larger.items() if path.startswith(begin)), MOST_BYTES)
        large = refusal(path, 413, f"A request has {most:,} bytes at most.", _CLOSING)
        told = Headers(scope=scope).get("content-length", "")
        if told.isdecimal() and int(told[:20]) > most:
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
            return refusal(path, 408, f"The request took longer than {BODY_SECONDS:g} seconds.", _CLOSING)

    def _count(self, scope: Scope, answer: _Answer) -> None:
        route = _route(scope, "(none)" if answer.status == 404 else "(refused)")
        seconds = time.monotonic() - answer.started
        status = answer.status or 499
        self.metrics.request(route, _method(scope), status, seconds, answer.first)
        caller = scope["state"].get("caller")
        user = caller.owner if caller is not None and caller.owner is not None else "-"
        _log.info("%s %s %s %d %.1f ms", user, _method(scope), route, status, seconds * 1000)


async def _until_left(app: App, scope: Scope, body: bytes, receive: Receive, answer: _Answer) -> None:
    """Have the request answered, unless the client leaves first."""
    left = asyncio.Event()
    unread = [body]

    async def told() -> Message:
        if unread:
            return {"type": "http.request", "body": unread.pop(), "more_body": False}
        await left.wait()
        return {"type": "http.disconnect"}

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    answering = asyncio.ensure_future(app(scope, told, answer))
    watching = asyncio.ensure_future(watch())
    try:
        await asyncio.wait({answering, watching}, return_when=asyncio.FIRST_COMPLETED)
        if not answering.done() and not answer.ended:
            left.set()
            answering.cancel()
        await answering
    except asyncio.CancelledError:
        answering.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await answering
        if not left.is_set():
            raise
    except Exception as error:
        _log.error("A request to %s failed.", _route(scope, "(none)"), exc_info=error)
        if not answer.status:
            await fault(str(scope["path"]))(scope, told, answer)
    finally:
        watching.cancel()


class _Answer:
    """Hands on what is sent, and remembers what matters of it."""

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
    """The path as the application wrote it, without what the client put in its place."""
    return getattr(scope.get("route"), "path", None) or otherwise


def _method(scope: Scope) -> str:
    known = ("GET", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS", "PUT")
    return scope["method"] if scope["method"] in known else "(other)"
