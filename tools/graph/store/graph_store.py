"""What the rest of Clew sees of a graph database: one named graph behind a Bolt connection."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from clew.tools.graph.node_terms import NodeTerms

Engine = Literal["arcadedb", "neo4j"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one query caused by a question may cost."""

    timeout_s: float = 5.0
    """Seconds before the database stops it."""
    max_rows: int = 2000
    """Rows kept; one more is fetched to know whether there were more."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one query, already detached from the driver (plain values, maps and lists)."""

    records: list[dict[str, Any]]
    truncated: bool
    """True where the database had more rows than the limit."""
    ms: float
    """Wall-clock milliseconds, transfer included."""


class GraphStore(Protocol):
    """One named graph. Safe to share between threads."""

    @property
    def name(self) -> str:
        """The graph's name, as in `--graph NAME`."""

    @property
    def engine(self) -> Engine: ...

    @property
    def scope(self) -> str | None:
        """A label that every node of this graph carries beside its own, where several graphs share one
        database (Neo4j Community); None where the graph has a database to itself (ArcadeDB)."""

    @property
    def terms(self) -> NodeTerms:
        """How Cypher speaks of this graph's nodes."""

    def read(self, cypher: str, parameters: Mapping[str, Any] | None = None, limits: Limits | None = None) -> Rows:
        """Run a query that a question caused: read-only user, time limit, row cap.

        Raises QueryFailed, QueryTimeout, QueryForbidden or DatabaseUnavailable.
        """

    def plan(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> str:
        """EXPLAIN's plan as text, "" where the engine gives none."""

    def scan(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        """Stream the rows of one of Clew's own queries (schema, indexes): read-only, no row cap, no time limit."""

    def write(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> dict[str, int]:
        """Run one of Clew's own write queries in a transaction of its own; returns the driver's counters
        that are not zero. Retries transient faults."""

    def ensure_index(self, label: str, property_name: str) -> None:
        """Create a (non-unique) index for `(:label {property_name})` unless there is one."""

    def version(self) -> str:
        """Identifies the graph's contents: changes with every import. Caches and indexes are keyed by it."""

    def set_version(self, version: str) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class GraphInfo:
    """One line of `clew graphs`."""

    name: str
    nodes: int
    relationships: int
    version: str


class GraphDatabase(Protocol):
    """A Bolt server with named graphs in it."""

    def graphs(self) -> list[GraphInfo]: ...

    def exists(self, name: str) -> bool: ...

    def open(self, name: str, *, create: bool = False) -> GraphStore:
        """Raises UnknownGraph (naming the graphs there are) unless it exists or `create` is set."""

    def drop(self, name: str) -> None:
        """Remove the graph and everything in it. Raises UnknownGraph."""

    def close(self) -> None: ...
