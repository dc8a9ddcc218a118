"""The tools of the MCP server: ask, verify, link entities, read a schema, and run a query that only reads."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from mcp.server.fastmcp import Context as McpContext
from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from clew.app.answer_text import answer_text
from clew.app.api.requests import METHODS
from clew.app.serving.authentication import Caller
from clew.app.serving.request_models import AskOptions, GraphName, MethodName, Question, Statement, Strategies
from clew.app.serving.responses import to_json_value
from clew.app.serving.service import QuestionService
from clew.tools.errors import ClewError, QueryFailed

if TYPE_CHECKING:
    from clew.app.api.graph import Graph
    from clew.app.api.results import QueryResult

ANSWERS, EVIDENCE = 50, 20
ROWS, MOST_ROWS = 50, 500
QUERY_SECONDS = 5.0
SCHEMA_TOKENS = 4000
INSTRUCTIONS = (
    "Clew answers questions over knowledge graphs, with evidence. `ask` answers a question in words; `verify` says "
    "whether the graph supports a statement. To query by yourself, read `schema`, find ids with `link_entities`, then "
    "use `query`. `graph` is not needed if there is only one."
)
_METHODS = f"A paper's method to answer by, in place of strategies: {', '.join(METHODS)}."
_READS = ToolAnnotations(readOnlyHint=True, openWorldHint=False)
_Graph = Annotated[GraphName | None, Field(description="The graph's name; not needed if there is only one.")]
T = TypeVar("T")


def mcp_server(service: QuestionService) -> FastMCP[None]:
    """The server with its tools; `run("stdio")` serves them, or `streamable_http_app()`."""

    @asynccontextmanager
    async def alive(_: FastMCP[None]) -> AsyncIterator[None]:
        yield

    server: FastMCP[None] = FastMCP("clew", instructions=INSTRUCTIONS, lifespan=alive, log_level="ERROR")

    @server.tool(annotations=_READS)
    async def graphs(ctx: McpContext[Any, Any, Any]) -> list[str]:
        """The graphs that can be asked."""
        return await _with_tool_errors(lambda: service.visible(_caller(ctx)))

    @server.tool(annotations=_READS)
    async def ask(
        ctx: McpContext[Any, Any, Any],
        question: Annotated[Question, Field(description="In plain words; names as they are usually written.")],
        graph: _Graph = None,
        method: Annotated[MethodName | None, Field(description=_METHODS)] = None,
        strategies: Strategies | None = None,
        reading: Annotated[int | str | None, Field(description="One of the `readings` of an earlier reply.")] = None,
        strict: Annotated[bool, Field(description="Answer only what is sure and explained in full.")] = False,
    ) -> dict[str, Any]:
        """Answer a question from the knowledge graph, with the facts and the Cypher behind the answer. An answer that
        is not sure has other `readings` of the question; ask again with one of them."""
        options = AskOptions(
            graph=graph, method=method, strategies=strategies, reading=reading, strict=strict
        )  # fmt: skip
        return _compact(await _with_tool_errors(lambda: service.result(_caller(ctx), question, options)))

    @server.tool(annotations=_READS)
    async def verify(ctx: McpContext[Any, Any, Any], statement: Statement, graph: _Graph = None) -> dict[str, Any]:
        """Say whether the knowledge graph supports or refutes a statement, or has not enough evidence, and why."""
        result = await _with_tool_errors(lambda: service.verify(_caller(ctx), statement, graph))
        kept = ("verdict", "confidence", "reason", "graph", "trace_id")
        claims = [{key: claim[key] for key in ("claim", "verdict", "reason")} for claim in result["claims"]]
        facts = [_fact(item) for item in result["evidence"][:EVIDENCE]]
        return {**{key: result[key] for key in kept}, "claims": claims, "evidence": facts}

    _add_lookups(server, service)
    return server


def _add_lookups(server: FastMCP[None], service: QuestionService) -> None:
    async def looked_up(ctx: McpContext[Any, Any, Any], name: str | None, look: Callable[[Graph], T]) -> T:
        """What `look` finds in a graph, in a run."""

        async def found() -> T:
            graph = service.client.graph(await service.graph(_caller(ctx), name))

            def work(cancelled: Event) -> Iterator[T]:
                yield look(graph)

            return await service.uncounted(work)

        return await _with_tool_errors(found)

    @server.tool(annotations=_READS)
    async def link_entities(
        ctx: McpContext[Any, Any, Any],
        text: Annotated[Question, Field(description="A question or a name, misspelt or not.")],
        graph: _Graph = None,
        limit: Annotated[int, Field(ge=1, le=20, description="Candidates for each name.")] = 3,
    ) -> list[dict[str, Any]]:
        """Find the nodes that the names in a text stand for: ids, labels and scores, best first."""
        return [asdict(mention) for mention in await looked_up(ctx, graph, lambda found: found.link(text, limit))]

    @server.tool(annotations=_READS)
    async def schema(ctx: McpContext[Any, Any, Any], graph: _Graph = None) -> str:
        """Labels with their properties, and between which labels each relationship type runs."""
        return await looked_up(ctx, graph, lambda found: found.schema_text(SCHEMA_TOKENS))

    @server.tool(annotations=_READS)
    async def query(
        ctx: McpContext[Any, Any, Any],
        cypher: Annotated[str, Field(min_length=1, max_length=20_000, description="One query that only reads.")],
        parameters: Annotated[dict[str, Any] | None, Field(description="Values of $parameters.")] = None,
        graph: _Graph = None,
        limit: Annotated[int, Field(ge=1, le=MOST_ROWS, description="Rows at most.")] = ROWS,
    ) -> dict[str, Any]:
        """Run a Cypher query that only reads, within 5 seconds."""

        def rows(found: Graph) -> QueryResult:
            return found.query(cypher, parameters, limit=limit, seconds=QUERY_SECONDS)

        result = await looked_up(ctx, graph, rows)
        return {"rows": to_json_value(result.rows), "truncated": result.truncated, "ms": round(result.ms, 1)}


async def _with_tool_errors(work: Callable[[], Awaitable[T]]) -> T:
    """The result of `work`. Raises ToolError, which the client's model can read."""
    try:
        return await work()
    except ClewError as error:
        cypher = f" {error.cypher}" if isinstance(error, QueryFailed) and error.cypher else ""
        raise ToolError(" ".join(f"{error.message} {error.remedy}{cypher}".split())) from None


def _caller(ctx: McpContext[Any, Any, Any]) -> Caller:
    """The caller: over HTTP as the middleware authenticated it, else the user of this process."""
    request = ctx.request_context.request
    return Caller() if request is None else request.state.caller


def _compact(result: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a result that a model needs."""
    return {
        "text": answer_text(result).whole,
        "answers": [{key: answer[key] for key in ("name", "id", "label")} for answer in result["answers"][:ANSWERS]],
        "answer_count": len(result["answers"]),
        "evidence": [_fact(item) for item in result["evidence"][:EVIDENCE]],
        "cypher": result["cypher"],
        "confidence": result["confidence"],
        "reading": result["reading"],
        "follow_up": result["follow_up"],
        "sure": result["sure"],
        "readings": result["readings"],
        "graph": result["graph"],
        "trace_id": result["trace_id"],
    }


def _fact(item: Mapping[str, Any]) -> dict[str, Any]:
    return {"head": item["head"]["name"], "relation": item["relation"], "tail": item["tail"]["name"]}
