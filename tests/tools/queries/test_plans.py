"""Plans as data: conditions, checking, and running in both databases."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from clew.tools.cypher import guard
from clew.tools.cypher_repair.query_parser import parse
from clew.tools.errors import QueryFailed
from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.queries.plans.checking import PlanRefused, check
from clew.tools.queries.plans.plan import (
    MOST_K,
    MOST_ROWS,
    MOST_STEPS,
    Match,
    Narrowing,
    Nodes,
    Plan,
    PlanStepResult,
    Predicate,
    Related,
    Search,
    Step,
)
from clew.tools.queries.plans.predicates import typed
from clew.tools.queries.plans.step_cypher import checked_cypher
from clew.tools.queries.space.query import Chain, Hop, Order, Query
from clew.tools.queries.values import moment, number
from tests.tools.queries.plan_world import Garden, names_of

SCHEMA = Schema(
    {"Herb": 46, "Ailment": 3, "Garden": 2},
    (Relation("TREATS", "Herb", "Ailment", 6), Relation("GROWS_IN", "Herb", "Garden", 6)),
    (
        Property("Herb", "name", "STRING", 46, ("Marsh Mint",)),
        Property("Herb", "price", "FLOAT", 46, (4.5, 12.0)),
        Property("Herb", "rating", "INTEGER", 46, (5, 4)),
        Property("Herb", "described", "STRING", 46, ("2016-02-11",)),
        Property("Herb", "description", "STRING", 46, ("A low plant",)),
        Property("Ailment", "name", "STRING", 3, ("Ague",)),
        Property("Garden", "name", "STRING", 2, ("Abbey Yard",)),
    ),
    "1",
)
HAY = Entity("Ailment/Hay Cough", "Hay Cough", "Ailment")
FOR_HAY = Query((Chain(HAY, (Hop("TREATS", False, "Herb"),)),))


def checked(*steps: Step, answer: str = "") -> Any:
    return check(Plan(steps, answer or steps[-1].name), SCHEMA, NodeTerms(), lambda *_: [])


# ---- conditions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "read_as"),
    [("2016-02-11", "2016-02-11"), ("2016/2/1", "2016-02-01"), (1999, "1999"), ("11 February 2016", "2016-02-11"),
     ("February 11th, 2016", "2016-02-11"), ("Feb 2016", "2016-02"), ("2016-02-11T10:00:00Z", "2016-02-11"),
     ("2016-13", None), ("soon", None), (20, None), (True, None)],
)  # fmt: skip
def test_dates_are_read(said: Any, read_as: str | None) -> None:
    assert moment(said) == read_as


@pytest.mark.parametrize(
    ("said", "read_as"),
    [("20 dollars", 20), ("$1,200.50", 1200.5), (3, 3), ("4 to 5", None), ("cheap", None), (True, None),
     (float("inf"), None), (float("nan"), None), (10**30, None), ("1e99", None)],
)  # fmt: skip
def test_numbers_are_read(said: Any, read_as: float | None) -> None:
    assert number(said) == read_as


def test_a_property_says_how_its_values_compare() -> None:
    price, opened = Property("A", "price", "FLOAT", 1, (1.0,)), Property("A", "opened", "INTEGER", 1, (1871, 1904))
    sold, day = Property("A", "sold", "STRING", 1, ("$4.50",)), Property("A", "day", "DATE", 1, ("2016-02-11",))
    name, tags = Property("A", "name", "STRING", 1, ("Mint",)), Property("A", "tags", "LIST<STRING>", 1, (["x"],))
    found = [
        typed(Predicate("p", "<", value), owned)
        for owned, value in [(price, "20 dollars"), (opened, "2016-02-11"), (sold, 20), (day, "May 1990")]
    ]
    assert [(each.kind, each.value) for each in found if isinstance(each, Predicate)] == [
        ("number", 20), ("number", 2016), ("written number", 20), ("date", "1990-05")
    ]  # fmt: skip
    assert typed(Predicate("p", "=", "x"), tags) == Predicate("tags", "=", "x", "texts")
    for owned, comparison, value in [(price, "<", "cheap"), (day, "<", "soon"), (name, "<", "Mint")]:
        assert isinstance(typed(Predicate("p", comparison, value), owned), str)  # type: ignore[arg-type]


# ---- checking --------------------------------------------------------------------------------------------------------


def test_what_has_one_right_way_is_corrected_and_said() -> None:
    found = checked(
        Search("a", "  bees \n love it ", "herbs", 5000, ("Description",)),
        Match("b", "MATCH (h:herb)-[:treats]->(x) WHERE h.nodeId IN $a RETURN x", bound={"a": "a"}),
        Nodes("lost", "Herb"),
        answer="b",
    )
    search, match = found.plan.steps
    assert (search.text, search.label, search.k, search.properties) == (
        "bees love it",
        "Herb",
        MOST_K,
        ("description",),
    )
    assert f"LIMIT {MOST_ROWS}" in match.cypher
    assert "`TREATS`" in match.cypher
    said = " ".join(found.changes)
    assert all(
        part in said for part in ("label “herbs” of “a” is “Herb”", "k of “a” is 200", "LIMIT", "“lost” left out")
    )


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ([Search("a", "x", "Dragon")], "no label “Dragon”"),
        ([Search("a", "x", "Herb", properties=("wings",))], "no property “wings”"),
        ([Search("a", " ")], "searches for nothing"),
        ([Search("a", "x", within="b")], "no step is called so"),
        ([Search("a", "x", within="a")], "a → a"),
        ([Search("a", "x", within="b"), Nodes("b", within="a")], "start from each other"),
        ([Search("a", "x"), Search("a", "y")], "Several steps"),
        ([Search("a b", "x")], "not a name for a step"),
        ([Search(f"s{i}", "x") for i in range(MOST_STEPS + 1)], "are the most"),
        ([], "no steps"),
        ([Nodes("a")], "neither a label nor a step"),
        ([Nodes("a", "Herb", narrowing=Narrowing((Predicate("price", "<", "cheap"),)))], "compared with a number"),
        ([Nodes("a", "Herb", narrowing=Narrowing(order=Order("weight", True)))], "no property “weight”"),
        ([Match("a", "MATCH (h:Herb) SET h.price = 0 RETURN h")], "SET"),
        ([Match("a", "MATCH (h:Herb) DETACH DELETE h")], "DETACH"),
        ([Match("a", "CALL db.labels() YIELD label RETURN label")], "procedure"),
        ([Match("a", "CALL apoc.load.json('http://x') YIELD value RETURN value")], "procedure"),
        ([Match("a", "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row")], "LOAD"),
        ([Match("a", "MATCH (h:Herb) WHERE h.wings = 2 RETURN h")], "no property “wings”"),
        ([Match("a", "MATCH (h:Herb)-[:FLIES]->(x) RETURN x")], "no relationship type “FLIES”"),
        ([Match("a", "MATCH (h:Dragon) RETURN h")], "no label “Dragon”"),
        ([Match("a", "MATCH (h:Herb) WHERE h.nodeId IN $nobody RETURN h")], "$nobody"),
        ([Match("a", "UNWIND range(1, 1000000000) AS x RETURN x")], "range"),
        ([Match("a", "MATCH (h:Herb) RETURN h", {"x": {"deep": 1}})], "not a plain value"),
        ([Match("a", "MATCH (h:Herb)-[:TREATS*9..12]->(x) RETURN x")], "at most 4"),
        ([Match("a", "MATCH (h:`Herb`) RETURN h; MATCH (x) DELETE x")], "more than one statement"),
        ([Match("a", "MATCH (h:`Her``b) DETACH DELETE h //`) RETURN h")], "no label"),
    ],
)  # fmt: skip
def test_what_cannot_be_run_is_refused_with_the_reason(steps: list[Step], reason: str) -> None:
    with pytest.raises(PlanRefused) as refused:
        check(Plan(tuple(steps), steps[-1].name if steps else "a"), SCHEMA, NodeTerms(), lambda *_: [])
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("written", "kept"),
    [("LIMIT 5", "LIMIT 5"), ("LIMIT 1000000000", f"LIMIT {MOST_ROWS}"), ("", f"LIMIT {MOST_ROWS}"),
     ("LIMIT 5 + 999999", f"LIMIT {MOST_ROWS}"), ("SKIP 2", f"LIMIT {MOST_ROWS}"),
     ("ORDER BY h.price LIMIT toInteger(10 ^ 9)", f"LIMIT {MOST_ROWS}")],
)  # fmt: skip
def test_every_query_has_a_limit(written: str, kept: str) -> None:
    found = checked_cypher(f"MATCH (h:Herb) RETURN h {written}", {}, SCHEMA, NodeTerms(), lambda *_: [])
    assert found.cypher.endswith(kept)


def test_paths_of_any_length_get_a_bound() -> None:
    for length in ("*", "*2..", "*..999", "*1..50"):
        found = checked_cypher(f"MATCH (h:Herb)-[{length}]-(x) RETURN x", {}, SCHEMA, NodeTerms(), lambda *_: [])
        assert all(r.most is not None and r.most <= 4 for r in parse(found.cypher).relationships)


WORDS = """
MATCH (h:Herb) (x) -[:TREATS]-> -[*]- <-[r:GROWS_IN*1..99]- WHERE h.price < 20 h.name = 'Ague' RETURN h x.name WITH
DISTINCT h UNWIND $a AS a LIMIT 99999999 ORDER BY DELETE SET CALL { } LOAD CSV CREATE `h`` UNION ' // /* , ( ) exists
-[:`TREATS`]-> size count(*) (:Dragon) h.wings MERGE FOREACH collect(x) nodeId IN $a SKIP 1
"""
PIECES = st.sampled_from(WORDS.split())
CYPHER = (
    st.lists(PIECES, max_size=14).map(" ".join)
    | st.sampled_from(["MATCH (h:Herb)", "MATCH (h:Herb)-[:TREATS]->(x)", "MATCH (h)-[*]-(x)"]).flatmap(
        lambda start: st.lists(PIECES, max_size=6).map(lambda more: f"{start} {' '.join(more)} RETURN h")
    )
    | st.text()
)


@settings(max_examples=300, deadline=None)
@example("RETURN (h:Herb) UNION")
@given(CYPHER)
def test_any_query_is_refused_or_safe(cypher: str) -> None:
    try:
        found = checked_cypher(cypher, {"a": []}, SCHEMA, NodeTerms(), lambda *_: [])
    except QueryFailed:
        return
    guard.check(found.cypher)
    reading = parse(found.cypher)
    assert {label.name for node in reading.nodes for label in node.labels} <= set(SCHEMA.labels)
    assert {kind.name for r in reading.relationships for kind in r.types} <= {r.type for r in SCHEMA.relations}
    known = {each.name for each in SCHEMA.properties} | {"nodeId", "aliases"}
    assert {reading.tokens[u.place].name for u in reading.property_uses if u.variable.kind == "node"} <= known
    tail = [token.text for token in reading.tokens[reading.projections[-1].items_end :]]
    assert int(tail[tail.index("LIMIT") + 1]) <= MOST_ROWS
    assert all(r.most is not None and r.most <= 4 for r in reading.relationships)


NAMES = st.sampled_from(["a", "b", "c", "", "a b", "1"])
NARROWINGS = st.builds(
    Narrowing,
    st.lists(
        st.builds(
            Predicate, st.sampled_from(["price", "Rating", "wings", "name"]), st.sampled_from(["=", "<", "CONTAINS"]),
            st.sampled_from([3, "3", "x", True, float("inf"), "2016"]),
        ),
        max_size=2,
    ).map(tuple),
    st.none() | st.builds(Order, st.sampled_from(["price", "wings", ""]), st.booleans()),
    st.none() | st.integers(-5, 10**7),
)  # fmt: skip
LABELS = st.sampled_from([None, "Herb", "herbs", "Dragon", "`", ""])
STEPS: st.SearchStrategy[Step] = st.one_of(
    st.builds(
        Search, NAMES, st.text(max_size=20), LABELS, st.integers(-5, 10**9), st.just(()), st.none() | NAMES, NARROWINGS
    ),
    st.builds(Nodes, NAMES, LABELS, st.none() | NAMES, NARROWINGS),
    st.builds(Match, NAMES, CYPHER, st.just({}), st.dictionaries(NAMES, NAMES, max_size=2), NARROWINGS),
)  # fmt: skip


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, max_size=8), NAMES)
def test_any_plan_is_refused_or_fits_the_schema(steps: list[Step], answer: str) -> None:
    try:
        found = check(Plan(tuple(steps), answer), SCHEMA, NodeTerms(), lambda *_: [])
    except PlanRefused:
        return
    done: set[str] = set()
    properties = {each.name for each in SCHEMA.properties}
    for step in found.plan.steps:
        within = [] if isinstance(step, (Match, Related)) or step.within is None else [step.within]
        assert {*within, *(step.bound.values() if isinstance(step, Match) else ())} <= done
        done.add(step.name)
        assert {each.property for each in step.narrowing.where} <= properties
        assert all(each.kind is not None for each in step.narrowing.where)
        assert isinstance(step, (Match, Related)) or step.label in (None, *SCHEMA.labels)
        assert not isinstance(step, Search) or 1 <= step.k <= MOST_K
    assert answer in done
    assert len(done) <= MOST_STEPS


# ---- running ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def garden(any_database: BoltDatabase, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Garden]:
    store = any_database.open(f"test-{uuid.uuid4().hex[:12]}", create=True)
    yield Garden.planted(store, Path(tmp_path_factory.mktemp("garden")))
    any_database.drop(store.name)


def where(*conditions: tuple[str, str, Any], **more: Any) -> Narrowing:
    return Narrowing(tuple(Predicate(*each) for each in conditions), **more)  # type: ignore[arg-type]


def test_a_search_within_what_a_query_gives(garden: Garden) -> None:
    query = "MATCH (h:Herb)-[:TREATS]->(:Ailment {name: 'hay cough'}) RETURN h"
    plan = Plan((Match("hay", query), Search("found", "red in frost", "Herb", within="hay")), "found")
    assert garden.found(plan)[0] == "Ember Thyme"
    assert set(garden.found(plan)) == {"Ember Thyme", "Stone Sage", "Marsh Mint"}


def test_a_query_over_what_a_search_finds(garden: Garden) -> None:
    query = "MATCH (h:Herb)-[:GROWS_IN]->(g:Garden) WHERE h.nodeId IN $liked RETURN DISTINCT g"
    plan = Plan((Search("liked", "pickled with herring by fishermen", "Herb", 1), Match("g", query, {}, {"liked": "liked"})), "g")  # fmt: skip # noqa: E501
    assert garden.found(plan) == ["Abbey Yard"]


def test_nodes_of_an_earlier_step_keep_their_scores(garden: Garden) -> None:
    query = "MATCH (h:Herb)-[:TREATS]->(:Ailment {name: 'Hay Cough'}) WHERE h.nodeId IN $all RETURN h"
    plan = Plan((Search("all", "red in frost", "Herb", 46), Match("hay", query, {}, {"all": "all"})), "hay")
    found = garden.run(plan).answer.nodes
    assert found[0].entity.name == "Ember Thyme"
    assert found[0].score > found[-1].score


@pytest.mark.parametrize(
    ("narrowing", "names"),
    [
        (where(("price", "<", 5)), {"Marsh Mint", "Salt Dill"}),
        (where(("price", ">=", 8), ("price", "<=", 12)), {"Pale Fennel", "Stone Sage"}),
        (where(("sold", ">", "$500")), {"Pale Fennel"}),
        (where(("described", "=", "2016-02-11")), {"Marsh Mint"}),
        (where(("described", "=", "2016")), {"Marsh Mint", "Stone Sage"}),
        (where(("described", ">", "2016")), {"Salt Dill"}),
        (where(("described", ">=", "November 2016")), {"Stone Sage", "Salt Dill"}),
        (where(("described", "<", "1990-01-01"), ("rating", ">", 1)), set()),
        (where(("name", "=", "marsh mint")), {"Marsh Mint"}),
        (where(("description", "CONTAINS", "Moths")), {"Marsh Mint", "Night Lovage"}),
        (where(("rating", ">=", 4), ("name", "<>", "Stone Sage")), {"Marsh Mint", "Pale Fennel"}),
    ],
)  # fmt: skip
def test_conditions_in_the_database(garden: Garden, narrowing: Narrowing, names: set[str]) -> None:
    assert set(garden.found(Plan((Nodes("all", "Herb", narrowing=narrowing),), "all"))) == names
    later = Plan((Nodes("all", "Herb"), Nodes("some", within="all", narrowing=narrowing)), "some")
    assert set(garden.found(later)) == names
    searched = Plan((Search("some", "a plant", "Herb", 60, narrowing=narrowing),), "some")
    assert set(garden.found(searched)) <= names


def test_orders_by_properties_and_by_neighbours(garden: Garden) -> None:
    first = Narrowing(order=Order("price", False), top=3)
    assert garden.found(Plan((Nodes("a", "Herb", narrowing=first),), "a")) == ["Salt Dill", "Marsh Mint", "Pale Fennel"]
    hop = Narrowing(order=Order(Hop("TREATS", False, "Herb"), True))
    assert garden.found(Plan((Nodes("a", "Ailment", narrowing=hop),), "a"))[0] == "Hay Cough"
    related = Plan((Related("r", FOR_HAY, Narrowing(order=Order("rating", True), top=2)),), "r")
    assert garden.found(related) == ["Marsh Mint", "Stone Sage"]
    scores = [each.score for each in garden.run(related).answer.nodes]
    assert scores == sorted(scores, reverse=True)


def test_an_order_after_a_search_is_among_what_fits_it(garden: Garden) -> None:
    text = "pickled with herring by fishermen in dunes beside the sea"
    plan = Plan((Search("a", text, "Herb", 40, narrowing=Narrowing(order=Order("price", True))),), "a")
    assert garden.found(plan).index("Salt Dill") < 10  # the cheapest of all, among those that fit


def test_what_is_described_by_no_text_is_no_reason_to_lose_nodes(garden: Garden) -> None:
    heard: list[PlanStepResult] = []
    plan = Plan((Related("r", FOR_HAY), Search("s", "zzz", "Herb", within="r", properties=("name",))), "s")
    runner = replace(garden.runner, texts=Nothing())
    found = runner.run(garden.check(plan), heard.append)
    assert len(found.answer.nodes) == 3
    assert "kept as it is" in heard[-1].note
    nobody = Match("n", "MATCH (h:Herb)-[:TREATS]->(:Ailment {name: 'Ague'}) WHERE h.price > 999 RETURN h")
    everywhere = garden.run(Plan((nobody, Search("s", "red in frost", "Herb", within="n")), "s"))
    assert names_of(everywhere.answer)[0] == "Ember Thyme"
    assert "searched everywhere" in everywhere.steps[-1].note


class Nothing:
    def search(self, *_: Any, **__: Any) -> list[Any]:
        return []


def test_numbers_may_be_the_answer(garden: Garden) -> None:
    plan = Plan((Match("n", "MATCH (h:Herb)-[:TREATS]->(:Ailment {name: 'Ague'}) RETURN count(h) AS many"),), "n")
    outcome = garden.run(plan)
    assert (outcome.answer.values, outcome.answer.nodes, outcome.empty) == (("2",), (), False)


def test_a_plan_ends_with_its_time(garden: Garden) -> None:
    outcome = replace(garden.runner, passed=lambda: True).run(garden.check(Plan((Nodes("a", "Herb"),), "a")))
    assert outcome.empty
    assert outcome.error is not None


@pytest.mark.parametrize("cypher", ["MATCH (h:Herb) RETURN h LIMIT 999999", "MATCH (h:Herb), (h)-[*]-(x) RETURN x"])
def test_no_step_gives_more_rows_than_it_may(garden: Garden, cypher: str) -> None:
    counted: list[int] = []
    runner = replace(garden.runner, limits=lambda rows: counted.append(rows) or garden.runner.limits(5))  # type: ignore[func-returns-value]
    outcome = runner.run(garden.check(Plan((Match("a", cypher),), "a")))
    assert len(outcome.answer.nodes) <= 5
    assert set(counted) == {MOST_ROWS}
