"""The question graph end to end, over a small world in memory."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

import clew.graphs.strategies.triplets as triplets_module
from clew.app.traces.recording import TraceRecorder
from clew.app.traces.store import TraceStore
from clew.graphs.ask import RunRequest, ask, stream
from clew.graphs.context import Context
from clew.graphs.conversations import open_conversations
from clew.graphs.question import QuestionGraph, build_question_graph, recursion_limit
from clew.graphs.run import Budget
from clew.tools.errors import BadInput, DatabaseUnavailable
from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.linking.index import EntityIndex
from clew.tools.linking.mentions import Linking
from clew.tools.queries.space.query import Chain, Hop, Query
from tests.tools.queries.question_world import Ranker, Space, context, entity, film_index, graph, names, stand_ins

__all__ = ["film_index", "graph", "stand_ins"]


def nodes(events: Sequence[dict[str, Any]]) -> list[str]:
    return [event["node"] for event in events if event["type"] == "step"]


def final_state(graph: QuestionGraph, live: Context, question: str) -> Any:
    return graph.invoke({"question": question}, context=live.for_question(question))


def mention(question: str, text: str, *entities: Entity, score: float = 1.0) -> Mention:
    start = question.index(text)
    candidates = tuple(Candidate(e, score, "exact", e.name) for e in entities)
    return Mention(start, start + len(text), text, candidates)


def read_as(monkeypatch: pytest.MonkeyPatch, linking: Linking) -> None:
    monkeypatch.setattr("clew.tools.linking.mentions.find_mentions", lambda *_: linking)


class NothingRead:
    """A reader that cannot read any question."""

    wider: ClassVar[dict[str, Any]] = {}
    words = SimpleNamespace(persons=frozenset(), labels={})

    def read(self, *_: Any) -> list[Any]:
        return []

    def defined_in(self, *_: Any) -> list[Any]:
        return []


ALIEN = entity("Alien", "Film")
YEAR = entity("1979", "Year")
SCOTT = entity("Ridley Scott", "Person")


class TestAnAnswer:
    def test_has_exactly_the_promised_fields(self, graph: QuestionGraph, film_index: EntityIndex) -> None:
        result = ask(graph, context(film_index), "Who directed Alien?")
        assert list(result) == [
            "question", "answers", "evidence", "cypher", "queries", "confidence", "explanation", "reading", "sure",
            "doubt", "readings", "unexplained", "unmatched", "follow_up", "trace_id", "ms", "model",
        ]  # fmt: skip
        assert result["model"] is None
        assert [list(answer) for answer in result["answers"]] == [["name", "id", "label", "score"]]
        json.dumps(result)

    def test_comes_with_the_triplets_and_the_query_behind_it(
        self, graph: QuestionGraph, film_index: EntityIndex
    ) -> None:
        result = ask(graph, context(film_index), "Who directed Alien?")
        assert names(result) == ["Ridley Scott"]
        (support,) = result["evidence"]
        assert (support["head"]["name"], support["relation"], support["supports"]) == (
            "Alien", "directed_by", [SCOTT.id]
        )  # fmt: skip
        assert support["found_by"][0]["cypher"] == result["cypher"] != ""
        assert 0.6 < result["confidence"] <= 1
        assert "“Alien” to Alien (Film)" in result["explanation"]

    def test_a_sure_query_spares_the_other_strategies(self, graph: QuestionGraph, film_index: EntityIndex) -> None:
        assert nodes(list(stream(graph, context(film_index), RunRequest("Who directed Alien?")))) == [
            "contextualize", "link", "link_entities", "cypher", "gather", "assess", "reason"
        ]  # fmt: skip

    def test_an_unsure_query_calls_another_in_and_it_corroborates(
        self, graph: QuestionGraph, film_index: EntityIndex, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        question = "Who directed Alien?"
        read_as(monkeypatch, Linking((mention(question, "Alien", ALIEN, score=0.9),), ()))
        live = context(film_index, ranker=TwoQueries())
        events = list(stream(graph, live, RunRequest(question)))
        assert nodes(events)[6:8] == ["paths", "gather"]
        result = events[-1]["result"]
        assert names(result) == ["Ridley Scott"]
        sources = {s["strategy"] for item in result["evidence"] for s in item["found_by"] if item["supports"]}
        assert sources == {"cypher", "paths"}
        alone = ask(graph, context(film_index, ranker=TwoQueries(), strategies=("cypher",)), question)
        assert alone["confidence"] < result["confidence"] < 1

    @pytest.mark.parametrize("strategy", ["cypher", "paths", "triplets"])
    def test_each_strategy_answers_alone(self, graph: QuestionGraph, film_index: EntityIndex, strategy: str) -> None:
        live = context(film_index, strategies=(strategy,))
        events = list(stream(graph, live, RunRequest("Who directed Alien?")))
        assert {"cypher", "paths", "triplets"} & set(nodes(events)) == {strategy}
        assert names(events[-1]["result"]) == ["Ridley Scott"]
        assert events[-1]["result"]["evidence"][0]["supports"] == [SCOTT.id]

    def test_selected_strategies_run_in_one_superstep(self, graph: QuestionGraph, film_index: EntityIndex) -> None:
        live = context(film_index, strategies=("cypher", "paths", "triplets"))
        events = nodes(list(stream(graph, live, RunRequest("Who directed Alien?"))))
        assert set(events[3:6]) == {"cypher", "paths", "triplets"}
        assert events[6:] == ["gather", "assess", "reason"]

    def test_shortest_paths_join_two_entities(self, graph: QuestionGraph, film_index: EntityIndex) -> None:
        live = context(film_index, strategies=("paths",), ranker=Ranker(silent=True))
        result = ask(graph, live, "How are Alien and Ridley Scott related?")
        assert [(e["head"]["name"], e["relation"]) for e in result["evidence"]] == [("Alien", "directed_by")]

    def test_prefers_others_than_the_topic(self, graph: QuestionGraph, film_index: EntityIndex) -> None:
        back = Query((Chain(ALIEN, (Hop("directed_by", True, "Person"), Hop("directed_by", False, "Film"))),))
        result = ask(graph, context(film_index, ranker=Fixed(back)), "Which films share a director with Alien?")
        assert names(result) == ["Blade Runner"]
        assert len([e for e in result["evidence"] if e["supports"]]) == 2


class TwoQueries(Ranker):
    """Always unsure between the director and the writer."""

    def rank(self, question: str, linking: Linking, limit: int = 20) -> Any:
        self.top, self.lead = -0.3, 0.001
        return super().rank("directed wrote", linking, limit)


class Fixed(Ranker):
    def __init__(self, *queries: Query) -> None:
        super().__init__()
        self.queries = queries

    def rank(self, question: str, linking: Linking, limit: int = 20) -> Any:
        from clew.tools.queries.space.query import RankedQuery

        return [RankedQuery(query, 1 - i / 2, {}) for i, query in enumerate(self.queries)]


class TestFaults:
    def test_a_failing_strategy_is_recorded_and_the_others_answer(
        self, graph: QuestionGraph, film_index: EntityIndex, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_: Any, **__: Any) -> Any:
            raise RuntimeError("no such luck")

        monkeypatch.setattr(triplets_module, "score_triplets", broken)
        live = context(film_index, strategies=("cypher", "triplets"))
        state = final_state(graph, live, "Who directed Alien?")
        assert [a["name"] for a in state["answers"]] == ["Ridley Scott"]
        assert state["errors"] == {
            "triplets/1": {"step": "triplets", "iteration": 1, "kind": "RuntimeError", "message": "no such luck"}
        }
        assert "no such luck" in state["explanation"]

    def test_a_failing_query_gives_way_to_the_next(self, graph: QuestionGraph, film_index: EntityIndex) -> None:
        first = Query((Chain(ALIEN, (Hop("starring", True, "Person"),)),))
        second = Query((Chain(ALIEN, (Hop("directed_by", True, "Person"),)),))
        space = Space(broken={first.key()})
        live = context(film_index, space=space, ranker=Fixed(first, second), strategies=("cypher",))
        result = ask(graph, live, "Who directed Alien?")
        assert names(result) == ["Ridley Scott"]
        assert "the database rejected it" in result["explanation"]
        whole = context(film_index, ranker=Fixed(second, first), strategies=("cypher",))
        assert result["confidence"] < 0.8 * ask(graph, whole, "Who directed Alien?")["confidence"]

    def test_a_database_that_is_away_ends_the_run_after_a_second_try(
        self, graph: QuestionGraph, film_index: EntityIndex
    ) -> None:
        class Away(Space):
            def execute(self, *_: Any) -> Any:
                self.executed.append("")
                raise DatabaseUnavailable("The database does not answer.")

        space = Away()
        with pytest.raises(DatabaseUnavailable):
            ask(graph, context(film_index, space=space), "Who directed Alien?")
        assert len(space.executed) == 2

    def test_an_empty_question_is_refused(self, graph: QuestionGraph, film_index: EntityIndex) -> None:
        with pytest.raises(BadInput, match="empty"):
            ask(graph, context(film_index), "  ")

    def test_a_question_that_no_ranking_ends_in_time_is_refused(
        self, graph: QuestionGraph, film_index: EntityIndex
    ) -> None:
        with pytest.raises(BadInput, match="1,003 characters"):
            ask(graph, context(film_index), "Heat" + " Alien" * 166 + "???")


class TestTheLoop:
    def test_a_second_reading_is_tried_when_the_first_has_no_answer(
        self, graph: QuestionGraph, film_index: EntityIndex, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        question = "Who directed Alien of 1979?"
        first, other = mention(question, "1979", YEAR), mention(question, "Alien", ALIEN)
        read_as(monkeypatch, Linking((first,), (other,)))
        monkeypatch.setattr(triplets_module, "score_triplets", lambda *_, **__: [])
        events = list(stream(graph, context(film_index), RunRequest(question)))
        assert nodes(events).count("link") == 2
        assert names(events[-1]["result"]) == ["Ridley Scott"]

    def test_ends_when_the_linker_has_nothing_new(self, graph: QuestionGraph, film_index: EntityIndex) -> None:
        ranker = Ranker(silent=True)
        live = context(film_index, ranker=ranker, budget=Budget(max_iterations=9), strategies=("cypher",))
        state = final_state(graph, live, "Who directed Alien?")
        assert state["iteration"] == 2
        assert state["stop_reason"] == "no further name to try"
        assert len(ranker.asked) == 1

    def test_ends_at_the_limit_of_readings(
        self, graph: QuestionGraph, film_index: EntityIndex, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        question = "Who is Alien 1979 Ridley Scott?"
        spans = [mention(question, e.name, e) for e in (ALIEN, YEAR, SCOTT)]
        read_as(monkeypatch, Linking((spans[0],), tuple(spans[1:])))
        apart = "clew.agents.linking.index_linker._apart_from"
        monkeypatch.setattr(apart, lambda taken, others: list(others)[:1] if not taken else [])
        monkeypatch.setattr(triplets_module, "score_triplets", lambda *_, **__: [])
        state = final_state(graph, context(film_index, ranker=Ranker(silent=True)), question)
        assert state["stop_reason"] == "the limit of 2 readings is reached"

    def test_the_longest_run_stays_below_the_recursion_limit(
        self, graph: QuestionGraph, film_index: EntityIndex, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        budget = Budget(max_iterations=3)
        question = "Who is Alien 1979 Ridley Scott?"
        fresh = iter(range(100))

        def another(*_: Any) -> Any:
            from clew.agents.linking.index_linker import Artifacts

            stranger = Entity(f"x{next(fresh)}", "Alien", "Film")
            return Artifacts((mention(question, "Alien", stranger),), ())

        monkeypatch.setattr("clew.graphs.nodes.link.read", another)
        monkeypatch.setattr("clew.graphs.nodes.link.read_again", another)
        live = context(film_index, ranker=Ranker(silent=True), budget=budget, reader=NothingRead())
        live = live.for_question(question)
        supersteps = list(
            graph.stream(
                {"question": question}, {"recursion_limit": recursion_limit(budget)}, context=live, stream_mode="values"
            )
        )
        # In each iteration link, link_entities, and three times strategies, gather, assess: first, in doubt, unsure.
        assert 3 * 11 < len(supersteps) - 1 < recursion_limit(budget)
        assert supersteps[-1]["explanation"].startswith("No answer found.")

    def test_nothing_found_says_what_was_linked_tried_and_missing(
        self, graph: QuestionGraph, film_index: EntityIndex
    ) -> None:
        result = ask(graph, context(film_index), "Who sings Zorglub?")
        assert result["answers"] == []
        assert result["cypher"] is None
        assert "I couldn't match any name in your question to this graph." in result["explanation"]
        assert "Missing: a name of the graph" in result["explanation"]
        assert "Person, City, Film, Year" in result["explanation"]

    def test_ambiguity_is_reported(
        self, graph: QuestionGraph, film_index: EntityIndex, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        question = "Who directed Alien?"
        read_as(monkeypatch, Linking((mention(question, "Alien", ALIEN, Entity("alien-2", "Alien", "Film")),), ()))
        assert "may also be Alien (Film, alien-2)" in ask(graph, context(film_index), question)["explanation"]


class TestBudget:
    def test_a_run_past_its_time_returns_what_it_found(
        self, graph: QuestionGraph, film_index: EntityIndex, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Slow(Space):
            def execute(self, *args: Any) -> Any:
                time.sleep(0.6)
                return super().execute(*args)

        question = "Who directed Alien?"
        read_as(monkeypatch, Linking((mention(question, "Alien", ALIEN, score=0.9),), ()))
        live = context(film_index, space=Slow(), ranker=TwoQueries(), budget=Budget(seconds=0.5))
        events = list(stream(graph, live, RunRequest(question)))
        assert names(events[-1]["result"]) == ["Ridley Scott"]
        assert "conclude" in nodes(events)
        assert "paths" not in nodes(events)

    def test_no_query_is_begun_without_time(self, graph: QuestionGraph, film_index: EntityIndex) -> None:
        space = Space()
        result = ask(graph, context(film_index, space=space, budget=Budget(seconds=0)), "Who directed Alien?")
        assert space.executed == []
        assert result["answers"] == []
        assert "the time for a question (0 s) is over" in result["explanation"]

    def test_queries_get_the_time_that_is_left_and_the_row_limit(
        self, graph: QuestionGraph, film_index: EntityIndex
    ) -> None:
        space = Space()
        ask(graph, context(film_index, space=space, budget=Budget(seconds=2, max_rows=7)), "Who directed Alien?")
        (limits,) = space.limits
        assert limits is not None
        assert 0 < limits.timeout_s <= 2
        assert limits.max_rows == 7

    def test_evidence_keeps_to_the_tokens_in_whole_items(self, graph: QuestionGraph, film_index: EntityIndex) -> None:
        live = context(film_index, strategies=("triplets",), budget=Budget(max_tokens=40))
        result = ask(graph, live, "Who directed Alien?")
        assert 1 <= len(result["evidence"]) <= 4
        assert names(result) == ["Ridley Scott"]


class TestTraces:
    def test_a_question_leaves_its_spans_queries_and_plan(
        self, graph: QuestionGraph, film_index: EntityIndex, tmp_path: Path
    ) -> None:
        traces = TraceStore(tmp_path / "t.sqlite")
        result = ask(graph, context(film_index, recorder=TraceRecorder(traces)), "Who directed Alien?")
        shown = traces.show(result["trace_id"])
        assert [span["node"] for span in shown["spans"]] == [
            "contextualize", "link", "link_entities", "cypher", "gather", "assess", "reason"
        ]  # fmt: skip
        events = {event["kind"]: event["data"] for span in shown["spans"] for event in span["events"]}
        assert events["queries"]["candidates"][0]["reasons"] == {"alignment": 1.0}
        assert (events["query"]["cypher"], events["query"]["truncated"]) == (result["cypher"], False)
        assert events["plan"]["text"] == "+ NodeByLabelScan"
        assert events["decision"]["why"] == "the evidence is enough"
        assert shown["outcome"]["answers"][0]["name"] == "Ridley Scott"

    def test_a_question_broken_off_leaves_a_trace(
        self, graph: QuestionGraph, film_index: EntityIndex, tmp_path: Path
    ) -> None:
        traces = TraceStore(tmp_path / "t.sqlite")
        reading = stream(graph, context(film_index, recorder=TraceRecorder(traces)), RunRequest("Who directed Alien?"))
        next(reading)
        reading.close()
        assert [(run["status"], run["question"]) for run in traces.list()] == [("interrupted", "Who directed Alien?")]


class TestStreaming:
    def test_steps_come_in_order_with_their_times_and_then_the_result(
        self, graph: QuestionGraph, film_index: EntityIndex
    ) -> None:
        events = list(stream(graph, context(film_index), RunRequest("Who directed Alien?")))
        assert [event["type"] for event in events] == ["step"] * 7 + ["result"]
        assert all(event["ms"] >= 0 and event["title"] for event in events[:-1])
        assert events[2]["details"] == ["“Alien”: Alien (Film) 1.00"]

    def test_a_reader_may_stop_in_the_middle(self, graph: QuestionGraph, film_index: EntityIndex) -> None:
        reading = stream(graph, context(film_index), RunRequest("Who directed Alien?"))
        assert next(reading)["node"] == "contextualize"
        reading.close()

    def test_what_nodes_write_is_told_where_it_is_wanted(self, graph: QuestionGraph, film_index: EntityIndex) -> None:
        events = list(stream(graph, context(film_index), RunRequest("Who directed Alien?", updates=True)))
        written = {event["node"]: event["update"] for event in events if event["type"] == "update"}
        assert [answer["name"] for answer in written["reason"]["answers"]] == ["Ridley Scott"]

    async def test_the_graph_runs_asynchronously_too(self, graph: QuestionGraph, film_index: EntityIndex) -> None:
        live = context(film_index).for_question("")
        state = await graph.ainvoke({"question": "Who directed Alien?"}, context=live)
        assert state["answers"][0]["name"] == "Ridley Scott"


class TestConversations:
    def test_a_thread_remembers_and_threads_are_apart(self, film_index: EntityIndex, tmp_path: Path) -> None:
        live = context(film_index)
        kept = open_conversations(tmp_path / "conversations.sqlite")
        graph = build_question_graph(kept)
        assert names(ask(graph, live, "Who directed Alien?", "a")) == ["Ridley Scott"]
        assert names(ask(graph, live, "Who directed Aliens?", "b")) == ["James Cameron"]
        assert names(ask(graph, live, "And who wrote it?", "a")) == ["Dan O'Bannon"]
        kept.close()

        reopened = open_conversations(tmp_path / "conversations.sqlite")
        graph = build_question_graph(reopened)
        assert names(ask(graph, live, "Where was he born?", "b")) == ["Kapuskasing"]
        state = graph.get_state({"configurable": {"thread_id": "a"}}).values
        assert [turn["resolved"] for turn in state["history"]] == ["Who directed Alien?", "And who wrote Alien?"]
        assert len(state["attempts"]) == 1
        assert [step["node"] for step in state["steps"].values()].count("link") == 1
        reopened.close()

    def test_a_thread_takes_the_room_of_one_question(self, film_index: EntityIndex, tmp_path: Path) -> None:
        kept = open_conversations(tmp_path / "c.sqlite")
        graph = build_question_graph(kept)
        for _ in range(3):
            ask(graph, context(film_index), "Who directed Alien?", "a")
        assert kept.conn.execute("SELECT count(*) FROM checkpoints").fetchone() == (1,)
        kept.prune(["a"], strategy="delete")
        assert kept.conn.execute("SELECT count(*) FROM checkpoints").fetchone() == (0,)
        kept.close()

    def test_a_conversation_goes_on_after_a_fault(self, film_index: EntityIndex, tmp_path: Path) -> None:
        class Away(Space):
            def execute(self, *_: Any) -> Any:
                raise DatabaseUnavailable("The database does not answer.")

        kept = open_conversations(tmp_path / "c.sqlite")
        graph = build_question_graph(kept)
        ask(graph, context(film_index), "Who directed Alien?", "a")
        with pytest.raises(DatabaseUnavailable):
            ask(graph, context(film_index, space=Away()), "Who wrote it?", "a")
        assert names(ask(graph, context(film_index), "Who wrote it?", "a")) == ["Dan O'Bannon"]
        kept.close()

    def test_the_state_is_plain(self, graph: QuestionGraph, film_index: EntityIndex) -> None:
        state = final_state(graph, context(film_index), "Who directed Alien?")
        assert json.loads(json.dumps(state)) == state

    def test_a_caller_may_keep_the_history_itself(self, graph: QuestionGraph, film_index: EntityIndex) -> None:
        live = context(film_index)
        turn = list(stream(graph, live, RunRequest("Which films did Ridley Scott direct, directed by him?")))[-1][
            "turn"
        ]
        assert {a["name"] for a in turn["answers"]} == {"Alien", "Blade Runner"}
        result = ask(graph, live, "Who starred in them?", history=[turn])
        assert set(names(result)) == {"Sigourney Weaver", "Harrison Ford"}
        assert {e["head"]["name"] for e in result["evidence"] if e["supports"]} == {"Alien", "Blade Runner"}

    def test_a_graph_without_memory_refuses_a_thread(self, graph: QuestionGraph, film_index: EntityIndex) -> None:
        with pytest.raises(BadInput, match="no conversations"):
            ask(graph, context(film_index), "Who directed Alien?", "a")

    def test_a_graph_with_memory_answers_without_a_thread(self, film_index: EntityIndex, tmp_path: Path) -> None:
        kept = open_conversations(tmp_path / "c.sqlite")
        assert names(ask(build_question_graph(kept), context(film_index), "Who directed Alien?")) == ["Ridley Scott"]
        kept.close()

    def test_a_file_that_cannot_be_opened_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "c.sqlite").mkdir()
        with pytest.raises(BadInput, match=r"c\.sqlite"):
            open_conversations(tmp_path / "c.sqlite")
