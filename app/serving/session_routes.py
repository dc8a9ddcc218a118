"""`/api/sessions`: the caller's conversations. Those of other users, or about graphs that the caller may not ask,
do not exist for the caller."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, Response

from clew.app.serving.authentication import caller_of
from clew.app.serving.request_models import SessionName, Strict
from clew.app.serving.responses import json_response
from clew.app.serving.service import QuestionService
from clew.app.sessions.store import checked_name


class RenameBody(Strict):
    name: SessionName


def add_session_routes(app: FastAPI, service: QuestionService) -> None:
    """Add the routes that list, show, rename, delete and export conversations."""
    client = service.client

    @app.get("/api/sessions")
    async def sessions(request: Request, search: Annotated[str, Query(max_length=200)] = "") -> Response:
        """The latest first; with `search` those in which a question or an answer has this text."""
        caller = caller_of(request)
        found = await asyncio.to_thread(client.sessions.overview, caller.owner, search.strip(), caller.graphs)
        return json_response(found)

    @app.get("/api/sessions/{name}")
    async def session(request: Request, name: str) -> Response:
        """The turns of a session, and the choice that it waits for."""
        thread = await service.thread(caller_of(request), name)

        def found() -> dict[str, Any]:
            kept = client.sessions
            turns, graph, waiting = kept.turns(thread), kept.graph_of(thread), kept.waiting(thread)
            choice = None if waiting is None else {**waiting["choice"], "session": name, "asked": waiting["question"]}
            said = {each["run"]: each for each in client.traces.feedback.list(thread=thread)}
            return {"name": name, "graph": graph, "turns": turns, "waiting": choice, "feedback": said}

        return json_response(await asyncio.to_thread(found))

    @app.patch("/api/sessions/{name}")
    async def rename(request: Request, name: str, body: RenameBody) -> dict[str, Any]:
        caller = caller_of(request)
        thread, new = await service.thread(caller, name), caller.thread(body.name)
        async with service.busy.alone(thread), service.busy.alone(new if new != thread else None):
            await asyncio.to_thread(client.rename_session, thread, body.name)
        return {"name": body.name}

    @app.delete("/api/sessions/{name}", status_code=204)
    async def delete(request: Request, name: str) -> None:
        """Delete a session and its traces."""
        thread = await service.thread(caller_of(request), name)
        async with service.busy.alone(thread):
            await asyncio.to_thread(client.delete_session, thread)

    @app.get("/api/sessions/{name}/export")
    async def export(request: Request, name: str, format: str = "json") -> Response:
        """A session as a file: `format=json` or `format=markdown`."""
        caller, session, markdown = caller_of(request), checked_name(name), format == "markdown"
        await service.thread(caller, session)
        text = await asyncio.to_thread(lambda: client.export_session(session, as_json=not markdown, owner=caller.owner))
        kind = "text/markdown; charset=utf-8" if markdown else "application/json"
        disposition = f'attachment; filename="session.{"md" if markdown else "json"}"'
        headers = {"Content-Disposition": disposition, "Cache-Control": "no-store"}
        return Response(text, media_type=kind, headers=headers)
