"""The interface of a graph to the rest of Clew: one named graph behind a Bolt connection."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from clew.tools.graph.node_terms import NodeTerms

Engine = Literal["arcadedb", "neo4j"]
UNFINISHED = "importing-"
"""How the version of a graph begins that was empty, until its import has finished."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a query that a question causes."""

    timeout_s: float = 5.0
    """Seconds before the database stops it."""
    max_rows: int = 2000
    """Rows returned; one more is fetched to know whether there were more."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one query, already detached from the driver (plain values, maps and lists)."""

    records: list[dict[str, Any]]
    truncated: bool
    """True where the database had more rows than the limit."""
    ms: float
    """Wall-clock milliseconds, transfer included."""


class BulkLoad(Protocol):
    """Loads relationships whose ends are given by their record ids."""

    def record_ids(self, label: str) -> Iterator[tuple[str, str]]:
        """The `nodeId` and the record id of every node of a label."""

    def load(self, lines: bytes, count: int) -> None:
        """Load relationships of one type, which exists: a line of JSON each, with `@type`, `@class`, `@from` and `@to`.

        Raises ClewError where the connection breaks off: it is then open what has been loaded.
        """

    def wait(self) -> None:
        """Wait until the server has loaded what a process has sent that has ended meanwhile."""

    def is_whole(self, relation: str) -> bool:
        """Whether all relationships of a type are known to both of their ends."""

    def recreate(self) -> None:
        """Put an empty graph into the place of this one."""


class GraphStore(Protocol):
    """One named graph. Safe to share between threads."""

    name: str
    """As in `--graph NAME`."""
    engine: Engine
    scope: str | None
    """A label that every node of this graph has beside its own, where several graphs share one database (Neo4j
    Community); None where the graph has its own database (ArcadeDB)."""

    @property
    def terms(self) -> NodeTerms:
        """The Cypher expressions for this graph's nodes."""

    def read(self, cypher: str, parameters: Mapping[str, Any] | None = None, limits: Limits | None = None) -> Rows:
        """Run a query that a question causes, as the read-only user and within `limits`.

        Raises:
            QueryFailed: the database rejected it (QueryTimeout: it ran too long; QueryForbidden: it does more than
                read).
            DatabaseUnavailable: the database does not answer.
        """

    def plan(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> str:
        """The plan of EXPLAIN as text; "" where the engine gives none."""

    def scan(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        """Stream the rows of one of Clew's own queries (schema, indexes): read-only, no row cap, no time limit."""

    def write(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> dict[str, int]:
        """Run one of Clew's own write queries in its own transaction, again after transient faults.

        Returns the driver's counters that are not zero.
        """

    def bulk_load(self) -> BulkLoad | None:
        """ArcadeDB's bulk load of relationships; None where the engine has none."""

    def ensure_index(self, label: str, property_name: str) -> None:
        """Create a (non-unique) index for `(:label {property_name})` unless there is one."""

    def version(self) -> str:
        """Identifies the graph's content: changes with every import. Caches and indexes are keyed by it."""

    def set_version(self, version: str) -> None: ...


@dataclass(frozen=True, slots=True)
class GraphInfo:
    """A graph of a database with its size."""

    name: str
    nodes: int
    relationships: int
    version: str
