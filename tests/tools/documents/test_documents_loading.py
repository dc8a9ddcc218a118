"""LangChain's document loaders as a source of documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document

from clew.tools.documents.adding import AddReport
from clew.tools.documents.chunking.chunking import Chunking
from clew.tools.documents.loading import add_loaded
from clew.tools.documents.store.selection import selected
from clew.tools.documents.store.store import DocumentStore
from tests.tools.queries.word_vectors import WordVectors

PAGES = [
    Document("The camera was lent by Ilse.", metadata={"source": "a.pdf", "page": 0}),
    Document("Bees live on Sark.", metadata={"source": "https://x.org/bees.html", "title": "Bees"}),
    Document("It rained for days.", metadata={"source": "a.pdf", "page": 1}),
    Document("Nobody says where this is from."),
]


class Loader(BaseLoader):
    def __init__(self, documents: list[Document]) -> None:
        self.documents = documents

    def lazy_load(self) -> Iterator[Document]:
        yield from self.documents


def added(store: DocumentStore, documents: list[Document]) -> AddReport:
    report = AddReport()
    add_loaded(store, Loader(documents), Chunking(least=0), WordVectors(), lambda _: None, report)
    return report


def test_texts_of_one_source_are_one_document_with_their_pages(tmp_path: Path) -> None:
    store = DocumentStore(tmp_path)
    report = added(store, PAGES)
    assert (report.added, report.changed, report.unchanged, report.chunks) == (3, 0, 0, 4)
    by_title = {document.title: document for document in store.documents()}
    assert set(by_title) == {"a", "Bees", "Nobody says where this is from."}
    chunks = list(store.chunks(by_title["a"].id))
    assert [(chunk.text, chunk.place) for chunk in chunks] == [
        ("The camera was lent by Ilse.", "page 1"), ("It rained for days.", "page 2"),
    ]  # fmt: skip
    assert selected(store.documents(), ["https://x.org/bees.html"]) == [by_title["Bees"]]


def test_a_loader_that_is_given_again_adds_what_is_new_only(tmp_path: Path) -> None:
    store = DocumentStore(tmp_path)
    added(store, PAGES)
    version = store.version
    assert added(store, PAGES).unchanged == 3
    assert store.version == version
    changed = [*PAGES[:2], Document("It snowed.", metadata={"source": "a.pdf", "page": 1}), PAGES[3]]
    report = added(store, changed)
    assert (report.added, report.changed, report.unchanged) == (0, 1, 2)


def test_a_loader_without_text_or_with_an_error_stores_nothing(tmp_path: Path) -> None:
    store = DocumentStore(tmp_path)
    report = added(store, [Document(" \n", metadata={"source": "empty"})])
    assert [bad.message for bad in report.bad] == ["empty has no text."]

    class Broken(Loader):
        def lazy_load(self) -> Iterator[Document]:
            yield self.documents[0]
            raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        add_loaded(store, Broken(PAGES), Chunking(), WordVectors(), lambda _: None, AddReport())
    assert store.documents() == []


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "", "a/b"]), st.text("xy \n", max_size=12)), max_size=12))
def test_every_word_is_stored_once(tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str]]) -> None:
    store = DocumentStore(tmp_path_factory.mktemp("store"))
    added(store, [Document(text, metadata={"source": source} if source else {}) for source, text in texts])
    wanted = sorted(word for _, text in texts for word in text.split())
    assert sorted(word for chunk in store.chunks() for word in chunk.text.split()) == wanted
