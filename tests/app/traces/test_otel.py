"""OpenTelemetry: runs arrive at a collector as one trace each, right in order, parents, times and words, and a
collector that is away or slow is nobody's trouble."""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.agents.models.calls import ModelFailed
from clew.app.cli import run
from clew.app.traces.otel_export import CLOSING_SECONDS, OtelExporter, trace_id_of
from clew.app.traces.otel_spans import HIDDEN
from clew.app.traces.recording import TraceRecorder
from clew.app.traces.store import TraceStore
from clew.graphs.ask import RunRequest, ask, stream
from clew.graphs.question import QuestionGraph
from clew.tools.errors import BadInput
from clew.tools.linking.index import EntityIndex
from tests.app.serving.serving_world import imported
from tests.app.traces.otlp_receiver import Receiver
from tests.tools.queries.question_world import Ranker, Speakers, context, film_index, graph, linker, stand_ins

__all__ = ["film_index", "graph", "stand_ins"]

QUESTION = "Who directed Alien?"
SAID = {"linker": [linker("Alien")], "reasoner": ["<answers>Ridley Scott [F1]</answers>"]}
Asking = Callable[..., Any]


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    with Receiver() as opened:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", opened.url)
        yield opened


@pytest.fixture
def asking(graph: QuestionGraph, film_index: EntityIndex, tmp_path: Path) -> Asking:
    """Asks one question and sends its run."""

    def asked(question: str = QUESTION, owner: str | None = None, **changed: Any) -> Any:
        exporter = OtelExporter()
        recorder = TraceRecorder(TraceStore(tmp_path / "t.sqlite"), owner=owner, exporter=exporter)
        try:
            return ask(graph, context(film_index, recorder=recorder, **changed), question)
        finally:
            exporter.close(20)

    return asked


def test_a_question_is_one_trace_with_its_steps_as_children(asking: Asking, receiver: Receiver) -> None:
    result = asking(owner="ann", ranker=Ranker(silent=True))
    assert receiver.paths == ["/v1/traces"]
    (root,) = receiver.roots()
    assert {span.trace for span in receiver.spans} == {root.trace}
    assert root.trace.startswith(result["trace_id"])
    assert int(root.trace, 16) == trace_id_of(result["trace_id"])
    assert (root.name, root.kind) == ("question", "AGENT")
    steps = receiver.children(root)
    assert [step.name for step in steps[:3]] == ["contextualize", "link", "link_entities"]
    assert {step.name for step in steps} >= {"cypher", "paths", "gather", "assess", "reason"}
    assert all(step.kind == ("RETRIEVER" if step.name in ("cypher", "paths") else "CHAIN") for step in steps)
    assert root.attributes["input.value"] == QUESTION
    assert root.attributes["user.id"] == "ann"
    assert json.loads(root.attributes["metadata"])["graph"] == "films"
    assert receiver.resources[0]["service.name"] == "clew"


def test_strategies_that_ran_side_by_side_are_siblings(asking: Asking, receiver: Receiver) -> None:
    asking(ranker=Ranker(silent=True), strategies=("paths", "triplets"))
    by_name = {span.name: span for span in receiver.spans}
    (root,) = receiver.roots()
    assert by_name["paths"].parent == by_name["triplets"].parent == root.id


def test_every_span_lies_within_its_parent(asking: Asking, receiver: Receiver) -> None:
    before = time.time_ns()
    asking(models=Speakers(SAID))
    spans = {span.id: span for span in receiver.spans}
    assert len(spans) > 8
    for span in spans.values():
        assert before - 5e6 < span.start <= span.end < time.time_ns() + 5e6
        if span.parent:
            parent = spans[span.parent]
            assert parent.start - 10_000 <= span.start <= span.end <= parent.end + 10_000


def test_calls_of_a_model_are_children_of_their_step(asking: Asking, receiver: Receiver) -> None:
    asking(models=Speakers(SAID))
    named = {span.id: span.name for span in receiver.spans}
    calls = [span for span in receiver.spans if span.kind == "LLM"]
    assert {(named[call.parent], call.name) for call in calls} == {("link", "linker"), ("reason", "reasoner")}
    call = next(call for call in calls if call.name == "linker").attributes
    assert call["llm.model_name"] == "speaker"
    counted = [call[f"llm.token_count.{name}"] for name in ("prompt", "completion", "total")]
    assert counted == [100, 10, 110]
    assert call["llm.cost.total"] == pytest.approx(0.001)
    assert call["llm.input_messages.0.message.role"] == "system"
    assert QUESTION in call["llm.input_messages.1.message.content"]
    assert call["llm.output_messages.0.message.content"] == SAID["linker"][0]


def test_what_strategies_found_are_documents_and_queries_are_tools(asking: Asking, receiver: Receiver) -> None:
    asking()
    cypher = next(span for span in receiver.spans if span.name == "cypher")
    assert cypher.attributes["retrieval.documents.0.document.content"] == "Alien — directed_by → Ridley Scott"
    assert 0 < cypher.attributes["retrieval.documents.0.document.score"] <= 1
    (query,) = receiver.children(cypher)
    assert (query.kind, query.attributes["tool.name"]) == ("TOOL", "cypher")
    assert "MATCH" in json.loads(query.attributes["tool.parameters"])["cypher"]
    assert "queries" in cypher.events


def test_a_run_that_failed_says_so(asking: Asking, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("the index at bolt://me:hunter22@db broke")

    monkeypatch.setattr("clew.graphs.nodes.link.read", broken)
    with pytest.raises(RuntimeError):
        asking()
    failed = {span.name: span.message for span in receiver.spans if span.failed}
    assert failed.keys() == {"question", "link"}
    assert "RuntimeError" in failed["link"]
    assert b"hunter22" not in b"".join(receiver.bodies)


def test_a_model_that_failed_is_an_error_of_its_own_span(asking: Asking, receiver: Receiver) -> None:
    down = ModelFailed("The endpoint does not answer.", reason="unavailable")
    asking(models=Speakers({"linker": [down]}))
    assert {span.name for span in receiver.spans if span.failed} == {"linker"}


def test_nothing_of_what_was_said_is_sent_where_that_is_hidden(
    asking: Asking, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENINFERENCE_HIDE_INPUTS", "true")
    monkeypatch.setenv("OPENINFERENCE_HIDE_OUTPUTS", "1")
    asking(models=Speakers(SAID))
    sent = b"".join(receiver.bodies)
    for text in (b"Alien", b"Ridley", b"directed", b"MATCH"):
        assert text not in sent
    (root,) = receiver.roots()
    assert root.attributes["input.value"] == root.attributes["output.value"] == HIDDEN
    assert any("llm.token_count.total" in span.attributes for span in receiver.spans)


def test_only_inputs_are_hidden_where_only_those_are_to_be(
    asking: Asking, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENINFERENCE_HIDE_INPUTS", "true")
    asking()
    (root,) = receiver.roots()
    assert root.attributes["input.value"] == HIDDEN
    assert "Ridley Scott" in root.attributes["output.value"]


def test_the_standard_variables_are_heeded(asking: Asking, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_SERVICE_NAME", "films-bot")
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "openinference.project.name=films")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
    asking()
    assert receiver.resources[0]["service.name"] == "films-bot"
    assert receiver.resources[0]["openinference.project.name"] == "films"
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_off")
    before = len(receiver.spans)
    asking()
    assert len(receiver.spans) == before


def test_several_questions_are_several_traces(
    graph: QuestionGraph, film_index: EntityIndex, tmp_path: Path, receiver: Receiver
) -> None:
    exporter = OtelExporter()
    live = context(film_index, recorder=TraceRecorder(TraceStore(tmp_path / "t.sqlite"), exporter=exporter))
    ids = {ask(graph, live, QUESTION)["trace_id"] for _ in range(5)}
    exporter.close(20)
    assert {root.trace[:16] for root in receiver.roots()} == ids


def test_a_collector_that_is_away_costs_neither_the_answer_nor_its_time(
    asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking()
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{unused.getsockname()[1]}")
        started = time.monotonic()
        assert asking()["answers"]
        assert time.monotonic() - started < 2


def test_a_collector_that_is_slow_costs_neither(
    graph: QuestionGraph, film_index: EntityIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Receiver(wait=30) as slow:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", slow.url)
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "1")
        exporter = OtelExporter()
        live = context(film_index, recorder=TraceRecorder(TraceStore(tmp_path / "t.sqlite"), exporter=exporter))
        plain = context(film_index, recorder=TraceRecorder(TraceStore(tmp_path / "u.sqlite")))
        usual, exported = _seconds(graph, plain), _seconds(graph, live)
        assert exported < 3 * usual + 0.5
        started = time.monotonic()
        exporter.close()
        assert time.monotonic() - started < CLOSING_SECONDS + 1
        exporter.send(object())  # type: ignore[arg-type]


def _seconds(graph: QuestionGraph, live: Any) -> float:
    started = time.monotonic()
    for _ in range(10):
        *_, last = stream(graph, live, RunRequest(QUESTION))
        assert last["result"]["answers"]
    return time.monotonic() - started


def test_a_run_that_cannot_be_told_does_not_keep_the_next_from_being_sent(
    asking: Asking, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    exporter = OtelExporter()
    exporter.send(object())  # type: ignore[arg-type]
    exporter.close()
    asking()
    assert len(receiver.roots()) == 1


def test_without_the_extra_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(BadInput, match=r"opentelemetry.*is not installed") as raised:
        OtelExporter()
    assert "clew[otel]" in raised.value.remedy


def test_the_command_line_sends_before_it_ends(
    clew_home: Path, tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    with imported(clew_home, tmp_path) as films:
        monkeypatch.setenv("CLEW_OTEL", "1")
        assert run(["--home", str(clew_home), "ask", "who directed Heat?", "--graph", films]) == 0
        assert run(["--home", str(clew_home), "verify", "Michael Mann directed Heat.", "--graph", films]) == 0
    question, statement = receiver.roots()
    assert (question.name, statement.name) == ("question", "statement")
    assert "Michael Mann" in question.attributes["output.value"]
    assert json.loads(statement.attributes["output.value"])["verdict"] == "supported"
