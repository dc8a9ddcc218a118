"""The vector stores: Chroma in the home and on a server, and Neo4j. All are asked the same."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from clew.app.embedders import vectors_of
from clew.app.settings import load_settings
from clew.tools.documents.index.index import DocumentIndex
from clew.tools.embedding import Vectors
from clew.tools.embedding.chroma import HOME, ChromaServer, readable
from clew.tools.embedding.vector_store import VectorPlace
from clew.tools.errors import BadInput, StoreUnavailable
from clew.tools.graph.store.vector_index import Neo4jPlace
from clew.tools.linking.dense import build_dense, has_dense, open_dense
from clew.tools.linking.index import EntityIndex
from clew.tools.linking.tables import IndexedNode
from clew.tools.text_search.index import TextIndex
from tests.chroma_server import chroma_server
from tests.tools.documents.test_document_search import CHUNKS, Words
from tests.tools.linking.letters import Letters
from tests.tools.text_search.texts import some_nodes

DIMENSION = 24


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with chroma_server(tmp_path_factory.mktemp("chroma")) as address:
        yield address


@pytest.fixture(params=["home", "server", "neo4j"])
def place(request: pytest.FixtureRequest) -> Iterator[VectorPlace]:
    """Each place in turn, of a graph of its own."""
    graph = f"Gräfin {uuid.uuid4().hex[:8]}"
    if request.param == "home":
        yield HOME
        return
    made: VectorPlace
    if request.param == "server":
        made = ChromaServer(request.getfixturevalue("server"), graph)
    else:
        made = Neo4jPlace(request.getfixturevalue("neo4j_database"), graph)
    yield made
    made.drop()
    assert made.store(Path("dense")).names() == []


def some_vectors(count: int, seed: int) -> Vectors:
    found = np.random.default_rng(seed).normal(size=(count, DIMENSION)).astype(np.float32)
    rows: Vectors = found / np.linalg.norm(found, axis=1, keepdims=True)
    return rows


def test_collections_keep_vectors_and_find_the_nearest(place: VectorPlace, tmp_path: Path) -> None:
    store, others = place.store(tmp_path / "dense"), place.store(tmp_path / "texts")
    assert store.find("names") is None
    made, vectors = store.create("names", {"version": "1", "complete": False}, DIMENSION), some_vectors(300, 0)
    made.add([str(each) for each in range(300)], vectors, [f"text {each}" for each in range(300)])
    made.note({"version": "2", "complete": True})
    others.create("names", {"version": "9"}, DIMENSION)
    collection, other = store.find("names"), others.find("names")
    assert collection is not None
    assert other is not None
    assert (dict(collection.facts), dict(other.facts)) == ({"version": "2", "complete": True}, {"version": "9"})
    assert (collection.count(), len(collection.ids()), collection.ids(["7", "x"])) == (300, 300, {"7"})
    right = 0
    for asked in some_vectors(20, 1):
        cosines = vectors @ asked
        found = collection.nearest(asked, 5)
        right += len({int(near.id) for near in found} & set(np.argsort(-cosines)[:5].tolist()))
        assert [near.cosine for near in found] == pytest.approx([cosines[int(near.id)] for near in found], abs=1e-5)
        assert [near.text for near in found] == [f"text {near.id}" for near in found]
    assert right >= 98, "of 100 nearest ones"
    collection.remove(["7", "8"])
    assert collection.ids(["6", "7", "8"]) == {"6"}
    store.delete("names")
    assert (store.find("names"), store.names(), others.names()) == (None, [], ["names"])


def test_names_texts_and_chunks_are_found_as_in_the_home(
    place: VectorPlace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clew.tools.text_search.index.POOL", 30)
    nodes, there = some_nodes(90, longest=40), tmp_path / "there"
    here = TextIndex.build(nodes, tmp_path / "here", "1", Letters())
    texts = TextIndex.build(nodes, there / "texts", "1", Letters(), place=place)
    for label in ("Product", None):
        near = {hit.id for hit in texts.search("trout river", 10, label=label)}
        assert len(near & {hit.id for hit in here.search("trout river", 10, label=label)}) >= 9
    fewer = TextIndex.build(nodes[:50], there / "texts", "2", Letters(), place=place)
    assert {hit.id for hit in fewer.search("trout river", 50)} <= {node.id for node in nodes[:50]}

    index = EntityIndex.build([IndexedNode("1", "Pell Haven", "Harbour", ())], tmp_path / "entities", "1")
    names = place.store(there / "dense")
    assert not has_dense(Letters(), names)
    build_dense(index, Letters(), names)
    dense = open_dense(index, Letters(), names)
    assert dense is not None
    assert dense.nearest("Haven Pell", 3)[0] == (0, pytest.approx(1.0, abs=1e-3))

    known = DocumentIndex.build(CHUNKS, tmp_path / "document-index", "1", Words())
    chunks = DocumentIndex.build(CHUNKS, there / "document-index", "1", Words(), place=place)
    question = "who directed Jaws?"
    assert chunks.scored(question).dense == pytest.approx(known.scored(question).dense, abs=1e-5)
    assert [hit.chunk.id for hit in chunks.search(question)] == [hit.chunk.id for hit in known.search(question)]
    if place.address:
        with pytest.raises(BadInput, match=f"its vectors are in {place.address}, not in the home"):
            TextIndex.open(there / "texts", Letters())
        assert len(place.store(there / "texts").names()) == 2
        assert place.store(there / "document-index").names()


def test_a_server_that_does_not_answer_leaves_exact_search(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, caplog: pytest.LogCaptureFixture
) -> None:
    nodes = some_nodes(30)
    with chroma_server(tmp_path_factory.mktemp("short")) as address:
        place = ChromaServer(address, "films")
        index = TextIndex.build(nodes, tmp_path / "texts", "1", Letters(), place=place)
        with pytest.raises(StoreUnavailable, match="Database \\[none\\] not found"):
            ChromaServer(f"{address}/none", "films").store(tmp_path / "texts").names()
    assert len(index.search("trout river", 10)) == 10
    assert f"Texts are searched without their index: Chroma ({address}) failed" in caplog.text
    with pytest.raises(StoreUnavailable, match=r"Chroma .* failed: .* refused"):
        place.drop()


def test_names_of_collections_are_plain_and_differ() -> None:
    names = ["films", "Films!", "films?", "映画", "", "a" * 60, "a" * 61]
    assert readable("films") == "films"
    assert len({readable(name) for name in names}) == len(names)
    assert all(readable(name).isascii() and len(readable(name)) < 60 for name in names)


def test_settings_name_the_place() -> None:
    def place_of(**given: str) -> VectorPlace:
        return vectors_of(load_settings(**given), "films", lambda: pytest.fail("no database is opened"))

    assert place_of() == HOME
    assert place_of(vectors="http://127.0.0.1:8000/", vectors_token="t") == ChromaServer(
        "http://127.0.0.1:8000", "films", "t"
    )
    with pytest.raises(BadInput, match="is neither neo4j nor the address of a Chroma server"):
        place_of(vectors="nowhere")
    with pytest.raises(BadInput, match="CLEW_VECTORS=neo4j needs a Neo4j database"):
        place_of(vectors="neo4j")
