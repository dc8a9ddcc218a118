"""What an agent may do with Clew through the Model Context Protocol: ask, verify, link names, read a schema, and run a
query that only reads."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from mcp.server.fastmcp import Context as McpContext
from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from clew.app.answer_text import answer_text
from clew.app.serving.authentication import Caller
from clew.app.serving.request_models import AskOptions, GraphName, Question, Statement, Strategies
from clew.app.serving.responses import to_json_value
from clew.app.serving.runs import QueueFull
from clew.app.serving.service import QuestionService
from clew.tools.embedding.token_budget import counter
from clew.tools.errors import ClewError, QueryFailed
from clew.tools.graph.store.graph_store import Limits

if TYPE_CHECKING:
    from clew.graphs.context import Context
    from clew.tools.graph.store.graph_store import Rows

ANSWERS, EVIDENCE = 50, 20
ROWS, MOST_ROWS = 50, 500
QUERY_SECONDS = 5.0
SCHEMA_TOKENS = 4000
INSTRUCTIONS = (
    "Clew answers questions over knowledge graphs, with evidence. `ask` answers a question in words; `verify` says "
    "whether the graph supports a statement. To query by yourself, read `schema`, find ids with `link_entities`, then "
    "use `query`. `graph` may be left out where there is only one."
)
_READS = ToolAnnotations(readOnlyHint=True, openWorldHint=False)
_Graph = Annotated[GraphName | None, Field(description="The graph's name; may be left out where there is only one.")]
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
        return await _told(lambda: service.visible(_caller(ctx)))

    @server.tool(annotations=_READS)
    async def ask(
        ctx: McpContext[Any, Any, Any],
        question: Annotated[Question, Field(description="In plain words; names as they are usually written.")],
        graph: _Graph = None,
        strategies: Strategies | None = None,
    ) -> dict[str, Any]:
        """Answer a question from the knowledge graph, with the facts and the Cypher behind the answer."""
        options = AskOptions(graph=graph, strategies=strategies)
        return _asked(await _told(lambda: service.result(_caller(ctx), question, options)))

    @server.tool(annotations=_READS)
    async def verify(ctx: McpContext[Any, Any, Any], statement: Statement, graph: _Graph = None) -> dict[str, Any]:
        """Say whether the knowledge graph supports or refutes a statement, or has not enough evidence, and why."""
        result = await _told(lambda: service.verify(_caller(ctx), statement, graph))
        kept = ("verdict", "confidence", "reason", "graph", "trace_id")
        claims = [{key: claim[key] for key in ("claim", "verdict", "reason")} for claim in result["claims"]]
        facts = [_fact(item) for item in result["evidence"][:EVIDENCE]]
        return {**{key: result[key] for key in kept}, "claims": claims, "evidence": facts}

    _add_lookups(server, service)
    return server


def _add_lookups(server: FastMCP[None], service: QuestionService) -> None:
    @server.tool(annotations=_READS)
    async def link_entities(
        ctx: McpContext[Any, Any, Any],
        text: Annotated[Question, Field(description="A question or a name, misspelt or not.")],
        graph: _Graph = None,
        limit: Annotated[int, Field(ge=1, le=20, description="Candidates for each name.")] = 3,
    ) -> list[dict[str, Any]]:
        """Find the nodes that the names in a text stand for: ids, labels and scores, best first."""

        def found(context: Context) -> list[dict[str, Any]]:
            from clew.agents.evidence import mention_ref
            from clew.tools.linking.mentions import find_mentions

            return [dict(mention_ref(mention)) for mention in find_mentions(text, context.tools.index, limit).mentions]

        return await _looked_up(service, ctx, graph, found)

    @server.tool(annotations=_READS)
    async def schema(ctx: McpContext[Any, Any, Any], graph: _Graph = None) -> str:
        """Labels with their properties, and between which labels each relationship type runs."""

        def text(context: Context) -> str:
            from clew.tools.graph.schema_text import schema_text

            return schema_text(
                context.tools.schema, count=counter(), budget=SCHEMA_TOKENS, terms=context.tools.store.terms
            ).text

        return await _looked_up(service, ctx, graph, text)

    @server.tool(annotations=_READS)
    async def query(
        ctx: McpContext[Any, Any, Any],
        cypher: Annotated[str, Field(min_length=1, max_length=20_000, description="One query that only reads.")],
        parameters: Annotated[dict[str, Any] | None, Field(description="Values of $parameters.")] = None,
        graph: _Graph = None,
        limit: Annotated[int, Field(ge=1, le=MOST_ROWS, description="Rows at most.")] = ROWS,
    ) -> dict[str, Any]:
        """Run a Cypher query that only reads, within 5 seconds."""

        def rows(context: Context) -> Rows:
            return context.tools.store.read(cypher, parameters, Limits(QUERY_SECONDS, limit))

        found = await _looked_up(service, ctx, graph, rows)
        return {"rows": to_json_value(found.records), "truncated": found.truncated, "ms": round(found.ms, 1)}


async def _looked_up(
    service: QuestionService, ctx: McpContext[Any, Any, Any], graph: str | None, look: Callable[[Context], T]
) -> T:
    """What `look` finds in the context of a graph, in a run."""

    async def found() -> T:
        name = await service.graph(_caller(ctx), graph)

        def work(left: Event) -> Iterator[T]:
            yield look(service.graphs.context(name))

        return await service.uncounted(work)

    return await _told(found)


async def _told(work: Callable[[], Awaitable[T]]) -> T:
    """What `work` gives; its errors as the client's model can read them. Raises ToolError."""
    try:
        return await work()
    except ClewError as error:
        cypher = f" {error.cypher}" if isinstance(error, QueryFailed) and error.cypher else ""
        raise ToolError(" ".join(f"{error.message} {error.remedy}{cypher}".split())) from None
    except QueueFull:
        raise ToolError("Too many questions are waiting. Ask again in a moment.") from None


def _caller(ctx: McpContext[Any, Any, Any]) -> Caller:
    """Who asks: by HTTP as the gate found out, else whoever started this process."""
    request = ctx.request_context.request
    return Caller() if request is None else request.state.caller


def _asked(result: Mapping[str, Any]) -> dict[str, Any]:
    """As much of a result as a model reads."""
    return {
        "text": answer_text(result).whole,
        "answers": [{key: answer[key] for key in ("name", "id", "label")} for answer in result["answers"][:ANSWERS]],
        "answer_count": len(result["answers"]),
        "evidence": [_fact(item) for item in result["evidence"][:EVIDENCE]],
        "cypher": result["cypher"],
        "confidence": result["confidence"],
        "graph": result["graph"],
        "trace_id": result["trace_id"],
    }


def _fact(item: Mapping[str, Any]) -> dict[str, Any]:
    return {"head": item["head"]["name"], "relation": item["relation"], "tail": item["tail"]["name"]}
