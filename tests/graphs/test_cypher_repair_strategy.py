"""The model's query in the strategy `cypher`: what is run, what the model is told, and what is left when it fails."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.agents.evidence import ArtifactsRef
from clew.agents.models.calls import Model, ModelFailed
from clew.graphs.run import Budget, Deadline
from clew.graphs.state import StrategyInput
from clew.graphs.steps import StepResult
from clew.graphs.strategies.cypher import cypher
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.linking.index import EntityIndex
from clew.tools.linking.mentions import find_mentions
from clew.tools.queries.space.query import Chain, Hop, Query, RankedQuery
from tests.tools.queries.railway import index_railway, store_railway
from tests.tools.queries.retrieval_world import Kept, Told, railway_context

QUESTION = "Who drives the Silver Heron?"
RIGHT = "MATCH (t:Train {name: 'Silver Heron'})-[:DRIVEN_BY]->(p:Person) RETURN p.name"
WRONG_WAY = "MATCH (t:Trains {title: 'silver heron'})<-[:driven_by]-(p:Person) RETURN p.title"
EMPTY = "MATCH (t:Train {name: 'Silver Heron'})-[:DRIVEN_BY]->(p:Person {name: 'Osric Vane'}) RETURN p.name"


@pytest.fixture(scope="module")
def store(database: BoltDatabase) -> Iterator[GraphStore]:
    graph = database.open(f"test-{uuid.uuid4().hex[:12]}", create=True)
    store_railway(graph)
    yield graph
    database.drop(graph.name)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> EntityIndex:
    return index_railway(Path(tmp_path_factory.mktemp("index")))


class OneHop:
    """Ranks one query: who drives the train."""

    def __init__(self, index: EntityIndex, relation: str = "DRIVEN_BY") -> None:
        self.query = Query((Chain(index.by_name("Silver Heron")[0], (Hop(relation, True, "Person"),)),))

    def rank(self, question: str, linking: Any, limit: int = 20) -> list[RankedQuery]:
        return [RankedQuery(self.query, 1.0, {})]


def asked(index: EntityIndex, *queries: str) -> StrategyInput:
    artifacts: ArtifactsRef = {
        "entities": [], "paths": [], "cypher": list(queries), "answers": [], "finished": False, "notes": []
    }  # fmt: skip
    linking = find_mentions(QUESTION, index)
    return {
        "question": QUESTION, "mentions": list(linking.mentions), "alternatives": [],
        "artifacts": artifacts, "drafts": [], "fresh": [], "iteration": 1,
    }  # fmt: skip


def run(
    store: GraphStore, index: EntityIndex, *queries: str, model: Model | None = None, **changed: Any
) -> tuple[StepResult, Kept]:
    span = Kept()
    return cypher(asked(index, *queries), railway_context(store, model, index=index, **changed), span), span


def names(done: StepResult, key: str = "cypher/1/model") -> list[str]:
    return [answer["name"] for answer in done.update["attempts"][key]["answers"]]


def test_a_right_query_is_run_with_its_evidence(store: GraphStore, index: EntityIndex) -> None:
    done, span = run(store, index, RIGHT)
    attempt = done.update["attempts"]["cypher/1/model"]
    assert attempt["by_model"]
    assert attempt["answers"] == [{"id": "Person/Lene Maddox", "name": "Lene Maddox", "label": "Person", "support": 1}]
    assert attempt["parameters"] == {"v0": "Silver Heron"}
    assert [anchor["id"] for anchor in attempt["anchors"]] == ["Train/Silver Heron"]
    assert attempt["confidence"] == 0.75
    assert list(done.update["evidence"]) == ["Train/Silver Heron\tDRIVEN_BY\tPerson/Lene Maddox"]
    assert [kind for kind, _ in span.events if kind != "queries"] == ["generated", "corrected", "executed"]
    assert done.update["errors"] == {}


def test_a_wrong_query_is_corrected_without_the_model(store: GraphStore, index: EntityIndex) -> None:
    model = Told([])
    done, span = run(store, index, WRONG_WAY, model=model)
    assert names(done) == ["Lene Maddox"]
    assert len(span.of("corrected")[0]["changes"]) >= 4
    assert model.prompts == []


def test_the_rankers_queries_run_beside_it_and_corroborate(store: GraphStore, index: EntityIndex) -> None:
    done, _ = run(store, index, RIGHT, ranker=OneHop(index))
    assert names(done, "cypher/1/0") == names(done) == ["Lene Maddox"]
    assert done.update["attempts"]["cypher/1/model"]["confidence"] > 0.75
    assert "by_model" not in done.update["attempts"]["cypher/1/0"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("MATCH (t:Zeppelin) RETURN t", "no label “Zeppelin”"),
        ("MATCH (t:Train) DELETE t", "DELETE is not allowed"),
        ("MATCH (t:Train) RETURN nosuchfunction(t)", "nosuchfunction"),
        ("MATCH (t:Train", "cannot be read"),
    ],
)
def test_a_query_that_cannot_be_run_goes_back_to_the_model_once(
    store: GraphStore, index: EntityIndex, query: str, said: str
) -> None:
    model = Told([f"Of course:\n<opencypher>\n{RIGHT}\n</opencypher>"])
    done, span = run(store, index, query, model=model)
    assert names(done) == ["Lene Maddox"]
    assert model.asked == ["repair_query"]
    assert said.lower() in model.prompts[0].user.lower()
    assert "DRIVEN_BY" in model.prompts[0].user
    assert done.update["errors"] == {}
    assert len(span.of("failed")) == 1


def test_a_second_fault_is_the_last(store: GraphStore, index: EntityIndex) -> None:
    model = Told(["<opencypher>MATCH (t:Airship) RETURN t</opencypher>"])
    done, _ = run(store, index, "MATCH (t:Zeppelin) RETURN t", model=model, ranker=OneHop(index))
    assert model.asked == ["repair_query"]
    assert "Airship" in done.update["errors"]["cypher/1/model"]["message"]
    assert list(done.update["attempts"]) == ["cypher/1/0"]
    assert names(done, "cypher/1/0") == ["Lene Maddox"]


@pytest.mark.parametrize(
    "model", [None, Told([ModelFailed("too slow", reason="timeout")]), Told(["I cannot."])], ids=["none", "slow", "no"]
)
def test_without_a_correction_the_reason_is_kept(store: GraphStore, index: EntityIndex, model: Model | None) -> None:
    done, _ = run(store, index, "MATCH (t:Zeppelin) RETURN t", model=model)
    failed = done.update["errors"]["cypher/1/model"]
    assert failed["kind"] in {"Refused", "ModelFailed"}
    assert done.update["attempts"] == {}


def test_no_rows_are_told_to_the_model_only_where_nothing_else_is_sure(store: GraphStore, index: EntityIndex) -> None:
    model = Told([f"<opencypher>{RIGHT}</opencypher>"])
    done, _ = run(store, index, EMPTY, model=model, ranker=OneHop(index))
    assert model.asked == []
    assert names(done) == []
    done, _ = run(store, index, EMPTY, model=model)
    assert model.asked == ["repair_query"]
    assert "gave no rows" in model.prompts[0].user
    assert names(done) == ["Lene Maddox"]


def test_what_the_graph_lacks_is_kept_for_the_next_reading(store: GraphStore, index: EntityIndex) -> None:
    done, _ = run(store, index, "MATCH (t:Train {name: 'Flying Dutchman'})-[:DRIVEN_BY]->(p) RETURN p")
    assert names(done) == []
    assert done.update["dead_ends"] == ["no node is called “Flying Dutchman”"]


def test_the_second_query_is_tried_where_the_first_gives_nothing(store: GraphStore, index: EntityIndex) -> None:
    done, span = run(store, index, EMPTY, RIGHT, RIGHT)
    assert names(done) == ["Lene Maddox"]
    assert len(span.of("executed")) == 2


def test_several_columns_are_kept_as_rows(store: GraphStore, index: EntityIndex) -> None:
    done, _ = run(store, index, "MATCH (t:Train)-[:DRIVEN_BY]->(p) RETURN p.name AS driver, count(t) AS trains")
    attempt = done.update["attempts"]["cypher/1/model"]
    assert attempt["columns"] == ["driver", "trains"]
    assert ["Lene Maddox", "2"] in attempt["rows"]
    assert {answer["id"] for answer in attempt["answers"]} >= {"Person/Lene Maddox"}


def test_a_propertys_value_is_its_own_evidence(store: GraphStore, index: EntityIndex) -> None:
    done, _ = run(store, index, "MATCH (t:Train {name: 'Silver Heron'}) RETURN t.topSpeed")
    assert names(done) == ["210"]
    assert list(done.update["evidence"]) == ["Train/Silver Heron\ttopSpeed\t210"]


def test_rows_that_were_cut_off_are_said_to_be(store: GraphStore, index: EntityIndex) -> None:
    done, _ = run(store, index, "MATCH (n:Person) RETURN n.name", budget=Budget(max_rows=2))
    attempt = done.update["attempts"]["cypher/1/model"]
    assert (attempt["truncated"], len(attempt["answers"])) == (True, 2)


def test_nothing_is_begun_after_the_deadline(store: GraphStore, index: EntityIndex) -> None:
    done, span = run(store, index, RIGHT, deadline=Deadline(0.0))
    assert done.update["attempts"] == {}
    assert span.of("generated") == []


def test_without_a_model_there_is_no_query_of_one(store: GraphStore, index: EntityIndex) -> None:
    state: StrategyInput = {**asked(index), "artifacts": None}
    done = cypher(state, railway_context(store, index=index, ranker=OneHop(index)), Kept())
    assert list(done.update["attempts"]) == ["cypher/1/0"]
    assert done.title == "Ran 1 of 1 valid query"
