"""`/api/ask`, `/api/verify`, `/api/graphs` and who one is: what a page asks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, Request, Response

from clew.app.examples import example_questions
from clew.app.progress import Task
from clew.app.serving.callers import Caller, caller_of
from clew.app.serving.desk import Desk
from clew.app.serving.events import event, event_stream
from clew.app.serving.plain import one_line, plain
from clew.app.serving.refusals import status_of
from clew.app.serving.shapes import AskBody, AskOptions, VerifyBody
from clew.tools.errors import ClewError
from clew.tools.graph.store.graph_store import GraphInfo


def add_asking_routes(app: FastAPI, desk: Desk) -> None:
    """Questions, statements and graphs."""
    container = desk.container
    offered: dict[str, tuple[str, list[str]]] = {}

    @app.get("/api/me")
    async def me(request: Request) -> dict[str, Any]:
        """Who asks, and what may be asked."""
        caller = caller_of(request)
        models = container.models
        return {
            "user": caller.owner,
            "graphs": await desk.visible(caller),
            "per_minute": caller.per_minute,
            "model": next(iter(models.names.values()), None) if models else None,
            "version": version("clew"),
        }

    @app.get("/api/graphs")
    async def graphs(request: Request) -> list[dict[str, Any]]:
        caller = caller_of(request)
        infos = await asyncio.to_thread(desk.graphs.infos)
        return [_state(desk, info) for info in infos if caller.may_ask(info.name)]

    @app.get("/api/graphs/{name}/schema")
    async def schema(request: Request, name: str) -> Any:
        graph = await desk.graph(caller_of(request), name)
        found = await asyncio.to_thread(container.schema, graph)
        return plain(found.to_json())

    @app.get("/api/graphs/{name}/examples")
    async def examples(request: Request, name: str) -> list[str]:
        """Questions that it can answer, to begin with."""
        graph = await desk.graph(caller_of(request), name)
        schema = await asyncio.to_thread(container.schema, graph)
        version, found = offered.get(graph, ("", []))
        if version != schema.version:
            found = await asyncio.to_thread(lambda: example_questions(container.store(graph), schema))
            offered[graph] = schema.version, found
        return found

    @app.post("/api/ask")
    async def ask(request: Request, asked: AskBody) -> Response:
        """Server-sent events `start`, `step`, `update`, `result`, `choice`, `error`; with `"stream": false` the result
        (or the choice) alone."""
        caller = caller_of(request)
        if asked.stream:
            return await event_stream(_events(desk, caller, asked))
        return json_response(await desk.result(caller, asked.asks, options_of(asked), clarify=asked.clarify))

    @app.post("/api/verify")
    async def verify(request: Request, asked: VerifyBody) -> Response:
        return json_response(await desk.verify(caller_of(request), asked.statement, asked.graph))


def _state(desk: Desk, info: GraphInfo) -> dict[str, Any]:
    """One graph: what is in it, whether it is open, how far that is (`label`, `unit`, `done`, `total`), and why it
    could not be opened (`failed`)."""
    failed, is_open = desk.answers.failed.get(info.name), info.name in desk.answers.open_now
    opening = desk.graphs.opening(info.name)
    if opening is None and not (is_open or failed or desk.opened):
        opening = Task("Opening", "graphs", None)
    return {**asdict(info), "open": is_open, "opening": asdict(opening) if opening else None, "failed": failed}


def json_response(value: Any) -> Response:
    return Response(one_line(value), media_type="application/json", headers={"Cache-Control": "no-store"})


def options_of(asked: AskBody) -> AskOptions:
    return AskOptions(**{name: getattr(asked, name) for name in AskOptions.model_fields})


async def _events(desk: Desk, caller: Caller, asked: AskBody) -> AsyncGenerator[str, None]:
    begun = False
    try:
        async with aclosing(desk.ask(caller, asked.asks, options_of(asked), clarify=asked.clarify)) as told:
            async for each in told:
                begun = True
                yield event(each["type"], one_line(each["result"] if each["type"] == "result" else each))
    except ClewError as error:
        if not begun:
            raise
        said = {"detail": error.message, "remedy": error.remedy, "status": status_of(error)}
        yield event("error", one_line(said))
