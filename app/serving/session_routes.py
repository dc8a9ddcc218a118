"""`/api/sessions`: the caller's conversations. Those of others are not there."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import FastAPI, Request, Response

from clew.app.serving.authentication import caller_of
from clew.app.serving.request_models import SessionName, Strict
from clew.app.serving.responses import json_response
from clew.app.serving.service import QuestionService
from clew.app.sessions.export import as_json, as_markdown


class Renamed(Strict):
    name: SessionName


def add_session_routes(app: FastAPI, service: QuestionService) -> None:
    container = service.container

    @app.get("/api/sessions")
    async def sessions(request: Request) -> Response:
        return json_response(await asyncio.to_thread(container.sessions.kept, caller_of(request).owner))

    @app.get("/api/sessions/{name}")
    async def session(request: Request, name: str) -> Response:
        """What was said in it."""
        thread = caller_of(request).thread(name)
        turns = await asyncio.to_thread(container.sessions.turns, thread)
        graph = await asyncio.to_thread(container.sessions.graph_of, thread)
        waiting = await asyncio.to_thread(container.sessions.waiting, thread)
        choice = None if waiting is None else {**waiting["choice"], "session": name, "asked": waiting["question"]}
        return json_response({"name": name, "graph": graph, "turns": turns, "waiting": choice})

    @app.patch("/api/sessions/{name}")
    async def rename(request: Request, name: str, wanted: Renamed) -> dict[str, Any]:
        caller = caller_of(request)
        thread, new = caller.thread(name), caller.thread(wanted.name)
        with service.alone(thread), service.alone(new if new != thread else None):
            await asyncio.to_thread(container.rename_session, thread, new)
        return {"name": wanted.name}

    @app.delete("/api/sessions/{name}", status_code=204)
    async def delete(request: Request, name: str) -> None:
        """With its traces."""
        thread = caller_of(request).thread(name)
        with service.alone(thread):
            await asyncio.to_thread(container.delete_session, thread)

    @app.get("/api/sessions/{name}/export")
    async def export(request: Request, name: str, format: str = "json") -> Response:
        """To keep: `format=json` or `format=markdown`."""
        turns = await asyncio.to_thread(container.sessions.turns, caller_of(request).thread(name))
        markdown = format == "markdown"
        text = as_markdown(name, turns) if markdown else as_json(name, turns)
        kind = "text/markdown; charset=utf-8" if markdown else "application/json"
        told = {"Content-Disposition": f'attachment; filename="session.{"md" if markdown else "json"}"'}
        return Response(text, media_type=kind, headers={**told, "Cache-Control": "no-store"})
