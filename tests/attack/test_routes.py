"""Every route that runs Cypher refuses the same hostile queries, and leaves the graph, its files and sockets alone."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

import clew
from clew.app.cli import run as run_command
from clew.app.serving.authentication import TokenFile
from clew.tools.cypher import guard
from clew.tools.errors import QueryForbidden
from tests.app.serving.serving_world import serving
from tests.app.serving.test_mcp import called, connected
from tests.attack.world import Listener, content
from tests.film_facts import FACTS
from tests.scripted_model import Request, ScriptedModel

HOSTILE = [
    "CREATE (n:Attacked) RETURN n",
    "MERGE (n:Attacked {a: 1}) RETURN n",
    "MATCH (n) SET n.attacked = 1 RETURN n",
    "match(n)set n.attacked=1 return n",
    "MATCH (n) SET (n).attacked = 1 RETURN n",
    "MATCH (n) REMOVE n.name RETURN n",
    "MATCH (n) DETACH DELETE n",
    "MATCH (n) FOREACH (x IN [1] | SET n.attacked = x)",
    "MATCH (n) CALL { WITH n SET n.attacked = 1 } RETURN n",
    "MATCH (n) CALL (n) { CREATE (:Attacked) } IN TRANSACTIONS RETURN n",
    "MATCH (n) WHERE EXISTS { CREATE (x:Attacked) RETURN x } RETURN n",
    "MATCH (n) WITH n, 1 AS with WITH n, with SET n.attacked = 1 RETURN n",
    "MATCH (n) WHERE n.year IS :: INTEGER! SET n.attacked = 1 RETURN n",
    "MATCH (n) /* ' */ SET n.attacked = 1 /* ' */ RETURN n",
    "MATCH (n) // a comment\nSET n.attacked = 1 RETURN n",
    "MATCH (n) \\u0053ET n.attacked = 1 RETURN n",
    "MATCH (n) \uff33ET n.attacked = 1 RETURN n",
    "MATCH (n) RETURN n; MATCH (n) DETACH DELETE n",
    "MATCH (n) RETURN n UNION MATCH (n) DETACH DELETE n RETURN n",
    "LOAD CSV FROM '@LISTENER@' AS row RETURN row",
    "CALL apoc.load.json('@LISTENER@') YIELD value RETURN value",
    "CALL apoc.cypher.doIt('CREATE (:Attacked)', {}) YIELD value RETURN value",
    "RETURN apoc.cypher.runFirstColumnSingle('CREATE (n:Attacked) RETURN n', {}) AS n",
    "CALL dbms.listConfig() YIELD name RETURN name",
    "CREATE INDEX attacked FOR (n:Film) ON (n.year)",
    "DROP DATABASE films",
    "UNWIND range(1, 100000) AS x UNWIND range(1, 100000) AS y RETURN count(*) AS n",
    "RETURN reduce(s = 'x', i IN range(1, 40) | s + s) AS s",
]
HARMLESS = "MATCH (n) WHERE n.name = 'Heat' RETURN n.name AS harmless"


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[clew.Graph]:
    path = tmp_path_factory.mktemp("facts") / "films.txt"
    path.write_text(FACTS, encoding="utf-8")
    with clew.connect(f"routes-{uuid.uuid4().hex[:8]}", home=clew_home) as graph:
        graph.import_files(path)
        yield graph
        graph.client.drop(graph.name)


@pytest.fixture
def hostile(films: clew.Graph) -> Iterator[list[str]]:
    """The queries, with the address of a listener; none of them may have changed or contacted anything."""
    listener = Listener()
    before = content(films.files.store)
    yield [cypher.replace("@LISTENER@", listener.url) for cypher in HOSTILE]
    assert content(films.files.store) == before
    assert listener.contacts == 0
    listener.close()


def test_the_python_api(films: clew.Graph, hostile: list[str]) -> None:
    for cypher in hostile:
        with pytest.raises(QueryForbidden):
            films.query(cypher)
    assert films.query(HARMLESS).rows == ({"harmless": "Heat"},)


def test_the_http_route(clew_home: Path, films: clew.Graph, hostile: list[str], tmp_path: Path) -> None:
    with (
        serving(clew_home, TokenFile(tmp_path / "tokens.json"), graphs=(films.name,)) as url,
        httpx.Client(base_url=f"{url}/api/graphs/{films.name}", timeout=60) as api,
    ):
        for cypher in hostile:
            refused = api.post("/query", json={"cypher": cypher})
            assert refused.status_code == 422, cypher
            assert "is not run" in refused.text
        assert api.post("/query", json={"cypher": HARMLESS}).json()["rows"] == [{"harmless": "Heat"}]


def test_the_mcp_tool(clew_home: Path, films: clew.Graph, hostile: list[str]) -> None:
    async def ask() -> None:
        async with connected(clew_home) as session:
            for cypher in hostile:
                failed, said = await called(session, "query", cypher=cypher, graph=films.name)
                assert failed, cypher
                assert "is not run" in said
            failed, found = await called(session, "query", cypher=HARMLESS, graph=films.name)
            assert (failed, found["rows"]) == (False, [{"harmless": "Heat"}])

    asyncio.run(ask())


def test_the_langchain_tool(films: clew.Graph, hostile: list[str]) -> None:
    tool = next(tool for tool in clew.langchain.tools(films) if tool.name == "query")
    for cypher in hostile:
        said = tool.invoke({"name": "query", "args": {"cypher": cypher}, "id": "1", "type": "tool_call"})
        assert said.status == "error", cypher
        assert "is not run" in said.content
    assert '"harmless": "Heat"' in tool.invoke({"cypher": HARMLESS})


class Writer:
    """A model that writes one query, whatever it is asked."""

    cypher = HARMLESS

    def __call__(self, request: Request) -> str:
        return f"<entities>\nHeat\n</entities>\n<opencypher>\n{self.cypher}\n</opencypher>\n<answers>\n</answers>"


@pytest.fixture
def passed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The queries that the guard lets through."""
    texts: list[str] = []
    check: Callable[..., None] = guard.check

    def checked(cypher: str, *, decodes: bool = True) -> None:
        check(cypher, decodes=decodes)
        texts.append(cypher)

    monkeypatch.setattr(guard, "check", checked)
    return texts


def is_hostile(cypher: str) -> bool:
    return any(part in cypher.lower() for part in ("attacked", "http:", "apoc", "range(", "delete", "dbms", "database"))


def test_what_a_model_writes(clew_home: Path, films: clew.Graph, hostile: list[str], passed: list[str]) -> None:
    writer = Writer()
    with ScriptedModel(writer) as server:
        given = {"model": "scripted", "model_base_url": server.base_url, "model_api_key": "sk-scripted"}
        with clew.connect(films.name, home=clew_home, **given) as graph:
            graph.ask("Who directed Heat?")
            assert any("harmless" in cypher for cypher in passed), "what a model writes is run"
            for writer.cypher in hostile:
                graph.ask("Who directed Heat?")
        assert len(server.requests) >= len(hostile)
    assert not list(filter(is_hostile, passed))


def test_the_command_line_with_a_model(
    clew_home: Path, films: clew.Graph, hostile: list[str], passed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = Writer()
    with ScriptedModel(writer) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        ask = ["--home", str(clew_home), "ask", "Who directed Heat?", "--graph", films.name]
        assert run_command(ask) in (0, 1)
        assert any("harmless" in cypher for cypher in passed)
        for writer.cypher in hostile[::6]:
            assert run_command(ask) in (0, 1)
    assert not list(filter(is_hostile, passed))
