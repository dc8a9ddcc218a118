"""Laying down the steps of a run as checkpoints, and going on from there."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.app.traces.recording import TraceRecorder
from clew.app.traces.store import TraceStore
from clew.graphs.ask import RunRequest, ask, stream
from clew.graphs.forks import Changes, fork_graph
from clew.graphs.question import QuestionGraph
from clew.tools.errors import BadInput
from clew.tools.linking.index import EntityIndex
from tests.tools.queries.question_world import Ranker, Speakers, context, film_index, graph, linker, names, stand_ins

__all__ = ["film_index", "graph", "stand_ins"]


def test_a_model_is_asked_only_for_what_follows(
    graph: QuestionGraph,
    film_index: EntityIndex,
    tmp_path: Path,
) -> None:
    said = {"linker": [linker("Alien", cypher="")], "reasoner": ["<answers>Ridley Scott [F1]</answers>"]}
    models, traces = Speakers(said), TraceStore(tmp_path / "t.sqlite")  # type: ignore[arg-type]
    live = context(film_index, models=models, recorder=TraceRecorder(traces))
    first = ask(graph, live, "Who directed Alien?")
    asked, writes = models.roles(), traces.writes(first["trace_id"])
    assert asked[0] == "linker"
    steps = [[(node, update) for node, update in superstep] for superstep in writes]
    assert steps[-1][0][0] == "reason"
    forked = fork_graph(steps[:-1], "Who directed Alien?", [], Changes(), live)
    *_, last = stream(forked.graph, live, RunRequest("Who directed Alien?", forked.thread, resume_from_checkpoint=True))
    assert names(last["result"]) == names(first)
    assert models.roles()[len(asked) :] == ["reasoner"]
    history = list(forked.graph.get_state_history({"configurable": {"thread_id": forked.thread}}))
    assert [len(each.next) for each in history][-1:] == [1]
    assert len(history) >= len(steps)


def test_steps_of_another_release_are_refused(film_index: EntityIndex) -> None:
    for step in (("dance", {}), ("link", {"colour": 1})):
        with pytest.raises(BadInput, match=r"another release: it knew (dance|colour)"):
            fork_graph([[("contextualize", {}), step]], "q", [], Changes(), context(film_index))


def test_which_of_several_times_is_meant(film_index: EntityIndex, graph: QuestionGraph, tmp_path: Path) -> None:
    traces = TraceStore(tmp_path / "t.sqlite")
    live = context(film_index, ranker=Ranker(silent=True), recorder=TraceRecorder(traces))
    first = ask(graph, live, "Alien and Blade Runner?")
    ran = [node for superstep in traces.writes(first["trace_id"]) for node, _ in superstep]
    assert ran.count("assess") > 1
    assert [s["node"] for s in traces.show(first["trace_id"])["spans"]] == ran
