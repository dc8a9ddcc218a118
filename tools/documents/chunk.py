"""A chunk: the piece of a document or table that is searched, shown and cited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "table"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of a document, or some consecutive rows of a table (SAGE, section 2.1)."""

    id: str
    """The same for the same content at the same place of the same document."""
    document: str
    """The id of the document that it is part of; of a table in a document too."""
    title: str
    """The document's or the table's."""
    text: str
    """What is searched, shown and counted in tokens; of table rows, each with its column names."""
    kind: Kind = "text"
    place: str = ""
    """Where it stands, as people cite it: "page 3", "rows 6-10", "Early life"."""
    order: int = 0
    """Its number within the document, from 0."""
    topic: str = ""
    """A few words on what it is about; of a table, its description."""
    header: tuple[str, ...] = ()
    """The column names of a table."""
    entities: tuple[str, ...] = ()
    """Names in it, as they are written, each once."""
    columns: tuple[str, ...] = ()
    """What a model says of the columns of a table, one for each of `header`; () where it said nothing."""


@dataclass(frozen=True, slots=True)
class Description:
    """What a model says of a chunk."""

    topic: str
    entities: tuple[str, ...]
    columns: tuple[str, ...] = ()
    """Of a table, one for each of its header, "" for what was not told; () where none was, and of text."""
