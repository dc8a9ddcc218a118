"""What a trace keeps of every step: all that is needed to tell how an answer came about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clew.app.cli.trace import trace_lines
from clew.app.traces.recording import TraceRecorder
from clew.app.traces.store import TraceStore
from clew.graphs.context import Context
from clew.graphs.strategies import STRATEGIES
from clew.graphs.verification import verify
from tests.app.traces.traced_films import QUESTION, filmed, traced, with_model

ATTEMPT = {"words", "cypher", "parameters", "confidence", "answers", "rows", "truncated", "ms"}
FOUND: dict[str, dict[str, set[str]]] = {
    "cypher": {
        "queries": {"candidates", "considered"}, "query": ATTEMPT, "plan": {"text", "of"},
    },
    "paths": {"followed": ATTEMPT},
    "triplets": {"around": {"entities", "hops", "most"}, "triplets": {"scored"}},
    "rerank": {"around": {"entities", "hops"}, "relations": {"kept", "offered"}, "triplets": {"scored", "collected"}},
    "pattern": {
        "pattern": {"nodes", "edges", "candidates"},
        "matches": {"gsd", "mapping", "bound", "proven", "expanded", "ties", "candidates"},
        "answers": ATTEMPT | {"distance"},
    },
    "hybrid": {"hits": {"found"}, "expansion": {"policy", "added"}, "answers": ATTEMPT},
    "plan": {"drafts": {"candidates"}, "step": {"cypher", "parameters", "nodes", "note", "ms"}, "answers": ATTEMPT},
    "documents": {"passages": {"bridge", "found"}, "answers": ATTEMPT},
}  # fmt: skip
"""Without a model: by strategy, the kinds of its records and what each has at least."""


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with filmed(clew_home, tmp_path_factory.mktemp("films")) as container:
        yield container.context(container.names[0])  # type: ignore[attr-defined]


@pytest.fixture
def traces(tmp_path: Path) -> TraceStore:
    return TraceStore(tmp_path / "traces.sqlite")


def events(run: dict[str, Any], kind: str, node: str | None = None) -> list[dict[str, Any]]:
    spans = [span for span in run["spans"] if node in (None, span["node"])]
    return [event["data"] for span in spans for event in span["events"] if event["kind"] == kind]


@pytest.mark.parametrize("strategy", FOUND)
def test_a_strategy_without_a_model_keeps_what_it_did(films: Context, traces: TraceStore, strategy: str) -> None:
    question = "How did Michael Mann shoot Collateral?" if strategy == "documents" else QUESTION
    run = traced(films, traces, question, strategies=(strategy,))
    for kind, keys in FOUND[strategy].items():
        records = events(run, kind, strategy)
        assert records, f"{strategy} has no record of the kind {kind}"
        assert all(keys <= record.keys() for record in records), kind
    attempts = [record for kind in ("query", "followed", "answers") for record in events(run, kind, strategy)]
    if strategy not in ("triplets", "rerank"):
        assert any(attempt["answers"] for attempt in attempts)
    [span] = [span for span in run["spans"] if span["node"] == strategy and span["iteration"] == 1]
    assert span["outputs"]["evidence"] > 0


def test_every_strategy_is_looked_at() -> None:
    assert {*FOUND, "read", "traversal", "surroundings", "overview"} == set(STRATEGIES)


@pytest.mark.parametrize(
    ("question", "strategy", "kind", "answer"),
    [
        ("tell me about Heat", "surroundings", "description", "Heat"),
        ("how many nodes are there?", "overview", "nodes", None),
    ],
)
def test_what_a_question_in_general_words_asks_is_recorded(
    films: Context, traces: TraceStore, question: str, strategy: str, kind: str, answer: str | None
) -> None:
    run = traced(films, traces, question)
    [asked] = events(run, "asked", strategy)
    assert asked["asks"] == kind
    [query] = events(run, "query", strategy)
    assert query.keys() >= ATTEMPT
    assert answer is None or query["answers"][0]["name"] == answer


def test_a_reading_is_recorded_with_its_rivals_query_and_plan(films: Context, traces: TraceStore) -> None:
    run = traced(films, traces, "how many films are there?", strategies=("read",))
    [found] = events(run, "readings", "read")
    assert {"words", "cost", "unexplained", "features"} <= found["readings"][0].keys()
    [query] = events(run, "query", "read")
    assert query.keys() >= ATTEMPT
    assert query["answers"][0]["name"] == "4"
    assert events(run, "plan", "read")[0]["text"]


def test_names_are_kept_with_their_candidates_matchers_and_what_they_won_against(
    films: Context, traces: TraceStore
) -> None:
    run = traced(films, traces)
    [reading], [linked] = events(run, "reading", "link"), events(run, "candidates")
    assert "alternatives" in reading
    [mention] = linked["mentions"]
    assert mention["text"] == "Heat"
    assert mention["candidates"][0].keys() == {"id", "name", "label", "score", "matcher", "matched"}
    assert {"lost", "drafts", "ambiguous", "new"} <= linked.keys()


def test_why_the_run_went_on_and_ended_is_kept(films: Context, traces: TraceStore) -> None:
    onwards, end = events(traced(films, traces), "decision")
    assert (onwards["next"], onwards["strategies"]) == ("retrieve", ["read"])
    assert onwards["why"] == "this is the first reading"
    assert (end["next"], end["why"]) == ("reason", "the evidence is enough")
    assert end["attempts"][0]["confidence"] >= end["enough"]
    assert {"iteration", "most_iterations", "model_calls"} <= end.keys()


def test_a_models_part_is_kept_raw_repaired_and_run(films: Context, traces: TraceStore) -> None:
    run = traced(films, traces, **with_model())
    [offered] = events(run, "artifacts")
    assert offered["raw"][0]["entities"] == ["Heat", "Michael Man", "Nobody Atall"]
    assert offered["raw"][0]["paths"] == ["directed_by", "no_such_relation"]
    assert [[step["relation"] for step in path] for path in offered["paths"]] == [["directed_by"]]
    assert offered["notes"]
    [written], [mended], [ran] = (events(run, kind) for kind in ("generated", "corrected", "executed"))
    assert "title" in written["cypher"]
    assert "title" not in mended["cypher"]
    assert mended["changes"]
    assert mended["parameters"] == ran["parameters"] == {"v0": "Heat"}
    assert ran.keys() >= ATTEMPT | {"sent"}
    assert {plan["of"] for plan in events(run, "plan", "cypher")} >= {ran["sent"]}


def test_searches_of_names_are_kept_with_what_was_too_far(films: Context, traces: TraceStore) -> None:
    found = {record["text"]: record["found"] for record in events(traced(films, traces, **with_model()), "looked up")}
    name, label, score, matcher, matched, kept = found["Michael Man"][0]
    assert (name, label, matcher, matched, kept) == ("Michael Mann", "Person", "fuzzy", "Michael Mann", True)
    assert 0.8 < score < 1
    assert not any(hit[-1] for hit in found["Nobody Atall"])


def test_calls_are_kept_with_prompt_hash_reply_tokens_price_and_time(films: Context, traces: TraceStore) -> None:
    calls = events(traced(films, traces, **with_model()), "model call")
    assert {call["role"] for call in calls} >= {"linker", "reasoner"}
    for call in calls:
        assert call["system"]
        assert QUESTION in call["user"]
        assert call["reply"]
        assert len(call["digest"]) == 12
        assert (call["input_tokens"], call["output_tokens"], call["price"]) == (100, 10, 0.001)
        assert call["ms"] >= 0


def test_a_walk_keeps_its_hops_and_why_it_ended(films: Context, traces: TraceStore) -> None:
    run = traced(films, traces, strategies=("traversal",), **with_model())
    [hop, *_] = events(run, "hop")
    assert hop["frontier"][0] == "Heat"
    assert "directed_by" in hop["selected"]
    assert "directed_by" in " ".join(hop["offered"])
    assert events(run, "end")[0]["why"]
    assert events(run, "followed", "traversal")[0].keys() >= ATTEMPT


def test_a_patterns_parts_are_kept_with_their_distances(films: Context, traces: TraceStore) -> None:
    [found, *_] = events(traced(films, traces, strategies=("pattern",)), "matches")
    mapped = {wanted: (name, distance) for wanted, name, distance in found["mapping"][0]}
    assert mapped["Heat"] == ("Heat", 0.0)
    assert mapped["directed_by"] == ("directed_by", 0.0)
    assert any(distance is None for _, distance in mapped.values())
    assert found["candidates"]["node Heat"][0] == ["Heat", 0.0]


def test_evidence_and_conclusion_are_kept(films: Context, traces: TraceStore) -> None:
    run = traced(films, traces)
    [kept] = events(run, "selected")
    assert kept["triplets"][0][:3] == ["Heat", "directed_by", "Michael Mann"]
    assert kept["triplets"][0][4] == ["read"]
    [conclusion] = events(run, "conclusion")
    assert conclusion["answers"][0]["name"] == "Michael Mann"
    assert conclusion["attempts"][0]["strategy"] in ("read", "cypher")
    assert run["outcome"]["evidence"][0]["found_by"]


def test_a_strategy_that_breaks_says_why(films: Context, traces: TraceStore) -> None:
    class Broken:
        def rank(self, *_: Any, **__: Any) -> Any:
            raise ValueError("the ranker is odd")

    run = traced(films, traces, ranker=Broken(), strategies=("cypher",))
    assert events(run, "failed", "cypher")[0]["message"] == "ValueError: the ranker is odd"


def test_a_statement_is_kept_with_its_claims_and_readings(films: Context, traces: TraceStore) -> None:
    context = replace(films, recorder=TraceRecorder(traces))
    run = traces.show(verify(context, "Michael Mann directed Heat.")["trace_id"])
    [claim] = events(run, "claim")
    assert claim["verdict"] == "supported"
    assert events(run, "reading", "link")[0]["mentions"]
    [found] = events(run, "readings")
    assert found["readings"][0]["words"] == "Whether Michael Mann is one of the people that Heat is directed by"
    assert traces.list()[0]["verdict"] == "supported"


def test_the_list_says_what_a_run_took_of_a_model(films: Context, traces: TraceStore) -> None:
    traced(films, traces, **with_model())
    [listed] = traces.list()
    assert listed["model_calls"] == 2
    assert listed["tokens"] == 220
    assert listed["price"] == 0.002


def test_all_of_it_is_there_as_text(films: Context, traces: TraceStore) -> None:
    shown = "\n".join(trace_lines(traced(films, traces, **with_model())))
    assert "Heat: Heat (Film) 1.00 exact" in shown
    assert "next: retrieve, since this is the first reading (cypher, paths)" in shown
    assert "entities: Heat; Michael Man; Nobody Atall" in shown
    assert "paths: directed_by; no_such_relation" in shown
