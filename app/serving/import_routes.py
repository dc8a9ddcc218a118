"""`/api/imports`, `/api/samples` and `/api/graphs/NAME/documents`: imports of graphs and documents, for callers who may
import. Imports of other users, and into graphs that the caller may not ask, do not exist for the caller."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import FastAPI, Query, Request, Response
from pydantic import Field

from clew.app.api.importing import checked_address, checked_graph_name
from clew.app.api.samples import sample, samples
from clew.app.serving.authentication import Caller, caller_of
from clew.app.serving.errors import Busy, Forbidden, UnknownDocument
from clew.app.serving.import_job import WORKING, ImportJob, PlanOptions
from clew.app.serving.import_jobs import ImportJobs
from clew.app.serving.request_models import GraphName, Strict
from clew.app.serving.responses import json_response
from clew.app.serving.service import QuestionService
from clew.tools.errors import BadInput, UnknownGraph

if TYPE_CHECKING:
    from clew.app.api.documents import Document, Documents

_MOST_CHUNKS = 200
"""Chunks of a document that one reply has."""
Text = Annotated[str, Field(min_length=1, max_length=2000)]


class NewImport(Strict):
    """What is to be imported: files that follow, the tables of a database, or a sample."""

    graph: GraphName
    purpose: Literal["graph", "documents"] = "graph"
    url: Text | None = None
    sample: Text | None = None


class PlanBody(Strict):
    """How the tables are read."""

    model: dict[str, Any] | None = None
    value_nodes: Annotated[list[tuple[Text, Text]], Field(default_factory=list, max_length=200)]
    suggest_names: bool = False
    """Whether the language model may replace names that say little."""
    replace: bool = False


class RunBody(Strict):
    """How what was planned is imported."""

    skip_bad: bool = False
    """Whether bad lines are left out, however many there are."""


def add_import_routes(app: FastAPI, service: QuestionService, jobs: ImportJobs) -> None:
    """Add the routes that import files, and that delete graphs and documents."""

    def job_of(request: Request, id: str) -> ImportJob:
        return jobs.get(_importer(request), id)

    @app.get("/api/samples")
    async def all_samples(request: Request) -> list[dict[str, Any]]:
        """The graphs that come with Clew."""
        caller = caller_of(request)
        return [{"name": each.name, "about": each.about} for each in samples() if caller.may_ask(each.name)]

    @app.get("/api/imports")
    async def listed(request: Request) -> Response:
        caller = _importer(request)
        return json_response([jobs.to_json(job) for job in jobs.of(caller.owner) if caller.may_ask(job.graph)])

    @app.post("/api/imports", status_code=201)
    async def new(request: Request, body: NewImport) -> Response:
        caller = _importer(request)
        given = await asyncio.to_thread(_given, caller, body)
        response = json_response(jobs.to_json(jobs.add(caller.owner, body.graph, body.purpose, **given)))
        response.status_code = 201
        return response

    @app.get("/api/imports/{id}")
    async def one(request: Request, id: str) -> Response:
        return json_response(jobs.to_json(job_of(request, id)))

    @app.put("/api/imports/{id}/files")
    async def file(
        request: Request, id: str, path: Annotated[str, Query(max_length=1000)], offset: Annotated[int, Query(ge=0)] = 0
    ) -> dict[str, int]:
        """A part of a file, as the body of the request."""
        job = job_of(request, id)
        if job.state in WORKING:
            raise Busy("This import is running.", "Wait for it, or stop it.")
        job.sizes[path] = await asyncio.to_thread(job.uploads.write, path, offset, await request.body())
        return {"bytes": job.sizes[path]}

    @app.post("/api/imports/{id}/plan", status_code=202)
    async def plan(request: Request, id: str, body: PlanBody) -> None:
        jobs.plan(job_of(request, id), PlanOptions(body.model, body.value_nodes, body.suggest_names, body.replace))

    @app.post("/api/imports/{id}/run", status_code=202)
    async def run(request: Request, id: str, body: RunBody | None = None) -> None:
        jobs.run(job_of(request, id), skip_bad=body is not None and body.skip_bad)

    @app.post("/api/imports/{id}/stop", status_code=202)
    async def stop(request: Request, id: str) -> None:
        jobs.stop(job_of(request, id))

    @app.delete("/api/imports/{id}", status_code=204)
    async def remove(request: Request, id: str) -> None:
        await asyncio.to_thread(jobs.remove, job_of(request, id))

    _add_graph_routes(app, service)


def _add_graph_routes(app: FastAPI, service: QuestionService) -> None:
    """What a graph has besides questions: its documents, and its end."""

    @app.delete("/api/graphs/{name}", status_code=204)
    async def drop(request: Request, name: str) -> None:
        """Remove a graph with all that belongs to it."""
        graph = await service.graph(_importer(request), name)
        await asyncio.to_thread(service.client.drop, graph)
        service.graphs_changed()

    @app.get("/api/graphs/{name}/documents")
    async def documents(request: Request, name: str) -> Response:
        graph = await service.graph(caller_of(request), name)
        found = await asyncio.to_thread(lambda: list(service.client.graph(graph).documents))
        return json_response([_told(each) for each in found])

    @app.get("/api/graphs/{name}/documents/{id}")
    async def document(request: Request, name: str, id: str) -> Response:
        """A document with its chunks, and the edges of each in the chunk graph."""
        graph = await service.graph(caller_of(request), name)
        try:
            found = await asyncio.to_thread(_details, service.client.graph(graph).documents, id)
        except BadInput as error:
            raise UnknownDocument(error.message, error.remedy) from None
        return json_response(found)

    @app.delete("/api/graphs/{name}/documents/{id}", status_code=204)
    async def remove_document(request: Request, name: str, id: str) -> None:
        graph = await service.graph(_importer(request), name)
        try:
            await asyncio.to_thread(service.client.graph(graph).documents.remove, id)
        except BadInput as error:
            raise UnknownDocument(error.message, error.remedy) from None


def _details(documents: Documents, id: str) -> dict[str, Any]:
    shown, chunks = documents.show(id)
    listed = [each.to_json(documents.edges(each.chunk.id)) for each in chunks[:_MOST_CHUNKS]]
    return {**_told(shown), "chunks": listed, "more": max(0, len(chunks) - _MOST_CHUNKS)}


def _told(document: Document) -> dict[str, Any]:
    """The server's own folders are nobody's business."""
    return {**asdict(document), "source": Path(document.source).name}


def _importer(request: Request) -> Caller:
    """The caller, if they may import. Raises Forbidden."""
    caller = caller_of(request)
    if not caller.may_import:
        raise Forbidden("This token may not import.", "Make one that may: clew serve token add NAME --import.")
    return caller


def _given(caller: Caller, body: NewImport) -> dict[str, Any]:
    """What an import is made of besides uploaded files. Raises ClewError."""
    checked_graph_name(body.graph)
    if not caller.may_ask(body.graph):
        raise UnknownGraph(f"There is no graph {body.graph!r} for you.", "Name one that your token is for.")
    if body.sample is not None:
        if (found := sample(body.sample)) is None:
            raise BadInput(f"There is no sample {body.sample!r}.", "GET /api/samples lists them.")
        return {"files": found.files}
    if body.url is None:
        return {}
    if not caller.may_connect:
        raise Forbidden("Tokens may not name databases.", "Send files, or run `clew import` on the server's machine.")
    return {"url": body.url, "address": checked_address(body.url)}
