"""`/api/graphs/NAME/nodes`, `/query` and `/question`: a graph node by node, by Cypher that only reads, and such Cypher
as a question."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, Response
from pydantic import Field

from clew.app.api.cypher_questions import cypher_question
from clew.app.api.exploring import MOST, Direction, find_nodes, neighbours, node_details, subgraph
from clew.app.serving.authentication import caller_of
from clew.app.serving.request_models import Strict
from clew.app.serving.responses import json_response
from clew.app.serving.service import QuestionService

QUERY_SECONDS = 10.0
MOST_ROWS = 1000
Name = Annotated[str, Query(min_length=1, max_length=10_000)]


class NodeFilter(Strict):
    """Which nodes to find."""

    search: str = Field(default="", max_length=200)
    label: str | None = Field(default=None, max_length=1000)
    limit: int = Field(default=20, ge=1, le=MOST)


class NeighbourFilter(Strict):
    """Which neighbours to show of a node, which is given by its `id` and `of`, its label."""

    id: str = Field(min_length=1, max_length=10_000)
    of: str = Field(min_length=1, max_length=1000)
    relation: str | None = Field(default=None, max_length=1000)
    outgoing: bool | None = None
    label: str | None = Field(default=None, max_length=1000)
    skip: int = Field(default=0, ge=0, le=1_000_000)
    limit: int = Field(default=100, ge=1, le=MOST)


class Ends(Strict):
    """Nodes by their ids."""

    ids: list[Annotated[str, Field(max_length=10_000)]] = Field(max_length=MOST)


class CypherText(Strict):
    """A query that only reads."""

    cypher: str = Field(min_length=1, max_length=20_000)


class CypherBody(CypherText):
    """A query with its parameters."""

    parameters: dict[str, Any] = Field(default_factory=dict, max_length=100)
    rows: int = Field(default=200, ge=1, le=MOST_ROWS)


def add_explore_routes(app: FastAPI, service: QuestionService) -> None:
    """Add the routes that show nodes, their neighbours and the rows of queries."""

    async def graph_of(request: Request, name: str) -> Any:
        return service.client.graph(await service.graph(caller_of(request), name))

    @app.get("/api/graphs/{name}/nodes")
    async def nodes(request: Request, name: str, given: Annotated[NodeFilter, Query()]) -> Response:
        """The nodes whose name has a text."""
        graph = await graph_of(request, name)
        found = await asyncio.to_thread(find_nodes, graph, given.search, label=given.label, limit=given.limit)
        return json_response(found)

    @app.get("/api/graphs/{name}/node")
    async def node(request: Request, name: str, id: Name, label: Name) -> Response:
        """One node with its properties, and its relations with their numbers."""
        return json_response(await asyncio.to_thread(node_details, await graph_of(request, name), id, label))

    @app.get("/api/graphs/{name}/neighbours")
    async def around(request: Request, name: str, given: Annotated[NeighbourFilter, Query()]) -> Response:
        graph = await graph_of(request, name)
        direction = Direction(given.relation, given.outgoing, given.label)
        work = lambda: neighbours(graph, given.id, given.of, direction, skip=given.skip, limit=given.limit)  # noqa: E731
        return json_response(await asyncio.to_thread(work))

    @app.post("/api/graphs/{name}/subgraph")
    async def among(request: Request, name: str, body: Ends) -> Response:
        """Nodes, and the relationships among them."""
        return json_response(await asyncio.to_thread(subgraph, await graph_of(request, name), body.ids))

    @app.post("/api/graphs/{name}/query")
    async def query(request: Request, name: str, body: CypherBody) -> Response:
        """Rows of a query that passes the guard, as the read-only user."""
        graph = await graph_of(request, name)
        found = await service.queries.run(
            caller_of(request).owner or "",
            lambda: graph.query(body.cypher, body.parameters, limit=body.rows, seconds=QUERY_SECONDS),
        )
        return json_response({**found.to_dict(), "columns": found.columns})

    @app.post("/api/graphs/{name}/question")
    async def question(request: Request, name: str, body: CypherText) -> Response:
        """A query in words, and whether Clew reads them as the query."""
        graph = await graph_of(request, name)
        found = await service.queries.run(caller_of(request).owner or "", lambda: cypher_question(graph, body.cypher))
        return json_response(found)
