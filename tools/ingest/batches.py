"""The batches in which the staged records are written: of one label or type, and bounded in rows and in bytes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

BYTES = 8_000_000
"""Of the properties of one batch: a database holds a transaction in memory."""
_LONGEST = {
    "new nodes": "SELECT max(length(properties)) FROM nodes",
    "known nodes": "SELECT max(length(properties)) FROM nodes",
    "edges": "SELECT max(length(properties)) FROM edge_order",
}
_NODE_LENGTHS = (
    "SELECT o.rowid, coalesce(length(properties), 0) FROM node_order o JOIN nodes ON id = node "
    "WHERE o.rowid BETWEEN ? AND ? ORDER BY o.rowid"
)
_LENGTHS = {
    "new nodes": _NODE_LENGTHS,
    "known nodes": _NODE_LENGTHS,
    "edges": (
        "SELECT rowid, coalesce(length(properties), 0) FROM edge_order WHERE rowid BETWEEN ? AND ? ORDER BY rowid"
    ),
}
"""The rows of a kind with the lengths of their properties, in the order of writing."""
Kind = Literal["gone edges", "gone nodes", "new nodes", "known nodes", "edges"]


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows `first` to `last` (inclusive) of the table of its kind, all of one label or type."""

    number: int
    kind: Kind
    label: str
    """The label of the nodes, or of the edges' sources."""
    relation: str
    target: str
    first: int
    last: int

    @property
    def size(self) -> int:
        return self.last - self.first + 1

    @property
    def task(self) -> str:
        """What writing it does, for the progress."""
        if self.kind in ("gone edges", "gone nodes"):
            return "Removing"
        return "Writing relationships" if self.kind == "edges" else "Writing nodes"


def batches(db: sqlite3.Connection, size: int) -> Iterator[Batch]:
    """All batches in the order of writing; the same for the same staging file."""
    number = 0
    ends = "relation, source_label, target_label, min(rowid), max(rowid)"
    groups: list[tuple[Kind, str, str, str, int, int]] = [
        ("gone edges", label, relation, target, first, last)
        for relation, label, target, first, last in db.execute(
            f"SELECT {ends} FROM gone_edges GROUP BY 1, 2, 3 ORDER BY 4"
        )
    ]
    groups += [
        ("gone nodes", label, "", "", first, last)
        for label, first, last in db.execute(
            "SELECT label, min(rowid), max(rowid) FROM gone_nodes GROUP BY 1 ORDER BY 2"
        )
    ]
    groups += [
        ("known nodes" if present else "new nodes", label, "", "", first, last)
        for present, label, first, last in db.execute(
            "SELECT present, label, min(rowid), max(rowid) FROM node_order GROUP BY 1, 2 ORDER BY 3"
        )
    ]
    groups += [
        ("edges", label, relation, target, first, last)
        for relation, label, target, first, last in db.execute(
            f"SELECT {ends} FROM edge_order GROUP BY 1, 2, 3 ORDER BY 4"
        )
    ]
    longest = {kind: db.execute(query).fetchone()[0] or 0 for kind, query in _LONGEST.items()}
    for kind, label, relation, target, first, last in groups:
        heavy = longest.get(kind, 0) * size > BYTES
        for start, end in _cut_by_size(db, kind, first, last, size) if heavy else _cut(first, last, size):
            yield Batch(number, kind, label, relation, target, start, end)
            number += 1


def _cut(first: int, last: int, size: int) -> Iterator[tuple[int, int]]:
    return ((start, min(start + size - 1, last)) for start in range(first, last + 1, size))


def _cut_by_size(db: sqlite3.Connection, kind: Kind, first: int, last: int, size: int) -> Iterator[tuple[int, int]]:
    """As `_cut`, with at most BYTES of properties in a part, unless a single row has more."""
    start, held = first, 0
    for row, length in db.execute(_LENGTHS[kind], (first, last)):
        if row > start and (held + length > BYTES or row - start >= size):
            yield start, row - 1
            start, held = row, 0
        held += length
    yield start, last
