"""LangChain document loaders as a source of documents, beside files (`adding`).

A loader yields texts with metadata. Texts with the same `source` are one document, its pages in the order in which they
come; a text without one is a document of its own. A loader that is given again adds what is new, and replaces what has
changed.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from clew.tools.documents.adding import RULES, AddReport, BadFile, Settings, some
from clew.tools.documents.chunking.chunking import Chunking
from clew.tools.documents.chunking.cutting import chunks_of
from clew.tools.documents.reading.blocks import Content, Paragraph, plain
from clew.tools.documents.reading.plain_text import paragraphs_of
from clew.tools.documents.store.records import Document, document_id, storable
from clew.tools.documents.store.store import DocumentStore
from clew.tools.embedding import Embedder
from clew.tools.errors import BadInput

_TITLES = ("title", "Title", "file_name", "filename")
_PAGES = ("page", "page_number")
_UNNAMED = "langchain:"
"""Before the digest that stands for the source of a text that names none."""


class LoadedText(Protocol):
    """What a loader yields: `langchain_core.documents.Document`."""

    page_content: str
    metadata: dict[str, Any]


class Loader(Protocol):
    """A document loader: `langchain_core.document_loaders.BaseLoader`."""

    def lazy_load(self) -> Iterator[LoadedText]: ...


def add_loaded(
    store: DocumentStore,
    loader: Loader,
    chunking: Chunking,
    embedder: Embedder,
    advance: Callable[[int], None],
    report: AddReport,
) -> None:
    """Cut and store what a loader yields. The texts are held in memory until all are read.

    Args:
        store: The documents of a graph.
        loader: Yields the texts. What it raises passes through; nothing is stored then.
        chunking: How documents are cut.
        embedder: For semantic chunking.
        advance: Called with the number of documents that are done.
        report: Filled on the way.
    """
    by_source: dict[str, list[LoadedText]] = {}
    for text in loader.lazy_load():
        by_source.setdefault(_source(text), []).append(text)
    with store.held_open():
        for done, (source, texts) in enumerate(by_source.items(), start=1):
            try:
                _add(store, source, texts, chunking, embedder, report)
            except BadInput as error:
                report.bad.append(BadFile(error.message, error.remedy))
            advance(done)


def _add(
    store: DocumentStore,
    source: str,
    texts: Sequence[LoadedText],
    chunking: Chunking,
    embedder: Embedder,
    report: AddReport,
) -> None:
    """Raises BadInput for a document without text."""
    content = Content(_title(source, texts), list(_paragraphs(texts)))
    digest = hashlib.sha256(repr([content.title, *content.blocks]).encode("utf-8", "surrogatepass")).hexdigest()
    settings, known = str(Settings(RULES, chunking.key, None)), store.at(source)
    if known is not None and (known.digest, known.settings) == (digest, settings):
        report.unchanged += 1
        return
    id, size = document_id(source), sum(len(text.page_content.encode("utf-8", "replace")) for text in texts)
    chunks = some(source, chunks_of(id, content, chunking, embedder))
    new = Document(id, source, content.title, digest, settings, size, 0, 0, time.time())
    report.chunks += store.put(new, chunks, lambda: 0).chunks
    report.changed += known is not None
    report.added += known is None


def _source(text: LoadedText) -> str:
    named = str(text.metadata.get("source") or "")
    if named:
        return storable(named)
    return _UNNAMED + hashlib.sha256(text.page_content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _title(source: str, texts: Sequence[LoadedText]) -> str:
    """The title in the metadata, else the last part of the source, else the first words."""
    for text in texts:
        if found := next((plain(str(text.metadata[key])) for key in _TITLES if text.metadata.get(key)), ""):
            return storable(found)
    if source.startswith(_UNNAMED):
        return storable(" ".join(plain(texts[0].page_content).split()[:8]))
    name = source.rstrip("/").rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    return stem if dot and stem and suffix.isalnum() else name


def _paragraphs(texts: Iterable[LoadedText]) -> Iterator[Paragraph]:
    for text in texts:
        page = _page(text.metadata)
        yield from (Paragraph(storable(piece), page=page) for piece in paragraphs_of(text.page_content))


def _page(metadata: Mapping[str, Any]) -> int | None:
    """From 1. LangChain's loaders count `page` from 0, and `page_number` from 1."""
    for key in _PAGES:
        if isinstance(number := metadata.get(key), int) and not isinstance(number, bool) and number >= 0:
            return number + 1 if key == "page" else max(1, number)
    return None
