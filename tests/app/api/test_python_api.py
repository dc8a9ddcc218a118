"""The Python API on a real graph in the embedded database, and in LangChain."""

from __future__ import annotations

import asyncio
import inspect
import json
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import FrozenInstanceError
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any, TypedDict

import pytest
from langchain.agents import create_agent
from langchain.chat_models import init_chat_model
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph

import clew
from clew.app.cli import run as run_command
from clew.graphs import hubs
from tests.film_facts import FACTS
from tests.scripted_model import Request, Said, ScriptedModel

HEAVY = ("torch", "transformers", "langchain_core", "langgraph", "numpy", "pydantic", "neo4j", "click", "scipy")
NOTE = "# Nights\n\nMichael Mann shot Collateral with digital cameras because he liked how the city glows.\n"


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("facts") / "films.txt"
    path.write_text(FACTS, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def films(clew_home: Path, facts: Path) -> Iterator[clew.Graph]:
    with clew.connect(f"api-{uuid.uuid4().hex[:8]}", home=clew_home) as graph:
        report = graph.import_files(facts)
        assert (report.status, report.edges) == ("imported", len(FACTS.splitlines()))
        yield graph
        graph.client.drop(graph.name)


def test_importing_the_package_is_light() -> None:
    code = (
        "import time; began = time.perf_counter(); import sys; import clew; took = time.perf_counter() - began\n"
        f"print(took, [name for name in {HEAVY!r} if name in sys.modules], 'connect' in dir(clew))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    took, loaded = done.stdout.split(" ", 1)
    assert loaded.strip() == "[] True"
    assert float(took) < 0.15


def test_every_public_name_is_there() -> None:
    for name in clew.__all__:
        assert getattr(clew, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = clew.nothing  # type: ignore[attr-defined]


def test_every_public_class_method_and_property_has_a_docstring() -> None:
    public = {name: getattr(clew, name) for name in clew.__all__ if name != "langchain"}
    public |= {
        name: each
        for name, each in vars(clew.langchain).items()
        if getattr(each, "__module__", "") == "clew.langchain" and not name.startswith("_")
    }
    for each in list(filter(inspect.isclass, public.values())):
        public |= {
            f"{each.__name__}.{name}": member
            for name, member in vars(each).items()
            if isinstance(member, FunctionType | property | cached_property | classmethod) and not name.startswith("_")
        }
    assert "Graph.query" in public
    assert [name for name, each in public.items() if not each.__doc__] == []


def test_a_question_gives_answers_with_evidence(films: clew.Graph) -> None:
    found = films.ask("who directed Heat?")
    assert [answer.name for answer in found] == ["Michael Mann"]
    answer = found.answers[0]
    assert found[0] is answer
    assert answer.evidence[0].head.name == "Heat"
    assert answer.evidence[0].relation == "directed_by"
    assert found.cypher is not None
    assert found.graph == films.name
    assert found.linked[0].candidates[0].name == "Heat"
    assert 0 < found.confidence <= 1
    assert films.client.traces.show(found.trace_id)["question"] == found.question
    assert str(found).startswith("Heat is directed by Michael Mann [1].")
    assert found.sentence == "Heat is directed by Michael Mann."
    assert "Michael Mann" in repr(found)
    with pytest.raises(FrozenInstanceError):
        found.confidence = 1.0  # type: ignore[misc]


def test_a_result_is_what_the_command_prints(
    films: clew.Graph, clew_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = films.ask("who directed Heat?").to_dict()
    assert run_command(["--home", str(clew_home), "ask", "who directed Heat?", "-g", films.name, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    for value in (found, printed):
        value.pop("trace_id"), value.pop("ms")
    assert found == printed
    assert clew.AskResult.from_dict({**found, "trace_id": "", "ms": 0.0})[0].name == "Michael Mann"


def test_no_answer_is_a_false_result_that_explains_itself(films: clew.Graph) -> None:
    found = films.ask("how heavy is Zanzibar Quux?")
    assert not found
    assert len(found) == 0
    assert found.explanation


def test_what_the_database_has_lost_is_said_with_every_answer(
    films: clew.Graph, clew_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clew.app.graph_files.GraphFiles.missing_records", lambda _: "2 of 15 relationships")
    with clew.connect(films.name, home=clew_home) as damaged:
        found = damaged.ask("who directed Heat?")
        checked = damaged.verify("Michael Mann directed Heat.")
    assert found.notes == checked.notes
    assert "has lost 2 of 15 relationships" in found.notes[0]
    assert found.to_dict()["notes"] == list(found.notes)
    assert found.notes[0] in found.text
    assert films.ask("who directed Heat?").notes == ()


def test_a_stream_tells_steps_and_then_the_result(films: clew.Graph) -> None:
    events = list(films.stream("who directed Heat?", updates=True))
    assert {event.type for event in events} == {"step", "update", "result"}
    assert events[0].type == "step"
    assert events[0].data["node"] == "contextualize"
    assert events[-1].result is not None
    assert events[-1].result[0].name == "Michael Mann"


def test_questions_of_a_session_refer_to_earlier_ones(films: clew.Graph) -> None:
    session = f"talk-{uuid.uuid4().hex[:8]}"
    films.ask("who directed Heat?", session=session)
    assert {a.name for a in films.ask("and who starred in it?", session=session)} == {"Al Pacino", "Robert De Niro"}
    assert films.client.sessions.turns(session)[0]["question"] == "who directed Heat?"
    films.client.delete_session(session)
    with pytest.raises(clew.ClewError):
        films.client.delete_session(session)


def test_a_statement_is_verified(films: clew.Graph) -> None:
    found = films.verify("Michael Mann directed Heat")
    assert found.supported
    assert found.claims[0].verdict == "supported"
    assert str(found.evidence[0]) == "Heat —directed_by→ Michael Mann"
    assert films.verify("Martin Scorsese directed Heat").verdict == "refuted"


def test_names_schema_and_queries(films: clew.Graph) -> None:
    mention = films.link("who starred in Taxi Drivr")[0]
    assert (mention.text, mention.candidates[0].name) == ("Taxi Drivr", "Taxi Driver")
    assert sum(films.schema().labels.values()) == 14
    assert "directed_by" in films.schema_text()
    rows = films.query("MATCH (f {name: $name})-[:directed_by]->(p) RETURN p.name AS who", {"name": "Heat"})
    assert list(rows) == [{"who": "Michael Mann"}]
    assert rows.columns == ["who"]
    assert films.query("MATCH (n) RETURN n.name AS name", limit=2).truncated
    with pytest.raises(clew.QueryForbidden):
        films.query("CREATE (n:Film) RETURN n")
    with pytest.raises(clew.QueryFailed):
        films.query("MATCH (n RETURN n")


def test_what_cannot_be_used_is_a_typed_error(films: clew.Graph, clew_home: Path) -> None:
    with pytest.raises(clew.BadInput, match="empty"):
        films.ask(" ")
    with pytest.raises(clew.BadInput, match="Unknown strategies: guessing"):
        films.ask("who directed Heat?", strategies=["guessing"])
    with pytest.raises(TypeError, match="colour"):
        films.ask("who directed Heat?", colour="red")  # type: ignore[call-arg]
    with pytest.raises(clew.BadInput, match="database_url"):
        clew.connect("films", url="http://localhost")
    with (
        clew.connect("no-such-graph", home=clew_home) as other,
        pytest.raises(clew.UnknownGraph, match="no-such-graph"),
    ):
        other.ask("who directed Heat?")
    assert repr(films) == f"Graph({films.name!r}, home={str(clew_home)!r})"


def test_threads_may_share_a_graph(clew_home: Path, films: clew.Graph) -> None:
    questions = ["who directed Heat?", "who directed Casino?", "who starred in Heat?", "when was Heat released?"] * 4
    with clew.connect(films.name, home=clew_home) as shared, ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda question: [a.name for a in shared.ask(question)], questions))
    assert found[:4] == [["Michael Mann"], ["Martin Scorsese"], ["Al Pacino", "Robert De Niro"], ["1995"]]
    assert found == found[:4] * 4


def test_a_graph_that_changes_is_read_anew(clew_home: Path, tmp_path: Path, films: clew.Graph) -> None:
    more = tmp_path / "more.txt"
    more.write_text("Thief|directed_by|Michael Mann\n", encoding="utf-8")
    with clew.connect(f"{films.name}-2", home=clew_home) as graph:
        try:
            graph.import_files(more)
            assert [a.name for a in graph.ask("who directed Thief?")] == ["Michael Mann"]
            more.write_text("Ali|directed_by|Michael Mann\n", encoding="utf-8")
            with clew.connect(graph.name, home=clew_home) as writer:
                writer.import_files(more)
            assert {a.name for a in graph.ask("which films did Michael Mann direct?")} == {"Thief", "Ali"}
        finally:
            graph.client.drop(graph.name)


async def test_the_same_without_blocking_the_event_loop(films: clew.Graph) -> None:
    found, verdict = await asyncio.gather(films.aask("who directed Heat?"), films.averify("Michael Mann directed Heat"))
    assert found[0].name == "Michael Mann"
    assert verdict.supported
    events = [event async for event in films.astream("who directed Casino?")]
    assert events[-1].result is not None
    assert events[-1].result[0].name == "Martin Scorsese"
    with pytest.raises(clew.BadInput):
        await films.aask("")


async def test_a_consumer_that_leaves_ends_the_run(films: clew.Graph) -> None:
    async with aclosing(films.astream("who directed Heat?")) as events:
        async for event in events:
            assert event.type == "step"
            break
    began = time.monotonic()
    task = asyncio.create_task(films.aask("who directed Heat?"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - began < 5


def test_documents_beside_a_graph_are_retrieved(films: clew.Graph, tmp_path: Path) -> None:
    note = tmp_path / "nights.md"
    note.write_text(NOTE, encoding="utf-8")
    assert films.documents.add(note).added == 1
    try:
        assert [document.title for document in films.documents] == ["Nights"]
        retriever = clew.langchain.ClewRetriever(graph=films)
        found = retriever.invoke("who directed Collateral?")
        assert found[0].page_content.splitlines()[0] == "Michael Mann"
        assert found[0].metadata["kind"] == "answer"
        assert any("digital cameras" in each.page_content for each in found if each.metadata["kind"] == "passage")
    finally:
        assert films.documents.remove(str(note)) == 1
    assert len(films.documents) == 0


def test_tools_answer_and_return_errors_as_text(films: clew.Graph) -> None:
    tools = {tool.name: tool for tool in clew.langchain.tools(films)}
    assert list(tools) == ["ask", "verify", "link_entities", "schema", "query"]
    assert json.loads(tools["ask"].invoke({"question": "who directed Heat?"}))["answers"][0]["name"] == "Michael Mann"
    assert json.loads(tools["verify"].invoke({"statement": "Michael Mann directed Heat"}))["verdict"] == "supported"
    assert json.loads(tools["link_entities"].invoke({"text": "Heat"}))[0]["candidates"][0]["name"] == "Heat"
    assert "directed_by" in tools["schema"].invoke({})
    assert json.loads(tools["query"].invoke({"cypher": "RETURN 1 AS one"}))["rows"] == [{"one": 1}]
    call = {"name": "query", "args": {"cypher": "CREATE (n) RETURN n"}, "id": "1", "type": "tool_call"}
    assert tools["query"].invoke(call).status == "error"


def test_the_question_graph_is_a_node_of_another_graph(films: clew.Graph) -> None:
    class Report(TypedDict, total=False):
        question: str
        answers: list[dict[str, Any]]
        said: str

    def say(state: Report) -> Report:
        return {"said": f"It was {state['answers'][0]['name']}."}

    builder = StateGraph(Report)
    builder.add_node("clew", clew.question_graph(films))
    builder.add_node("say", say)
    builder.add_edge(START, "clew")
    builder.add_edge("clew", "say")
    graph = builder.compile(checkpointer=InMemorySaver())
    config: RunnableConfig = {"configurable": {"thread_id": "1"}}
    parts = list(graph.stream({"question": "who directed Heat?"}, config, stream_mode="updates", subgraphs=True))
    assert graph.get_state(config).values["said"] == "It was Michael Mann."
    assert {name for _, part in parts for name in part} >= {"link", "reason", "answer", "clew", "say"}


def test_a_question_names_a_model_and_so_does_its_replay(films: clew.Graph, clew_home: Path) -> None:
    with pytest.raises(clew.BadInput, match="no language model is set up"):
        films.ask("Who directed Heat?", model="larger")
    with ScriptedModel("<answers>Michael Mann</answers>") as server:
        given = {"model": "small", "model_choices": "larger", "model_base_url": server.base_url, "model_api_key": "x"}
        with clew.connect(films.name, home=clew_home, **given) as graph:
            found = graph.ask("Who directed Heat?", model="larger")
            graph.client.replay(found.trace_id)
            assert {request.model for request in server.requests} == {"larger"}
            sent = len(server.requests)
            plain = graph.ask("Who directed Heat?", without_model=True)
            graph.client.replay(plain.trace_id)
            assert len(server.requests) == sent
            wrong = {"small, larger": {"model": "huge"}, "one out": {"model": "small", "without_model": True}}
            for message, options in wrong.items():
                with pytest.raises(clew.BadInput) as caught:
                    graph.ask("Who directed Heat?", **options)
                assert message in f"{caught.value} {caught.value.remedy}"


def test_an_agent_answers_with_the_tools(films: clew.Graph) -> None:
    def script(request: Request) -> str | Said:
        if request["messages"][-1]["role"] != "tool":
            return Said(calls=[("ask", {"question": "who directed Heat?"})])
        assert {tool["function"]["name"] for tool in request["tools"]} >= {"ask", "verify", "query"}
        found = json.loads(request["messages"][-1]["content"])
        return f"{found['answers'][0]['name']} directed it."

    with ScriptedModel(script) as server:
        model = init_chat_model("openai:scripted", base_url=server.base_url, api_key="sk-scripted")
        agent = create_agent(model, clew.langchain.tools(films))
        said = agent.invoke({"messages": [{"role": "user", "content": "Who directed Heat?"}]})
    assert said["messages"][-1].content == "Michael Mann directed it."
    assert len(server.requests) == 2


@pytest.fixture(scope="module")
def hub(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[clew.Graph]:
    """Nora Hub directed 60 films, which have seven writers, who wrote for Ada Low, too."""
    films = [f"Film {n}|directed_by|Nora Hub\nFilm {n}|written_by|Writer {n % 7}\n" for n in range(100, 160)]
    others = [f"Play {n}|directed_by|Ada Low\nPlay {n}|written_by|Writer {n}\n" for n in range(7)]
    path = tmp_path_factory.mktemp("facts") / "hub.txt"
    path.write_text("".join([*films, *others]), encoding="utf-8")
    with clew.connect(f"hub-{uuid.uuid4().hex[:8]}", home=clew_home) as graph:
        graph.import_files(path)
        yield graph
        graph.client.drop(graph.name)


def test_a_hub_is_listed_in_part_and_counted_whole(hub: clew.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    listing, counting = "which films did Nora Hub direct?", "how many films did Nora Hub direct?"
    behind = "who wrote films directed by Nora Hub?"
    usual = hub.ask(listing)
    monkeypatch.setattr(hubs, "HUB", 50)
    monkeypatch.setattr(hubs, "SORTED", 10)
    found = hub.ask(listing, rows=10)
    assert "LIMIT 11\nRETURN" in found.cypher
    assert [answer.name for answer in found.answers] == sorted(answer.name for answer in found.answers)
    assert len(found.answers) == 10
    assert "There are more" in found.explanation
    assert {answer.id for answer in found.answers} < {answer.id for answer in usual.answers}
    assert {(each.head.name, each.tail.name) for each in found.evidence} == {
        (answer.name, "Nora Hub") for answer in found.answers
    }
    for uncounted, counted in ((61, "count(DISTINCT n2)"), (50, "count(n2)")):
        monkeypatch.setattr(hubs, "UNCOUNTED", uncounted)
        number = hub.ask(counting, rows=10)
        assert [answer.name for answer in number.answers] == ["60"]
        assert counted in number.cypher
    writers = hub.ask(behind)
    assert "DISTINCT n2\nMATCH" not in writers.cypher  # the films are not held in memory
    assert {answer.name for answer in writers.answers} == {f"Writer {n}" for n in range(7)}
    assert writers.evidence
    assert "Ada Low" not in {each.tail.name for each in writers.evidence}


def test_strategies_that_follow_all_relationships_do_not_run_for_a_hub(
    hub: clew.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ran() -> set[str]:
        return {event.data["node"] for event in hub.stream("what about Nora Hub?") if event.type == "step"}

    assert "cypher" in ran()
    monkeypatch.setattr(hubs, "HUB", 50)
    assert not {"cypher", "paths"} & ran()
