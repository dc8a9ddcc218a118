"""What every format reader yields: triples, nodes, edges and bad lines, each with its line number."""

from __future__ import annotations

from typing import Any, NamedTuple


class Triple(NamedTuple):
    """`head` and `tail` are both the names and the identifiers of their nodes."""

    head: str
    relation: str
    tail: str
    line: int


class NodeRecord(NamedTuple):
    """A node, or with `partial` one more fact about it (RDF gives a node line by line)."""

    key: str
    labels: tuple[str, ...]
    properties: dict[str, Any]
    line: int
    partial: bool = False


class EdgeRecord(NamedTuple):
    """`source` and `target` are node keys; with `declares` the ends need no record of their own."""

    source: str
    type: str
    target: str
    properties: dict[str, Any]
    line: int
    declares: bool = False


class BadLine(NamedTuple):
    """A line that could not be used."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


Record = Triple | NodeRecord | EdgeRecord | BadLine

LABELS_OF_NAME = "@names"
"""Internal property of partial records: a list of [rank, text], of which the best becomes the node's name and the
others its aliases."""
