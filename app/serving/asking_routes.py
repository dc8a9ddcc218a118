"""`/api/ask`, `/api/verify`, `/api/graphs` and `/api/me`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import asdict
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request, Response

from clew.app.progress import Task
from clew.app.serving.authentication import Caller, caller_of
from clew.app.serving.errors import client_error, status_of
from clew.app.serving.request_models import AskBody, AskOptions, VerifyBody
from clew.app.serving.responses import event_stream, json_line, json_response, sse_event, to_json_value
from clew.app.serving.service import QuestionService

if TYPE_CHECKING:
    from clew.app.api.results import GraphInfo


def add_asking_routes(app: FastAPI, service: QuestionService) -> None:
    """Questions, statements and graphs."""
    client = service.client

    @app.get("/api/me")
    async def me(request: Request) -> dict[str, Any]:
        """The user, and what they may ask."""
        caller = caller_of(request)
        models = client.models
        return {
            "user": caller.owner,
            "graphs": await service.visible(caller),
            "per_minute": caller.per_minute,
            "model": next(iter(models.names.values()), None) if models else None,
            "models": list(models.choices) if models else [],
            "version": version("clew"),
            "may_import": caller.may_import,
            "may_connect": caller.may_connect,
        }

    @app.get("/api/graphs")
    async def graphs(request: Request) -> list[dict[str, Any]]:
        caller = caller_of(request)
        infos = await asyncio.to_thread(client.graphs)
        return [_state(service, info) for info in infos if caller.may_ask(info.name)]

    @app.get("/api/graphs/{name}/schema")
    async def schema(request: Request, name: str) -> Any:
        graph = await service.graph(caller_of(request), name)
        found = await asyncio.to_thread(client.graph(graph).schema)
        return to_json_value(found.to_json())

    @app.get("/api/graphs/{name}/examples")
    async def examples(request: Request, name: str) -> list[str]:
        """Questions that the graph can answer, as a start."""
        graph = await service.graph(caller_of(request), name)
        return await asyncio.to_thread(client.graph(graph).example_questions)

    @app.post("/api/ask")
    async def ask(request: Request, asked: AskBody) -> Response:
        """Server-sent events `start`, `step`, `update`, `result`, `choice`, `error`; with `"stream": false` the result
        (or the choice) alone."""
        caller = caller_of(request)
        if asked.stream:
            return await event_stream(_events(service, caller, asked))
        return json_response(await service.result(caller, asked.asks, options_of(asked), clarify=asked.clarify))

    @app.post("/api/verify")
    async def verify(request: Request, asked: VerifyBody) -> Response:
        return json_response(await service.verify(caller_of(request), asked.statement, asked.graph))


def _state(service: QuestionService, info: GraphInfo) -> dict[str, Any]:
    """A graph: its contents, whether it is open, the progress of opening it (`label`, `unit`, `done`, `total`), and why
    it could not be opened (`failed`)."""
    failed, is_open = service.backend.failed.get(info.name), info.name in service.backend.open_now
    opening = service.backend.opening(info.name)
    if opening is None and not (is_open or failed or service.opened):
        opening = Task("Opening", "graphs", None)
    return {**asdict(info), "open": is_open, "opening": asdict(opening) if opening else None, "failed": failed}


def options_of(asked: AskBody) -> AskOptions:
    """The options in the body of a request."""
    return AskOptions(**{name: getattr(asked, name) for name in AskOptions.model_fields})


async def _events(service: QuestionService, caller: Caller, asked: AskBody) -> AsyncGenerator[str, None]:
    started = False
    try:
        events = service.ask(caller, asked.asks, options_of(asked), clarify=asked.clarify)
        async with aclosing(events):
            async for event in events:
                started = True
                yield sse_event(event["type"], json_line(event["result"] if event["type"] == "result" else event))
    except Exception as error:
        if not started:
            raise
        known = client_error(error)
        body = {"detail": known.message, "remedy": known.remedy, "status": status_of(known)}
        yield sse_event("error", json_line(body))
