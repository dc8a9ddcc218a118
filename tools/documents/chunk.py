"""A chunk: the part of a document or table that is searched, shown and cited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

Kind = Literal["text", "table"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of a document, or some consecutive rows of a table (SAGE, section 2.1)."""

    id: str
    """The same for the same content at the same place of the same document."""
    document: str
    """The id of the document that it belongs to."""
    title: str
    """The document's or the table's."""
    text: str
    """The text that is searched, shown and counted in tokens; table rows have their column names in it."""
    kind: Kind = "text"
    place: str = ""
    """Its place for a citation: "page 3", "rows 6-10", "Early life"."""
    order: int = 0
    """Its number within the document, from 0."""
    topic: str = ""
    """Its topic in a few words; of a table, its description."""
    header: tuple[str, ...] = ()
    """The column names of a table."""
    entities: tuple[str, ...] = ()
    """The names in it, as they are written, each once."""
    columns: tuple[str, ...] = ()
    """A model's descriptions of the columns of a table, one for each of `header`; () without a model."""


class Chunks(Protocol):
    """Chunks by position."""

    def __len__(self) -> int: ...
    def __getitem__(self, position: int, /) -> Chunk: ...


def searched_text(chunk: Chunk) -> str:
    """The text of a chunk for search and embedding, preceded by its title unless it starts with that."""
    return chunk.text if not chunk.title or chunk.text.startswith(chunk.title) else f"{chunk.title}. {chunk.text}"


@dataclass(frozen=True, slots=True)
class Description:
    """A model's description of a chunk."""

    topic: str
    entities: tuple[str, ...]
    columns: tuple[str, ...] = ()
    """Descriptions of a table's columns, "" for one without; () for text, or where there is none."""
