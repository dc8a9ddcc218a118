"""Documents made of nothing, put into a store."""

from __future__ import annotations

from collections.abc import Iterator

from clew.tools.documents.chunk import Chunk
from clew.tools.documents.store.records import Document
from clew.tools.documents.store.store import DocumentStore


def some_chunks(document: str, count: int) -> Iterator[Chunk]:
    for order in range(count):
        yield Chunk(f"chunk:{document}-{order}", document, "T", f"{order} " + "word " * 100, order=order)


def put(store: DocumentStore, name: str, count: int) -> Document:
    made = Document(name, f"/{name}", name, str(count), "s", 1, 0, 0, 0.0)
    return store.put(made, some_chunks(name, count), lambda: 0)
