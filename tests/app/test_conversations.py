"""Conversations in every front end: follow-ups are read as changes of the sets of earlier answers."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import clew
from clew.app.cli import run
from clew.app.serving.authentication import TokenFile
from tests.app.serving.serving_world import serving
from tests.command_processes import CommandProcess
from tests.scripted_model import ScriptedModel

NODES = """\
id:ID,name,:LABEL,year:int,runtime:int,born:int
heat,Heat,Film,1995,170,
collateral,Collateral,Film,2004,120,
ali,Ali,Film,2001,157,
thief,Thief,Film,1981,123,
casino,Casino,Film,1995,178,
hugo,Hugo,Film,2011,126,
mann,Michael Mann,Person,,,1943
scorsese,Martin Scorsese,Person,,,1942
pacino,Al Pacino,Person,,,1940
smith,Will Smith,Person,,,1968
cruise,Tom Cruise,Person,,,1962
stone,Sharon Stone,Person,,,1958
"""
EDGES = """\
:START_ID,:END_ID,:TYPE
mann,heat,DIRECTED
mann,collateral,DIRECTED
mann,ali,DIRECTED
mann,thief,DIRECTED
scorsese,casino,DIRECTED
scorsese,hugo,DIRECTED
pacino,heat,ACTED_IN
smith,ali,ACTED_IN
cruise,collateral,ACTED_IN
stone,casino,ACTED_IN
"""
FIRST = "Which films did Michael Mann direct?"
Turns = list[tuple[str, list[str], str]]
"""Questions with their answers, and the change that each is; "" for a question of its own, or any."""


@pytest.fixture(scope="module")
def name(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("films")
    (folder / "nodes.csv").write_text(NODES)
    (folder / "edges.csv").write_text(EDGES)
    name = f"talk-{uuid.uuid4().hex[:8]}"
    files = [str(folder / "nodes.csv"), str(folder / "edges.csv")]
    assert run(["--home", str(clew_home), "import", *files, "--graph", name]) == 0
    yield name
    assert run(["--home", str(clew_home), "drop", name, "--yes"]) == 0


@pytest.fixture(scope="module")
def films(clew_home: Path, name: str) -> Iterator[clew.Graph]:
    with clew.connect(name, home=clew_home) as graph:
        yield graph.open()


CONVERSATIONS: list[Turns] = [
    [
        (FIRST, ["Ali", "Collateral", "Heat", "Thief"], ""),
        ("how many?", ["4"], "count"),
        ("only the ones after 2000", ["Ali", "Collateral"], "restrict"),
        ("which one is the longest?", ["Ali"], "order"),
        ("who acted in it?", ["Will Smith"], "step"),
        ("back to the first answer: which came out before 1990?", ["Thief"], "restrict"),
    ],
    [
        (FIRST, ["Ali", "Collateral", "Heat", "Thief"], ""),
        ("what about Martin Scorsese?", ["Casino", "Hugo"], "replace"),
        ("who zorbled the flumix?", [], ""),
        ("what is their runtime?", ["126", "178"], "project"),
        ("the longest of them", ["Casino"], "order"),
        ("no, I meant the shortest", ["Hugo"], "correct"),
        ("when was that released?", ["2011"], ""),
    ],
    [
        (FIRST, ["Ali", "Collateral", "Heat", "Thief"], ""),
        ("the longest of them", ["Heat"], "order"),
        ("who acted in it?", ["Al Pacino"], "step"),
        ("what about Martin Scorsese?", ["Casino"], "replace"),
    ],
    [
        ("Who directed the films that Sharon Stone acted in?", ["Martin Scorsese"], ""),
        ("which of them were made after 1900?", ["Casino"], "restrict"),
    ],
    [
        ("Which films were released in 1995?", ["Casino", "Heat"], ""),
        ("and in 2001?", ["Ali"], "replace"),
        ("by the way, who directed Hugo?", ["Martin Scorsese"], ""),
        ("which other films did he direct?", ["Casino"], ""),
    ],
    [
        (FIRST, ["Ali", "Collateral", "Heat", "Thief"], ""),
        ("which is the longest?", ["Heat"], "order"),
        ("and the shortest?", ["Collateral"], "order"),
        ("who acted in it?", ["Tom Cruise"], "step"),
        ("back to Michael Mann: when was he born?", ["1943"], "project"),
        ("what about Will Smith, when was he born?", ["1968"], ""),
    ],
    [
        ("How many films did Martin Scorsese direct?", ["2"], ""),
        ("which ones?", ["Casino", "Hugo"], "restrict"),
        ("sort them by year, newest first", ["Casino", "Hugo"], "order"),
        ("the last one", ["Casino"], "order"),
    ],
    [
        ("Which people directed films?", ["Martin Scorsese", "Michael Mann"], ""),
        ("which of them were born after 1942?", ["Michael Mann"], "restrict"),
        ("which were released before 1990?", ["Thief"], "restrict"),
    ],
]


def test_values_of_several_are_told_with_what_has_them(films: clew.Graph) -> None:
    session = f"s-{uuid.uuid4().hex}"
    films.ask("Which films did Martin Scorsese direct?", session=session)
    found = films.ask("how long are they?", session=session).answers
    assert {(each.name, each.detail) for each in found} == {("178", "Casino"), ("126", "Hugo")}
    assert [each.values for each in found if each.name == "126"] == [{"runtime": 126, "film": "Hugo"}]
    actors = films.ask("who acted in them?", session=session).answers
    assert [(each.name, each.values) for each in actors] == [("Sharon Stone", {"film": ["Casino"]})]


@pytest.mark.parametrize("turns", CONVERSATIONS)
def test_follow_ups_change_the_last_sets(films: clew.Graph, turns: Turns) -> None:
    session = f"s-{uuid.uuid4().hex}"
    for question, answers, change in turns:
        found = films.ask(question, session=session)
        assert sorted(answer.name for answer in found) == answers, question
        if change:
            assert found.follow_up is not None
            assert found.follow_up.change == change, question
    films.client.delete_session(session)


def test_the_order_that_is_asked_for_is_the_order_of_the_answers(films: clew.Graph) -> None:
    session = f"s-{uuid.uuid4().hex}"
    films.ask(FIRST, session=session)
    assert [each.name for each in films.ask("sort them by year", session=session)] == [
        "Thief",
        "Heat",
        "Ali",
        "Collateral",
    ]
    found = films.ask("sort them by year, newest first", session=session)
    assert [each.name for each in found] == ["Collateral", "Ali", "Heat", "Thief"]


def test_the_trace_and_the_reading_say_which_change_was_read(films: clew.Graph) -> None:
    session = f"s-{uuid.uuid4().hex}"
    first = films.ask(FIRST, session=session)
    assert first.follow_up is None
    found = films.ask("how many?", session=session)
    assert found.follow_up is not None
    assert (found.follow_up.turn, found.follow_up.of) == (1, FIRST)
    assert f"(the number of the answers to “{FIRST}”)" in found.text
    trace = json.dumps(films.client.traces.show(found.trace_id), default=str)
    assert '"rule": "count"' in trace


def test_a_question_of_its_own_is_none_in_a_conversation(films: clew.Graph) -> None:
    session = f"s-{uuid.uuid4().hex}"
    films.ask(FIRST, session=session)
    found = films.ask("Who directed Casino?", session=session)
    assert ([each.name for each in found], found.follow_up) == (["Martin Scorsese"], None)


def test_with_a_model_the_set_is_read_beside_the_model_s_queries(clew_home: Path, name: str, films: clew.Graph) -> None:
    session = f"s-{uuid.uuid4().hex}"
    films.ask(FIRST, session=session)
    with ScriptedModel("<answers></answers>") as server:
        given = {"model": "scripted", "model_base_url": server.base_url, "model_api_key": "sk-scripted"}
        with clew.connect(name, home=clew_home, **given) as graph:
            events = list(graph.stream("only the ones after 2000", session=session))
        asked = server.requests[0].user
    assert {each["name"] for each in events[-1].data["result"]["answers"]} == {"Ali", "Collateral"}
    assert "read" in {event.data["node"] for event in events if event.type == "step"}
    assert "Michael Mann" in asked, "the model is asked the question with what it takes from the conversation"


def test_another_process_goes_on_with_the_sets(clew_home: Path, name: str) -> None:
    session, said = f"s-{uuid.uuid4().hex}", []
    for lines in ([FIRST, "those after 2000"], ["how many?", "who acted in them?"]):
        process = CommandProcess(clew_home, "chat", "-g", name, "--session", session)
        said += process.communicate("\n".join(lines) + "\n", timeout=120)[0].splitlines()
    assert sorted(said[1].split(", ")) == ["Ali", "Collateral"]
    assert said[2] == "2"
    assert sorted(said[3].split(", ")) == ["Tom Cruise", "Will Smith"]


def test_the_server_says_how_a_follow_up_was_read(
    clew_home: Path, name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    tokens = TokenFile(tmp_path_factory.mktemp("none") / "tokens.json")
    session = f"s-{uuid.uuid4().hex}"
    with serving(clew_home, tokens, graphs=(name,)) as url, httpx.Client(base_url=url, timeout=60) as client:
        for question in (FIRST, "only the ones before 2000"):
            asked = {"question": question, "graph": name, "session": session, "stream": False}
            result = client.post("/api/ask", json=asked).raise_for_status().json()
        assert sorted(each["name"] for each in result["answers"]) == ["Heat", "Thief"]
        assert (result["follow_up"]["change"], result["follow_up"]["of"]) == ("restrict", FIRST)
        kept = client.get(f"/api/sessions/{session}").raise_for_status().json()
        assert kept["turns"][-1]["result"]["follow_up"] == result["follow_up"]
