"""Texts read from a database: which properties are text, details of nodes, and the strategy `hybrid` end to end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clew.agents.evidence import Answer
from clew.app import graph_files
from clew.app.container import Container
from clew.app.progress import NoProgress
from clew.app.settings import load_settings
from clew.graphs.ask import ask
from clew.graphs.context import Context
from clew.graphs.question import build_question_graph
from clew.graphs.result import AskResult
from clew.graphs.run import Budget, Deadline
from clew.graphs.strategies import hybrid as hybrid_module
from clew.graphs.strategies.hybrid import K, hybrid
from clew.tools.cypher.quoting import quoted
from clew.tools.embedding.token_budget import counter
from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import introspect
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore, Limits
from clew.tools.text_search.details import NodeDetails
from clew.tools.text_search.source import is_text, text_nodes, text_properties
from tests.contexts import altered
from tests.tools.linking.letters import Letters
from tests.tools.queries.retrieval_world import Kept, Told, asked, railway_context

_TOLD = {
    "Marsh Lamp": "A brass lamp that burns for nine hours.",
    "Fen Lamp": "A brass lamp that burns for ten hours.",
    "Iron Whisk": "Beats cream and dough in very little time.",
    "Oak Bowl": "Holds flour, and keeps its shape for years.",
    **{f"Spare Part {i}": f"One of many spare parts of type {i}." for i in range(30)},
}
NODES: dict[str, list[dict[str, Any]]] = {
    "Product": [
        {"name": name, "price": 8.0 + place, "code": f"AB-{place}", "description": text}
        for place, (name, text) in enumerate(_TOLD.items())
    ],
    "Brand": [{"name": "Tarn and Sons"}],
}
EDGES = [("Marsh Lamp", "Tarn and Sons"), ("Iron Whisk", "Tarn and Sons")]
QUESTION = "something that beats dough"


def store_shop(graph: GraphStore) -> None:
    scope = f":{quoted(graph.scope)}" if graph.scope else ""
    for label, rows in NODES.items():
        graph.ensure_index(label, "nodeId")
        given = [{"nodeId": f"{label}/{row['name']}", **row} for row in rows]
        graph.write(f"UNWIND $rows AS row CREATE (n:{label}{scope}) SET n = row", {"rows": given})
    for product, brand in EDGES:
        graph.write(
            f"MATCH (a:Product{scope} {{nodeId: $a}}), (b:Brand{scope} {{nodeId: $b}}) CREATE (a)-[:MADE_BY]->(b)",
            {"a": f"Product/{product}", "b": f"Brand/{brand}"},
        )
    graph.set_version("1")


def named(name: str) -> Entity:
    label = next(label for label, rows in NODES.items() if name in {row["name"] for row in rows})
    return Entity(f"{label}/{name}", name, label)


@pytest.fixture
def shop(make_graph: Callable[[], GraphStore]) -> GraphStore:
    graph = make_graph()
    store_shop(graph)
    return graph


@pytest.fixture
def container(clew_home: Path, database: BoltDatabase, monkeypatch: pytest.MonkeyPatch) -> Iterator[Container]:
    """On a graph "shop" in the embedded database, with embeddings that cost nothing."""
    store_shop(database.open("shop", create=True))
    opened = Container(load_settings(home=clew_home), NoProgress())
    monkeypatch.setattr(opened, "embedder", Letters(), raising=False)
    yield opened
    opened.drop("shop")
    opened.close()


def test_many_nodes_are_not_indexed_while_a_question_waits(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = container.files("shop")
    assert files.texts_are_ready()
    monkeypatch.setattr(graph_files, "FEW_NODES", 1)
    assert not files.texts_are_ready()


def answered(context: Context, question: str = QUESTION) -> AskResult:
    return ask(build_question_graph(), replace(context, strategies=("hybrid",)), question)


# ---- reading --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["A brass lamp that burns for nine hours.", "Holds flour well enough"], True),
        (["Marsh Lamp", "Oak Bowl"], False),
        (["https://example.org/a/very/long/address/of/some/page"], False), (["2016-02-11", "2017-01-01"], False),
        (["AB 12 CD 34 EF 56 GH 78"], False), ([], False), (["", " "], False),
    ],
)  # fmt: skip
def test_texts_have_words(values: list[str], expected: bool) -> None:
    assert is_text(values) is expected


def test_descriptions_are_text_and_codes_and_names_are_not(shop: GraphStore) -> None:
    schema = introspect(shop)
    found = text_properties(shop, schema)
    assert found.by_label == {"Product": ["description"]}
    nodes = {node.name: node for node in text_nodes(shop, schema)}
    assert len(nodes) == sum(map(len, NODES.values()))
    assert nodes["Oak Bowl"].texts == (("description", "Holds flour, and keeps its shape for years."),)
    assert (nodes["Tarn and Sons"].texts, nodes["Tarn and Sons"].rich) == ((), False)


# ---- the container --------------------------------------------------------------------------------------------------


def test_the_container_builds_once_a_version(container: Container) -> None:
    built = container.files("shop").text_index()
    assert built.search("dough")[0].name == "Iron Whisk"
    seen: Any = container.embedder
    seen.seen.clear()
    again = container.files("shop").text_index()
    assert again.manifest == built.manifest
    assert seen.seen == []
    graph = container.store("shop")
    graph.write(
        "MATCH (n:Product {nodeId: 'Product/Oak Bowl'}) SET n.description = 'Kneads the dough by itself, at night.'"
    )
    graph.set_version("2")
    assert {hit.name for hit in container.files("shop").text_index().search("dough", 2)} == {"Oak Bowl", "Iron Whisk"}
    assert len(set(seen.seen)) == 2  # the changed text and the question


def test_a_graph_of_names_alone_costs_no_embedding(container: Container) -> None:
    graph = container.database.open("names", create=True)
    graph.write("CREATE (:Film {nodeId: '1', name: 'Red River'}), (:Film {nodeId: '2', name: 'Blue Moon'})")
    graph.set_version("1")
    seen: Any = container.embedder
    seen.seen.clear()
    index = container.files("names").text_index()
    assert index.empty
    assert [hit.name for hit in index.search("the river")] == ["Red River"]
    assert seen.seen == []
    container.drop("names")


# ---- details --------------------------------------------------------------------------------------------------------


def test_details_tell_values_excerpts_and_neighbours(container: Container) -> None:
    store, schema, index = (
        container.store("shop"),
        container.files("shop").schema(),
        container.files("shop").text_index(),
    )
    reader = NodeDetails(store, schema, index, Limits())
    whisk, bowl = reader.read([named("Iron Whisk"), named("Oak Bowl")], QUESTION, 400)
    assert "price: 10.0" in whisk
    assert "“Beats cream and dough in very little time.”" in whisk
    assert "Tarn and Sons" in whisk
    assert "Tarn" not in bowl


@pytest.mark.parametrize("tokens", [0, 5, 30, 80])
def test_details_keep_to_the_budget(container: Container, tokens: int) -> None:
    store, schema, index = (
        container.store("shop"),
        container.files("shop").schema(),
        container.files("shop").text_index(),
    )
    nodes = [named("Iron Whisk"), named("Oak Bowl"), named("Marsh Lamp")]
    details = NodeDetails(store, schema, index, Limits()).read(nodes, QUESTION, tokens)
    assert len(details) == len(nodes)
    assert sum(map(counter(), details)) <= tokens


# ---- the strategy ---------------------------------------------------------------------------------------------------


def ranked(answers: list[Answer]) -> list[float]:
    return [answer["score"] for answer in answers]


def test_the_whole_ranked_list_is_the_answer(container: Container) -> None:
    result = answered(container.context("shop"))
    assert result["answers"][0]["name"] == "Iron Whisk"
    assert len(result["answers"]) == K
    assert ranked(result["answers"]) == sorted(ranked(result["answers"]), reverse=True)
    assert 0 < result["confidence"] < 0.6
    assert result["answers"][0]["score"] <= result["confidence"]
    said = {(item["head"]["name"], item["relation"], item["tail"]["name"]) for item in result["evidence"]}
    assert ("Iron Whisk", "description", "Beats cream and dough in very little time.") in said
    assert "no query vouches" in result["explanation"]


@pytest.mark.parametrize("question", ["can you suggest a gizmo for cream", "something made by microbes"])
def test_words_that_no_text_has_are_no_reason_to_refuse(container: Container, question: str) -> None:
    result = answered(container.context("shop"), question)
    assert len(result["answers"]) == K
    assert result["unmatched"] == []
    named = answered(container.context("shop"), "what does Zorblax beat")
    assert named["answers"] == []
    assert "no node named “Zorblax”" in named["explanation"]


def test_neighbours_join_where_expansion_is_on(container: Container, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hybrid_module, "K_MORE", 18)  # So that the lamps are no seeds.
    context = container.context("shop")
    off = answered(replace(context, expansion="off"), "beats dough, made by Tarn and Sons")
    on = answered(replace(context, expansion="edge"), "beats dough, made by Tarn and Sons")
    assert len(on["answers"]) == K
    assert len({answer["id"] for answer in on["answers"]}) == K
    related = ("Marsh Lamp", "MADE_BY", "Tarn and Sons")
    told = [{(e["head"]["name"], e["relation"], e["tail"]["name"]) for e in found["evidence"]} for found in (off, on)]
    assert related not in told[0]
    assert related in told[1]


def test_a_model_reads_the_details(container: Container) -> None:
    said = '{"answers": [{"name": "Iron Whisk", "evidence": ["Q1"]}]}'
    model = Told(lambda prompt: said)
    plain = container.context("shop").tools
    context = railway_context(
        plain.store, model, index=plain.index, texts=plain.texts, budget=Budget(max_iterations=1)
    )  # fmt: skip
    answered(context)
    read = next(prompt for prompt in model.prompts if "Beats cream" in str(prompt))
    assert "price: 10.0" in str(read)


def test_without_texts_or_time_nothing_is_searched(container: Container) -> None:
    context = container.context("shop")
    state = asked(QUESTION, [])
    late = altered(context, deadline=Deadline(0.0))
    assert hybrid(state, altered(context, texts=None), Kept()).update == {}  # type: ignore[arg-type]
    assert hybrid(state, late, Kept()).update == {}  # type: ignore[arg-type]
