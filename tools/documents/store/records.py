"""The records of the store as objects and as rows: documents, chunks, and what chunks mention."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from hashlib import blake2b
from typing import Any

from clew.tools.documents.chunk import Chunk

CHUNK_COLUMNS = "id, document, title, text, kind, place, place_in, topic, header, entities, columns"
"""In the order of `chunk_row`."""


@dataclass(frozen=True, slots=True)
class Document:
    """A file whose chunks are stored."""

    id: str
    source: str
    """Where it was read: an absolute path."""
    title: str
    digest: str
    """SHA-256 of its bytes."""
    settings: str
    """The settings that, with the bytes, decide its chunks."""
    bytes: int
    chunks: int
    tables: int
    """Tables in it, of which each has one or more chunks."""
    added: float
    """Seconds since 1970."""
    linked: str = ""
    """The version of the names that its mentions were looked up in; "" before that."""
    described: str = ""
    """A digest of a model's descriptions of its chunks; "" where there is none."""


DOCUMENT_COLUMNS = ", ".join(field.name for field in fields(Document))


@dataclass(frozen=True, slots=True)
class Totals:
    """The size of the store."""

    documents: int
    chunks: int
    tables: int
    mentions: int


@dataclass(frozen=True, slots=True)
class ChunkMention:
    """A chunk names an entity of the graph."""

    chunk: str
    node: str
    """The entity's id."""
    surface: str
    """The name as it is in the chunk."""
    start: int
    """Its place in the chunk's text."""
    score: float
    """0 to 1: how sure it is that the entity is meant."""


def document_id(source: str) -> str:
    """The id of the document that is read from this path."""
    return "document:" + blake2b(source.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def chunk_row(chunk: Chunk) -> tuple[str | int, ...]:
    """A chunk as a row of CHUNK_COLUMNS."""
    lists = map(json_text, (chunk.header, chunk.entities, chunk.columns))
    text, title, place, topic = map(storable, (chunk.text, chunk.title, chunk.place, chunk.topic))
    return (chunk.id, chunk.document, title, text, chunk.kind, place, chunk.order, topic, *lists)


def chunk_of(row: Sequence[Any]) -> Chunk:
    """The chunk of a row of CHUNK_COLUMNS."""
    *texts, header, entities, columns = row
    return Chunk(*texts, *(tuple(json.loads(each)) for each in (header, entities, columns)))


def storable(text: str) -> str:
    """The text without lone surrogates, which cannot be stored."""
    return text.encode("utf-8", "replace").decode("utf-8")


def json_text(names: Sequence[str]) -> str:
    """A list of texts as JSON."""
    return storable(json.dumps(names, ensure_ascii=False))
