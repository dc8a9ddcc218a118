"""`/api/sessions`: the caller's conversations. Those of other users do not exist for the caller."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, Response

from clew.app.serving.authentication import caller_of
from clew.app.serving.request_models import SessionName, Strict
from clew.app.serving.responses import json_response
from clew.app.serving.service import QuestionService
from clew.app.sessions.store import checked_name


class Renamed(Strict):
    name: SessionName


def add_session_routes(app: FastAPI, service: QuestionService) -> None:
    client = service.client

    @app.get("/api/sessions")
    async def sessions(request: Request, search: Annotated[str, Query(max_length=200)] = "") -> Response:
        """The latest first; with `search` those in which a question or an answer has this text."""
        owner = caller_of(request).owner
        return json_response(await asyncio.to_thread(lambda: client.sessions.overview(owner, search.strip())))

    @app.get("/api/sessions/{name}")
    async def session(request: Request, name: str) -> Response:
        """The turns of a session, and the choice that it waits for."""
        thread = caller_of(request).thread(name)

        def found() -> dict[str, Any]:
            kept = client.sessions
            turns, graph, waiting = kept.turns(thread), kept.graph_of(thread), kept.waiting(thread)
            choice = None if waiting is None else {**waiting["choice"], "session": name, "asked": waiting["question"]}
            said = {each["run"]: each for each in client.traces.feedback.list(thread=thread)}
            return {"name": name, "graph": graph, "turns": turns, "waiting": choice, "feedback": said}

        return json_response(await asyncio.to_thread(found))

    @app.patch("/api/sessions/{name}")
    async def rename(request: Request, name: str, body: Renamed) -> dict[str, Any]:
        caller = caller_of(request)
        thread, new = caller.thread(name), caller.thread(body.name)
        with service.alone(thread), service.alone(new if new != thread else None):
            await asyncio.to_thread(client.rename_session, thread, body.name)
        return {"name": body.name}

    @app.delete("/api/sessions/{name}", status_code=204)
    async def delete(request: Request, name: str) -> None:
        """Delete a session and its traces."""
        thread = caller_of(request).thread(name)
        with service.alone(thread):
            await asyncio.to_thread(client.delete_session, thread)

    @app.get("/api/sessions/{name}/export")
    async def export(request: Request, name: str, format: str = "json") -> Response:
        """A session as a file: `format=json` or `format=markdown`."""
        owner, markdown = caller_of(request).owner, format == "markdown"
        session = checked_name(name)
        text = await asyncio.to_thread(lambda: client.export_session(session, as_json=not markdown, owner=owner))
        kind = "text/markdown; charset=utf-8" if markdown else "application/json"
        disposition = f'attachment; filename="session.{"md" if markdown else "json"}"'
        headers = {"Content-Disposition": disposition, "Cache-Control": "no-store"}
        return Response(text, media_type=kind, headers=headers)
