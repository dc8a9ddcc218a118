"""`clew mcp` with the SDK's own client: over standard input and output, and over HTTP."""

from __future__ import annotations

import json
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

from tests.command_processes import CommandProcess, environment

CLEW = ["-c", "from clew.app.cli import main; main()", "mcp"]


@asynccontextmanager
async def connected(home: Path) -> AsyncIterator[ClientSession]:
    server = StdioServerParameters(command=sys.executable, args=CLEW, env=environment(home))
    async with stdio_client(server) as (reader, writer), ClientSession(reader, writer) as session:
        await session.initialize()
        yield session


async def called(session: ClientSession, tool: str, **arguments: Any) -> tuple[bool, Any]:
    """Whether it failed, and what it said."""
    result = await session.call_tool(tool, arguments)
    if result.structuredContent is not None:
        found = result.structuredContent
        return bool(result.isError), found.get("result", found)
    return bool(result.isError), "".join(getattr(part, "text", "") for part in result.content)


async def test_an_agent_asks_verifies_links_and_queries(clew_home: Path, films: str) -> None:
    async with connected(clew_home) as session:
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert set(tools) == {"graphs", "ask", "verify", "link_entities", "schema", "query"}
        assert all(tool.annotations and tool.annotations.readOnlyHint for tool in tools.values())
        assert films in (await called(session, "graphs"))[1]
        failed, answer = await called(session, "ask", question="who directed Heat?", graph=films)
        assert not failed
        assert answer["text"].startswith("Heat is directed by Michael Mann [1].")
        assert answer["evidence"] == [{"head": "Heat", "relation": "directed_by", "tail": "Michael Mann"}]
        assert (await called(session, "verify", statement="Michael Mann directed Heat.", graph=films))[1][
            "verdict"
        ] == "supported"
        ((heat,),) = [
            m["candidates"][:1] for m in (await called(session, "link_entities", text="Heta", graph=films))[1]
        ]
        assert heat["name"] == "Heat"
        assert "directed_by" in (await called(session, "schema", graph=films))[1]
        by_patterns = await called(session, "ask", question="who directed Heat?", graph=films, method="simgrag")
        assert by_patterns[1]["answers"][0]["name"] == "Michael Mann"
        assert (await called(session, "ask", question="who directed Heat?", graph=films, method="spark"))[0]
        await queries(session, films, heat["label"])
        await refusals(session, films)


async def queries(session: ClientSession, films: str, label: str) -> None:
    cypher = f"MATCH (f:`{label}`)-[:directed_by]->(p) WHERE f.name = $name RETURN p.name AS name"
    failed, found = await called(session, "query", cypher=cypher, parameters={"name": "Heat"}, graph=films)
    assert (failed, found["rows"], found["truncated"]) == (False, [{"name": "Michael Mann"}], False)
    every = f"MATCH (f:`{label}`) RETURN f.name AS name"
    failed, found = await called(session, "query", cypher=every, graph=films, limit=2)
    assert (len(found["rows"]), found["truncated"]) == (2, True)


async def refusals(session: ClientSession, films: str) -> None:
    forbidden = (
        "MATCH (n) DETACH DELETE n",
        "CREATE (n:X) RETURN n",
        "MATCH (n) SET n.x = 1 RETURN n",
        "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row",
        "CALL dbms.listConfig()",
        "nonsense",
    )
    for cypher in forbidden:
        failed, said = await called(session, "query", cypher=cypher, graph=films)
        assert failed, cypher
        assert "Traceback" not in said
    for arguments in ({"graph": "nothing"}, {"graph": films, "limit": 10**9}):
        assert (await called(session, "query", cypher="MATCH (n) RETURN n", **arguments))[0]
    failed, said = await called(session, "query", cypher="RETURN $x AS x", parameters={"x": 10**30}, graph=films)
    assert failed
    assert "64 bits" in said
    failed, said = await called(session, "ask", question=" ", graph=films)
    assert failed
    failed, said = await called(session, "ask", question="who?", graph="../../etc")
    assert failed
    assert "no graph" in said


async def test_over_http_behind_the_gate(clew_home: Path, films: str) -> None:
    process = CommandProcess(clew_home, "mcp", "--http", "--port", "0")
    try:
        told = process.stderr.readline()
        url = re.search(r"http://\S+/mcp", told)
        assert url is not None, told
        async with streamablehttp_client(url[0]) as (reader, writer, _), ClientSession(reader, writer) as session:
            await session.initialize()
            assert films in (await called(session, "graphs"))[1]
        async with httpx.AsyncClient() as stranger:
            assert (await stranger.post(url[0], headers={"Host": "evil.example"}, json={})).status_code == 421
            assert (await stranger.post(url[0], headers={"Origin": "http://evil.example"}, json={})).status_code == 403
            assert "Traceback" not in json.dumps((await stranger.post(url[0], content=b"{")).text)
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
