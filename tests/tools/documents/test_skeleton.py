"""The skeleton: what chunks say is merged, linked into the graph, kept beside the documents, and follows them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.app.progress import NoProgress
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.collection import Collection
from clew.tools.documents.skeleton.files import SkeletonEntity, SkeletonRelation
from clew.tools.documents.skeleton.linking import GraphNames
from clew.tools.documents.skeleton.merging import DESCRIPTIONS, LONGEST_DESCRIPTION, Merger, own_id
from clew.tools.documents.skeleton.skeleton import Skeleton
from clew.tools.documents.skeleton.statements import extracted, statements
from clew.tools.documents.store.extractions import (
    Extraction,
    ExtractionKey,
    NamedEntity,
    NamedRelation,
    SkeletonSettings,
)
from clew.tools.documents.store.records import ChunkMention, Document
from clew.tools.documents.store.store import DocumentStore
from clew.tools.errors import BadInput, ClewError
from clew.tools.graph.entity import Entity
from clew.tools.linking.index import EntityIndex
from tests.tools.documents.document_chunks import put
from tests.tools.documents.test_documents_linking import index_of
from tests.tools.queries.word_vectors import WordVectors

STAGE = NoProgress().task
CHUNK = Chunk(
    "c", "d", "Jaws", "Jaws was directed by Steven Spielberg. Spielberg was born in Cincinnati, and Jaws won.",
    entities=("Jaws", "Steven Spielberg", "Spielberg", "Cincinnati"),
)  # fmt: skip


def said(*relations: str, **described: str) -> Extraction:
    """Of "head / words / tail: description", and types by name with _ for spaces."""
    told = [NamedRelation(*(part.strip() for part in each.split(":")[0].split("/"))) for each in relations]
    names = dict.fromkeys(
        [*(name.replace("_", " ") for name in described), *(n for r in told for n in (r.head, r.tail))]
    )
    return Extraction(
        tuple(NamedEntity(name, described.get(name.replace(" ", "_"), ""), f"About {name}.") for name in names),
        tuple(told),
    )


def merged(*extractions: Extraction) -> tuple[list[SkeletonEntity], list[tuple[str, str, str, int]]]:
    merger = Merger()
    for number, extraction in enumerate(extractions):
        merger.add(number, f"c{number}", extraction)
    entities, relations = merger.merged()
    return entities, [(entities[r.head].name, r.words, entities[r.tail].name, r.weight) for r in relations]


# ---- what rules extract ---------------------------------------------------------------------------------------------


def test_statements_join_names_by_the_words_between() -> None:
    found = [(each.head, each.relation, each.tail) for each in statements(CHUNK)]
    assert found == [
        ("Jaws", "was directed by", "Steven Spielberg"),
        ("Spielberg", "was born in", "Cincinnati"),
        ("Cincinnati", "and", "Jaws"),
    ]
    table = Chunk("t", "d", "T", "Player: Keith Dorney; College: Penn State", "table",
                  entities=("Keith Dorney", "Penn State"))  # fmt: skip
    assert [(each.relation, each.tail) for each in statements(table)] == [("College", "Penn State")]


def test_what_rules_extract_is_an_extraction() -> None:
    found = extracted(CHUNK)
    assert [entity.name for entity in found.entities] == list(CHUNK.entities)
    held = {entity.name for entity in found.entities}
    assert found.relations
    assert all({each.head, each.tail} <= held for each in found.relations)


# ---- merging --------------------------------------------------------------------------------------------------------


def test_the_same_name_is_one_entity_and_the_same_words_one_relation() -> None:
    entities, relations = merged(
        said("Jaws / was directed by / Steven Spielberg", Jaws="film"),
        said("JAWS / was directed by / steven spielberg", JAWS="novel"),
        said("jaws / Was Directed By / Steven Spielberg", jaws="film"),
    )
    assert [(e.name, e.type, e.chunks, e.linked) for e in entities] == [
        ("Jaws", "film", (0, 1, 2), False), ("Steven Spielberg", "", (0, 1, 2), False)
    ]  # fmt: skip
    assert entities[0].names == ("Jaws", "JAWS", "jaws")
    assert entities[0].id == own_id("skeleton:jaws")
    assert relations == [("Jaws", "was directed by", "Steven Spielberg", 3)]


def test_directions_and_words_are_kept_apart() -> None:
    _, relations = merged(said("Ann / met / Bob"), said("Bob / met / Ann"), said("Ann / left / Bob"))
    assert relations == [("Ann", "met", "Bob", 1), ("Bob", "met", "Ann", 1), ("Ann", "left", "Bob", 1)]


def test_descriptions_are_joined_each_once_and_whole() -> None:
    merger = Merger()
    for number in range(40):
        text = f"About Ann, told for the {number // 2}th time. " + "More of it. " * 10
        merger.add(number, "c", Extraction((NamedEntity("Ann", description=text.strip()),)))
    (ann,), _ = merger.merged()
    assert ann.description.count("told for the 0th time") == 1
    assert 1 < ann.description.count("About Ann") <= DESCRIPTIONS
    assert len(ann.description) <= LONGEST_DESCRIPTION
    assert ann.description.endswith("More of it.")


NAMES = st.sampled_from(["Ann", "ANN", "Bob", "bob", "Dorn", "the Mill", "Mill"])
RELATIONS = st.builds(NamedRelation, NAMES, st.sampled_from(["met", "Met", "owns"]), NAMES, st.sampled_from(["", "x"]))
EXTRACTIONS = st.builds(
    lambda told: Extraction(tuple(NamedEntity(n) for r in told for n in (r.head, r.tail)), tuple(told)),
    st.lists(RELATIONS, max_size=5),
)


@settings(deadline=None, max_examples=60)
@given(st.lists(EXTRACTIONS, max_size=6))
def test_merging_loses_and_invents_nothing(extractions: list[Extraction]) -> None:
    merger = Merger()
    for number, extraction in enumerate(extractions):
        merger.add(number, f"c{number}", extraction)
    entities, relations = merger.merged()
    assert merger.merged() == (entities, relations)
    ids = [entity.id for entity in entities]
    assert len(ids) == len(set(ids))
    given_names = {entity.name for each in extractions for entity in each.entities}
    assert {name for entity in entities for name in entity.names} == given_names
    key = {"ann": 0, "bob": 1, "dorn": 2, "the mill": 3, "mill": 3}
    kept = [r for each in extractions for r in each.relations if key[r.head.lower()] != key[r.tail.lower()]]
    assert sum(relation.weight for relation in relations) == len(kept)
    assert all(relation.head != relation.tail and relation.chunks for relation in relations)
    for relation in relations:
        assert SkeletonRelation.of_line(relation.to_line()) == relation
    for entity in entities:
        assert SkeletonEntity.of_line(entity.to_line()) == entity


# ---- links into the graph -------------------------------------------------------------------------------------------

GRAPH = [
    ("p1", "Marta Lindqvist", "Person"), ("f3", "Heat", "Film"), ("f4", "Sleepers", "Film"), ("b4", "Sleepers", "Book"),
    ("d1", "aspirin", "Drug"), ("y1", "1975", "Year"), ("c9", "Paris", "City"), ("p9", "Paris", "Person"),
]  # fmt: skip


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> EntityIndex:
    return index_of(tmp_path_factory.mktemp("names"), GRAPH)


@pytest.mark.parametrize(
    ("name", "type", "id"),
    [
        ("Marta Lindqvist", "", "p1"),
        ("MARTA LINDQVIST", "person", "p1"),
        ("Marta Lindquist", "person", None),
        ("Heat", "film", "f3"),
        ("heat", "concept", None),
        ("aspirin", "drug", "d1"),
        ("Aspirin", "", "d1"),
        ("Sleepers", "book", "b4"),
        ("Sleepers", "films", "f4"),
        ("Sleepers", "song", None),
        ("1975", "year", None),
        ("Paris", "", None),
        ("!!!", "", None),
    ],
)
def test_an_entity_of_the_graph_keeps_its_id(index: EntityIndex, name: str, type: str, id: str | None) -> None:
    found = GraphNames(index).node_of("c", NamedEntity(name, type))
    assert (found.id if found else None) == id


def test_what_a_chunk_is_known_to_mention_is_meant(index: EntityIndex) -> None:
    mentions = [
        ChunkMention("c1", "p1", "Lindqvist", 0, 0.8), ChunkMention("c1", "p9", "Paris", 5, 0.5),
        ChunkMention("c1", "c9", "Paris", 5, 0.5), ChunkMention("c2", "c9", "Paris", 5, 1.0),
        ChunkMention("c1", "gone", "Nobody", 9, 1.0), ChunkMention("c1", "y1", "1975", 9, 1.0),
    ]  # fmt: skip
    names = GraphNames(index, mentions)

    def meant(chunk: str, name: str, type: str = "") -> str | None:
        found = names.node_of(chunk, NamedEntity(name, type))
        return found.id if found else None

    assert (meant("c1", "Lindqvist"), meant("c2", "Lindqvist")) == ("p1", None)
    assert (meant("c1", "Paris"), meant("c1", "Paris", "city"), meant("c2", "Paris")) == (None, "c9", "c9")
    assert (meant("c1", "Nobody"), meant("c1", "1975")) == (None, "y1")


def test_names_of_one_node_are_one_entity() -> None:
    node = Entity("p1", "Marta Lindqvist", "Person")
    merger = Merger(lambda _, each: node if "Lindqvist" in each.name else None)
    merger.add(0, "c0", said("Marta Lindqvist / wrote / The Birds", Marta_Lindqvist="writer"))
    merger.add(1, "c1", said("Lindqvist / lives in / Ystad", "Lindqvist / is / Marta Lindqvist"))
    entities, relations = merger.merged()
    first = entities[0]
    assert (first.id, first.name, first.type, first.linked) == ("p1", "Marta Lindqvist", "Person", True)
    assert first.names == ("Marta Lindqvist", "Lindqvist")
    assert [(entities[r.head].id, r.words) for r in relations] == [("p1", "wrote"), ("p1", "lives in")]


# ---- on disk --------------------------------------------------------------------------------------------------------


def of(extractions: list[tuple[str, Extraction]], folder: Path, version: str = "1") -> Skeleton:
    return Skeleton.build(extractions, folder, version, "model", WordVectors(), STAGE)


def test_a_skeleton_is_opened_as_it_was_made(tmp_path: Path) -> None:
    made = of([("c0", said("Ann / met / Bob")), ("c1", said("Bob / lives in / Dorn"))], tmp_path)
    found = Skeleton.open(tmp_path, WordVectors())
    assert [found.entity(place).name for place in range(3)] == ["Ann", "Bob", "Dorn"]
    assert [found.relation(place).words for place in range(2)] == ["met", "lives in"]
    assert (found.manifest.entities, found.manifest.relations, found.manifest.chunks) == (3, 2, 2)
    assert found.manifest == made.manifest
    assert found.called(["the BOB", "nobody", "Dorn"]) == [1, 2]
    assert found.of_ids([found.entity(2).id, "bob"]) == [2]
    assert np.linalg.norm(found.entity_vectors, axis=1) == pytest.approx(np.ones(3))


def test_only_new_texts_are_embedded(tmp_path: Path) -> None:
    of([("c0", said("Ann / met / Bob"))], tmp_path)
    embedder = WordVectors()
    extractions = [("c0", said("Ann / met / Bob")), ("c1", said("Cid / met / Dan"))]
    again = Skeleton.build(extractions, tmp_path, "2", "model", embedder, STAGE)
    assert sorted(embedder.embedded) == ["Cid met Dan", "Cid: About Cid.", "Dan: About Dan."]
    fresh = of(extractions, tmp_path / "fresh")
    assert np.array_equal(again.entity_vectors, fresh.entity_vectors)
    assert np.array_equal(again.relation_vectors, fresh.relation_vectors)


def test_an_empty_skeleton_is_one(tmp_path: Path) -> None:
    found = of([], tmp_path)
    nothing = found.around("Who met Bob?", WordVectors().embed(["x"])[0])
    assert (nothing.entities, nothing.relations, nothing.chunks) == ((), (), ())
    alone = of([("c0", Extraction((NamedEntity("Ann"),)))], tmp_path / "one")
    assert alone.around("Who is Ann?", WordVectors().embed(["Ann"])[0]).entities == (0,)


def test_a_damaged_skeleton_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no document skeleton"):
        Skeleton.open(tmp_path, WordVectors())
    made = of([("c0", said("Ann / met / Bob"))], tmp_path)
    (tmp_path / made.manifest.folder / "starts.npy").unlink()
    with pytest.raises(BadInput, match="damaged"):
        Skeleton.open(tmp_path, WordVectors())
    assert of([("c0", said("Ann / met / Bob"))], tmp_path).entity(0).name == "Ann"


def test_a_question_finds_two_steps(tmp_path: Path) -> None:
    others = [(f"o{n}", said(f"Person{n} / grew up in / Town{n}")) for n in range(30)]
    found = of(
        [("c0", said("Zeppel / was built by / Ann")), ("c1", said("Ann / grew up in / Dorn")), *others], tmp_path
    )
    question = "In which town did the builder of Zeppel grow up?"
    around = found.around(question, WordVectors().embed([question])[0])
    told = [found.relation(place) for place in around.relations]
    names = [(found.entity(r.head).name, r.words, found.entity(r.tail).name) for r in told]
    assert names.index(("Zeppel", "was built by", "Ann")) < names.index(("Ann", "grew up in", "Dorn"))
    assert found.entity(around.entities[0]).name == "Zeppel"
    assert {0, 1} <= set(around.chunks)
    assert len(set(around.chunks)) == len(around.chunks)


def test_an_everyday_word_is_a_name_only_where_it_is_written_like_one(tmp_path: Path) -> None:
    others = [(f"o{n}", said(f"Zork{n} / warms / Heater{n}")) for n in range(20)]
    found = of([("c0", said("Heat / was directed by / Ann", Heat="film")), *others], tmp_path)

    def first(question: str) -> str:
        around = found.around(question, WordVectors().embed(["Zork3: About Zork3."])[0])
        return found.entity(around.entities[0]).name

    assert first("Who directed Heat in the year before?") == "Heat"
    assert first("How much heat is there?") == "Zork3"


# ---- beside the documents -------------------------------------------------------------------------------------------


def store_of(folder: Path, **documents: list[str]) -> DocumentStore:
    store = DocumentStore(folder / "documents")
    for name, texts in documents.items():
        write(store, name, texts)
    return store


def write(store: DocumentStore, name: str, texts: list[str]) -> None:
    made = [Chunk(f"{name}-{text}", name, name, text, order=n) for n, text in enumerate(texts)]
    store.put(Document(name, f"/{name}", name, " ".join(texts), "s", 1, 0, 0, 0.0), made, lambda: 0)


def extract(store: DocumentStore, id: str, extraction: Extraction, prompt: str = "p") -> int:
    chunks = store.get([id]) or [Chunk(id, "gone", "", "")]
    return store.extractions.put([(chunks[0], ExtractionKey.of(chunks[0], prompt), extraction)], "m")


def test_extractions_stay_as_long_as_their_chunks(tmp_path: Path) -> None:
    store = store_of(tmp_path, a=["Ann", "Bob"], b=["Cid"])
    kept = store.extractions
    assert (kept.version, kept.settings, list(kept.stream()), kept.counts(), kept.keys()) == (0, None, [], {}, {})
    for id in ("b-Cid", "a-Bob", "a-Ann"):
        assert extract(store, id, said(f"{id} / is / x")) == 1
    assert extract(store, "a-gone", said()) == 0
    assert [id for id, _ in kept.stream()] == ["a-Ann", "a-Bob", "b-Cid"]
    assert kept.counts() == {"a": 2, "b": 1}
    assert list(kept.of("b")) == ["b-Cid"]
    assert kept.models() == ["m"]
    version = kept.version
    write(store, "a", ["Ann", "Dan"])
    assert [id for id, _ in kept.stream()] == ["a-Ann", "b-Cid"]
    assert kept.version > version
    store.remove(["b"])
    assert list(kept.keys()) == ["a-Ann"]
    with closing(sqlite3.connect(store.path)) as db:
        assert db.execute("SELECT count(*) FROM extractions").fetchone() == (1,)
    assert (kept.forget(), kept.forget(), list(kept.stream())) == (1, 0, [])


def test_another_content_or_prompt_is_asked_anew(tmp_path: Path) -> None:
    store = store_of(tmp_path, a=["Ann"])
    extract(store, "a-Ann", said())
    (chunk,) = store.get(["a-Ann"])
    known = store.extractions.keys()["a-Ann"]
    assert known == ExtractionKey.of(chunk, "p")
    assert known != ExtractionKey.of(chunk, "q")
    assert known != ExtractionKey.of(Chunk("a-Ann", "a", "another title", "Ann"), "p")


_WITHOUT_DESCRIPTIONS = (
    "DROP INDEX chunks_not_described; ALTER TABLE chunks DROP COLUMN described; "
    "ALTER TABLE documents DROP COLUMN described;"
)


@pytest.mark.parametrize("lacking", ["", _WITHOUT_DESCRIPTIONS], ids=["last", "earlier"])
def test_a_store_of_the_last_format_is_completed(tmp_path: Path, lacking: str) -> None:
    store = DocumentStore(tmp_path / "documents")
    put(store, "a", 2)
    with closing(sqlite3.connect(store.path)) as db:
        db.executescript(
            f"DROP TABLE extractions; ALTER TABLE chunks DROP COLUMN columns; {lacking} PRAGMA user_version = 1;"
        )
    assert [chunk.columns for chunk in store.chunks()] == [(), ()]
    chunk = next(store.chunks())
    assert extract(store, chunk.id, said()) == 1
    put(store, "b", 1)
    assert store.totals().chunks == 3


def test_a_damaged_extraction_says_so(tmp_path: Path) -> None:
    store = store_of(tmp_path, a=["Ann"])
    extract(store, "a-Ann", said())
    with closing(sqlite3.connect(store.path)) as db:
        db.execute("UPDATE extractions SET said = '[1]'")
        db.commit()
    with pytest.raises(ClewError, match="damaged"):
        list(store.extractions.stream())


class Kept:
    """A collection with a skeleton, in a folder."""

    def __init__(self, folder: Path, names: EntityIndex | None = None) -> None:
        self.embedder = WordVectors()
        self.store = DocumentStore(folder / "documents")
        self.collection = Collection(self.store, folder, self.embedder, STAGE, lambda: names)

    def names(self) -> list[str]:
        found = self.collection.skeleton
        assert found is not None
        return [found.entity(place).name for place in range(found.manifest.entities)]


def test_the_skeleton_follows_the_documents(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    write(kept.store, "a", ["Ann", "Bob"])
    assert kept.collection.skeleton is None
    kept.store.extractions.set(SkeletonSettings("model", 0.2))
    assert kept.names() == []
    extract(kept.store, "a-Ann", said("Ann / met / Bob"))
    assert kept.names() == ["Ann", "Bob"]
    first = kept.collection.skeleton
    assert first is not None
    assert first.manifest.by == "model"
    assert kept.collection.skeleton is first
    write(kept.store, "b", ["Cid"])
    extract(kept.store, "b-Cid", said("Cid / met / Bob"))
    assert kept.names() == ["Ann", "Bob", "Cid"]
    assert Kept(tmp_path).names() == ["Ann", "Bob", "Cid"]
    kept.store.remove(["a"])
    assert kept.names() == ["Cid", "Bob"]
    write(kept.store, "a", ["Ann", "Bob"])
    assert kept.names() == ["Cid", "Bob"]  # What was removed has to be extracted again.


def test_a_skeleton_by_rules_is_of_the_core_chunks(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    made = Document("a", "/a", "a", "1", "s", 1, 0, 0, 0.0)
    kept.store.put(made, [Chunk(f"a{n}", "a", f"T{n}", f"Ann{n} met Bob{n}.", order=n, entities=(f"Ann{n}", f"Bob{n}"))
                          for n in range(10)], lambda: 0)  # fmt: skip
    kept.store.extractions.set(SkeletonSettings("rules", 0.5))
    found = kept.collection.skeleton
    assert found is not None
    assert (found.manifest.chunks, found.manifest.entities, found.manifest.by) == (5, 10, "rules")
    kept.store.extractions.set(SkeletonSettings("rules", 1.0))
    assert len(kept.names()) == 20
    kept.store.extractions.set(SkeletonSettings("rules", 0.0))
    assert kept.names() == []


def test_linking_the_documents_anew_links_the_skeleton(tmp_path: Path, index: EntityIndex) -> None:
    kept = Kept(tmp_path, index)
    write(kept.store, "a", ["Heat is a film."])
    kept.store.extractions.set(SkeletonSettings("model", 1.0))
    extract(kept.store, "a-Heat is a film.", said("Heat / is by / Ann", Heat="film"))
    found = kept.collection.skeleton
    assert found is not None
    assert [found.entity(place).id for place in found.of_ids(["f3"])] == ["f3"]
    assert found.manifest.linked == 1
    (document,) = kept.store.documents()
    assert kept.store.link(document, [ChunkMention("a-Heat is a film.", "p1", "Ann", 0, 1.0)], "names 2")
    again = kept.collection.skeleton
    assert again is not None
    assert (again.manifest.linked, again.entity(again.of_ids(["p1"])[0]).name) == (2, "Marta Lindqvist")
