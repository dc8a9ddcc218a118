"""Stored runs and conversations of earlier releases: their names of nodes and keys of answers are read as today's."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import clew
from clew.app.api.graph import Graph
from clew.app.api.requests import AskRequest
from clew.app.container import Container
from clew.app.former_names import with_present_names
from clew.app.progress import NoProgress
from clew.app.sessions.export import as_json
from clew.app.settings import load_settings
from clew.app.traces.forking import Fork
from clew.app.traces.replaying import Replayer
from clew.app.traces.store import RunFilter, TraceStore
from tests.app.serving.serving_world import imported

QUESTION = "how many films did each director direct?"
FORMER = ((b'"link_entities', b'"ground'), (b'"detail": ', b'"told": '), (b'"detail":', b'"told":'))
"""Names of today in stored JSON, and those of before."""


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with imported(clew_home, tmp_path_factory.mktemp("facts")) as name:
        yield name


@pytest.fixture(scope="module")
def container(clew_home: Path, films: str) -> Iterator[Container]:
    opened = Container(load_settings(home=clew_home), NoProgress())
    yield opened
    opened.close()


def test_an_old_trace_is_shown_replayed_and_forked(container: Container, films: str) -> None:
    traces, replayer = container.traces, Replayer(container.recorder, container.context)
    asked = traces.show(Graph(container, films).ask(QUESTION).trace_id)
    forked = traces.show(replayer.fork(asked["id"], Fork("link_entities", ("read",))).trace_id)
    before = {run["id"]: (traces.show(run["id"]), traces.writes(run["id"])) for run in (asked, forked)}
    assert asked["outcome"]["answers"][0]["detail"] == "2"
    for id in before:
        make_old(traces, id)
    assert {id: (traces.show(id), traces.writes(id)) for id in before} == before
    assert set(before) <= {run["id"] for run in traces.list(100, where=RunFilter(films, strategy="link_entities"))}
    assert [replayer.replay(id).outcome for id in before] == ["same", "same"]
    assert replayer.fork(asked["id"], Fork("assess")).outcome == "same"
    for step in ("ground", "ground#1", "link_entities"):
        again = traces.show(replayer.fork(asked["id"], Fork.of(step, {"strategies": "read"})).trace_id)
        assert again["outcome"]["answers"] == forked["outcome"]["answers"]
        assert [span["node"] for span in again["spans"]] == [span["node"] for span in forked["spans"]]


def make_old(traces: TraceStore, id: str) -> None:
    """Store a trace as an earlier release did."""
    with traces._tables.changes() as change:
        [row] = change.rows("SELECT given, writes FROM inputs WHERE run = :id", {"id": id})
        packed = {key: zlib.compress(former(zlib.decompress(value))) for key, value in row.items()}
        change.execute("UPDATE inputs SET given = :given, writes = :writes WHERE run = :id", {"id": id, **packed})
        change.execute("UPDATE spans SET node = 'ground' WHERE node = 'link_entities' AND run = :id", {"id": id})
        for table, column in (("runs", "outcome"), ("spans", "outputs"), ("events", "data")):
            key = "id" if table == "runs" else "run"
            for row in change.rows(f"SELECT DISTINCT {column} AS now FROM {table} WHERE {key} = :id", {"id": id}):
                values = {"id": id, "now": row["now"], "old": former(row["now"].encode()).decode()}
                change.execute(f"UPDATE {table} SET {column} = :old WHERE {key} = :id AND {column} = :now", values)
        [run] = change.rows("SELECT outcome FROM runs WHERE id = :id", {"id": id})
        [kept] = change.rows("SELECT writes FROM inputs WHERE run = :id", {"id": id})
        for text in (run["outcome"], zlib.decompress(kept["writes"]).decode()):
            assert '"told"' in text
            assert '"detail"' not in text


def former(text: bytes) -> bytes:
    for now, then in FORMER:
        text = text.replace(now, then)
    return text


def test_an_old_conversation_is_read(container: Container, films: str) -> None:
    *_, last = Graph(container, films).run(AskRequest(QUESTION, thread="of before"))
    [now] = container.sessions.turns("of before")
    with container.sessions._tables.changes() as change:
        [row] = change.rows("SELECT result FROM session_turns WHERE thread = 'of before'")
        old = former(row["result"].encode()).decode()
        assert old != row["result"]
        change.execute("UPDATE session_turns SET result = :old WHERE thread = 'of before'", {"old": old})
    assert container.sessions.turns("of before") == [now]
    assert '"detail": "2"' in as_json("of before", container.sessions.turns("of before"))
    assert clew.AskResult.from_dict(json.loads(old)) == clew.AskResult.from_dict(last["result"])
    container.delete_session("of before")


def test_other_objects_stay_as_they_are() -> None:
    for value in ({"told": "x", "detail": "The server is gone."}, {"node": "ground"}, {"from": "ground", "to": "air"}):
        assert with_present_names(value) is value
    assert with_present_names({"name": "Heat", "told": "1995"}) == {"name": "Heat", "detail": "1995"}
