"""What the readers of formats yield (triples, nodes, edges and bad lines), and a file whose format is recognised."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from clew.tools.ingest.source import Advance


class Triple(NamedTuple):
    """`head` and `tail` are both the names and the identifiers of their nodes."""

    head: str
    relation: str
    tail: str
    line: int


class NodeRecord(NamedTuple):
    """A node, or with `partial` one more fact about it (RDF describes a node line by line)."""

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
    """A line that cannot be used, and why."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


Record = Triple | NodeRecord | EdgeRecord | BadLine

NAME_CANDIDATES = "\0names"
"""Internal property of partial records: a list of [rank, text]. The best becomes the node's name, the others its
aliases."""

Kind = Literal[
    "triples",
    "csv",
    "json-lines",
    "n-triples",
    "turtle",
    "rdf-xml",
    "json-ld",
    "cypher",
    "graphml",
    "gexf",
    "gml",
    "json-graph",
    "table",
]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Format:
    """A file and the reader of its format."""

    path: Path
    kind: Kind
    why: str
    """For the user: which format was recognised, and by what."""
    read: Callable[[Advance | None], Iterator[Record]]
    """Yields the file's records; may be called more than once."""
    rows: int | None = None
    """How many rows `read` has, where its progress is in rows and not in bytes of the file."""
    notes: list[str] = field(default_factory=list)
    """What people should know of how the file was read; `read` adds to it."""
    is_likely_table: bool = False
    """Beside tables, it is one, too: three columns make it triples, and no header says so."""
    digest: str = ""
    """Of the content, where `path` is not a file that holds nothing else."""

    def extent(self) -> tuple[str, int]:
        """The unit of the progress of `read`, and its end."""
        return ("bytes", self.path.stat().st_size) if self.rows is None else ("rows", self.rows)


def unreadable_line(file: str, line: int) -> BadLine:
    """For a line whose text is None (see `source.lines`)."""
    return BadLine(file, line, "not UTF-8 text, or longer than 16 MiB")
