"""The generator as a service: one model, asked over HTTP by as many as want to (`clew generator serve`).

Routes have the shapes of LangServe's (`POST /invoke` with `input`, `POST /batch` with `inputs`), so that a
`RemoteRunnable` can ask it; LangServe itself is under a licence that not everybody may use, and no longer developed.
Needs the model's packages, but no database.
"""

from __future__ import annotations

import asyncio
import hmac
import socket
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Annotated, Any

from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from agents.generating.choosers import Chooser
from tools.errors import BadInput, ClewError
from tools.generation.chosen import MOST_TEXTS, Choice

MOST_BYTES = 4_000_000
"""Of one request."""
MOST_WAITING = 32
MOST_INPUTS = 32
"""Of one request for several."""
AGAIN_AFTER = 2
"""Seconds that a client is asked to wait when too many do."""
CLOSING_SECONDS = 30

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Asked(BaseModel):
    """What is to be chosen from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    prompt: str = Field(min_length=1, max_length=200_000)
    candidates: tuple[Annotated[str, Field(min_length=1, max_length=20_000)], ...] = Field(
        min_length=1, max_length=MOST_TEXTS
    )
    m: int = Field(default=5, ge=1, le=100)
    seconds: float = Field(default=60.0, gt=0, le=600)


class One(BaseModel):
    """`config` and `kwargs` are LangServe's and not looked at."""

    input: Asked
    config: Any = None
    kwargs: Any = None


class Several(BaseModel):
    inputs: list[Asked] = Field(min_length=1, max_length=MOST_INPUTS)
    config: Any = None
    kwargs: Any = None


class Full(Exception):
    """Too many are waiting."""


@dataclass(slots=True, eq=False)
class _Waiting:
    asked: Asked
    answer: asyncio.Future[Choice]


@dataclass(eq=False)
class Desk:
    """Requests in line for the one model. What waits together is taken together: equal requests are answered by one
    search, and requests with the same candidates follow each other, so that their trie is made once."""

    chooser: Chooser
    most: int = MOST_WAITING
    _line: list[_Waiting] = field(default_factory=list)
    _arrived: asyncio.Event = field(default_factory=asyncio.Event)
    _pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "generator"))
    served: int = 0
    searches: int = 0

    @property
    def waiting(self) -> int:
        return len(self._line)

    def line_up(self, *asked: Asked) -> list[asyncio.Future[Choice]]:
        """The answers to come. Raises Full where there is no room for all of them."""
        if len(self._line) + len(asked) > self.most:
            raise Full
        places = [_Waiting(each, asyncio.get_running_loop().create_future()) for each in asked]
        self._line += places
        self._arrived.set()
        return [place.answer for place in places]

    async def work(self) -> None:
        """Serve until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            while self._line:
                batch = [place for place in self._line if not place.answer.cancelled()]
                self._line.clear()
                groups: dict[Asked, list[_Waiting]] = {}
                for place in sorted(batch, key=lambda place: place.asked.candidates):
                    groups.setdefault(place.asked, []).append(place)
                for asked, places in groups.items():
                    await self._answer(loop, asked, places)

    async def _answer(self, loop: asyncio.AbstractEventLoop, asked: Asked, places: list[_Waiting]) -> None:
        self.searches += 1
        try:
            choice = await loop.run_in_executor(self._pool, self._choose, asked)
        except Exception as error:
            for place in places:
                if not place.answer.done():
                    place.answer.set_exception(error)
            return
        for place in places:
            self.served += 1
            if not place.answer.done():
                place.answer.set_result(choice)

    def _choose(self, asked: Asked) -> Choice:
        return self.chooser.choose(asked.prompt, list(asked.candidates), asked.m, seconds=asked.seconds)

    def close(self) -> None:
        for place in self._line:
            place.answer.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)


def generator_app(chooser: Chooser, token: str | None = None, *, most_waiting: int = MOST_WAITING) -> Any:
    """The ASGI application. With a `token`, `/invoke` and `/batch` ask for it (`Authorization: Bearer …`)."""
    desk = Desk(chooser, most_waiting)

    @asynccontextmanager
    async def working(_: FastAPI) -> AsyncIterator[None]:
        worker = asyncio.create_task(desk.work())
        yield
        worker.cancel()
        desk.close()

    app = FastAPI(title="Clew's generator", lifespan=working, docs_url=None, redoc_url=None, openapi_url=None)

    def allowed(request: Request) -> None:
        said = request.headers.get("Authorization", "")
        if token is not None and not hmac.compare_digest(said.encode(), f"Bearer {token}".encode()):
            raise HTTPException(401, "The token is missing or wrong.", {"WWW-Authenticate": "Bearer"})

    @app.get("/health")
    async def health() -> dict[str, Any]:
        return {
            "status": "ok",
            "model": chooser.name,
            "waiting": desk.waiting,
            "served": desk.served,
            "searches": desk.searches,
        }

    @app.post("/invoke", dependencies=[Depends(allowed)])
    async def invoke(one: One) -> dict[str, Any]:
        [answer] = _lined_up(desk, one.input)
        return {"output": (await answer).to_json(), "metadata": _metadata()}

    @app.post("/batch", dependencies=[Depends(allowed)])
    async def batch(several: Several) -> dict[str, Any]:
        answers = _lined_up(desk, *several.inputs)
        found = [choice.to_json() for choice in await asyncio.gather(*answers)]
        return {"output": found, "metadata": {"responses": [_metadata() for _ in found]}}

    @app.exception_handler(ClewError)
    async def refused(_: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 422 if isinstance(error, BadInput) else 500)

    return _Limited(app, MOST_BYTES)


def _lined_up(desk: Desk, *asked: Asked) -> list[asyncio.Future[Choice]]:
    try:
        return desk.line_up(*asked)
    except Full:
        raise HTTPException(503, "Too many requests are waiting.", {"Retry-After": str(AGAIN_AFTER)}) from None


def _metadata() -> dict[str, Any]:
    return {"run_id": str(uuid.uuid4()), "feedback_tokens": []}


class _TooLarge(Exception):
    pass


class _Limited:
    """Refuses bodies that are too large, whether they say so or not, before anything reads them whole."""

    def __init__(self, app: FastAPI, most: int) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        taken, begun = 0, False
        lengths = [value for name, value in scope["headers"] if name == b"content-length"]

        async def counted() -> MutableMapping[str, Any]:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._most:
                raise _TooLarge
            return message

        async def told(message: MutableMapping[str, Any]) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            if any(value.isdigit() and int(value) > self._most for value in lengths):
                raise _TooLarge
            await self._app(scope, counted, told)
        except _TooLarge:
            if not begun:
                large = JSONResponse({"detail": f"A request has {self._most:,} bytes at most."}, 413)
                await large(scope, receive, send)


def bound_socket(host: str, port: int, token: str | None) -> socket.socket:
    """The socket to serve on; port 0 takes a free one. Raises BadInput where that cannot be, or where others could ask
    without a token."""
    if token is None and not _is_loopback(host):
        raise BadInput(
            f"On {host} others can ask this generator, and it has no token.",
            "Set CLEW_GENERATOR_TOKEN, or serve on 127.0.0.1.",
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(128)  # Who asks while the model is loaded has to wait, and is not refused.
    except OSError as error:
        bound.close()
        raise BadInput(f"{host}:{port} cannot be served on: {error.strerror}.", "Choose another --port.") from None
    return bound


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def serve(chooser: Chooser, bound: socket.socket, token: str | None) -> None:
    """Until SIGINT or SIGTERM; requests under way are answered before it ends."""
    import uvicorn

    config = uvicorn.Config(
        generator_app(chooser, token),
        log_level="warning",
        timeout_graceful_shutdown=CLOSING_SECONDS,
        timeout_keep_alive=30,
    )
    uvicorn.Server(config).run(sockets=[bound])
