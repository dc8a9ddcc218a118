"""Traces: complete, bounded, without secrets, and never in the way."""

from __future__ import annotations

import json
import logging
import multiprocessing
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.app.cli import run as run_command
from clew.app.traces.recording import TraceRecorder, TraceRun
from clew.app.traces.redaction import LONGEST_LIST, LONGEST_TEXT, LONGEST_VALUE, bounded, bounded_json
from clew.app.traces.retention import Retention
from clew.app.traces.store import SCHEMA, RunFilter, TraceStore
from clew.tools.errors import BadInput
from clew.tools.state.sqlite import SqliteFile

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)


@pytest.fixture(params=["sqlite", "postgres"])
def traces(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[TraceStore]:
    if request.param == "sqlite":
        yield TraceStore(tmp_path / "traces.sqlite")
        return
    url = request.getfixturevalue("state_url")
    from clew.tools.state.postgres import Postgres

    database = Postgres(url)
    yield TraceStore(database.tables(SCHEMA))
    database.close()


def record(traces: TraceStore, question: str = "Who?", graph: str = "films", thread: str | None = None) -> TraceRun:
    with TraceRecorder(traces).begin(graph=graph, question=question, thread_id=thread) as run:
        with run.span("link", 1, {"resolved": question}) as span:
            span.event("reading", mentions=["Alien"])
            span.output(title="Names: Alien")
        with run.span("cypher", 1, {}) as span:
            span.event("query", cypher="MATCH (n) RETURN n", parameters={"a0": "1"}, rows=3, truncated=False)
        run.outcome({"answers": [{"name": "Scott"}], "confidence": 0.9})
    assert isinstance(run, TraceRun)
    return run


def test_a_run_is_shown_with_its_spans_and_events(traces: TraceStore) -> None:
    run = record(traces, thread="t1")
    shown = traces.show(run.id)
    assert (shown["question"], shown["graph"], shown["thread"], shown["status"]) == ("Who?", "films", "t1", "ok")
    assert shown["outcome"]["confidence"] == 0.9
    link, cypher = shown["spans"]
    assert (link["node"], link["inputs"], link["outputs"]) == ("link", {"resolved": "Who?"}, {"title": "Names: Alien"})
    assert 0 <= link["start_ms"] <= link["events"][0]["at_ms"] <= cypher["start_ms"]
    assert cypher["events"][0]["data"]["parameters"] == {"a0": "1"}
    json.dumps(shown)


def test_the_latest_runs_are_listed_first(traces: TraceStore) -> None:
    for number in range(4):
        record(traces, f"q{number}", graph="odd" if number % 2 else "even")
    assert [run["question"] for run in traces.list(limit=3)] == ["q3", "q2", "q1"]
    assert [run["question"] for run in traces.list(graph="even")] == ["q2", "q0"]
    assert (traces.list()[0]["answers"], traces.list()[0]["confidence"]) == (1, 0.9)


def test_only_so_many_runs_are_kept(tmp_path: Path) -> None:
    traces = TraceStore(tmp_path / "t.sqlite", Retention(runs=3))
    for number in range(5):
        record(traces, f"q{number}")
    assert [run["question"] for run in traces.list()] == ["q4", "q3", "q2"]
    with sqlite3.connect(tmp_path / "t.sqlite") as connection:
        assert connection.execute("SELECT count(DISTINCT run) FROM spans").fetchone() == (3,)
        assert connection.execute("SELECT count(DISTINCT run) FROM events").fetchone() == (3,)


def test_only_so_many_bytes_are_kept(tmp_path: Path) -> None:
    traces = TraceStore(tmp_path / "t.sqlite", Retention(megabytes=0.5))
    for number in range(60):
        with TraceRecorder(traces).begin(graph="g", question=f"q{number}", thread_id=None) as run:
            for _ in range(10):
                with run.span("link", 1, {}) as span:
                    span.event("model call", user="x" * 3000)
            run.outcome({})
    traces.close()
    assert (tmp_path / "t.sqlite").stat().st_size < 600_000
    kept = [run["question"] for run in traces.list(100)]
    assert kept[0] == "q59"
    assert 5 < len(kept) < 20
    assert kept == [f"q{number}" for number in range(59, 59 - len(kept), -1)]


def test_only_so_long_are_they_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    traces = TraceStore(tmp_path / "t.sqlite", Retention(days=2.0))
    now = time.time()
    for days in (3, 1, 0):
        monkeypatch.setattr(time, "time", lambda days=days: now - days * 86_400)
        record(traces, f"{days} days ago")
    assert [run["question"] for run in traces.list()] == ["0 days ago", "1 days ago"]


def test_pruning_gives_the_disk_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    traces = TraceStore(tmp_path / "traces.sqlite")
    assert traces.prune(Retention()) == {"removed": 0, "kept": 0, "before": 0, "after": 0}
    for number in range(50):
        record(traces, f"q{number}" + "x" * 2000)
    done = traces.prune(Retention(runs=5))
    assert (done["removed"], done["kept"]) == (45, 5)
    assert done["after"] < done["before"] / 2
    assert [run["question"][:3] for run in traces.list()] == ["q49", "q48", "q47", "q46", "q45"]
    traces.close()
    clew = ["--home", str(tmp_path), "trace", "prune"]
    assert run_command([*clew, "--json", "--mb", "100"]) == 0
    assert json.loads(capsys.readouterr().out)["kept"] == 5
    assert run_command([*clew, "--keep", "0"]) == 0
    assert "Removed 5 traces; 0 are kept." in capsys.readouterr().out
    assert TraceStore(tmp_path / "traces.sqlite").list() == []


def test_a_file_that_another_process_writes_is_not_pruned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    traces = TraceStore(tmp_path / "traces.sqlite")
    record(traces)
    with traces._tables.changes() as change:
        change.rows("PRAGMA busy_timeout=50")
    other = sqlite3.connect(tmp_path / "traces.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(BadInput, match="is in use"):
            traces.prune(Retention(runs=1))
    finally:
        other.close()


def test_one_run_cannot_be_large(traces: TraceStore) -> None:
    with TraceRecorder(traces).begin(graph="g", question="q", thread_id=None) as run:
        with run.span("link", 1, {}) as span:
            for _ in range(400):
                span.event("model call", system="s" * 20_000)
        with run.span("reason", 1, {}) as span:
            span.event("conclusion")
        run.outcome({"answers": []})
    link, reason = traces.show(run.id)["spans"]
    assert 150 < len(link["events"]) < 250
    assert link["events"][-1]["kind"] == "cut"
    assert "not kept" in link["events"][-1]["data"]["why"]
    assert reason["events"] == []


def test_the_beginning_of_an_id_is_enough_and_an_unknown_one_is_named(traces: TraceStore) -> None:
    run = record(traces)
    assert traces.show(run.id[:6])["id"] == run.id
    with pytest.raises(BadInput, match="nosuch"):
        traces.show("nosuch")
    for wrong in ("%", "", "_" * 16):
        with pytest.raises(BadInput):
            traces.show(wrong)


def test_before_the_first_run_there_is_nothing(traces: TraceStore) -> None:
    assert traces.list() == []
    with pytest.raises(BadInput):
        traces.show("abc")


@pytest.mark.parametrize(("error", "status"), [(ValueError("odd"), "error"), (KeyboardInterrupt(), "interrupted")])
def test_a_run_that_breaks_off_leaves_what_there_is(traces: TraceStore, error: BaseException, status: str) -> None:
    run = TraceRecorder(traces).begin(graph="g", question="q", thread_id=None)

    def break_off() -> None:
        with run, run.span("cypher", 1, {}) as span:
            span.event("query", cypher="MATCH")
            raise error

    with pytest.raises(type(error)):
        break_off()
    shown = traces.show(run.id)
    assert shown["status"] == status
    assert shown["spans"][0]["error"].startswith(type(error).__name__)
    assert shown["spans"][0]["events"][0]["kind"] == "query"


def test_secrets_are_not_kept(traces: TraceStore) -> None:
    with TraceRecorder(traces).begin(graph="g", question="bolt://neo4j:hunter2@host?", thread_id=None) as run:
        with run.span("link", 1, {"database": {"password": "hunter2", "api_key": "hunter2"}}) as span:
            span.event("request", header="Authorization: Bearer hunter2", authorization="hunter2")
            span.event("error", text="with sk-hunter2hunter2hunter2 at neo4j+s://me:hunter2@db:7687")
            span.event("used", tokens=17)
        run.outcome({})
    shown = json.dumps(traces.show(run.id))
    assert "hunter2" not in shown
    assert '"tokens": 17' in shown


@given(JSON)
def test_whatever_is_kept_is_small_json(value: Any) -> None:
    text = bounded_json({"value": value})
    json.loads(text)
    assert len(text) <= LONGEST_VALUE


def test_what_is_cut_is_marked() -> None:
    assert bounded("x" * (LONGEST_TEXT + 1)).endswith(f"… (cut: {LONGEST_TEXT + 1} characters)")
    assert bounded(list(range(70)))[LONGEST_LIST:] == ["… (cut: 70 items)"]
    assert bounded({str(i): i for i in range(70)})["…"] == "(cut: 70 entries)"
    deep: Any = 0
    for _ in range(20):
        deep = [deep]
    assert "too deep" in json.dumps(bounded(deep))
    assert "cut" in bounded_json({str(i): ["y" * 1999] * 50 for i in range(50)})


def test_the_number_of_answers_survives_the_cut(traces: TraceStore) -> None:
    with TraceRecorder(traces).begin(graph="g", question="q", thread_id=None) as run:
        run.outcome({"answers": [{"name": str(i)} for i in range(300)]})
    assert traces.list()[0]["answers"] == 300


def test_spans_of_several_threads_stay_apart(traces: TraceStore) -> None:
    with TraceRecorder(traces).begin(graph="g", question="q", thread_id=None) as run:

        def work(name: str) -> None:
            for _ in range(20):
                with run.span(name, 1, {}) as span:
                    span.event("did", name=name)

        threads = [threading.Thread(target=work, args=(name,)) for name in ("paths", "cypher", "triplets")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    spans = traces.show(run.id)["spans"]
    assert len(spans) == 60
    assert all(span["events"][0]["data"]["name"] == span["node"] for span in spans)


def _record_some(path: Path, count: int) -> None:
    traces = TraceStore(path)
    for _ in range(count):
        record(traces)


def test_several_processes_may_write(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    processes = [spawn.Process(target=_record_some, args=(tmp_path / "t.sqlite", 15)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    assert len(TraceStore(tmp_path / "t.sqlite").list(limit=100)) == 30


def test_a_trace_that_cannot_be_kept_costs_a_warning_only(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "t.sqlite").mkdir()
    traces = TraceStore(tmp_path / "t.sqlite")
    with caplog.at_level(logging.WARNING):
        record(traces)
    assert "was not kept" in caplog.text


def test_a_closed_store_opens_again(traces: TraceStore) -> None:
    run = record(traces)
    traces.close()
    assert traces.show(run.id)["id"] == run.id


def test_recording_is_cheap(traces: TraceStore) -> None:
    limit = 0.003 if isinstance(traces._tables, SqliteFile) else 0.01
    record(traces)
    started = time.process_time()
    for _ in range(50):
        record(traces)
    assert (time.process_time() - started) / 50 < limit


def test_runs_are_found_by_what_matters(traces: TraceStore) -> None:
    with TraceRecorder(traces, owner="ann").begin(graph="films", question="slow", thread_id="t") as slow:
        with slow.span("paths", 1, {}):
            time.sleep(0.02)
        slow.outcome({"answers": []})
    with (
        pytest.raises(OSError, match="away"),
        TraceRecorder(traces).begin(graph="shops", question="bad", thread_id=None),
    ):
        raise OSError("away")
    record(traces, "usual")

    def found(**wanted: Any) -> list[str]:
        return [run["question"] for run in traces.list(where=RunFilter(**wanted))]

    assert found() == ["usual", "bad", "slow"]
    assert found(graph="shops") == found(status="error") == ["bad"]
    assert found(strategy="paths") == found(empty=True) == found(owner="ann") == ["slow"]
    assert found(slower_ms=20.0) == ["slow"]
    assert found(graph="films", empty=True, owner="bob") == []
    assert found(before=traces.show(slow.id)["started"]) == []


def test_another_user_s_run_is_not_there(traces: TraceStore) -> None:
    with TraceRecorder(traces, owner="ann").begin(graph="films", question="Who?", thread_id="t") as run:
        run.outcome({})
    assert traces.show(run.id, "ann")["id"] == traces.show(run.id)["id"]
    with pytest.raises(BadInput, match="no trace"):
        traces.show(run.id, "bob")
    traces.renamed("t", "u")
    traces.forget("t")
    assert traces.show(run.id)["thread"] == "u"
    traces.forget("u")
    assert traces.list() == []


def test_a_file_of_an_earlier_release_is_read_on(tmp_path: Path) -> None:
    traces = TraceStore(tmp_path / "traces.sqlite")
    run = record(traces)
    traces.close()
    with sqlite3.connect(tmp_path / "traces.sqlite") as old:
        old.execute("ALTER TABLE runs DROP COLUMN owner")
    assert traces.show(run.id)["question"] == "Who?"
    assert record(traces).id in {each["id"] for each in traces.list()}
