"""The schema as plain Cypher finds it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clew.tools.graph import schema
from clew.tools.graph.schema import Property, Relation, Schema, introspect
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.ingest import ImportOptions, load

NODES = f""":ID,name,:LABEL,year:int,tags:string[],text
f1,Set It Off,Film,1996,a;b,{"long " * 30}
f2,It,Film,2017,,
p1,Jada,Person,,,
p2,Kim,Person,,,
c1,Studio,Company,,,
"""
EDGES = """:START_ID,:END_ID,:TYPE,role
f1,p1,STARRED,Stony
f1,p2,STARRED,
f2,p1,STARRED,
f1,c1,MADE_BY,
f2,p2,MADE_BY,
"""


@pytest.fixture(scope="module")
def films(any_database: BoltDatabase, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphStore]:
    """A graph of which tests change the version alone."""
    graph = any_database.open(f"films-{uuid.uuid4().hex[:12]}", create=True)
    _load(graph, tmp_path_factory.mktemp("films"))
    yield graph
    any_database.drop(graph.name)


def _load(graph: GraphStore, folder: Path) -> None:
    (folder / "n.csv").write_text(NODES)
    (folder / "e.csv").write_text(EDGES)
    load(graph, [folder / "n.csv", folder / "e.csv"], ImportOptions(folder / "state"))


RELATIONS = (
    Relation("STARRED", "Film", "Person", 3),
    Relation("MADE_BY", "Film", "Company", 1),
    Relation("MADE_BY", "Film", "Person", 1),
)


def test_labels_relations_and_properties(films: GraphStore) -> None:
    found = introspect(films)
    assert found.labels == {"Film": 2, "Person": 2, "Company": 1}
    assert found.relations == RELATIONS
    assert found.version == films.version()
    by_name = {(each.label, each.name): each for each in found.properties}
    assert "nodeId" not in {name for _label, name in by_name}
    year = by_name["Film", "year"]
    assert (year.type, year.count, set(year.examples)) == ("INTEGER", 2, {1996, 2017})
    assert (year.least, year.greatest) == (1996, 2017)
    assert by_name["Film", "tags"] == Property("Film", "tags", "LIST<STRING>", 1, (["a", "b"],))
    assert by_name["Film", "text"].examples[0].endswith("…")
    assert len(by_name["Film", "text"].examples[0]) == 80
    assert found.relation_properties == (Property("STARRED", "role", "STRING", 1, ("Stony",)),)


def test_it_survives_json(films: GraphStore) -> None:
    found = introspect(films)
    assert Schema.from_json(json.loads(json.dumps(found.to_json()))) == found


def test_an_empty_graph_has_an_empty_schema(graph: GraphStore) -> None:
    found = introspect(graph)
    assert (found.labels, found.relations, found.properties, found.relation_properties) == ({}, (), (), ())


def test_a_graph_sees_nothing_of_its_neighbour(make_graph: Callable[[], GraphStore], tmp_path: Path) -> None:
    one, other = make_graph(), make_graph()
    _load(one, tmp_path)
    other.ensure_index("Film", "name")
    assert introspect(other).labels == {}
    assert introspect(one).labels == {"Film": 2, "Person": 2, "Company": 1}


def test_in_a_large_graph_the_ends_are_sampled_and_their_counts_shared_out(
    films: GraphStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "EXACT_UP_TO", 0)
    assert introspect(films).relations == RELATIONS


def test_shares_add_up_about() -> None:
    pairs = {("r", "A", "B"): 3, ("r", "A", "C"): 1}
    assert schema._shared_out(pairs, 4000) == {("r", "A", "B"): 3000, ("r", "A", "C"): 1000}
