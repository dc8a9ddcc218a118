"""Which entities chunks mention, and keeping that up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.tools.documents.adding import AddReport, add_documents
from clew.tools.documents.chunking.chunking import Chunking
from clew.tools.documents.mentions.linking import link_documents, unlinked
from clew.tools.documents.mentions.mentions import MentionFinder
from clew.tools.documents.sources import find_sources
from clew.tools.documents.store.store import DocumentStore
from clew.tools.linking.index import EntityIndex, IndexedNode
from tests.tools.linking.letters import Letters

NAMES = [
    ("p1", "Marta Lindqvist", "Person"), ("p2", "Ola Lindqvist", "Person"), ("p3", "Jean-Luc O'Brien", "Person"),
    ("p4", "Duncan McAllister", "Person"), ("f1", "It", "Film"), ("f2", "The Birds", "Film"), ("f3", "Heat", "Film"),
    ("f4", "Sleepers", "Film"), ("b4", "Sleepers", "Book"), ("f5", "Matrix (1999)", "Film"), ("c1", "New York", "City"),
    ("c2", "Ystad", "City"), ("c3", "東京", "City"), ("y1", "1975", "Year"), ("y2", "12", "Year"),
    ("d1", "aspirin", "Drug"), ("d2", "Myocardial Infarction", "Disease"), ("g1", "Drama", "Genre"),
    ("s1", "Warner Bros.", "Studio"), ("s2", "US", "Country"), ("f6", "Gone With the Wind", "Film"),
    ("x1", "In the Family", "Film"), *((f"j{n}", "John Smith", "Person") for n in range(5)),
]  # fmt: skip


def index_of(directory: Path, names: list[tuple[str, str, str]], version: str = "1") -> EntityIndex:
    return EntityIndex.build([IndexedNode(*each) for each in names], directory, version)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> EntityIndex:
    return index_of(tmp_path_factory.mktemp("names"), NAMES)


@pytest.fixture(scope="module")
def finder(index: EntityIndex) -> MentionFinder:
    return MentionFinder(index)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Then Marta Lindqvist left for Ystad.", ["p1", "c2"]),
        ("It was cold, and the heat was off; in it the birds sang.", []),
        ("He saw The Birds twice, then Heat.", ["f2", "f3"]),
        ("Heat spreads. The birds know it.", []),
        ("They loved Gone with the Wind.", ["f6"]),
        ("It is in the family, and in the Family car.", []),
        ("She read Sleepers on the train.", ["b4", "f4"]),
        ("She watched The Matrix and Matrix again.", ["f5", "f5"]),
        ("A piece in the New York Times about New York.", ["c1"]),
        ("New York's mayor and Jean-Luc O'Brien met Duncan McAllister.", ["c1", "p3", "p4"]),
        ("In 1975 there were 12 of them, and 19750 since.", ["y1"]),
        ("Take aspirin after a myocardial infarction. Aspirin helps.", ["d1", "d2", "d1"]),
        ("Much drama in this drama. A Drama-like thing.", []),
        ("The US wanted us to go.", ["s2"]),
        ("Warner Bros. bought it.", ["s1"]),
        ("私は東京へ行く。", ["c3"]),
        ("John Smith is nobody in particular.", []),
        ("They saw the Heat of Ystad, and Heat of the day.", ["c2", "f3"]),
        ("marta lindqvist wrote in small letters", ["p1"]),
        ("", []),
    ],
)
def test_what_a_text_mentions(finder: MentionFinder, text: str, expected: list[str]) -> None:
    found = finder.in_text(text)
    assert [candidate.entity.id for named in found for candidate in sorted(named.meant, key=lambda c: c.entity.id)] == (
        expected
    )
    for named in found:
        assert text[named.start : named.end] == named.surface
        assert 0 < named.score <= 1 / len(named.meant)


def test_nothing_is_found_without_names(tmp_path: Path) -> None:
    assert MentionFinder(index_of(tmp_path, [])).in_text("Marta Lindqvist left.") == []


def stored(tmp_path: Path, *texts: str) -> DocumentStore:
    store = DocumentStore(tmp_path / "documents")
    for number, text in enumerate(texts):
        path = tmp_path / f"{number}.txt"
        path.write_text(text)
        add_documents(store, find_sources([path]), Chunking(most=20, least=0), Letters(), lambda _: None, AddReport())
    return store


def linked(store: DocumentStore) -> list[tuple[str, str]]:
    return [(each.surface, each.node) for each in store.mentions()]


def test_mentions_are_kept_with_their_place(index: EntityIndex, tmp_path: Path) -> None:
    store = stored(tmp_path, "It rained in Ystad.\n\nMarta Lindqvist stayed in Ystad.")
    done: list[int] = []
    assert link_documents(store, index, done.append) == 1
    assert done == [2]
    assert store.totals().mentions == 3
    for mention in store.mentions():
        (chunk,) = store.get([mention.chunk])
        assert chunk.text[mention.start :].startswith(mention.surface)
    one, other = store.mentioning(["c2"])
    assert {one.chunk, other.chunk} == {chunk.id for chunk in store.chunks()}
    assert [each.node for each in store.mentions([other.chunk])] in (["c2"], ["p1", "c2"])
    assert store.mentioning(["c2"], most=1) in ([one], [other])
    assert store.mentioning(["nobody"]) == []


def test_who_was_named_in_full_is_known_by_the_surname(index: EntityIndex, tmp_path: Path) -> None:
    text = "Duncan McAllister came.\n\nMcAllister stayed; Fiona McAllister and McAllister Ltd did not.\n\n"
    text += "The McAllister-Reid case."
    store = stored(tmp_path, text, "McAllister alone.")
    link_documents(store, index)
    assert linked(store) == [("Duncan McAllister", "p4"), ("McAllister", "p4")]
    assert [each.score for each in store.mentions()] == [1.0, 0.8]


def test_column_names_name_nothing_and_cells_may_hold_several_names(index: EntityIndex, tmp_path: Path) -> None:
    path = tmp_path / "films.csv"
    path.write_text("Heat,with\nHeat,Marta Lindqvist Duncan McAllister\nIt,Ola Lindqvist\n")
    store = DocumentStore(tmp_path / "documents")
    add_documents(store, find_sources([path]), Chunking(), Letters(), lambda _: None, AddReport())
    link_documents(store, index)
    assert linked(store) == [
        ("Heat", "f3"),
        ("Marta Lindqvist", "p1"),
        ("Duncan McAllister", "p4"),
        ("Ola Lindqvist", "p2"),
    ]
    assert [each.score for each in store.mentions()] == pytest.approx([1, 0.7, 1, 1])


def test_a_surname_of_two_is_nobodys(index: EntityIndex, tmp_path: Path) -> None:
    store = stored(tmp_path, "Marta Lindqvist and Ola Lindqvist came.\n\nLindqvist stayed.")
    link_documents(store, index)
    assert [surface for surface, _ in linked(store)] == ["Marta Lindqvist", "Ola Lindqvist"]


def test_only_what_is_new_is_looked_through_and_all_when_the_names_change(index: EntityIndex, tmp_path: Path) -> None:
    store = stored(tmp_path, "Ystad is small.", "Kalmar is not.")
    assert link_documents(store, index) == 2
    assert link_documents(store, index) == 0
    version = store.version
    (tmp_path / "0.txt").write_text("Ystad and New York.")
    add_documents(
        store, find_sources([tmp_path / "0.txt"]), Chunking(most=20, least=0), Letters(), lambda _: None, AddReport()
    )
    assert linked(store) == []
    assert len(unlinked(store, index)) == 1
    assert link_documents(store, index) == 1
    assert linked(store) == [("Ystad", "c2"), ("New York", "c1")]
    more = index_of(tmp_path / "more", [*NAMES, ("c9", "Kalmar", "City")], "2")
    assert link_documents(store, more) == 2
    assert sorted(linked(store)) == [("Kalmar", "c9"), ("New York", "c1"), ("Ystad", "c2")]
    assert version != store.version
    store.remove([document.id for document in store.documents()])
    assert store.totals().mentions == 0


def test_a_document_that_changed_meanwhile_is_not_linked(index: EntityIndex, tmp_path: Path) -> None:
    store = stored(tmp_path, "Ystad is small.")
    (document,) = store.documents()
    stored(tmp_path, "Kalmar is not.")
    assert not store.link(document, iter(()), "1")
    assert [each.linked for each in store.documents()] == [""]
