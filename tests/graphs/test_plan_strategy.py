"""The strategy `plan` end to end: models over a socket, plans from a question's parts, and what never happens."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from clew.agents.models.endpoint import Endpoint, ModelSpec
from clew.agents.models.failures import Retries
from clew.agents.models.role_models import Models
from clew.agents.planning.parts_planner import PartsPlanner
from clew.graphs.context import Context
from clew.graphs.run import Budget, Deadline
from clew.graphs.sequence import first, when_unsure
from clew.graphs.state import StrategyInput
from clew.graphs.steps import StepResult
from clew.graphs.strategies.plan import UNMET, K, plan
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore, Limits, Rows
from clew.tools.linking.mentions import find_mentions
from clew.tools.queries.plans.plan import MOST_ROWS
from clew.tools.queries.ranking.ranker import Ranker
from clew.tools.queries.space.space import QuerySpace
from tests.contexts import altered, context_of
from tests.scripted_model import Said, ScriptedModel, failing
from tests.tools.linking.letters import Letters
from tests.tools.queries.plan_world import MORE, Garden, entities, properties_of
from tests.tools.queries.retrieval_world import Kept

QUESTION = "Which herb treats Hay Cough and turns red in frost?"
RIGHT = json.dumps({
    "steps": [
        {"name": "hay", "cypher": "MATCH (h:Herb)-[:TREATS]->(a:Ailment {name: 'hay cough'}) RETURN h"},
        {"name": "found", "search": "turns red in frost", "label": "Herb", "within": "hay"},
    ],
    "answer": "found",
})  # fmt: skip
FOR_HAY = {"Ember Thyme", "Marsh Mint", "Stone Sage"}


@pytest.fixture(scope="module")
def garden(database: BoltDatabase, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Garden]:
    Models({}).prepare()
    store = database.open(f"test-{uuid.uuid4().hex[:12]}", create=True)
    yield Garden.planted(store, Path(tmp_path_factory.mktemp("garden")))
    database.drop(store.name)


@dataclass
class Counting:
    """A store that counts what it is asked and gives."""

    inner: GraphStore
    most: int = 0
    asked: int = 0

    def read(self, cypher: str, parameters: Any = None, limits: Limits | None = None) -> Rows:
        rows = self.inner.read(cypher, parameters, limits)
        self.most, self.asked = max(self.most, len(rows.records)), self.asked + 1
        return rows

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@dataclass
class JustTexts:
    index: Any
    is_ready: bool = True


def context(garden: Garden, server: ScriptedModel | None = None, **changed: Any) -> Context:
    space = QuerySpace(garden.store, garden.schema)
    ranker = Ranker(space, Letters())
    models = None
    if server is not None:
        spec = ModelSpec(Endpoint("scripted", server.base_url), 500)
        models = Models({"plan": spec}, retries=Retries(attempts=1))
    parts: dict[str, Any] = {
        "store": garden.store, "schema": garden.schema, "index": garden.names, "space": space, "ranker": ranker,
        "embedder": Letters(), "models": models, "texts": JustTexts(garden.texts), "expansion": "off",
        "planner": PartsPlanner(garden.schema, space.moves, ranker.phrases), "strategies": ("plan",),
    }  # fmt: skip
    return context_of(**{**parts, **changed})


def asked(garden: Garden, question: str = QUESTION) -> StrategyInput:
    linking = find_mentions(question, garden.names)
    return {
        "question": question, "mentions": list(linking.mentions),
        "alternatives": list(linking.alternatives), "artifacts": None, "drafts": [],
        "fresh": [], "iteration": 1,
    }  # fmt: skip


def names(done: StepResult) -> list[str]:
    return [answer["name"] for attempt in done.update["attempts"].values() for answer in attempt["answers"]]


def run(
    garden: Garden, replies: Any, question: str = QUESTION, **changed: Any
) -> tuple[StepResult, ScriptedModel, Kept]:
    span = Kept()
    with ScriptedModel(replies) as server:
        made = context(garden, server, **changed)
        try:
            return plan(asked(garden, question), made, span), server, span
        finally:
            assert isinstance(made.tools.models, Models)
            made.tools.models.close()


# ---- with a model ----------------------------------------------------------------------------------------------------


def test_a_right_plan_reaches_the_ceiling(garden: Garden) -> None:
    done, server, span = run(garden, RIGHT)
    (attempt,) = done.update["attempts"].values()
    assert names(done)[0] == "Ember Thyme"
    assert set(names(done)[:3]) == FOR_HAY
    assert attempt["by_model"]
    assert attempt["anchors"][0]["name"] == "Hay Cough"
    assert len(names(done)) == K  # a ranked list: what fits the question follows
    assert list(attempt["fits"].values()) == sorted(attempt["fits"].values(), reverse=True)
    assert len(server.requests) == 1
    assert [step["name"] for step in span.of("step")] == ["hay", "found"]
    assert any(item["tail"]["label"] == "text" for item in done.update["evidence"].values())


def test_others_get_the_answers_alone(garden: Garden) -> None:
    done, _, _ = run(garden, RIGHT, strategies=None)
    assert set(names(done)) == FOR_HAY


QUERIES: list[tuple[str, dict[str, Any], set[str]]] = [
    ("Which herb under 5 dollars grows in Tarn Garden?",
     {"name": "a", "cypher": "MATCH (h:Herb)-[:GROWS_IN]->(:Garden {name: 'Tarn Garden'}) RETURN h",
      "where": [{"property": "price", "op": "<", "value": "5 dollars"}]}, {"Marsh Mint"}),
    ("Which herbs were described in 2016?",
     {"name": "a", "nodes": "herb", "where": "described = 2016"}, {"Marsh Mint", "Stone Sage"}),
    ("Which ailment has the most herbs?",
     {"name": "a", "cypher": "MATCH (x:Ailment)<-[:treats]-(h) RETURN x ORDER BY count(h) DESC LIMIT 1"},
     {"Hay Cough"}),
    ("How many herbs treat Ague?",
     {"name": "a", "cypher": "MATCH (h:Herb)-[:TREATS]->(:Ailment {name: 'Ague'}) RETURN count(h)"}, {"2"}),
]  # fmt: skip


@pytest.mark.parametrize(("question", "step", "answers"), QUERIES)
def test_right_plans_of_other_kinds(garden: Garden, question: str, step: dict[str, Any], answers: set[str]) -> None:
    done, _, _ = run(garden, json.dumps({"steps": [step]}), question, strategies=None)
    assert set(names(done)) == answers


def test_a_wrong_plan_is_corrected_once(garden: Garden) -> None:
    wrong = RIGHT.replace("turns red", "x").replace("TREATS", "HEALS_QUICKLY")
    done, server, span = run(garden, [wrong, RIGHT])
    assert names(done)[0] == "Ember Thyme"
    assert len(server.requests) == 2
    assert "HEALS_QUICKLY" in server.requests[1].user
    assert span.of("refused")[0]["problem"].startswith("Step “hay”: The graph has no relationship type")


def test_a_plan_that_finds_nothing_is_corrected_once(garden: Garden) -> None:
    nothing = json.dumps({"steps": [{"name": "a", "label": "Herb", "where": "price > 99999"}]})
    done, server, _ = run(garden, [nothing, RIGHT])
    assert names(done)[0] == "Ember Thyme"
    assert "gave no nodes" in server.requests[1].user


@pytest.mark.parametrize("reply", ["no idea", '{"steps": []}', RIGHT.replace("Herb", "Dragon"), "", failing(401)])
def test_without_a_plan_the_question_is_planned_from_its_parts(garden: Garden, reply: str | Said) -> None:
    done, server, _ = run(garden, reply)
    (attempt,) = done.update["attempts"].values()
    assert "by_model" not in attempt
    assert set(names(done)[:3]) == FOR_HAY
    assert 1 <= len(server.requests) <= 3
    assert any("model's plan" in line for line in done.details)


DEEP = '{"steps": ' + '[{"where": ' * 3000 + "1"
HOSTILE = [
    "MATCH (h:Herb) SET h.price = 0 RETURN h",
    "MATCH (h:Herb) DETACH DELETE h",
    "CREATE (h:Herb {name: 'Weed'}) RETURN h",
    "MERGE (h:Herb {name: 'Weed'}) RETURN h",
    "MATCH (h:Herb) FOREACH (x IN [1] | CREATE (:Weed)) RETURN h",
    "CALL db.labels() YIELD label RETURN label",
    "CALL apoc.cypher.runWrite('CREATE (:Weed)', {}) YIELD value RETURN value",
    "CALL { MATCH (h:Herb) DELETE h } RETURN 1",
    "LOAD CSV FROM 'http://127.0.0.1/x' AS row RETURN row",
    "MATCH (h:Herb) RETURN h; MATCH (x) DETACH DELETE x",
    "MATCH (h:`Herb` {name: 'x'}) RETURN h // `) DETACH DELETE h",
    "MATCH (h:`Herb``) DETACH DELETE (h`) RETURN h",
    "MATCH (h:Herb) WHERE h.name = 'x\\u0027 OR 1=1' RETURN h",
    "MATCH (h:Herb), (g:Herb), (x:Herb) RETURN h, g, x LIMIT 999999999",
    "MATCH (h:Herb)-[*]-(x) RETURN x",
    "MATCH (h:Herb)-[*1..100000]-(x) RETURN x LIMIT 999999",
    "UNWIND range(1, 100000000) AS x UNWIND range(1, 1000000) AS y RETURN x, y",
    "USE other MATCH (h) RETURN h",
]  # fmt: skip


def hostile_plans() -> list[str]:
    plans = [json.dumps({"steps": [{"name": "a", "cypher": cypher}]}) for cypher in HOSTILE]
    itself = {"name": "a", "search": "x", "within": "a"}
    circle = [{"name": "a", "search": "x", "within": "b"}, {"name": "b", "search": "x", "within": "a"}]
    label = "Herb`) DETACH DELETE (x:`Herb"
    others: list[Any] = [
        [itself], circle, [{"name": f"s{i}", "search": "x"} for i in range(10_000)],
        [{"name": "a", "search": "x", "label": label}], [{"name": "a", "label": label}],
        [{"name": "a", "label": "Herb", "where": [{"property": "price` = 0 SET n.`price", "op": "=", "value": 0}]}],
        [{"name": "a", "label": "Herb", "where": [{"property": "name", "op": "=", "value": "' OR 1=1 //"}]}],
        [{"name": "a", "label": "Herb", "order": {"by": "price` DESC DELETE n //"}}],
        [{"name": "a", "search": "x" * 100_000, "k": 10**9}],
        [{"name": "a", "label": "Herb", "top": 10**12}],
        [{"name": "a", "cypher": "MATCH (h:Herb) WHERE h.nodeId IN $x RETURN h",
          "parameters": {"x": list(range(50_000))}}],
    ]  # fmt: skip
    return [*plans, *(json.dumps({"steps": steps}) for steps in others), DEEP, "null", '{"steps": {"a": "a"}}']


def test_hostile_plans_never_write_and_never_leave_the_cap(garden: Garden) -> None:
    replies = hostile_plans()
    before = _everything(garden.store)
    said = iter([reply for reply in replies for _ in range(2)])
    with ScriptedModel(lambda _: next(said)) as server:
        made = context(garden, server, budget=Budget(max_model_calls=10**6))
        store = Counting(garden.store)
        made = altered(made, store=store)
        for _ in replies:
            limited = altered(made, deadline=Deadline.after(20))
            seen = len(server.requests)
            done = plan(asked(garden), limited, Kept())
            if len(server.requests) - seen == 1:
                next(said)
            (attempt,) = done.update["attempts"].values()
            assert len(attempt["answers"]) <= 250
        assert isinstance(made.tools.models, Models)
        made.tools.models.close()
    assert store.most <= MOST_ROWS
    assert _everything(garden.store) == before


def _everything(store: GraphStore) -> list[Any]:
    nodes = store.read("MATCH (n) RETURN n.nodeId AS id, properties(n) AS p ORDER BY id").records
    edges = store.read("MATCH (a)-[r]->(b) RETURN a.nodeId AS a, type(r) AS t, b.nodeId AS b ORDER BY a, t, b").records
    return [*nodes, *edges]


def test_the_prompt_holds_the_schema_and_nothing_of_the_nodes(garden: Garden) -> None:
    """Names that are examples of the schema may be seen; a refusal and an empty result tell no more."""
    cypher = "MATCH (h:Herb {name: 'wild cres 11'}) WHERE h.price < 0 RETURN h"
    nothing = json.dumps({"steps": [{"name": "a", "cypher": cypher}]})
    _, server, _ = run(garden, nothing)
    assert len(server.requests) == 2
    examples = {str(value) for each in garden.schema.properties for value in each.examples}
    for request in server.requests:
        said = f"{request.system}\n{request.user}".replace(QUESTION, "")
        for entity in entities():
            assert entity.name in examples or entity.name not in said
            text = properties_of(entity).get("description", "")
            assert not text or text[:40] not in said
    assert sum(entity.name in examples for entity in entities()) < MORE


# ---- without a model -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "first"),
    [
        (QUESTION, {"Ember Thyme"}),
        ("Which herb under 5 dollars treats Hay Cough?", {"Marsh Mint"}),
        ("Which herb that treats Hay Cough was described on 30 November 2016?", {"Stone Sage"}),
        ("What is the cheapest herb that treats Ague?", {"Pale Fennel"}),
        ("Which herb is rated at least 5?", {"Marsh Mint"}),
        ("What are the 2 most expensive herbs that treat Hay Cough?", {"Ember Thyme", "Stone Sage"}),
        ("Which herb is pickled with herring by fishermen?", {"Salt Dill"}),
    ],
)  # fmt: skip
def test_plans_from_the_parts_of_a_question(garden: Garden, question: str, first: set[str]) -> None:
    done = plan(asked(garden, question), context(garden), Kept())
    assert set(names(done)[: len(first)]) == first
    (attempt,) = done.update["attempts"].values()
    near = [answer for answer in attempt["answers"] if answer.get("near")]
    assert attempt["answers"][len(attempt["answers"]) - len(near) :] == near, "what is merely near comes last"
    assert len(attempt["answers"]) == K or "under 5" in question or "at least 5" in question or "2016" in question


def test_nothing_that_fails_a_condition_is_shown(garden: Garden) -> None:
    done = plan(asked(garden, "Which herb under 5 dollars treats Hay Cough?"), context(garden), Kept())
    (attempt,) = done.update["attempts"].values()
    assert [answer["name"] for answer in attempt["answers"] if not answer.get("near")] == ["Marsh Mint"]
    shown = [answer["id"] for answer in attempt["answers"]]
    rows = garden.store.read("MATCH (h:Herb) WHERE h.nodeId IN $ids RETURN h.price AS price", {"ids": shown}).records
    assert len(rows) == len(shown) > 1, "some are near, and are herbs"
    assert all(float(str(row["price"]).strip("$")) < 5 for row in rows)


def test_conditions_that_nothing_meets_are_dropped_and_it_is_said(garden: Garden) -> None:
    done = plan(asked(garden, "Which herb under 1 dollar treats Hay Cough?"), context(garden), Kept())
    assert set(names(done)[:3]) == FOR_HAY
    (attempt,) = done.update["attempts"].values()
    assert all(answer.get("near") for answer in attempt["answers"])
    assert attempt["confidence"] <= UNMET
    assert "no condition met" in done.details[0]


def test_without_a_planner_the_texts_are_searched(garden: Garden) -> None:
    done = plan(asked(garden), context(garden, planner=None), Kept())
    (attempt,) = done.update["attempts"].values()
    assert attempt["cypher"] == ""
    assert len(attempt["answers"]) == K
    nothing = plan(asked(garden), context(garden, planner=None, texts=None), Kept())
    assert nothing.update["attempts"] == {}


def test_expansion_follows_the_policy(garden: Garden) -> None:
    calls: list[tuple[str, bool]] = []

    @dataclass
    class Around:
        index: Any
        expand: Callable[..., list[Any]]

        @property
        def expansion(self) -> Around:
            return self

    def expand(seeds: Any, question: str, k: int, policy: str, *, used_edges: bool, label: str) -> list[Any]:
        assert label == "Herb"
        calls.append((policy, used_edges))
        return []

    for policy, question in [("edge", QUESTION), ("no-edge", "Which herb is pickled with herring?"), ("off", QUESTION)]:
        made = context(garden, texts=Around(garden.texts, expand), expansion=policy)
        plan(asked(garden, question), made, Kept())
    assert calls == [("edge", True), ("no-edge", False)]


@pytest.mark.parametrize("is_ready", [True, False])
def test_goes_out_by_itself_only_where_texts_can_be_searched_at_once(garden: Garden, is_ready: bool) -> None:
    made = context(garden, strategies=None, texts=JustTexts(garden.texts, is_ready))
    state: Any = {"resolved": QUESTION, "artifacts": None, "mentions": [], "tried": [], "follow_ups": []}
    state["strategies"] = first(state, made)
    assert ("plan" in when_unsure(state, made)) is is_ready
    assert "plan" not in state["strategies"]
