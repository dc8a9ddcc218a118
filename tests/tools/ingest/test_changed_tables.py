"""Importing changed tables again: the graph is then as if only the new tables had been imported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.app.api.importing import PlannedImport
from clew.tools.cypher.quoting import quoted
from clew.tools.errors import DatabaseUnavailable
from clew.tools.graph.changed_nodes import ChangedNodes
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.ingest import ImportOptions, ImportReport, inputs, load
from clew.tools.ingest.stored_names import stored_type
from clew.tools.ingest.tables import plan
from clew.tools.ingest.tables.model import GraphModel
from tests.tools.ingest.ingest_fake import FakeGraph
from tests.tools.ingest.test_tables import SHOP, put

RELAXED = settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])


def imported(
    graph: Any, folder: Path, state: Path, *given_paths: Path, model: GraphModel | None = None, replace: bool = False
) -> tuple[ImportReport, GraphModel]:
    scratch = plan.new_scratch(folder.parent / "scratch")
    found = plan.make(inputs.read(given_paths or [folder], scratch).tables, scratch, model=model)
    with PlannedImport(found.formats(), found) as planned:
        options = planned.options(ImportOptions(state, batch_size=3, replace=replace, max_bad_share=1))
        return load(graph, planned.files, options), found.model


def content(graph: FakeGraph) -> tuple[Any, Any]:
    nodes = {key: (label, properties) for key, (label, properties) in graph.nodes.items()}
    return nodes, sorted((a, kind, b, sorted(given.items())) for a, kind, b, given in graph.edges)


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    graph, shop, state = FakeGraph(), put(tmp_path / "shop", dict(SHOP)), tmp_path / "state"
    first, model = imported(graph, shop, state)
    assert first.status == "imported"
    files = {
        "staff.csv": SHOP["staff.csv"].replace("Bo,Day,1,false", "Bo,Night,3,").replace("Fox,1,true", "Fox,,true"),
        "products.csv": SHOP["products.csv"] + "4,Earl,1,FR,5\n",
        "order-items.csv": SHOP["order-items.csv"].replace("A-1,2,1\n", "").replace("A-2,3,2", "A-2,3,9"),
    }  # fmt: skip
    put(shop, files)
    writes, before = graph.writes, graph.version()
    report, _model = imported(graph, shop, state, model=model)
    assert report.status == "updated"
    assert report.updates == {
        "nodes added": 1, "nodes changed": 1, "nodes removed": 0, "relationships added": 4, "relationships removed": 4,
    }  # fmt: skip
    assert graph.nodes["Staff:2"][1] == {
        "nodeId": "Staff:2", "staff_id": 2, "first_name": "Bo", "last_name": "Night", "name": "Bo Night",
    }  # fmt: skip
    assert graph.writes - writes < writes
    touched = ChangedNodes(state / "changed").between(before, graph.version())
    assert touched is not None
    assert {key for keys in touched.values() for key in keys} >= {"Staff:2", "Product:4", "Order:A-1", "Order:A-2"}
    assert "Order:A-3" not in touched.get("Order", [])
    fresh = FakeGraph()
    imported(fresh, shop, tmp_path / "other", model=model)
    assert content(graph) == content(fresh)
    unchanged, _model = imported(graph, shop, state, model=model)
    assert unchanged.status == "unchanged"


def test_rows_that_are_gone_are_removed_and_other_content_stays(tmp_path: Path) -> None:
    graph, shop, state = FakeGraph(), put(tmp_path / "shop", dict(SHOP)), tmp_path / "state"
    _first, model = imported(graph, shop, state)
    facts = put(tmp_path / "facts", {"f.txt": "Tea House\tsells\tTea\nTea House\tsells\tCake\nx\tsells\ty\n"})
    load(graph, [facts / "f.txt"], ImportOptions(state))
    there = {edge for edge in graph.triples() if edge[1] == "sells"}
    put(shop, {"orders.csv": "".join(SHOP["orders.csv"].splitlines(keepends=True)[:-1])})
    report, _model = imported(graph, shop, state, shop / "orders.csv", model=model)
    assert (report.updates["nodes removed"], report.updates["relationships removed"]) == (1, 3)
    assert "Order:A-3" not in graph.nodes
    assert not any("Order:A-3" in edge for edge in graph.triples())
    assert {edge for edge in graph.triples() if edge[1] == "sells"} == there
    assert {"Staff:1", "Product:1", "Country:DE", "Tea House"} <= graph.nodes.keys()


def test_an_interrupted_update_is_finished(tmp_path: Path) -> None:
    graph, shop, state = FakeGraph(), put(tmp_path / "shop", dict(SHOP)), tmp_path / "state"
    _first, model = imported(graph, shop, state)
    put(shop, {"staff.csv": "staff_id,first_name,last_name,reportsTo,active\n1,Ann,Lee,,true\n9,Di,Roe,1,true\n"})
    before = graph.writes

    def fail(number: int) -> None:
        if number == before + 2:
            raise DatabaseUnavailable("gone")

    graph.after_write = fail
    with pytest.raises(DatabaseUnavailable):
        imported(graph, shop, state, model=model)
    graph.after_write = lambda _number: None
    report, _model = imported(graph, shop, state, model=model)
    assert report.status == "continued"
    fresh = FakeGraph()
    imported(fresh, shop, tmp_path / "other", model=model)
    assert content(graph) == content(fresh)


CELLS = st.tuples(st.integers(1, 6), st.sampled_from(["", "1", "2", "5"]), st.sampled_from(["", "a", "b"]))
TABLE = st.lists(CELLS, min_size=1, max_size=6, unique_by=lambda row: row[0])
NAMES = [("Person", "HAS_BOSS", "note"), ("Person" * 50, "HAS_BOSS" * 40, "@note"), ("Person", "Person", "note")]
"""Of a label, a type and a property: some are stored as others."""
PAIRS = st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(0, 2)), max_size=6)


@RELAXED
@given(first=st.tuples(TABLE, PAIRS), second=st.tuples(TABLE, PAIRS), number=st.uuids(), names=st.sampled_from(NAMES))
def test_importing_again_gives_what_importing_anew_gives(
    tmp_path: Path, first: Any, second: Any, number: object, names: tuple[str, str, str]
) -> None:
    """Also rows that come and go, repeated relationships, values that match nothing, and names that are stored as
    others."""
    label, kind, note = names
    model = GraphModel.model_validate({
        "tables": {
            "people": {
                "node": label, "key": ["id"], "name": ["note"],
                "columns": {"id": "integer", "boss_id": "integer", "note": {"type": "text", "property": note}},
                "references": [{"columns": ["boss_id"], "table": "people", "type": kind}],
            },
            "friends": {
                "relationship": {
                    "type": "KNOWS", "source": {"columns": ["a_id"], "table": "people"},
                    "target": {"columns": ["b_id"], "table": "people"},
                },
                "columns": {"a_id": "integer", "b_id": "integer", "since": "integer"},
            },
        }
    })  # fmt: skip
    folder = tmp_path / str(number)
    graph = FakeGraph()
    for people, friends in (first, second, second):
        put(folder, {
            "people.csv": "id,boss_id,note\n" + "".join(f"{a},{b},{c}\n" for a, b, c in people),
            "friends.csv": "a_id,b_id,since\n" + "".join(f"{a},{b},{c}\n" for a, b, c in friends),
        })  # fmt: skip
        report, _model = imported(graph, folder, folder / "state", model=model)
        fresh = FakeGraph()
        imported(fresh, folder, folder / f"fresh{len(list(folder.iterdir()))}", model=model)
        assert content(graph) == content(fresh)
    assert report.status == "unchanged"
    assert set(graph.labels().values()) == {stored_type(label, "arcadedb") + "_" * (label == kind)}


def test_changed_tables_in_a_database(make_graph: Callable[[], GraphStore], tmp_path: Path) -> None:
    graph, shop, state = make_graph(), put(tmp_path / "shop", dict(SHOP)), tmp_path / "state"
    _first, model = imported(graph, shop, state)
    put(shop, {
        "staff.csv": SHOP["staff.csv"].replace("2,Bo,Day,1,false\n", "2,Bo,,3,\n"),
        "orders.csv": SHOP["orders.csv"].replace("A-3,01.01.2025,2,DE,DE\n", ""),
        "order-items.csv": SHOP["order-items.csv"].replace("A-1,1,5", "A-1,1,6").replace("A-3,1,7\n", ""),
    })  # fmt: skip
    report, _model = imported(graph, shop, state, model=model)
    assert (report.status, report.updates["nodes removed"]) == ("updated", 1)
    fresh = make_graph()
    imported(fresh, shop, tmp_path / "other", model=model)

    def everything(store: GraphStore) -> tuple[Any, Any]:
        own = f":{quoted(store.scope)}" if store.scope else ""  # Graphs of other tests are in the same Neo4j.
        nodes = store.read(f"MATCH (n{own}) WHERE n.nodeId IS NOT NULL RETURN properties(n) AS p").records
        edges = store.read(
            f"MATCH (a{own})-[r]->(b) RETURN a.nodeId AS a, type(r) AS t, b.nodeId AS b, r.quantity AS q"
        ).records
        kept = [{k: v for k, v in row["p"].items() if v is not None} for row in nodes]
        return sorted(kept, key=lambda row: str(row["nodeId"])), sorted(map(str, edges))

    assert everything(graph) == everything(fresh)
