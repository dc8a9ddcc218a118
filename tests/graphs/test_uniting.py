"""The method `graphraft`: the nodes of several queries are united, ranked and selected, and each names its queries."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.agents.answering.node_reasoner import NodeReasoner, Room, nodes_prompt
from clew.agents.answering.union import Union, found_by, weights_of
from clew.agents.generating.chooser import ChooserFailed
from clew.agents.generating.cypher_generator import CypherGenerator
from clew.app.evaluation.evaluation import score
from clew.app.traces.recording import TraceRecorder
from clew.app.traces.store import TraceStore
from clew.graphs.ask import ask
from clew.graphs.context import Context
from clew.graphs.methods import METHODS
from clew.graphs.question import QuestionGraph
from clew.graphs.run import Budget
from clew.tools.linking.index import EntityIndex
from clew.tools.queries.space.query import Chain, Hop, Query
from tests.graphs.test_generator_strategy import ALIEN, DIRECTED, QUESTION, STARRING, Described, Likes
from tests.tools.queries.question_world import Ranker, Space, context, entity, film_index, graph, names, stand_ins

__all__ = ["film_index", "graph", "stand_ins"]
WRITTEN = Query((Chain(ALIEN, (Hop("written_by", True, "Person"),)),))
FILMS = Query((Chain(entity("Ridley Scott", "Person"), (Hop("directed_by", False, "Film"),)),))


def united(film_index: EntityIndex, *words: str, most: int = 20, **more: object) -> Context:
    """A context of the method, with a generator that holds queries likelier whose texts have the earlier words."""
    chooser = Likes(words)
    generator = CypherGenerator(chooser, lambda entities: [DIRECTED, STARRING, WRITTEN])
    return context(film_index, generator=generator, budget=Budget(nodes=most), **more).by(METHODS["graphraft"])


def test_queries_run_until_there_are_enough_nodes_and_each_node_names_its_queries(
    graph: QuestionGraph, film_index: EntityIndex, tmp_path: Path
) -> None:
    store = TraceStore(tmp_path / "traces.sqlite")
    live = united(film_index, "directed_by", "starring", recorder=TraceRecorder(store))
    result = ask(graph, live, QUESTION)
    assert names(result) == ["Ridley Scott", "Sigourney Weaver", "Dan O'Bannon"]
    assert [each["queries"] for each in result["answers"]] == [[1], [2], [3]]
    assert [each["number"] for each in result["queries"]] == [1, 2, 3]
    assert result["cypher"] == result["queries"][0]["cypher"]
    assert "starring" in result["queries"][1]["cypher"]
    scores = [each["score"] for each in result["answers"]]
    assert scores == sorted(scores, reverse=True)
    assert {key for item in result["evidence"] for key in item["supports"]} == {a["id"] for a in result["answers"]}
    spans = store.show(result["trace_id"])["spans"]
    [event] = [e["data"] for span in spans for e in span["events"] if e["kind"] == "union"]
    assert [node[0] for node in event["nodes"]] == names(result)
    assert len(names(ask(graph, united(film_index, "directed_by", most=2), QUESTION))) == 2
    assert score(names(result), ["Dan O'Bannon", "Sigourney Weaver"]).recall_at_20 == 1


def test_a_candidate_needs_no_proposal_of_the_ranker(graph: QuestionGraph, film_index: EntityIndex) -> None:
    result = ask(graph, united(film_index, "written_by", ranker=Ranker(silent=True)), QUESTION)
    assert names(result)[0] == "Dan O'Bannon"


def test_without_a_generator_the_ranker_orders_the_queries(graph: QuestionGraph, film_index: EntityIndex) -> None:
    live = context(film_index).by(METHODS["graphraft"])
    assert names(ask(graph, live, "Who directed and wrote Aliens?"))[0] == "James Cameron"
    result = ask(graph, live, "Who directed and starred in Alien?")
    assert {"Ridley Scott", "Sigourney Weaver"} <= set(names(result))
    assert "Further nodes come from" in result["explanation"]


def test_the_default_method_answers_with_one_query(graph: QuestionGraph, film_index: EntityIndex) -> None:
    result = ask(graph, context(film_index), "Who directed and starred in Alien?")
    assert result["queries"] == []
    assert all("queries" not in answer for answer in result["answers"])


@pytest.mark.parametrize(("keep_from", "kept"), [(0.0, 3), (0.05, 2), (0.5, 1)])
def test_the_node_reasoner_selects_from_the_union(
    graph: QuestionGraph, film_index: EntityIndex, keep_from: float, kept: int
) -> None:
    reasoner = NodeReasoner(Likes(["Bannon", "Weaver"], keep_from=keep_from))
    live = united(film_index, "directed_by", node_reasoner=reasoner, store=Described())
    result = ask(graph, live, QUESTION)
    assert names(result) == ["Dan O'Bannon", "Sigourney Weaver", "Ridley Scott"][:kept]
    assert result["answers"][0]["queries"] == [3]


def test_where_the_node_reasoner_fails_the_union_stands(graph: QuestionGraph, film_index: EntityIndex) -> None:
    broken = NodeReasoner(Likes([], error=ChooserFailed("It is away.")))
    live = united(film_index, "directed_by", node_reasoner=broken, store=Described())
    assert names(ask(graph, live, QUESTION))[0] == "Ridley Scott"


def test_a_node_of_several_queries_outranks_its_siblings() -> None:
    starring = Query((Chain(entity("Harrison Ford", "Person"), (Hop("starring", False, "Film"),)),))
    union = found_by(Space(), [FILMS, starring])
    assert [(node.name, node.queries) for node in union.nodes] == [("Blade Runner", [0, 1]), ("Alien", [0])]


def test_texts_fill_the_window_best_node_first() -> None:
    union = found_by(Space(), [FILMS])
    for node in union.nodes:
        node.details = {"plot": " ".join(["word"] * 200), "year": 1979}
    words = Room(10_000, lambda text: len(text.split()))
    whole, nodes = nodes_prompt(QUESTION, union, words)
    assert (whole.count("word"), whole.count("year: 1979"), len(nodes)) == (400, 2, 2)
    cut, nodes = nodes_prompt(QUESTION, union, Room(350, words.count))
    assert len(nodes) == 2
    assert 200 < cut.count("word") < 300
    assert cut.count("year: 1979") == 1
    assert cut.count(" …") == 1


@given(st.integers(40, 900))
def test_no_prompt_is_longer_than_its_room(tokens: int) -> None:
    union = found_by(Space(), [FILMS])
    for node in union.nodes:
        node.details = {"plot": "a plot of many short words " * 60}
    prompt, nodes = nodes_prompt(QUESTION, union, Room(tokens, lambda text: len(text.split())))
    assert not nodes or len(prompt.split()) <= tokens


@given(st.lists(st.lists(st.integers(0, 30), unique=True), max_size=8), st.integers(1, 20))
def test_the_first_query_is_whole_and_no_later_one_outweighs_it(found: list[list[int]], most: int) -> None:
    union = Union(most)
    for rows, weight in zip(found, weights_of([], len(found)), strict=True):
        union.add(FILMS, ((str(n), str(n), "N") for n in rows), weight)
    first = next((rows for rows in found if rows), [])
    assert len(union.nodes) == max(len(first), min(most, len({n for rows in found for n in rows})))
    assert {node.id for node in union.nodes[: len(first)]} == {str(n) for n in first}
    scores = [node.score for node in union.nodes]
    assert scores == sorted(scores, reverse=True)
