"""The graph store over Bolt: ArcadeDB (a database per graph) and Neo4j 5 (a scope label per graph)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from clew.tools.cypher import guard
from clew.tools.errors import DatabaseUnavailable, QueryTimeout
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.store.bulk_load import bulk_load
from clew.tools.graph.store.connection import Connection, Server
from clew.tools.graph.store.existing_graph import ExistingGraph, only_read
from clew.tools.graph.store.faults import is_interruption, is_unreachable, refuse_again, retry_transient, translated
from clew.tools.graph.store.graph_entries import checked_name
from clew.tools.graph.store.graph_store import BulkLoad, GraphInfo, Limits, Rows
from clew.tools.graph.store.indexes import create_index
from clew.tools.graph.store.parameters import checked_parameters
from clew.tools.graph.store.results import KeptPlans, plain_row, plan_text

if TYPE_CHECKING:
    from neo4j import Session

T = TypeVar("T")

_SCAN_ROWS = 2000
FOLLOW_SECONDS = 5.0
"""So long a store may use old content that was replaced by a process that ended before it could remove it."""


class BoltDatabase:
    """A Bolt server with named graphs. Threads may share it. Raises DatabaseUnavailable where it does not answer."""

    def __init__(self, locate: Callable[[], Server], on_use: Callable[[], None] | None = None) -> None:
        """Nothing is connected before the first use.

        Args:
            locate: gives the server's address, and again when the server has gone away (the embedded server stops when
                idle and comes back on another port).
            on_use: called before every request.
        """
        self._locate = locate
        self._on_use = on_use or (lambda: None)
        self._lock = threading.Lock()
        self._current: Connection | None = None

    def graphs(self) -> list[GraphInfo]:
        """The graphs of the server with their sizes."""
        return self.ask(lambda connection: connection.entries.graphs())

    def names(self) -> list[str]:
        """The names of the graphs."""
        return self.ask(lambda connection: connection.entries.names())

    def exists(self, name: str) -> bool:
        """Whether there is a graph of that name."""
        return name in self.names()

    def open(self, name: str, *, create: bool = False, mapping: Path | None = None) -> BoltStore:
        """The store of a graph. Raises UnknownGraph, with the names of the graphs, unless it exists or `create`.

        `mapping` is the file that says what names the nodes of a graph that Clew did not import; it need not exist.
        """
        checked_name(name)

        def opened(connection: Connection) -> BoltStore:
            if create:
                connection.entries.ensure(name)
            return BoltStore(self, name, connection, mapping=mapping)

        return self.ask(opened)

    def drop(self, name: str) -> None:
        """Remove the graph and everything in it. Raises UnknownGraph."""
        self.ask(lambda connection: connection.entries.drop(name))

    def close(self) -> None:
        """Close the connection; the next use opens another."""
        with self._lock:
            if self._current:
                self._current.close()
            self._current = None

    def ask(self, request: Callable[[Connection], T], cypher: str = "") -> T:
        """Run `request`, once more where the server has gone away meanwhile; errors become Clew's own."""
        from neo4j.exceptions import DriverError, Neo4jError

        self._on_use()
        try:
            connection = self._connected()
            try:
                return request(connection)
            except Exception as error:
                if is_interruption(error):
                    raise KeyboardInterrupt from None
                if not isinstance(error, DriverError | DatabaseUnavailable | OSError) or not is_unreachable(error):
                    raise
                return request(self._reconnected(connection))
        except (DriverError, Neo4jError, OSError) as error:
            raise translated(error, cypher) from error

    def _connected(self) -> Connection:
        connection = self._current
        if connection is None:
            with self._lock:
                connection = self._current = self._current or Connection(self._locate())
        return connection

    def _reconnected(self, gone: Connection) -> Connection:
        with self._lock:
            if self._current is gone:
                gone.close()
                self._current = None
                self._current = Connection(self._locate())
            assert self._current is not None
            return self._current


class BoltStore:
    """One named graph (the protocol `GraphStore`). Safe to share between threads."""

    def __init__(
        self,
        database: BoltDatabase,
        name: str,
        connection: Connection,
        entry: str | None = None,
        mapping: Path | None = None,
    ) -> None:
        """`entry` is the one to use, whether or not it is the graph; without, the graph is followed when its content is
        replaced."""
        self._owner = database
        self.name = name
        self.engine = connection.engine
        self._follows = entry is None
        self._checked = time.monotonic()
        """When the entry was last known to be the graph."""
        self._existing = ExistingGraph(mapping)
        self._locate(connection, entry or connection.entries.current(name))

    def _locate(self, connection: Connection, entry: str) -> None:
        self._entry = entry
        self._database, self.scope, self._writable = connection.catalogue.location(entry)
        self._own: NodeTerms | None = None
        """Of a graph that Clew imported, in the version `_seen`."""
        self._seen = ""
        self._plans = KeptPlans()

    @property
    def terms(self) -> NodeTerms:
        if not self._writable:
            return self._existing.terms(self)
        if self._own is None:
            labels = self._owner.ask(lambda connection: connection.catalogue.counting_labels(self._entry))
            self._own = NodeTerms(self.scope, labels=labels)
        return self._own

    def read(self, cypher: str, parameters: Mapping[str, Any] | None = None, limits: Limits | None = None) -> Rows:
        guard.check(cypher, decodes=self.engine == "neo4j")
        given = checked_parameters(parameters)
        return self._ask(lambda connection: self._read(connection, cypher, given, limits or Limits()), cypher)

    def plan(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> str:
        guard.check(cypher, decodes=self.engine == "neo4j")

        def explain(connection: Connection) -> str:
            with connection.reader.session(database=self._database, default_access_mode="READ") as session:
                plan = session.run("EXPLAIN " + cypher, checked_parameters(parameters)).consume().plan
            return plan_text(plan) if plan else ""

        return self._plans.of(cypher, lambda: self._ask(explain, cypher))

    def scan(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        from neo4j.exceptions import DriverError, Neo4jError

        def start(connection: Connection) -> tuple[Session, Any]:
            options: dict[str, Any] = {"default_access_mode": "READ", "fetch_size": _SCAN_ROWS}
            session = connection.admin.session(database=self._database, **options)
            try:
                return session, session.run(cypher, dict(parameters or {}))
            except BaseException:
                session.close()
                raise

        session, result = self._ask(start, cypher)
        try:
            yield from map(plain_row, result)
        except (DriverError, Neo4jError) as error:
            raise translated(error, cypher) from error
        finally:
            with suppress(DriverError, Neo4jError):
                session.close()

    def write(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> dict[str, int]:
        self._require_writable()

        def attempt(connection: Connection) -> dict[str, int]:
            with (
                connection.admin.session(database=self._database) as session,
                session.begin_transaction() as transaction,
            ):
                counters = transaction.run(cypher, dict(parameters or {})).consume().counters
                transaction.commit()
            return {key: value for key, value in vars(counters).items() if type(value) is int and value}

        return self._owner.ask(lambda connection: retry_transient(lambda: attempt(connection)), cypher)

    def bulk_load(self) -> BulkLoad | None:
        return bulk_load(self._owner, self._database)

    def ensure_index(self, label: str, property_name: str) -> None:
        self._require_writable()

        def create(connection: Connection) -> None:
            with connection.admin.session(database=self._database) as session:
                create_index(session, connection.catalogue.index_statement(label, property_name), self.engine)

        self._owner.ask(create)

    def version(self) -> str:
        def find(connection: Connection) -> str:
            now = time.monotonic()
            if now - self._checked < FOLLOW_SECONDS and (version := connection.entries.version(self._entry)):
                return version
            self._moved(connection, self._entry)
            self._checked = now
            return connection.catalogue.version(self._entry)

        version = self._owner.ask(find)
        if version != self._seen:
            self._seen, self._own = version, None
        return version if self._writable else self._existing.version(version)

    def set_version(self, version: str) -> None:
        self._require_writable()
        self._owner.ask(lambda connection: connection.catalogue.set_version(self._entry, version))

    def _moved(self, connection: Connection, used: str) -> bool:
        """Whether the graph is no longer the entry that was used; the store then uses the right one.

        Raises UnknownGraph where the graph has gone.
        """
        if self._follows and (current := connection.entries.current(self.name)) != self._entry:
            self._locate(connection, current)
        return self._entry != used

    def _ask(self, request: Callable[[Connection], T], cypher: str) -> T:
        """Send a request that only reads, and again where the content has been replaced meanwhile."""
        from neo4j.exceptions import Neo4jError

        def attempt(connection: Connection) -> T:
            used = self._entry
            try:
                return request(connection)
            except Neo4jError:
                if self.engine != "arcadedb" or not self._moved(connection, used):
                    raise
                return request(connection)

        return self._owner.ask(attempt, cypher)

    def _read(self, connection: Connection, cypher: str, parameters: Mapping[str, Any], limits: Limits) -> Rows:
        from neo4j import Query
        from neo4j.exceptions import DriverError, Neo4jError

        started = time.perf_counter()
        connection.approve(cypher, parameters, self._database)
        query = Query(cypher, timeout=limits.timeout_s) if self.engine == "neo4j" else cypher
        options: dict[str, Any] = {"default_access_mode": "READ", "fetch_size": limits.max_rows + 1}
        with (
            connection.reader.session(database=self._database, **options) as session,
            connection.limit.over(session, limits.timeout_s) as running,
        ):
            records: list[dict[str, Any]] = []
            try:
                result = session.run(query, dict(parameters))
                for record in result:
                    if len(records) == limits.max_rows:
                        break
                    records.append(plain_row(record))
                else:
                    return Rows(records, False, (time.perf_counter() - started) * 1000)
            except (DriverError, Neo4jError, OSError) as error:
                if running.expired:
                    message = f"The query was stopped after {limits.timeout_s:g} s."
                    raise QueryTimeout(message, "Ask something narrower.", cypher=cypher) from error
                refuse_again(error, cypher, connection.may_blame)
                raise
            with suppress(DriverError, Neo4jError):
                connection.abandon(session, result)
        return Rows(records, True, (time.perf_counter() - started) * 1000)

    def _require_writable(self) -> None:
        if not self._writable:
            raise only_read(self.name)
