"""The generator in the question graph: it decides the order of queries, tells the trace, and may fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.agents.answering import confidence
from clew.agents.answering.node_reasoner import NodeReasoner, Room, node_examples, nodes_prompt
from clew.agents.answering.union import found_by
from clew.agents.generating.chooser import ChooserFailed
from clew.agents.generating.cypher_generator import CypherGenerator, RankedOrder, with_others
from clew.agents.generating.written_query import written
from clew.app.cli.trace import trace_lines
from clew.app.traces.recording import TraceRecorder
from clew.app.traces.store import TraceStore
from clew.graphs.ask import ask
from clew.graphs.question import QuestionGraph
from clew.tools.graph.entity import Entity
from clew.tools.graph.store.graph_store import Rows
from clew.tools.learning.generation.chosen import Choice, ChosenText, Step
from clew.tools.linking.index import EntityIndex
from clew.tools.queries.space.query import Chain, Filter, Hop, Order, Query, RankedQuery
from tests.tools.queries.question_world import Space, Store, context, entity, film_index, graph, names, stand_ins

__all__ = ["film_index", "graph", "stand_ins"]
QUESTION = "Who directed Alien?"
ALIEN = entity("Alien", "Film")
DIRECTED = Query((Chain(ALIEN, (Hop("directed_by", True, "Person"),)),))
STARRING = Query((Chain(ALIEN, (Hop("starring", True, "Person"),)),))


@dataclass
class Likes:
    """A chooser that holds texts likelier the earlier a word in them comes in `words`."""

    words: Sequence[str]
    name: str = "likes"
    error: Exception | None = None
    asked: list[tuple[str, list[str]]] = field(default_factory=list)
    window: int | None = None
    counter: None = None
    keep_from: float = 0.0

    def prepare(self) -> None:
        return

    def choose(self, prompt: str, texts: Sequence[str], m: int, *, seconds: float = 60.0) -> Choice:
        self.asked.append((prompt, list(texts)))
        if self.error is not None:
            raise self.error
        places = [next((n for n, w in enumerate(self.words) if w in text), len(self.words)) for text in texts]
        order = sorted(range(len(texts)), key=places.__getitem__)
        total = sum(0.1**n for n in range(len(order)))
        step = Step("dir", 0.9, (("dir", 0.9), ("star", 0.1)), 2)
        chosen = [ChosenText(i, 0.1**n / total, (step,)) for n, i in enumerate(order)]
        return Choice(tuple(chosen[:m]), True, len(texts), 3, 2.0, self.keep_from)


def generator(*words: str, **more: Any) -> CypherGenerator:
    return CypherGenerator(Likes(words, **more), lambda entities: [STARRING] if ALIEN in entities else [])


def test_the_generators_first_query_answers_and_is_as_sure_as_it_is_likely(
    graph: QuestionGraph, film_index: EntityIndex
) -> None:
    assert names(ask(graph, context(film_index), QUESTION)) == ["Ridley Scott"]
    chosen = generator("starring")
    result = ask(graph, context(film_index, generator=chosen, strategies=("cypher",)), QUESTION)
    assert names(result) == ["Sigourney Weaver"]
    assert result["confidence"] == pytest.approx(1 / 1.1, abs=0.01)
    prompt, texts = chosen.chooser.asked[0]  # type: ignore[attr-defined]
    assert QUESTION in prompt
    assert texts == [written(DIRECTED), written(STARRING)]


def test_the_trace_tells_how_likely_each_query_was(
    graph: QuestionGraph, film_index: EntityIndex, tmp_path: Path
) -> None:
    store = TraceStore(tmp_path / "traces.sqlite")
    live = context(film_index, generator=generator("directed_by"), recorder=TraceRecorder(store))
    run = store.show(ask(graph, live, QUESTION)["trace_id"])
    [event] = [e for span in run["spans"] for e in span["events"] if e["kind"] == "generator"]
    assert [each["query"] for each in event["data"]["chosen"]] == [written(DIRECTED), written(STARRING)]
    assert event["data"]["chosen"][0]["choices"][0]["options"] == [["dir", 0.9], ["star", 0.1]]
    shown = "\n".join(trace_lines(run))
    assert "generator: likes, 2 candidates, 3 passes of the model" in shown
    assert f"90.91%  {written(DIRECTED)}" in shown
    assert '"dir" 90.0% of 2, beside "star" 10.0%' in shown


def test_where_it_fails_the_ranker_serves_and_the_reason_is_kept(
    graph: QuestionGraph, film_index: EntityIndex, tmp_path: Path
) -> None:
    store = TraceStore(tmp_path / "traces.sqlite")
    broken = generator(error=ChooserFailed("The generator is away.", "Start it."))
    live = context(film_index, generator=broken, recorder=TraceRecorder(store))
    result = ask(graph, live, QUESTION)
    assert names(result) == ["Ridley Scott"]
    assert result["confidence"] == ask(graph, context(film_index), QUESTION)["confidence"]
    assert "The generator is away." in "\n".join(trace_lines(store.show(result["trace_id"])))
    state = graph.invoke({"question": QUESTION}, context=live.for_question(QUESTION))
    assert state["errors"]["cypher/1/generator"]["message"] == "The generator is away."


def test_without_a_model_the_ranker_chooses() -> None:
    ranked = [RankedQuery(DIRECTED, 1.0, {}), RankedQuery(STARRING, 0.5, {})]
    chosen = RankedOrder().choose(QUESTION, ranked, 1).chosen
    assert [(each.ranked, each.probability) for each in chosen] == [(ranked[0], None)]


def test_candidates_that_read_the_same_are_offered_once_and_the_best_ranked_stands_for_all() -> None:
    twin = Query((Chain(Entity("Film:Alien 2", "Alien", "Film"), DIRECTED.chains[0].hops),))
    ranked = [RankedQuery(q, s, {}) for q, s in ((STARRING, 3.0), (DIRECTED, 2.0), (twin, 1.0))]
    chosen = CypherGenerator(Likes(["directed_by"])).choose(QUESTION, ranked, 5, seconds=1.0).chosen
    assert [each.ranked for each in chosen] == [ranked[1], ranked[0]]


def test_more_candidates_than_the_budget_are_cut_where_the_ranker_holds_them_worst() -> None:
    ranked = [RankedQuery(DIRECTED, 1.0, {})]
    assert with_others(ranked, [DIRECTED, STARRING], 5)[1:] == [RankedQuery(STARRING, 0.0, {"around": 1.0})]
    assert with_others(ranked, [STARRING], 1) == ranked


def test_queries_read_as_cypher() -> None:
    hop, typed = Hop("born_in", True, "City"), Hop("starring", False, "Film", typed=True)
    person = Entity("1", 'The "Duke"\n', "Film Star")
    assert written(Query((Chain(person, (hop,)),))) == (
        'MATCH (:`Film Star` {name: "The \\"Duke\\""})-[:born_in]->(x) RETURN x'
    )
    both = Query((Chain(ALIEN, (Hop("starring", True, "Person"),)), Chain(person, (typed,))), returns="count")
    assert written(both).endswith("<-[:starring]-(x:Film) RETURN count(x)")
    most = Query((Chain("Film", ()),), (Filter("year", ">", 1990),), Order(hop, True))
    assert written(most) == (
        "MATCH (x:Film) WHERE x.year > 1990 RETURN x ORDER BY count((x)-[:born_in]->()) DESC LIMIT 1"
    )
    assert (
        written(DIRECTED, "Ridley Scott") == '(:Film {name: "Alien"})-[:directed_by]->(x:Person {name: "Ridley Scott"})'
    )


shares = st.lists(st.floats(0.001, 1.0), min_size=1, max_size=8)


@given(shares, st.floats(0, 1), st.booleans())
def test_confidence_stays_between_0_and_1_and_grows_with_the_probability(
    weights: list[float], linked: float, truncated: bool
) -> None:
    probabilities = sorted((w / sum(weights) for w in weights), reverse=True)
    for rank in range(len(probabilities)):
        sure = confidence.of_generated(probabilities, rank, [linked], truncated)
        assert sure is not None
        assert 0 <= sure <= 1
    assert confidence.of_generated([0.9, 0.1], 0, [], False) == 0.9
    assert confidence.of_generated([0.6, 0.3], 1, [], False) == 0.75
    assert confidence.of_generated([None], 0, [], False) is None
    assert confidence.of_generated([0.9], 3, [], False) is None


class Described(Store):
    """Knows the nodes' ids, and one property of each."""

    def read(self, cypher: str, parameters: Any = None, limits: Any = None) -> Rows:
        records = [{"id": id, "properties": {"name": id, "known_for": f"being {id}"}} for id in parameters["ids"]]
        return Rows(records, False, 0.1)


def test_nodes_are_told_with_their_patterns_names_and_details() -> None:
    subgraph = found_by(
        Space(), [DIRECTED, STARRING, Query((Chain(entity("Aliens", "Film"), STARRING.chains[0].hops),))]
    )
    assert [node.name for node in subgraph.nodes] == ["Ridley Scott", "Sigourney Weaver"]
    assert subgraph.nodes[1].queries == [1, 2]
    subgraph.nodes[0].details = {"nodeId": "x", "known_for": "films"}
    prompt, nodes = nodes_prompt(QUESTION, subgraph)
    assert "name: Ridley Scott\ndetails: known_for: films" in prompt
    assert f"pattern: {written(STARRING, 'Sigourney Weaver')}" in prompt
    assert len(nodes) == 2
    assert len(nodes_prompt(QUESTION, subgraph, Room(120))[1]) < 2
    [example] = node_examples(QUESTION, subgraph, ["ridley scott", "Nobody"])
    assert (example.prompt, example.target) == (prompt, "Ridley Scott")
    assert example.candidates == ("Ridley Scott", "Sigourney Weaver")


def test_queries_are_run_until_there_are_enough_nodes_and_a_broken_one_is_passed_over() -> None:
    assert len(found_by(Space(), [DIRECTED, STARRING], most=1).nodes) == 1
    space = Space(broken={DIRECTED.key()})
    subgraph = found_by(space, [DIRECTED, STARRING])
    assert (subgraph.failed, [node.name for node in subgraph.nodes]) == (1, ["Sigourney Weaver"])


def test_the_node_reasoner_puts_the_answers_in_order_and_adds_none(
    graph: QuestionGraph, film_index: EntityIndex
) -> None:
    question = "Which films were directed by Ridley Scott?"
    plain = names(ask(graph, context(film_index), question))
    assert plain == ["Alien", "Blade Runner"]
    reasoner = NodeReasoner(Likes(["Blade"]))
    live = context(film_index, node_reasoner=reasoner, store=Described())
    assert names(ask(graph, live, question)) == ["Blade Runner", "Alien"]
    broken = NodeReasoner(Likes([], error=ChooserFailed("It is away.")))
    result = ask(graph, context(film_index, node_reasoner=broken, store=Described()), question)
    assert names(result) == plain


def test_a_plan_is_told_as_a_tree_of_operators_with_their_estimates() -> None:
    """In the form in which Neo4j gives it (GraphRAFT Table 3)."""
    from clew.tools.graph.store.results import plan_text

    seek = {"operatorType": "NodeByLabelScan@neo4j", "args": {"Details": "x2:Drug", "EstimatedRows": 7957.0}}
    expand = {"operatorType": "Expand(All)@neo4j", "args": {"Details": "(x2)--(x3)"}, "children": [seek]}
    drawn = {"EstimatedRows": 62.6, "string-representation": "Cypher 5\n\nPlanner COST\n"}
    top = {"operatorType": "ProduceResults@neo4j", "args": drawn, "children": [expand]}
    assert plan_text(top).splitlines() == [
        "ProduceResults@neo4j (about 63 rows)",
        "  Expand(All)@neo4j (x2)--(x3)",
        "    NodeByLabelScan@neo4j x2:Drug (about 7957 rows)",
    ]
