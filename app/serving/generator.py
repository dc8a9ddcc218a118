"""The generator as a service: one model that chooses queries for many clients (`clew generator serve`).

Routes are LangServe's (`add_routes`), so that its `RemoteRunnable` is a client. Before LangServe, this checks what it
leaves open: whether the queue has room, and whole batches, since LangServe reports an invalid batch as its own error.
The service needs the model's packages, but no database.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, FastAPI, Request
from langchain_core.runnables import RunnableLambda
from langserve import CustomUserType, add_routes
from pydantic import BaseModel, ConfigDict, Field

from clew.app.api.generator import MOST_TEXTS, Choice
from clew.app.api.generator import Request as ChoiceRequest
from clew.app.serving.authentication import SingleToken
from clew.app.serving.errors import add_error_handlers, validated
from clew.app.serving.hosts import Hosts
from clew.app.serving.middleware import RequestMiddleware
from clew.app.serving.runs import QueueFull
from clew.tools.errors import ClewError

if TYPE_CHECKING:
    from clew.app.api.generator import SharedChooser

MOST_BYTES = 4_000_000
"""Of one request."""
MOST_WAITING = 32
MOST_INPUTS = 32
"""Of one batch."""
CLOSING_SECONDS = 30


class GeneratorRequest(CustomUserType):
    """Texts to choose from. LangServe passes this class on as it is, and any other as a dictionary."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    prompt: str = Field(min_length=1, max_length=200_000)
    candidates: tuple[Annotated[str, Field(min_length=1, max_length=20_000)], ...] = Field(
        min_length=1, max_length=MOST_TEXTS
    )
    m: int = Field(default=5, ge=1, le=100)
    seconds: float = Field(default=60.0, gt=0, le=600)


class SingleInput(BaseModel):
    """The body of `/invoke` and `/stream`; LangServe checks its other keys."""

    input: GeneratorRequest


class BatchInput(BaseModel):
    """The body of `/batch`."""

    inputs: list[GeneratorRequest] = Field(min_length=1, max_length=MOST_INPUTS)


@dataclass(slots=True, eq=False)
class _Waiting:
    request: GeneratorRequest
    answer: asyncio.Future[Choice]


@dataclass(eq=False)
class GeneratorQueue:
    """Requests that wait for the one model. Those that wait together are processed together: one search answers equal
    requests, and the searches of different ones share the model's passes."""

    chooser: SharedChooser
    most: int = MOST_WAITING
    _queue: list[_Waiting] = field(default_factory=list)
    _arrived: asyncio.Event = field(default_factory=asyncio.Event)
    _pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "generator"))
    served: int = 0
    searches: int = 0

    @property
    def waiting(self) -> int:
        return len(self._queue)

    def refuse_unless_room(self, requests: int = 1) -> None:
        """Raises QueueFull."""
        if len(self._queue) + requests > self.most:
            raise QueueFull("Too many requests are waiting.", "Send it again in a moment.")

    async def choose(self, request: GeneratorRequest) -> Choice:
        """The model's choice, after the requests before it. Raises QueueFull, and what the model raises."""
        self.refuse_unless_room()
        waiting = _Waiting(request, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        self._arrived.set()
        return await waiting.answer

    async def work(self) -> None:
        """Process requests until cancelled."""
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            while self._queue:
                batch = [each for each in self._queue if not each.answer.cancelled()]
                self._queue.clear()
                groups: dict[GeneratorRequest, list[_Waiting]] = {}
                for each in batch:
                    groups.setdefault(each.request, []).append(each)
                if groups:
                    await self._answer(groups)

    async def _answer(self, groups: dict[GeneratorRequest, list[_Waiting]]) -> None:
        self.searches += len(groups)
        found: Sequence[Choice | Exception]
        try:
            found = await asyncio.get_running_loop().run_in_executor(self._pool, self._choose, list(groups))
        except Exception as error:
            found = [error] * len(groups)
        for result, group in zip(found, groups.values(), strict=True):
            for each in group:
                self.served += isinstance(result, Choice)
                if each.answer.done():
                    continue
                if isinstance(result, Choice):
                    each.answer.set_result(result)
                else:
                    each.answer.set_exception(result)

    def _choose(self, requests: Sequence[GeneratorRequest]) -> list[Choice | ClewError]:
        return self.chooser.choose_all([ChoiceRequest(r.prompt, r.candidates, r.m, r.seconds) for r in requests])

    def close(self) -> None:
        for each in self._queue:
            each.answer.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)


def generator_app(chooser: SharedChooser, token: str | None = None, *, most_waiting: int = MOST_WAITING) -> Any:
    """The ASGI application. With a `token`, all paths but `/health` require it (`Authorization: Bearer …`)."""
    routes: Any = generator_routes(chooser, most_waiting=most_waiting)
    larger = {"/": MOST_BYTES}
    return RequestMiddleware(routes, Hosts("*"), SingleToken(token), open_here=token is None, larger=larger)


def generator_routes(chooser: SharedChooser, *, most_waiting: int = MOST_WAITING) -> FastAPI:
    """The routes without the middleware, to be mounted in another application, which also has to run their lifespan."""
    queue = GeneratorQueue(chooser, most_waiting)

    @asynccontextmanager
    async def working(_: FastAPI) -> AsyncIterator[None]:
        worker = asyncio.create_task(queue.work())
        yield
        worker.cancel()
        queue.close()

    app = FastAPI(title="Clew's generator", lifespan=working, docs_url=None, redoc_url=None, openapi_url=None)
    add_error_handlers(app)

    async def admitted(request: Request) -> None:
        if request.method == "POST":
            queue.refuse_unless_room(await _inputs(request))

    @app.get("/health")
    async def health() -> dict[str, Any]:
        return {
            "status": "ok",
            "model": chooser.name,
            "window": _window(chooser),
            "waiting": queue.waiting,
            "served": queue.served,
            "searches": queue.searches,
        }

    add_routes(
        app,
        RunnableLambda(queue.choose, name="generator"),
        input_type=GeneratorRequest,
        output_type=Choice,
        config_keys=(),
        enabled_endpoints=("invoke", "batch", "stream", "input_schema", "output_schema"),
        dependencies=[Depends(admitted)],
    )
    return app


def _window(chooser: SharedChooser) -> int | None:
    try:
        return chooser.window
    except ClewError:  # It cannot be loaded; requests get that error.
        return None


async def _inputs(request: Request) -> int:
    """The number of inputs of a request. Raises RequestValidationError if one of them is invalid."""
    body = await request.body()
    if request.url.path.endswith("/batch"):
        return len(validated(BatchInput, body).inputs)
    validated(SingleInput, body)
    return 1
