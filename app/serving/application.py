"""The server as an ASGI application: the middleware, and behind it the routes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from clew.app.serving.asking_routes import add_asking_routes
from clew.app.serving.authentication import Tokens
from clew.app.serving.completions import add_completion_routes
from clew.app.serving.errors import add_error_handlers
from clew.app.serving.explore_routes import add_explore_routes
from clew.app.serving.health_routes import add_health_routes
from clew.app.serving.hosts import Hosts
from clew.app.serving.import_jobs import ImportJobs
from clew.app.serving.import_routes import add_import_routes
from clew.app.serving.langserve_routes import add_langserve_routes
from clew.app.serving.local_backend import LocalBackend
from clew.app.serving.metrics import Metrics
from clew.app.serving.middleware import RequestMiddleware
from clew.app.serving.page_routes import add_page_routes, page_files
from clew.app.serving.runs import Runs
from clew.app.serving.server import DRAIN, STOP_RUNS
from clew.app.serving.service import QuestionService
from clew.app.serving.session_routes import add_session_routes
from clew.app.serving.shared_access import rates_of
from clew.app.serving.trace_routes import add_trace_routes
from clew.app.serving.uploads import PART_BYTES, Uploads
from clew.app.serving.worker_pool import WorkerPool

if TYPE_CHECKING:
    from clew.app.api.client import Client

_GENERATOR = "/generator"


@dataclass(frozen=True, slots=True)
class Serving:
    """How to serve."""

    hosts: Hosts
    tokens: Tokens
    open_here: bool = False
    """Whether requests need no token as long as there is none."""
    origins: Collection[str] = ()
    """Other sites whose pages may send requests (CORS)."""
    graphs: tuple[str, ...] | None = None
    """The graphs to open at the start; None for all."""
    runs: int = 4
    waiting: int = 64
    workers: int = 1
    """Processes that answer; 1 is the server's own."""


def local_service(client: Client, runs: Runs) -> QuestionService:
    """A service that answers in this process."""
    return QuestionService(client, LocalBackend(client), runs, Metrics(runs))


def serving_app(client: Client, serving: Serving) -> Any:
    """The ASGI application. Its lifespan opens the graphs and ends all runs; the caller closes the client."""
    service = local_service(client, Runs(serving.runs, serving.waiting))
    if serving.workers > 1:
        service.backend = WorkerPool(client.settings, serving.workers)
    uploads = Uploads(client.settings.home / "uploads", int(client.settings.serve_upload_mb * 1e6))
    imports = ImportJobs(client.settings, uploads, service.graphs_changed)
    mounted: list[FastAPI] = []

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[dict[str, Any]]:
        async with AsyncExitStack() as stack:
            for each in mounted:
                await stack.enter_async_context(each.router.lifespan_context(each))
            await asyncio.to_thread(_share, client)
            await asyncio.to_thread(uploads.remove_stale)
            opening = asyncio.create_task(_open(service, serving.graphs))
            try:
                yield {STOP_RUNS: service.runs.stop_all, DRAIN: service.stop}
            finally:
                opening.cancel()
                await asyncio.to_thread(imports.close)
                await asyncio.to_thread(service.runs.close)
                await asyncio.to_thread(service.queries.close)
                await asyncio.to_thread(service.backend.close)
                await asyncio.to_thread(service.busy.close)

    app = FastAPI(title="Clew", lifespan=lifespan, docs_url=None, redoc_url=None)
    add_error_handlers(app)
    for add_routes in (
        add_health_routes, add_asking_routes, add_session_routes, add_trace_routes, add_completion_routes,
        add_langserve_routes, add_explore_routes,
    ):  # fmt: skip
        add_routes(app, service)
    add_import_routes(app, service, imports)
    add_page_routes(app)
    mounted.extend(_mounted_generator(app, client))
    inner: Any = app
    middleware: Any = RequestMiddleware(
        inner,
        serving.hosts,
        serving.tokens,
        service.metrics,
        serving.origins,
        serving.open_here,
        larger={_GENERATOR: 4_000_000, "/api/imports/": PART_BYTES + 1000},
        pages=frozenset(page_files()),
        rates=rates_of(client),
    )
    if not serving.origins:
        return middleware
    methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    headers = ["Authorization", "Content-Type"]
    return CORSMiddleware(middleware, allow_origins=list(serving.origins), allow_methods=methods, allow_headers=headers)


def _share(client: Client) -> None:
    """Create what all questions share, before several threads need it."""
    _ = client.recorder, client.sessions, client.question_graph, client.answering_graph


async def _open(service: QuestionService, names: tuple[str, ...] | None) -> None:
    await asyncio.to_thread(service.backend.open, None if names is None else list(names))
    service.opened = True


def _mounted_generator(app: FastAPI, client: Client) -> list[FastAPI]:
    """The generator's routes under `/generator`, if the settings name a model that is loaded in this process."""
    if client.local_generator is None:
        return []
    from clew.app.serving.generator import generator_routes

    routes = generator_routes(client.local_generator)
    app.mount(_GENERATOR, routes)
    return [routes]
