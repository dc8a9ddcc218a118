"""`/api/traces`: the traces of the caller's questions. Those of other users, and of graphs that the caller may not
ask, do not exist for the caller."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Query, Request, Response
from pydantic import Field

from clew.app.api.requests import METHODS, STRATEGIES
from clew.app.serving.authentication import caller_of
from clew.app.serving.errors import UnknownTrace
from clew.app.serving.request_models import ForkBody, Strict
from clew.app.serving.responses import json_response
from clew.app.serving.service import QuestionService
from clew.app.traces.diff import trace_diff
from clew.app.traces.page import trace_page
from clew.app.traces.store import RunFilter
from clew.tools.errors import BadInput


class TraceFilter(Strict):
    """Which traces to list."""

    graph: str | None = Field(default=None, max_length=200)
    status: Literal["ok", "waiting", "error", "interrupted"] | None = None
    strategy: str | None = Field(default=None, max_length=100)
    slower_ms: float | None = Field(default=None, ge=0)
    search: str | None = Field(default=None, max_length=200)
    empty: bool = False
    before: float | None = None
    limit: int = Field(default=50, ge=1, le=500)


class FeedbackBody(Strict):
    """What a user says of an answer."""

    rating: Literal["up", "down"] | None = None
    note: str = Field(default="", max_length=2000)
    answers: list[Annotated[str, Field(min_length=1, max_length=1000)]] | None = Field(default=None, max_length=1000)
    """The names of the right answers, where the user knows them."""


def add_trace_routes(app: FastAPI, service: QuestionService) -> None:
    """Add the routes that list, show, compare, replay, fork and rate runs."""
    traces = service.client.traces

    async def shown(request: Request, id: str) -> dict[str, Any]:
        try:
            caller = caller_of(request)
            return await asyncio.to_thread(traces.show, id, caller.owner, caller.graphs)
        except BadInput as error:
            raise UnknownTrace(error.message, error.remedy) from None

    @app.get("/api/traces")
    async def listed(request: Request, query: Annotated[TraceFilter, Query()]) -> Response:
        """The latest first; `before` (the `started` of the last one) continues the list."""
        given, caller = query.model_dump(exclude={"limit"}), caller_of(request)
        filter = RunFilter(**given, owner=caller.owner, graphs=caller.graphs)
        return json_response(await asyncio.to_thread(traces.list, query.limit, None, filter))

    @app.get("/api/traces/choices")
    async def choices(request: Request) -> Response:
        """Values to choose among: the graphs that have traces, the strategies, and the methods."""
        caller = caller_of(request)
        graphs = await asyncio.to_thread(traces.graphs, RunFilter(owner=caller.owner, graphs=caller.graphs))
        methods = [{"name": each.name, "does": each.does} for each in METHODS.values()]
        return json_response({"graphs": graphs, "strategies": list(STRATEGIES), "methods": methods})

    @app.get("/api/traces/{id}")
    async def one(request: Request, id: str) -> Response:
        return json_response(await shown(request, id))

    @app.get("/api/traces/{id}/export")
    async def export(request: Request, id: str, format: Literal["json", "html"] = "json") -> Response:
        """A trace as a file: the record, or the inspector with the record in it."""
        run = await shown(request, id)
        response = json_response(run) if format == "json" else _page(await asyncio.to_thread(trace_page, run))
        response.headers["Content-Disposition"] = f'attachment; filename="trace-{run["id"]}.{format}"'
        return response

    @app.get("/api/traces/{a}/diff/{b}")
    async def diff(request: Request, a: str, b: str) -> Response:
        return json_response(trace_diff(await shown(request, a), await shown(request, b)))

    _add_feedback_routes(app, service)

    @app.post("/api/traces/{id}/replay")
    async def replayed(request: Request, id: str) -> Response:
        """Ask again what the run asked, within today's limits; counted as a question."""
        caller, run = caller_of(request), await shown(request, id)
        return json_response(await service.replay(caller, run))

    @app.post("/api/traces/{id}/fork")
    async def forked(request: Request, id: str, body: ForkBody) -> Response:
        """Continue the run from one of its steps with changes; counted as a question."""
        caller, run = caller_of(request), await shown(request, id)
        return json_response(await service.fork(caller, run, body))


def _add_feedback_routes(app: FastAPI, service: QuestionService) -> None:
    """What users say of answers."""
    traces = service.client.traces

    @app.put("/api/traces/{id}/feedback", status_code=204)
    async def rate(request: Request, id: str, body: FeedbackBody) -> None:
        """What the caller says of the answers, in place of what they said before."""
        given, caller = body.model_dump(), caller_of(request)
        try:
            await asyncio.to_thread(lambda: traces.feedback.set(id, caller.owner, **given, graphs=caller.graphs))
        except BadInput as error:
            raise UnknownTrace(error.message, error.remedy) from None

    @app.get("/api/feedback")
    async def feedback(request: Request, graph: str | None = None) -> Response:
        """The caller's feedback as lines for `clew eval` and `clew teach`."""
        caller = caller_of(request)
        lines = await asyncio.to_thread(lambda: list(traces.feedback.lines(caller.owner, graph, caller.graphs)))
        headers = {"Content-Disposition": 'attachment; filename="feedback.jsonl"', "Cache-Control": "no-store"}
        return Response("".join(f"{line}\n" for line in lines), media_type="application/jsonl", headers=headers)


def _page(text: str) -> Response:
    """It is a download: a browser that shows it anyway runs it without the rights of this site."""
    return Response(text, media_type="text/html; charset=utf-8", headers={"Content-Security-Policy": "sandbox"})
