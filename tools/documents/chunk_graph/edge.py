"""The metadata of an edge of the chunk graph (SAGE, section 2.1 B).

It is computed from the two chunks on request: stored with the edges it would be most of the index.
"""

from __future__ import annotations

from dataclasses import dataclass

from clew.tools.documents.chunk import Chunk
from clew.tools.documents.chunk_graph.graph import ChunkGraph, Reason
from clew.tools.documents.chunk_graph.names import bare, folded, spellings

_WORDS = {
    Reason.NAMES_TITLE: "names its title",
    Reason.TITLE_NAMED: "is named in it",
    Reason.SHARED_NAMES: "shares names",
    Reason.CONTENT: "alike in content",
    Reason.TITLE: "alike in title or topic",
    Reason.COLUMNS: "alike in columns",
    Reason.PARENT: "next in the document",
    Reason.CELL: "named in a table's cell",
}


@dataclass(frozen=True, slots=True)
class Edge:
    """From one chunk to another."""

    target: Chunk
    reasons: tuple[str, ...]
    strength: float
    """The greatest cosine of similar chunks; 0 if they are joined for other reasons only."""
    shared_names: tuple[str, ...]
    """As the first chunk spells them; for the other chunk, one may be its title."""
    joinable_columns: tuple[tuple[str, str], ...]
    """Columns that both tables have."""


def edge(graph: ChunkGraph, place: int, source: Chunk, target: Chunk) -> Edge:
    """The edge at that position of the graph's arrays."""
    edge_reasons = Reason(int(graph.reasons[place]))
    reasons = tuple(words for reason, words in _WORDS.items() if reason & edge_reasons)
    strength = round(float(graph.strengths[place]), 4)
    return Edge(target, reasons, strength, shared_names(source, target), joinable_columns(source, target))


def shared_names(left: Chunk, right: Chunk) -> tuple[str, ...]:
    """Names of `left`, in its spelling, that `right` contains in some spelling."""
    others = {each for name in _names(right) for each in spellings(name)}
    return tuple(name for name in dict.fromkeys(_names(left)) if not others.isdisjoint(spellings(name)))


def joinable_columns(left: Chunk, right: Chunk) -> tuple[tuple[str, str], ...]:
    by_name = {folded(column): column for column in right.header if column}
    return tuple((column, by_name[folded(column)]) for column in left.header if folded(column) in by_name)


def _names(chunk: Chunk) -> list[str]:
    return [name for name in (bare(chunk.title), *chunk.entities) if name]
