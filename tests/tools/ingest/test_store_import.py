"""Importing into the real databases: what the graph in memory cannot show."""

from __future__ import annotations

import dataclasses
import json
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import get_args
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools.cypher.quoting import quoted
from clew.tools.errors import BadInput, DatabaseUnavailable, QueryFailed
from clew.tools.graph.identifiers import identifier_words, spoken
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import Engine, GraphStore
from clew.tools.graph.store.replacement import Replacement
from clew.tools.ingest import ImportOptions, clear, load
from clew.tools.ingest.stored_names import stored_property, stored_type
from clew.tools.ingest.writing import Batch, Writer

NODES = (
    "id:ID,name,:LABEL,born:date,seen:datetime,tags:string[],score:float\n"
    '1,"Ada ""L.""",Person,1815-12-10,2020-01-01T10:00:00+02:00,a;b,1.5\n'
    "2,Bob,Person,,,,\n3,Ünïcode 日本,Odd `label`/x,,,,2\n"
)
EDGES = (
    ":START_ID,:END_ID,:TYPE,since:int,on:datetime\n"
    "1,2,KNOWS,1999,2020-01-01T10:00:00\n1,2,KNOWS,2000,\n2,3,odd `type`/y,,\n"
)


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def node(graph: GraphStore) -> str:
    return f"n:{quoted(graph.scope)}" if graph.scope else "n"


def names(graph: GraphStore) -> list[str]:
    return sorted(row["name"] for row in graph.scan(f"MATCH ({node(graph)}) RETURN n.name AS name"))


def edges(graph: GraphStore) -> list[tuple[str, str, str, object]]:
    rows = graph.scan(f"MATCH ({node(graph)})-[r]->(m) RETURN n.nodeId AS a, type(r) AS t, m.nodeId AS b, r.since AS s")
    return sorted(((row["a"], row["t"], row["b"], row["s"]) for row in rows), key=str)


EXPECTED = [
    ("1", "KNOWS", "2", 1999), ("1", "KNOWS", "2", 2000), ("2", "odd `type`/y", "3", None),
]  # fmt: skip


def test_typed_csv_arrives_whole(graph: GraphStore, tmp_path: Path) -> None:
    paths = [put(tmp_path, "e.csv", EDGES), put(tmp_path, "n.csv", NODES)]
    report = load(graph, paths, ImportOptions(tmp_path / "state"))
    assert names(graph) == ['Ada "L."', "Bob", "Ünïcode 日本"]
    assert edges(graph) == EXPECTED
    rows = graph.scan(
        f"MATCH ({node(graph)} {{nodeId: '1'}}) RETURN n.born < date('1900-01-01') AS early, "
        "n.seen.hour AS hour, n.tags[1] AS tag, n.score AS score, labels(n) AS labels"
    )
    found = next(iter(rows))
    assert (found["early"], found["hour"], found["tag"], found["score"]) == (True, 8, "b", 1.5)
    assert set(found["labels"]) == {"Person", graph.scope} - {None}
    assert graph.version() == report.version
    assert load(graph, paths, ImportOptions(tmp_path / "state")).status == "unchanged"


def test_adding_does_not_double_what_is_there(graph: GraphStore, tmp_path: Path) -> None:
    nodes = put(tmp_path, "n.csv", NODES)
    load(graph, [nodes, put(tmp_path, "e.csv", EDGES)], ImportOptions(tmp_path / "state"))
    more = put(tmp_path, "more.csv", EDGES + "3,1,KNOWS,2001,\n")
    report = load(graph, [nodes, more], ImportOptions(tmp_path / "state"))
    assert (report.status, report.present) == ("added", 3)
    assert edges(graph) == [*EXPECTED, ("3", "KNOWS", "1", 2001)]


@pytest.mark.parametrize("written", [True, False])
def test_a_batch_in_flight_is_neither_lost_nor_doubled(
    graph: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    paths = [put(tmp_path, "e.csv", EDGES), put(tmp_path, "n.csv", NODES)]
    options, write = ImportOptions(tmp_path / "state", batch_size=2), Writer.write
    for stop_at in range(4):

        def fail(self: Writer, batch: object, rows: list[object], *, careful: bool, at: int = stop_at) -> None:
            number = batch.number  # type: ignore[attr-defined]
            if written or number < at:
                write(self, batch, rows, careful=careful)  # type: ignore[arg-type]
            if number == at:
                raise DatabaseUnavailable("gone")

        monkeypatch.setattr(Writer, "write", fail)
        with pytest.raises(DatabaseUnavailable):
            load(graph, paths, options)
    monkeypatch.setattr(Writer, "write", write)
    assert load(graph, paths, options).status == "continued"
    assert edges(graph) == EXPECTED
    assert len(names(graph)) == 3


def test_clear_leaves_other_graphs_alone(make_graph: Callable[[], GraphStore], tmp_path: Path) -> None:
    one, other = make_graph(), make_graph()
    nodes = put(tmp_path, "n.csv", NODES)
    for graph in (one, other):
        load(graph, [nodes], ImportOptions(tmp_path / "state"))
    clear(one)
    assert names(one) == []
    assert len(names(other)) == 3


def test_replace_without_recreating(graph: GraphStore, tmp_path: Path) -> None:
    load(graph, [put(tmp_path, "n.csv", NODES)], ImportOptions(tmp_path / "state"))
    load(graph, [put(tmp_path, "kb.tsv", "a\tr\tb\n")], ImportOptions(tmp_path / "state", replace=True))
    assert names(graph) == ["a", "b"]


LONG = "Самое длинное название города"
HARD_NAMES = ["a,b", "a~b", "a*b", "ClewGraph", "Clew_other", LONG * 3, "電影" * 30, "x" * 1000, " ", "@type", "@date"]
HARD_NAMES += ["plain", "a b", "back`tick", "../x", "a\tb"]


def nodes_and_edges(folder: Path, names: list[str]) -> Path:
    """A file with a node, a relationship and their properties for each name."""
    lines = [json.dumps({"type": "node", "id": "hub", "labels": ["Hub"]})]
    for number, name in enumerate(names):
        end = {"id": str(number)}
        lines.append(json.dumps({"type": "node", **end, "labels": [name], "properties": {name.strip() or "p": 7}}))
        more = {"label": f"to {name}" if name == "plain" else name, "start": {"id": "hub"}, "end": end}
        lines.append(json.dumps({"type": "relationship", **more, "properties": {name.strip() or "p": 7}}))
    return put(folder, "hard.jsonl", "\n".join(lines))


def test_names_of_all_kinds_are_stored(graph: GraphStore, tmp_path: Path) -> None:
    path = nodes_and_edges(tmp_path, HARD_NAMES)
    report = load(graph, [path], ImportOptions(tmp_path / "state"))
    assert (report.nodes, report.edges) == (len(HARD_NAMES) + 1, len(HARD_NAMES))
    rows = graph.scan(
        f"MATCH ({node(graph)})-[r]->(m) RETURN labels(m) AS labels, properties(m) AS p, properties(r) AS q"
    )
    for row in rows:
        assert 7 in row["p"].values()
        assert 7 in row["q"].values()
    assert len(report.labels) == len(HARD_NAMES) + 1
    assert "@type as \uff20type" in " ".join(report.notes)
    assert ("a,b as a\u201ab" in " ".join(report.notes)) is (graph.engine == "arcadedb")
    assert load(graph, [path], ImportOptions(tmp_path / "elsewhere")).present == len(HARD_NAMES) + 1


@pytest.mark.parametrize("engine", get_args(Engine))
@given(name=st.text(max_size=300), other=st.text(max_size=300))
def test_a_stored_name_is_legal_and_stays_as_it_is(engine: Engine, name: str, other: str) -> None:
    stored = stored_type(name, engine)
    assert stored_type(stored, engine) == stored
    assert stored.strip()
    assert stored != "ClewGraph"
    assert not stored.startswith("Clew_")
    assert "\0" not in stored
    if engine == "arcadedb":
        assert not set(stored) & set(",~*")
        assert len(quote(stored, safe="")) <= 200
    if identifier_words(name) != identifier_words(other):
        assert stored != stored_type(other, engine) or not (name.strip() and other.strip())
    assert not stored_property(name).startswith("@")


def test_a_cut_name_reads_as_its_words() -> None:
    assert spoken(stored_type(LONG * 3, "arcadedb")).startswith("самое длинное")
    assert "…" not in spoken(stored_type("long name " * 30, "arcadedb"))
    assert spoken(stored_type("Film, TV", "arcadedb")) == "film tv"


def test_the_old_content_is_the_graph_until_the_new_is_whole(
    graph: GraphStore, any_database: BoltDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = put(tmp_path, "n.csv", NODES), put(tmp_path, "kb.tsv", "a\tr\tb\nb\tr\tc\n")
    options, replacement = ImportOptions(tmp_path / "state", batch_size=1), Replacement(any_database, graph.name)
    version = load(graph, [old], options, replacement=replacement).version
    replacing, write = dataclasses.replace(options, replace=True), Writer.write

    def fail(self: Writer, batch: Batch, rows: list[object], *, careful: bool) -> None:
        if batch.number == 2:
            raise QueryFailed("refused")
        write(self, batch, rows, careful=careful)

    monkeypatch.setattr(Writer, "write", fail)
    with pytest.raises(QueryFailed):
        load(graph, [new], replacing, replacement=replacement)
    for store in (graph, any_database.open(graph.name)):
        assert (names(store), store.version()) == (['Ada "L."', "Bob", "Ünïcode 日本"], version)
    assert [(each.nodes, each.version) for each in any_database.graphs() if each.name == graph.name] == [(3, version)]
    monkeypatch.setattr(Writer, "write", write)
    assert load(graph, [new], replacing, replacement=replacement).status == "continued"
    assert graph.version() != version  # From here on a store that was opened before uses the new content.
    assert names(graph) == names(any_database.open(graph.name)) == ["a", "b", "c"]
    assert any_database.names().count(graph.name) == 1
    load(graph, [old], replacing, replacement=replacement)
    any_database.drop(graph.name)
    assert not [name for name in any_database.names() if name.startswith(graph.name)]


def test_a_script_that_fails_leaves_the_content_that_it_should_replace(database: BoltDatabase, tmp_path: Path) -> None:
    graph = database.open(f"test-{uuid.uuid4().hex[:12]}", create=True)
    replacement, options = Replacement(database, graph.name), ImportOptions(tmp_path / "state", replace=True)
    load(graph, [put(tmp_path, "n.csv", NODES)], options, replacement=replacement)
    with pytest.raises(QueryFailed):
        load(graph, [put(tmp_path, "bad.cypher", SCRIPT + "MATCH (n) SET n.x = ;\n")], options, replacement=replacement)
    assert len(names(graph)) == 3
    load(graph, [put(tmp_path, "good.cypher", SCRIPT)], options, replacement=replacement)
    assert graph.version()
    assert names(graph) == ["Crime", "Jada", 'Set It; "Off"']
    database.drop(graph.name)


SCRIPT = """// films; and people
CREATE CONSTRAINT film_title IF NOT EXISTS FOR (n:Film) REQUIRE n.title IS UNIQUE;
CREATE (f:Film {title: 'Set It; "Off"', year: 1996})<-[:ACTED_IN {roles: ['Stony']}]-(p:Person {name: 'Jada'});
MATCH (f:Film) MERGE (g:Genre {label: "Crime"}) MERGE (f)-[:HAS]->(g) SET f.year = 1997;
"""


def test_a_script_runs_and_its_nodes_get_ids_and_names(graph: GraphStore, tmp_path: Path) -> None:
    path = put(tmp_path, "films.cypher", SCRIPT)
    if graph.scope is not None:
        with pytest.raises(BadInput, match="one graph"):
            load(graph, [path], ImportOptions(tmp_path / "state"))
        return
    report = load(graph, [path], ImportOptions(tmp_path / "state"))
    assert (report.nodes, report.edges, report.names["Film"]) == (3, 2, "title")
    assert names(graph) == ["Crime", "Jada", 'Set It; "Off"']
    assert len({row["id"] for row in graph.scan("MATCH (n) RETURN n.nodeId AS id")} - {None}) == 3
    assert load(graph, [path], ImportOptions(tmp_path / "state")).status == "unchanged"


def test_a_script_that_fails_names_its_line_and_leaves_an_empty_graph_empty(graph: GraphStore, tmp_path: Path) -> None:
    if graph.scope is not None:
        pytest.skip("scripts are refused there")
    path = put(tmp_path, "films.cypher", SCRIPT + "MATCH (n) SET n.x = ;\n")
    with pytest.raises(QueryFailed, match=r"films.cypher:5: "):
        load(graph, [path], ImportOptions(tmp_path / "state"))
    assert names(graph) == []
