"""Replays: what a trace holds is asked again as it was, and what changed is told."""

from __future__ import annotations

import json
import uuid
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
from clew.app.traces.diff import diff_lines, trace_diff
from clew.app.traces.replaying import Replayer, ReplayResult, outcome_of
from clew.tools.errors import BadInput, UnknownGraph
from tests.app.serving.serving_world import imported, namesakes, serving, until

QUESTION, KISMET = "who directed Heat?", "Who directed Kismet?"


@pytest.fixture(scope="module")
def container(clew_home: Path, films: str) -> Iterator[Container]:
    opened = Container(load_settings(home=clew_home), NoProgress())
    yield opened
    opened.close()


def ask(container: Container, graph: str, question: str, **given: Any) -> dict[str, Any]:
    *_, last = Graph(container, graph).run(AskRequest(question, **given))
    found: dict[str, Any] = last["result"] if last["type"] == "result" else last
    return found


def replay(container: Container, id: str, *, capped: bool = False) -> ReplayResult:
    return Replayer(container.recorder, container.context, capped=capped).replay(id)


def test_the_same_graph_gives_the_same(container: Container, films: str) -> None:
    first = Graph(container, films).ask(QUESTION).to_dict()
    again = replay(container, first["trace_id"])
    assert (again.outcome, again.notes) == ("same", ())
    kept = container.traces.show(again.trace_id)
    assert kept["replay_of"] == first["trace_id"]
    assert [a["name"] for a in kept["outcome"]["answers"]] == ["Michael Mann"]
    assert container.traces.show(first["trace_id"])["replay_of"] is None


def test_a_follow_up_is_asked_with_what_was_said_before_and_the_session_stays(container: Container, films: str) -> None:
    ask(container, films, QUESTION, thread="replayed talk")
    second = ask(container, films, "and who starred in it?", thread="replayed talk")
    ask(container, films, "who directed Casino?", thread="replayed talk")
    again = replay(container, second["trace_id"])
    assert again.outcome == "same"
    kept = container.traces.show(again.trace_id)
    assert {a["name"] for a in kept["outcome"]["answers"]} == {"Al Pacino", "Robert De Niro"}
    assert len(container.sessions.turns("replayed talk")) == 3
    assert kept["thread"] == "replayed talk"
    container.delete_session("replayed talk")
    with pytest.raises(BadInput, match="no trace"):
        container.traces.show(again.trace_id)


def test_strategies_and_limits_are_as_they_were(container: Container, films: str) -> None:
    first = ask(container, films, QUESTION, strategies=("paths",), rows=7, seconds=3.0)
    again = container.traces.show(replay(container, first["trace_id"]).trace_id)
    assert again["given"]["strategies"] == ["paths"]
    assert (again["given"]["budget"]["max_rows"], again["given"]["budget"]["seconds"]) == (7, 3.0)
    assert "paths" in {span["node"] for span in again["spans"]}
    assert "cypher" not in {span["node"] for span in again["spans"]}


def test_capped_limits_are_those_of_now_where_they_are_lower(clew_home: Path, container: Container, films: str) -> None:
    first = Graph(container, films).ask(QUESTION).to_dict()
    smaller = Container(load_settings(home=clew_home, question_rows=3), NoProgress())
    try:
        for capped, rows in ((True, 3), (False, 2000)):
            again = replay(smaller, first["trace_id"], capped=capped)
            assert smaller.traces.show(again.trace_id)["given"]["budget"]["max_rows"] == rows
    finally:
        smaller.close()


def test_a_statement_is_checked_again(container: Container, films: str) -> None:
    first = Graph(container, films).run_verification("Michael Mann directed Heat.")
    again = replay(container, first["trace_id"])
    assert again.outcome == "same"
    assert container.traces.show(again.trace_id)["outcome"]["verdict"] == "supported"


def test_a_choice_is_made_as_it_was_and_waited_for_where_it_was_not(
    clew_home: Path, container: Container, tmp_path: Path
) -> None:
    with namesakes(clew_home, tmp_path) as graph:
        choice = ask(container, graph, KISMET, thread="which", clarify=True)
        waiting = container.traces.list(1, graph)[0]
        assert (choice["type"], waiting["status"]) == ("choice", "waiting")
        chosen = ask(container, graph, KISMET, thread="which", clarify=True, chosen={"entity": "kismet-1944"})
        assert [a["name"] for a in chosen["answers"]] == ["William Dieterle"]

        again = replay(container, waiting["id"])
        assert again.outcome == "same"
        assert container.traces.show(again.trace_id)["status"] == "waiting"
        again = replay(container, chosen["trace_id"])
        assert (again.outcome, again.diff["answers"]["only_b"]) == ("same", [])
        container.delete_session("which")


def test_a_graph_that_changed_is_told_and_what_it_changed_is_shown(clew_home: Path, tmp_path: Path) -> None:
    with imported(clew_home, tmp_path) as films:
        container = Container(load_settings(home=clew_home), NoProgress())
        try:
            first = Graph(container, films).ask(QUESTION).to_dict()
        finally:
            container.close()
        more = tmp_path / "more.txt"
        more.write_text("Heat|directed_by|Somebody Else\n", encoding="utf-8")
        assert run(["--home", str(clew_home), "import", str(more), "--graph", films]) == 0
        container = Container(load_settings(home=clew_home), NoProgress())
        try:
            again = replay(container, first["trace_id"])
        finally:
            container.close()
    assert again.outcome == "changed"
    assert again.diff["answers"]["only_b"] == ["Somebody Else"]
    assert again.notes == (f"The graph {films} was imported or changed since.",)


def test_a_graph_that_is_gone_is_an_error_that_says_so(
    clew_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    container = Container(load_settings(home=clew_home), NoProgress())
    try:
        with imported(clew_home, tmp_path) as films:
            first = Graph(container, films).ask(QUESTION).to_dict()
    finally:
        container.close()
    container = Container(load_settings(home=clew_home), NoProgress())
    try:
        with pytest.raises(UnknownGraph, match=f"asked the graph {films}, which is not there any more"):
            replay(container, first["trace_id"])
    finally:
        container.close()
    assert run(["--home", str(clew_home), "trace", "replay", first["trace_id"]]) == 1
    assert "Import it again" in capsys.readouterr().err


def test_other_models_and_settings_are_told(clew_home: Path, container: Container, films: str) -> None:
    first = Graph(container, films).ask(QUESTION).to_dict()
    other = Container(load_settings(home=clew_home, path_semantics="trail"), NoProgress())
    try:
        assert replay(other, first["trace_id"]).notes == ("path_semantics was either, and is trail.",)
    finally:
        other.close()


def test_a_run_that_failed_is_replayed_too(container: Container, films: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("it broke")

    with monkeypatch.context() as patch:
        patch.setattr("clew.graphs.nodes.link.read", broken)
        with pytest.raises(RuntimeError):
            Graph(container, films).ask(QUESTION).to_dict()
        failed = container.traces.list(1, films)[0]["id"]
        assert replay(container, failed).outcome == "same"
    again = replay(container, failed)
    assert again.outcome == "changed"
    assert again.diff["changed"]["status"] == ["error", "ok"]


def test_what_an_earlier_release_kept_is_replayed_as_far_as_it_is_known(container: Container, films: str) -> None:
    first = Graph(container, films).ask(QUESTION).to_dict()
    with container.traces._tables.changes() as change:
        change.execute("DELETE FROM inputs WHERE run = :run", {"run": first["trace_id"]})
    again = replay(container, first["trace_id"])
    assert again.outcome == "same"
    assert "earlier release" in again.notes[0]


def test_replaying_is_a_command_for_scripts(
    clew_home: Path,
    container: Container,
    films: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ids = [Graph(container, films).ask(question).trace_id for question in (QUESTION, "who directed Casino?")]
    clew = ["--home", str(clew_home), "trace", "replay"]
    capsys.readouterr()
    assert run([*clew, ids[0]]) == 0
    assert "The same answers, by the same query." in capsys.readouterr().out
    assert run([*clew, "--last", "2", "--graph", films, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["replay_of"] for each in told["replays"]] == ids
    assert told["counts"] == {"same": 2, "same answers": 0, "changed": 0, "failed": 0}
    assert run([*clew[:3], "list", "--limit", "1"]) == 0
    assert f"[again {ids[1]}]" in capsys.readouterr().out
    assert run([*clew, ids[0], "nosuch"]) == 1
    assert "There is no trace 'nosuch'" in capsys.readouterr().out

    monkeypatch.setattr("clew.graphs.nodes.reason.conclude_from", _nothing)
    assert run([*clew, *ids]) == 3
    assert "2 changed" in capsys.readouterr().out


def _nothing(findings: Any) -> Any:
    from clew.agents.answering.reasoner import Conclusion

    return Conclusion([], {}, None, 0.0, "Nothing.")


@pytest.mark.parametrize("arguments", [[], ["--last", "0"], ["x", "--last", "2"], ["x", "--graph", "g"]])
def test_wrong_usage_is_refused(clew_home: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--home", str(clew_home), "trace", "replay", *arguments]) == 2


def test_an_order_that_changed_is_a_change_and_another_query_is_not() -> None:
    def shown(names: list[str], cypher: str) -> dict[str, Any]:
        outcome = {"answers": [{"name": name} for name in names], "cypher": cypher}
        head = {"id": "x", "question": "q", "graph": "g", "status": "ok", "error": None, "ms": 1.0}
        return {**head, "outcome": outcome, "spans": []}

    first = shown(["a", "b"], "MATCH 1")
    assert outcome_of(trace_diff(first, shown(["a", "b"], "MATCH 1"))) == "same"
    assert outcome_of(trace_diff(first, shown(["a", "b"], "MATCH 2"))) == "same answers"
    assert outcome_of(trace_diff(first, shown(["b", "a"], "MATCH 1"))) == "changed"
    assert outcome_of(trace_diff(first, {**shown(["a", "b"], "MATCH 1"), "status": "error"})) == "changed"


def test_nothing_is_said_of_answers_that_a_trace_does_not_keep() -> None:
    def shown(names: list[str], more: int = 0) -> dict[str, Any]:
        answers: list[Any] = [{"name": name} for name in names]
        if more:
            answers.append(f"… (cut: {len(names) + more} items)")
        head = {"id": "x", "question": "q", "graph": "g", "status": "ok", "error": None, "ms": 1.0}
        return {**head, "outcome": {"answers": answers}, "spans": []}

    def told(one: dict[str, Any], other: dict[str, Any]) -> tuple[Any, ...]:
        diff = trace_diff(one, other)
        return (*(diff["answers"][key] for key in ("only_a", "only_b", "unclear")), outcome_of(diff))

    whole, cut = shown(["a", "b", "c"]), shown(["b", "d"], more=3)
    assert told(whole, shown(["b", "d"])) == (["a", "c"], ["d"], [0, 0], "changed")
    assert told(whole, cut) == ([], ["d"], [2, 0], "changed")
    assert told(cut, whole) == (["d"], [], [0, 2], "changed")
    assert told(shown(["a"], more=2), shown(["a"], more=3)) == ([], [], [0, 0], "changed")
    assert told(cut, cut) == ([], [], [0, 0], "same")
    lines = list(diff_lines(trace_diff(whole, cut)))
    assert "  (2 kept answers of a may be among those that the other trace does not keep)" in lines


# ---- over HTTP ------------------------------------------------------------------------------------------------------


def test_users_replay_their_own_runs_as_often_as_they_may_ask(clew_home: Path, films: str, tmp_path: Path) -> None:
    session = f"talk-{uuid.uuid4().hex[:8]}"
    tokens = TokenFile(tmp_path / "tokens.json")
    ann, bob = tokens.add("ann", (films,), 6)[1], tokens.add("bob", (films,))[1]
    with serving(clew_home, tokens, graphs=(films,)) as url:
        with user(url, ann) as client, user(url, bob) as other:
            first = client.post("/api/ask", json={"question": QUESTION, "stream": False, "session": session}).json()
            again = client.post(f"/api/traces/{first['trace_id']}/replay")
            assert again.status_code == 200, again.text
            told = again.json()
            assert (told["outcome"], told["replay_of"], told["notes"]) == ("same", first["trace_id"], [])
            assert told["answers"] == ["Michael Mann"]
            kept = client.get(f"/api/traces/{told['trace_id']}").json()
            assert (kept["owner"], kept["replay_of"]) == ("ann", first["trace_id"])
            assert len(client.get(f"/api/sessions/{session}").json()["turns"]) == 1
            assert other.post(f"/api/traces/{first['trace_id']}/replay").status_code == 404
            assert other.get(f"/api/traces/{told['trace_id']}").status_code == 404
            statuses = [client.post(f"/api/traces/{first['trace_id']}/replay").status_code for _ in range(4)]
            assert statuses[-1] == 429
            assert 'clew_runs_total{kind="replay",outcome="answered"}' in other.get("/metrics").text
        for token in tokens.all():
            if token.user == "ann":
                tokens.revoke(token.id)
        with user(url, tokens.add("ann", ("another",))[1]) as client:
            until(lambda: client.get("/api/me").status_code == 200)
            assert client.post(f"/api/traces/{first['trace_id']}/replay").status_code == 404


def user(url: str, secret: str) -> httpx.Client:
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {secret}"}, timeout=60)
