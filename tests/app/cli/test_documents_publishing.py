"""`clew documents publish`: chunks in the graph's database, which questions do not see."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.app.api.exploring import Direction, neighbours, node_details
from clew.app.api.graph import Graph
from clew.app.cli import run
from clew.app.container import Container
from clew.app.progress import NoProgress
from clew.app.settings import load_settings
from clew.tools.errors import BadInput
from clew.tools.graph.entity import Entity
from clew.tools.graph.neighbourhood import Neighbourhood
from clew.tools.graph.schema import introspect
from clew.tools.graph.snapshot.builder import stored_edges
from clew.tools.graph.store.graph_store import GraphStore, Limits
from clew.tools.graph.triplets import around
from clew.tools.linking.tables import indexed_nodes
from clew.tools.queries.paths.paths import shortest_paths
from clew.tools.queries.space.space import QuerySpace
from tests.film_facts import FACTS

NOTES = {
    "mann.md": "# Nights\n\nMichael Mann shot Collateral at night.\n\n## Sound\n\nMichael Mann likes sound.\n",
    "stone.md": "# Casinos\n\nSharon Stone and Michael Mann met at night, when Collateral was shot.\n",
    "cast.csv": "film,actor\nHeat,Al Pacino\nCasino,Sharon Stone\n",
}
MANN, STONE = (Entity(name, name, "Person") for name in ("Michael Mann", "Sharon Stone"))


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    """A graph with documents beside it, not published."""
    folder = tmp_path_factory.mktemp("notes")
    (folder / "films.txt").write_text(FACTS, encoding="utf-8")
    (folder / "notes").mkdir()
    for name, text in NOTES.items():
        (folder / "notes" / name).write_text(text, encoding="utf-8")
    where, name = ["--home", str(clew_home)], f"films-{uuid.uuid4().hex[:8]}"
    assert run([*where, "import", str(folder / "films.txt"), "--graph", name]) == 0
    assert run([*where, "documents", "add", str(folder / "notes"), "--graph", name, "--least", "1"]) == 0
    with Container(load_settings(home=clew_home), NoProgress()) as opened:
        yield Graph(opened, name)
        opened.drop(name)


def numbers(store: GraphStore) -> dict[str, int]:
    """Of published nodes, and of relationships by type."""
    found = {row["t"]: row["n"] for row in store.scan("MATCH (:Chunk)-[r]->() RETURN type(r) AS t, count(*) AS n")}
    return {"Chunk": next(iter(store.scan("MATCH (c:Chunk) RETURN count(c) AS n")))["n"], **found}


def seen(graph: Graph) -> dict[str, Any]:
    """Everything that a graph is for questions and for the page, read anew from the database."""
    store = graph.files.store
    schema = introspect(store)
    nearby = Neighbourhood(store, schema)
    return {
        "schema": schema,
        "nodes": sorted(indexed_nodes(store, schema, degrees=True), key=lambda node: node.id),
        "edges": sorted(stored_edges(store)),
        "triplets": sorted(triplet.words() for triplet in around(store, MANN)),
        "paths": shortest_paths(store, MANN, STONE, 6, relations=[each.type for each in schema.relations]),
        "no path": shortest_paths(store, MANN, STONE, 2, relations=[each.type for each in schema.relations]),
        "around": neighbours(graph, "Michael Mann", "Person", Direction()),
        "details": node_details(graph, "Michael Mann", "Person")["relations"],
        "totals": QuerySpace(store, schema).totals(MANN, [], 2),
        "steps": nearby.steps([MANN], Limits()),
        "beyond": nearby.beyond([MANN], 5, 5, Limits()),
        "version": store.version(),
    }


def test_questions_do_not_see_what_is_published(films: Graph) -> None:
    """Not even where the shortest way between two people leads through a chunk that names both."""
    before = seen(films)
    films.documents.publish()
    try:
        assert numbers(films.files.store)["MENTIONS"] >= 4
        after = seen(films)
        assert {key: after[key] for key in before if after[key] != before[key]} == {}
        assert before["edges"]
        assert before["triplets"]
        assert films.ask("Who directed Heat?")[0].name == "Michael Mann"
    finally:
        films.documents.unpublish()


def test_a_copy_has_every_chunk_mention_and_edge_once(films: Graph) -> None:
    documents, store = films.documents, films.files.store
    index, kept = films.files.collection().index, documents.store
    first = documents.publish()
    counts = numbers(store)
    assert counts["Chunk"] == first.chunks == len(index)
    assert counts["MENTIONS"] == first.mentions == len({(each.chunk, each.node) for each in kept.mentions()})
    chunk_edges = sum(n for name, n in counts.items() if name not in ("Chunk", "MENTIONS"))
    assert chunk_edges == first.edges
    for chunk in kept.chunks():
        row = next(iter(store.scan("MATCH (c:Chunk {clewChunk: $id}) RETURN properties(c) AS p", {"id": chunk.id})))[
            "p"
        ]
        assert (row["text"], row["title"], row["place"]) == (chunk.text, chunk.title, chunk.place)
        linked = store.scan(
            "MATCH (:Chunk {clewChunk: $id})--(c:Chunk) RETURN DISTINCT c.clewChunk AS id", {"id": chunk.id}
        )
        assert {each["id"] for each in linked} == {edge.target.id for edge in documents.edges(chunk.id)}
    assert documents.publish() == first
    assert numbers(store) == counts
    named = store.scan("MATCH (:Chunk)-[:SHARES_NAMES]->(:Chunk) RETURN 1 AS one") if "SHARES_NAMES" in counts else ()
    assert len(list(named)) == counts.get("SHARES_NAMES", 0)
    assert documents.unpublish() == first.chunks
    assert numbers(store) == {"Chunk": 0}
    assert documents.unpublish() == 0


def test_the_command_and_plain_cypher(films: Graph, capsys: pytest.CaptureFixture[str], clew_home: Path) -> None:
    where = ["--home", str(clew_home), "documents", "publish", "--graph", films.name]
    assert run(where) == 0
    assert "chunks published, with" in capsys.readouterr().out
    query = "MATCH (c:Chunk)-[:MENTIONS]->(p:Person {name: 'Sharon Stone'}) RETURN c.title AS title"
    assert {"title": "Casinos"} in films.query(query).rows
    assert run([*where, "--remove"]) == 0
    assert "removed from the graph" in capsys.readouterr().err


def test_an_import_adds_to_a_graph_with_published_chunks(films: Graph, tmp_path: Path, clew_home: Path) -> None:
    films.documents.publish()
    try:
        (tmp_path / "more.txt").write_text("Ronin|starred_actors|Robert De Niro\n", encoding="utf-8")
        assert run(["--home", str(clew_home), "import", str(tmp_path / "more.txt"), "--graph", films.name]) == 0
        schema = introspect(films.files.store)
        assert "Chunk" not in schema.labels
        assert "MENTIONS" not in {relation.type for relation in schema.relations}
        assert numbers(films.files.store)["Chunk"] == 4
    finally:
        films.documents.unpublish()


def test_a_graph_with_chunks_of_its_own_keeps_them(films: Graph) -> None:
    store = films.files.store
    store.write("CREATE (:Chunk {nodeId: 'mine', name: 'mine'})")
    try:
        with pytest.raises(BadInput, match="has nodes labelled Chunk of its own"):
            films.documents.publish()
        assert introspect(store).labels["Chunk"] == 1
    finally:
        store.write("MATCH (n:Chunk {nodeId: 'mine'}) DETACH DELETE n")
    store.write("MATCH (a:Person {nodeId: 'Michael Mann'}) MATCH (b:Person {nodeId: 'Sharon Stone'}) "
                "CREATE (a)-[:MENTIONS]->(b)")  # fmt: skip
    try:
        with pytest.raises(BadInput, match="relationships of the type MENTIONS of its own"):
            films.documents.publish()
    finally:
        store.write("MATCH (:Person)-[r:MENTIONS]->(:Person) DELETE r")
