"""The generator as a service: one model, asked over HTTP by as many as want to (`clew generator serve`).

Routes are LangServe's (`add_routes`), so that its `RemoteRunnable` is a client. What LangServe leaves open comes before
it: the token, the size of a request, whether there is room in the line, and a check of whole batches, since LangServe
answers a bad one as if the fault were its own. Needs the model's packages, but no database.
"""

from __future__ import annotations

import asyncio
import hmac
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Annotated, Any

from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from langchain_core.runnables import RunnableLambda
from langserve import CustomUserType, add_routes
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from clew.agents.generating.choosers import Chooser
from clew.tools.errors import BadInput, ClewError
from clew.tools.learning.generation.chosen import MOST_TEXTS, Choice

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


class Asked(CustomUserType):
    """What is to be chosen from. LangServe hands it on as it is, and anything else as a dictionary."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    prompt: str = Field(min_length=1, max_length=200_000)
    candidates: tuple[Annotated[str, Field(min_length=1, max_length=20_000)], ...] = Field(
        min_length=1, max_length=MOST_TEXTS
    )
    m: int = Field(default=5, ge=1, le=100)
    seconds: float = Field(default=60.0, gt=0, le=600)


class One(BaseModel):
    """To `/invoke` and `/stream`; what else LangServe's clients send is LangServe's to look at."""

    input: Asked


class Several(BaseModel):
    """To `/batch`."""

    inputs: list[Asked] = Field(min_length=1, max_length=MOST_INPUTS)


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

    def has_room(self, places: int) -> bool:
        return len(self._line) + places <= self.most

    async def choose(self, asked: Asked) -> Choice:
        """The answer, when it is this one's turn. Raises Full where the line is too long, and what the model raises."""
        if not self.has_room(1):
            raise Full
        place = _Waiting(asked, asyncio.get_running_loop().create_future())
        self._line.append(place)
        self._arrived.set()
        return await place.answer

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
    """The ASGI application. With a `token`, all but `/health` ask for it (`Authorization: Bearer …`)."""
    return _Limited(generator_routes(chooser, token, most_waiting=most_waiting), MOST_BYTES)


def generator_routes(chooser: Chooser, token: str | None = None, *, most_waiting: int = MOST_WAITING) -> FastAPI:
    """The same without a limit of its own on the size of requests, to be mounted in another application, which then has
    to run its lifespan too."""
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

    async def admitted(request: Request) -> None:
        if request.method == "POST" and not desk.has_room(await _inputs(request)):
            raise Full

    @app.get("/health")
    async def health() -> dict[str, Any]:
        return {
            "status": "ok",
            "model": chooser.name,
            "waiting": desk.waiting,
            "served": desk.served,
            "searches": desk.searches,
        }

    @app.exception_handler(Full)
    async def full(_: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"detail": "Too many requests are waiting."}, 503, {"Retry-After": str(AGAIN_AFTER)})

    @app.exception_handler(ClewError)
    async def refused(_: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 422 if isinstance(error, BadInput) else 500)

    add_routes(
        app,
        RunnableLambda(desk.choose, name="generator"),
        input_type=Asked,
        output_type=Choice,
        config_keys=(),
        enabled_endpoints=("invoke", "batch", "stream", "input_schema", "output_schema"),
        dependencies=[Depends(allowed), Depends(admitted)],
    )
    return app


async def _inputs(request: Request) -> int:
    """How many questions a request holds. Raises RequestValidationError where it is none, or not one of them is."""
    try:
        if request.url.path.endswith("/batch"):
            return len(Several.model_validate_json(await request.body()).inputs)
        One.model_validate_json(await request.body())
        return 1
    except ValidationError as error:
        raise RequestValidationError(error.errors(include_url=False, include_context=False)) from None


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
