"""The metadata of an edge of the chunk graph (SAGE, section 2.1 B).

It is computed from the two chunks on request: stored with the edges it would be most of the index.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clew.tools.documents.chunk import Chunk
from clew.tools.documents.chunk_graph.graph import ChunkGraph, Reason
from clew.tools.documents.chunk_graph.names import bare, folded, spellings
from clew.tools.documents.chunk_graph.titles import columns

_WORDS = {
    Reason.NAMES_TITLE: "names its title",
    Reason.TITLE_NAMED: "is named in it",
    Reason.SHARED_NAMES: "shares names",
    Reason.CONTENT: "alike in content",
    Reason.TITLE: "alike in title",
    Reason.TOPIC: "alike in topic",
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
    cells: tuple[tuple[str, str], ...] = ()
    """Of a table and a text, the table's cells, with their columns, that are a shared name."""

    def words(self) -> str:
        """The reasons with the metadata: "shares names, alike in content; names Heat; cosine 0.71"."""
        found = ", ".join(self.reasons)
        found += f"; names {', '.join(self.shared_names)}" if self.shared_names else ""
        found += (
            f"; columns {', '.join(column for column, _ in self.joinable_columns)}" if self.joinable_columns else ""
        )
        found += f"; cells {', '.join(f'{column}: {cell}' for column, cell in self.cells)}" if self.cells else ""
        return found + (f"; cosine {self.strength:.2f}" if self.strength else "")

    def to_json(self) -> dict[str, Any]:
        """With the id and the title of the target in place of the chunk."""
        return {
            "chunk": self.target.id,
            "title": self.target.title,
            "place": self.target.place,
            "reasons": list(self.reasons),
            "words": self.words(),
            "strength": self.strength,
            "shared_names": list(self.shared_names),
            "joinable_columns": [list(pair) for pair in self.joinable_columns],
            "cells": [list(pair) for pair in self.cells],
        }


def edge(graph: ChunkGraph, place: int, source: Chunk, target: Chunk) -> Edge:
    """The edge at that position of the graph's arrays."""
    edge_reasons = Reason(int(graph.reasons[place]))
    reasons = tuple(words for reason, words in _WORDS.items() if reason & edge_reasons)
    strength = round(float(graph.strengths[place]), 4)
    shared = shared_names(source, target)
    return Edge(target, reasons, strength, shared, joinable_columns(source, target), shared_cells(source, target))


def shared_names(left: Chunk, right: Chunk) -> tuple[str, ...]:
    """Names of `left`, in its spelling, that `right` contains in some spelling."""
    others = {each for name in _names(right) for each in spellings(name)}
    return tuple(name for name in dict.fromkeys(_names(left)) if not others.isdisjoint(spellings(name)))


def joinable_columns(left: Chunk, right: Chunk) -> tuple[tuple[str, str], ...]:
    """The columns of two tables that have the same name, as (left, right)."""
    by_name = {folded(column): column for column in right.header if column}
    return tuple((column, by_name[folded(column)]) for column in left.header if folded(column) in by_name)


def shared_cells(left: Chunk, right: Chunk) -> tuple[tuple[str, str], ...]:
    """(column, cell) of the one chunk that is a table, for each cell that is a name of the other, which is a text."""
    if left.kind == right.kind:
        return ()
    table, text = (left, right) if left.kind == "table" else (right, left)
    named = {each for name in _names(text) for each in spellings(name)}
    cells = ((column, cell) for column, found in columns(table.text).items() for cell in found)
    return tuple(dict.fromkeys(pair for pair in cells if not named.isdisjoint(spellings(pair[1]))))


def _names(chunk: Chunk) -> list[str]:
    return [name for name in (bare(chunk.title), *chunk.entities) if name]
