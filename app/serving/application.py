"""The server as an ASGI application: the gate, and behind it the routes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from clew.app.serving.answering import Here
from clew.app.serving.asking_routes import add_asking_routes
from clew.app.serving.completions import add_completion_routes
from clew.app.serving.desk import Desk
from clew.app.serving.gate import Gate
from clew.app.serving.health_routes import add_health_routes
from clew.app.serving.hosts import Hosts
from clew.app.serving.langserve_routes import add_langserve_routes
from clew.app.serving.metrics import Metrics
from clew.app.serving.open_graphs import OpenGraphs
from clew.app.serving.page_routes import add_page_routes, page_files
from clew.app.serving.refusals import refuse_politely
from clew.app.serving.runs import Runs
from clew.app.serving.session_routes import add_session_routes
from clew.app.serving.tokens import TokenFile
from clew.app.serving.trace_routes import add_trace_routes
from clew.app.serving.workers import Workers

if TYPE_CHECKING:
    from clew.app.container import Container

_GENERATOR = "/generator"


@dataclass(frozen=True, slots=True)
class Serving:
    """How to serve."""

    hosts: Hosts
    tokens: TokenFile
    open_here: bool = False
    """Whether whoever is at this machine may ask while there is no token."""
    origins: Collection[str] = ()
    """Other sites whose pages may ask (CORS)."""
    graphs: tuple[str, ...] | None = None
    """Those to open at once; None for all."""
    runs: int = 4
    waiting: int = 64
    workers: int = 1
    """Processes that answer; 1 is this one."""


def serving_app(container: Container, serving: Serving) -> Any:
    """The application. Its lifespan opens the graphs, and ends what runs; the container is the caller's to close."""
    runs = Runs(serving.runs, serving.waiting)
    graphs = OpenGraphs(container)
    answers = Here(container, graphs) if serving.workers == 1 else Workers(container.settings, serving.workers)
    desk = Desk(container, graphs, answers, runs, Metrics(runs))
    inner: list[FastAPI] = []

    @asynccontextmanager
    async def alive(_: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for each in inner:
                await stack.enter_async_context(each.router.lifespan_context(each))
            await asyncio.to_thread(_share, container)
            opening = asyncio.create_task(_open(desk, serving.graphs))
            try:
                yield
            finally:
                opening.cancel()
                await asyncio.to_thread(runs.close)
                await asyncio.to_thread(answers.close)

    app = FastAPI(title="Clew", lifespan=alive, docs_url=None, redoc_url=None)
    refuse_politely(app)
    add_health_routes(app, desk)
    add_asking_routes(app, desk)
    add_session_routes(app, desk)
    add_trace_routes(app, desk)
    add_completion_routes(app, desk)
    add_langserve_routes(app, desk)
    add_page_routes(app)
    inner.extend(_add_generator(app, container))
    larger = {_GENERATOR: 4_000_000}
    gate: Any = Gate(
        app,
        serving.hosts,
        serving.tokens,
        desk.metrics,
        serving.origins,
        serving.open_here,
        larger,
        frozenset(page_files()),
    )
    if not serving.origins:
        return gate
    methods = ["GET", "POST", "PATCH", "DELETE"]
    headers = ["Authorization", "Content-Type"]
    return CORSMiddleware(gate, allow_origins=list(serving.origins), allow_methods=methods, allow_headers=headers)


def _share(container: Container) -> None:
    """Make what all questions share, so that no two threads do."""
    _ = container.recorder, container.sessions, container.question_graph, container.answering_graph


async def _open(desk: Desk, names: tuple[str, ...] | None) -> None:
    await asyncio.to_thread(desk.answers.open, None if names is None else list(names))
    desk.opened = True


def _add_generator(app: FastAPI, container: Container) -> list[FastAPI]:
    """The generator's own routes under `/generator`, where the settings name a model that is loaded here."""
    from clew.agents.generating.choosers import LocalChooser

    chooser = container.generator
    if not isinstance(chooser, LocalChooser):
        return []
    from clew.app.serving.generator import generator_routes

    routes = generator_routes(chooser)
    app.mount(_GENERATOR, routes)
    return [routes]
