"""Forks: a run goes on from one of its steps with something else, and only what follows runs anew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from clew.app.api.graph import Graph
from clew.app.api.requests import AskRequest
from clew.app.cli import run
from clew.app.container import Container
from clew.app.progress import NoProgress
from clew.app.serving.authentication import TokenFile
from clew.app.settings import load_settings
from clew.app.traces.forking import Fork
from clew.app.traces.replaying import Replayer, ReplayResult
from clew.tools.errors import BadInput
from tests.app.serving.serving_world import imported, namesakes, serving

QUESTION, KISMET = "who directed Heat?", "Who directed Kismet?"


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with imported(clew_home, tmp_path_factory.mktemp("facts")) as name:
        yield name


@pytest.fixture(scope="module")
def kismets(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with namesakes(clew_home, tmp_path_factory.mktemp("facts")) as name:
        yield name


@pytest.fixture(scope="module")
def container(clew_home: Path, films: str, kismets: str) -> Iterator[Container]:
    opened = Container(load_settings(home=clew_home), NoProgress())
    yield opened
    opened.close()


def nodes(trace: dict[str, Any], *, taken: bool) -> list[str]:
    """The steps that a fork took over, or those that it ran."""
    return [s["node"] for s in trace["spans"] if any(e["kind"] == "taken over" for e in s["events"]) == taken]


def told(trace: dict[str, Any]) -> list[str]:
    return [answer["name"] for answer in trace["outcome"]["answers"]]


def replay(container: Container, id: str) -> ReplayResult:
    return Replayer(container.recorder, container.context).replay(id)


def fork(container: Container, id: str, fork: Fork) -> ReplayResult:
    return Replayer(container.recorder, container.context).fork(id, fork)


@pytest.mark.parametrize("step", ["contextualize", "link", "link_entities", "read", "gather", "assess"])
def test_without_a_change_the_rest_comes_out_the_same(container: Container, films: str, step: str) -> None:
    first = container.traces.show(Graph(container, films).ask(QUESTION).to_dict()["trace_id"])
    forked = fork(container, first["id"], Fork(step))
    assert forked.outcome == "same"
    trace = container.traces.show(forked.trace_id)
    assert [s["node"] for s in trace["spans"]] == [s["node"] for s in first["spans"]]
    taken = nodes(trace, taken=True)
    assert (taken + nodes(trace, taken=False), taken[-1]) == ([s["node"] for s in first["spans"]], taken[-1])
    assert step in taken
    assert trace["given"]["fork"] == {"from": step, "set": {}}
    assert trace["replay_of"] == first["id"]
    assert all(s["ms"] == 0 for s in trace["spans"] if s["node"] in taken)


@pytest.mark.parametrize("step", ["contextualize", "link", "link_entities"])
@pytest.mark.parametrize(("entity", "director"), [("1944", "William Dieterle"), ("1955", "Vincente Minnelli")])
def test_another_entity_gives_another_answer(
    container: Container, kismets: str, step: str, entity: str, director: str
) -> None:
    first = Graph(container, kismets).ask(KISMET).to_dict()
    forked = fork(container, first["trace_id"], Fork(step, entities={"kismet": f"kismet-{entity}"}))
    assert told(container.traces.show(forked.trace_id)) == [director]


def test_a_choice_that_nobody_made_is_made_by_a_fork(container: Container, kismets: str) -> None:
    asked = AskRequest(KISMET, thread="fork talk", clarify=True)
    *_, last = Graph(container, kismets).run(asked)
    assert last["type"] == "choice"
    waiting = container.traces.list(1, kismets)[0]["id"]
    forked = fork(container, waiting, Fork("link_entities", entities={"Kismet": "kismet-1955"}))
    assert told(container.traces.show(forked.trace_id)) == ["Vincente Minnelli"]
    both = container.traces.show(fork(container, waiting, Fork("link_entities")).trace_id)
    assert told(both) == [each["name"] for each in Graph(container, kismets).ask(KISMET).to_dict()["answers"]]

    resumed = AskRequest(KISMET, thread="fork talk", clarify=True, chosen={"entity": "kismet-1944"})
    *_, last = Graph(container, kismets).run(resumed)
    other = fork(container, last["result"]["trace_id"], Fork("link_entities", entities={"Kismet": "kismet-1955"}))
    assert told(container.traces.show(other.trace_id)) == ["Vincente Minnelli"]
    assert len(container.sessions.turns("fork talk")) == 1
    container.delete_session("fork talk")


@pytest.mark.parametrize("step", ["contextualize", "link_entities", "assess"])
def test_other_strategies_run_in_place_of_the_first(container: Container, films: str, step: str) -> None:
    first = Graph(container, films).ask(QUESTION).to_dict()
    forked = fork(container, first["trace_id"], Fork(step, ("paths", "triplets")))
    ran = nodes(container.traces.show(forked.trace_id), taken=False)
    assert {"paths", "triplets"} <= set(ran)
    assert "read" not in ran
    assert container.traces.show(forked.trace_id)["given"]["strategies"] == ["paths", "triplets"]


def test_limits_are_those_that_are_set(container: Container, films: str) -> None:
    first = Graph(container, films).ask("who starred in Heat?").to_dict()
    forked = fork(container, first["trace_id"], Fork.of("link_entities", {"rows": "1", "seconds": "2.5"}))
    trace = container.traces.show(forked.trace_id)
    assert (trace["given"]["budget"]["max_rows"], trace["given"]["budget"]["seconds"]) == (1, 2.5)
    assert len(told(trace)) == 1


def test_a_follow_up_keeps_what_was_said_before(container: Container, films: str) -> None:
    for question in (QUESTION, "and who starred in it?"):
        *_, last = Graph(container, films).run(AskRequest(question, thread="forked"))
    forked = fork(container, last["result"]["trace_id"], Fork("contextualize"))
    assert forked.outcome == "same"
    assert len(container.traces.show(forked.trace_id)["given"]["history"]) == 1
    container.delete_session("forked")


def test_a_fork_can_be_forked_and_replayed(container: Container, kismets: str) -> None:
    first = Graph(container, kismets).ask(KISMET).to_dict()
    one = fork(container, first["trace_id"], Fork("link", entities={"Kismet": "kismet-1955"}))
    assert replay(container, one.trace_id).outcome == "same"
    again = fork(container, one.trace_id, Fork("link_entities"))
    assert (again.outcome, again.replay_of) == ("same", one.trace_id)
    assert told(container.traces.show(again.trace_id)) == ["Vincente Minnelli"]
    other = fork(container, again.trace_id, Fork("link", entities={"Kismet": "kismet-1944"}))
    assert told(container.traces.show(other.trace_id)) == ["William Dieterle"]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Fork("nosuch"), "no step nosuch"),
        (Fork("link#2"), "no step link#2"),
        (Fork("reason"), "Nothing follows"),
        (Fork("gather", ("paths",)), "no strategy is sent out"),
        (Fork("gather", entities={"Heat": "x"}), "settled which entities"),
        (Fork("link_entities", entities={"Heat": "no such id"}), "no entity 'no such id'"),
    ],
)
def test_what_cannot_be_forked_is_said(container: Container, films: str, wanted: Fork, said: str) -> None:
    first = Graph(container, films).ask(QUESTION).to_dict()
    count = len(container.traces.list(100, films))
    with pytest.raises(BadInput, match=said):
        fork(container, first["trace_id"], wanted)
    assert len(container.traces.list(100, films)) == count


def test_words_that_the_question_does_not_have_name_nothing(container: Container, kismets: str) -> None:
    first = Graph(container, kismets).ask(KISMET).to_dict()
    for words in ("Casino", " "):
        with pytest.raises(BadInput, match="does not say"):
            fork(container, first["trace_id"], Fork("link_entities", entities={words: "kismet-1955"}))


@pytest.mark.parametrize(
    "settings", [{"colour": "1"}, {"rows": "many"}, {"rows": "1.5"}, {"seconds": "0"}, {"strategies": "magic"}]
)
def test_odd_settings_are_refused(settings: dict[str, str]) -> None:
    with pytest.raises(BadInput):
        Fork.of("link_entities", settings)


def test_statements_and_traces_without_their_steps_cannot_be_forked(container: Container, films: str) -> None:
    with pytest.raises(BadInput, match="statement"):
        fork(
            container,
            Graph(container, films).run_verification("Michael Mann directed Heat.")["trace_id"],
            Fork("link"),
        )
    first = Graph(container, films).ask(QUESTION).to_dict()["trace_id"]
    with container.traces._tables.changes() as change:
        change.execute("UPDATE inputs SET writes = NULL WHERE run = :run", {"run": first})
    with pytest.raises(BadInput, match="was not kept"):
        fork(container, first, Fork("link"))


def test_forking_is_a_command(
    clew_home: Path, container: Container, kismets: str, capsys: pytest.CaptureFixture[str]
) -> None:
    id = Graph(container, kismets).ask(KISMET).to_dict()["trace_id"]
    clew = ["--home", str(clew_home), "trace", "fork", id, "--from", "link_entities"]
    capsys.readouterr()
    assert run([*clew, "--set", "entity:Kismet=kismet-1955", "--set", "rows=5"]) == 0
    out = capsys.readouterr().out
    assert "- William Dieterle" in out
    assert f"Fork of {id}: trace" in out
    assert run(["--home", str(clew_home), "trace", "show", out.split()[-1]]) == 0
    assert f"fork of {id}" in capsys.readouterr().out
    assert run([*clew, "--set", "strategies=paths,triplets", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["replay_of"] == id
    assert run([*clew, "--set", "rows"]) == 2
    assert run([*clew, "--set", "magic=1"]) == 1


def test_forking_over_http(clew_home: Path, films: str, tmp_path: Path) -> None:
    tokens = TokenFile(tmp_path / "tokens.json")
    ann, bob = tokens.add("ann", (films,))[1], tokens.add("bob", (films,))[1]
    with serving(clew_home, tokens, graphs=(films,)) as url:

        def post(secret: str, path: str, body: Any) -> httpx.Response:
            return httpx.post(f"{url}{path}", json=body, headers={"Authorization": f"Bearer {secret}"}, timeout=60)

        id = post(ann, "/api/ask", {"question": QUESTION, "stream": False}).json()["trace_id"]
        done = post(ann, f"/api/traces/{id}/fork", {"from": "link_entities", "strategies": ["paths"], "rows": 9})
        assert done.status_code == 200, done.text
        assert done.json()["replay_of"] == id
        assert post(bob, f"/api/traces/{id}/fork", {"from": "link_entities"}).status_code == 404
        for bad in ({}, {"from": "link_entities", "strategies": ["magic"]}, {"from": "x"}, {"from": "link", "rows": 0}):
            assert post(ann, f"/api/traces/{id}/fork", bad).status_code == 422
