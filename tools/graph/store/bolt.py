"""The graph store over Bolt: ArcadeDB (a database per graph) and Neo4j 5 (a scope label per graph)."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from clew.tools.cypher import guard
from clew.tools.errors import (
    BadInput,
    ClewError,
    DatabaseUnavailable,
    QueryFailed,
    QueryForbidden,
    QueryTimeout,
    UnknownGraph,
)
from clew.tools.graph.naming import existing_graph_terms
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.store.arcadedb import READER, ArcadeDB, reader_password
from clew.tools.graph.store.graph_store import Engine, GraphInfo, Limits, Rows
from clew.tools.graph.store.neo4j_catalogue import Neo4jCatalogue, scope_of
from clew.tools.graph.store.persistence import persistently
from clew.tools.graph.store.time_limit import TimeLimit
from clew.tools.graph.store.values import plain

if TYPE_CHECKING:
    from neo4j import Driver, Result, Session

T = TypeVar("T")

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
_PLANS_KEPT, _PLAN_SECONDS = 256, 300.0
"""Plans of queries that are told again without asking, and for how long: they change with the graph."""
_SCAN_ROWS = 2000
_APPROVED_LIMIT = 4096


@dataclass(frozen=True, slots=True)
class Server:
    """Where a Bolt server listens and who to be there."""

    url: str
    user: str | None = None
    """None where the server asks for no credentials."""
    password: str | None = field(default=None, repr=False)
    reader: tuple[str, str] | None = field(default=None, repr=False)
    """User and password of a user who can only read; on ArcadeDB one is made where this is None."""
    http_url: str | None = None
    """ArcadeDB's HTTP API; None: port 2480 of the same host."""


class _Link:
    """The drivers and the catalogue of one server, for as long as it lives."""

    def __init__(self, server: Server) -> None:
        from neo4j import GraphDatabase

        auth = (server.user, server.password or "") if server.user else None
        options: dict[str, Any] = {"notifications_min_severity": "OFF", "connection_timeout": 10.0}
        self.admin: Driver = GraphDatabase.driver(server.url, auth=auth, **options)
        self.reader = self.admin
        try:
            self.engine: Engine = "arcadedb" if "ArcadeDB" in self.admin.get_server_info().agent else "neo4j"
            reader = server.reader
            self.arcadedb: ArcadeDB | None = None
            self.neo4j: Neo4jCatalogue | None = None
            if self.engine == "arcadedb":
                self.arcadedb = ArcadeDB(
                    server.http_url or _default_http(server.url), server.user or "root", server.password or ""
                )
                if reader is None:
                    reader = (READER, reader_password(server.password or ""))
                    self.arcadedb.ensure_reader(reader[1])
            else:
                self.neo4j = Neo4jCatalogue(self.admin)
            if reader:
                self.reader = GraphDatabase.driver(server.url, auth=reader, **options)
                self.reader.verify_connectivity()
        except BaseException:
            self.close()
            raise
        self.limit = TimeLimit(self.arcadedb.terminate if self.arcadedb else None)
        self._approved: set[str] = set()

    @property
    def catalogue(self) -> ArcadeDB | Neo4jCatalogue:
        chosen = self.arcadedb or self.neo4j
        assert chosen is not None
        return chosen

    def approve(self, cypher: str, parameters: Mapping[str, Any], database: str) -> None:
        """Have Neo4j say that the query only reads. ArcadeDB calls every query `w`; there its user can only read."""
        if self.neo4j is None or cypher in self._approved:
            return
        with self.reader.session(database=database, default_access_mode="READ") as session:
            summary = session.run("EXPLAIN " + cypher, dict(parameters)).consume()
        if summary.query_type != "r" or "LoadCSV" in _operators(summary.plan or {}):
            raise QueryForbidden("The query does more than read.", "Only queries that read are run.", cypher=cypher)
        if len(self._approved) >= _APPROVED_LIMIT:
            self._approved.clear()
        self._approved.add(cypher)

    def abandon(self, session: Session, result: Result) -> None:
        """Stop a stream whose rest nobody wants. Neo4j drops it on DISCARD, which the driver sends by itself;
        ArcadeDB would compute it all, but drops it on RESET, for which the driver has no public name.

        The session forgets its result first: the end of the stream, if it comes in while RESET is waited for, would
        otherwise hand the connection back to the pool, and to another thread that then reads our reply."""
        connection = getattr(session, "_connection", None)
        if self.arcadedb and connection is not None and hasattr(session, "_auto_result"):
            session._auto_result = None
            connection.reset()
        else:
            result.consume()

    def close(self) -> None:
        if limit := getattr(self, "limit", None):
            limit.close()
        if self.reader is not self.admin:
            self.reader.close()
        self.admin.close()


class BoltDatabase:
    """A Bolt server with named graphs in it (the protocol `GraphDatabase`). Safe to share between threads."""

    def __init__(self, locate: Callable[[], Server], on_use: Callable[[], None] | None = None) -> None:
        """`locate` says where the server is, and is asked again when it has gone away (the embedded server
        stops when idle and comes back on another port). `on_use` is called before everything that is asked."""
        self._locate = locate
        self._on_use = on_use or (lambda: None)
        self._lock = threading.Lock()
        self._current: _Link | None = None

    def graphs(self) -> list[GraphInfo]:
        return self.ask(lambda link: link.catalogue.graphs())

    def exists(self, name: str) -> bool:
        return name in self.ask(lambda link: link.catalogue.names())

    def open(self, name: str, *, create: bool = False) -> BoltStore:
        if not _NAME.fullmatch(name):
            raise BadInput(
                f"“{name}” cannot be the name of a graph.",
                "Use up to 60 letters (a to z), digits, `-` and `_`, beginning with a letter or a digit.",
            )
        names = self.ask(lambda link: link.catalogue.names())
        if name not in names:
            if not create:
                raise _unknown(name, names)
            self.ask(lambda link: _create(link, name))
        return self.ask(lambda link: BoltStore(self, name, link))

    def drop(self, name: str) -> None:
        names = self.ask(lambda link: link.catalogue.names())
        if name not in names:
            raise _unknown(name, names)
        self.ask(lambda link: _drop(link, name))

    def close(self) -> None:
        with self._lock:
            if self._current:
                self._current.close()
            self._current = None

    def ask(self, question: Callable[[_Link], T], cypher: str = "") -> T:
        """Put `question` to the server, once more where it has gone away meanwhile; errors become Clew's own."""
        from neo4j.exceptions import DriverError, Neo4jError

        self._on_use()
        try:
            link = self._link()
            try:
                return question(link)
            except (DriverError, DatabaseUnavailable, OSError) as error:
                if not _is_gone(error):
                    raise
                return question(self._renewed(link))
        except (DriverError, Neo4jError, OSError) as error:
            raise translated(error, cypher) from error

    def _link(self) -> _Link:
        link = self._current
        if link is None:
            with self._lock:
                link = self._current = self._current or _Link(self._locate())
        return link

    def _renewed(self, gone: _Link) -> _Link:
        with self._lock:
            if self._current is gone:
                gone.close()
                self._current = None
                self._current = _Link(self._locate())
            assert self._current is not None
            return self._current


class BoltStore:
    """One named graph (the protocol `GraphStore`). Safe to share between threads."""

    def __init__(self, database: BoltDatabase, name: str, link: _Link) -> None:
        self._owner = database
        self._name = name
        self._engine: Engine = link.engine
        self._database = name
        self._scope: str | None = None
        self._writable = True
        self._plans: dict[str, tuple[float, str]] = {}
        """By query, when its plan was asked for, and the plan: questions differ in parameters more than in queries."""
        if link.neo4j:
            self._database = link.neo4j.database
            self._writable = link.neo4j.is_own(name)
            self._scope = scope_of(name) if self._writable else None

    @property
    def name(self) -> str:
        return self._name

    @property
    def engine(self) -> Engine:
        return self._engine

    @property
    def scope(self) -> str | None:
        return self._scope

    @cached_property
    def terms(self) -> NodeTerms:
        if self._writable:
            return NodeTerms(self._scope)
        return existing_graph_terms(self)

    def read(self, cypher: str, parameters: Mapping[str, Any] | None = None, limits: Limits | None = None) -> Rows:
        guard.check(cypher)
        given, kept = parameters or {}, limits or Limits()
        return self._owner.ask(lambda link: self._read(link, cypher, given, kept), cypher)

    def plan(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> str:
        guard.check(cypher)
        known, told = self._plans.get(cypher, (float("-inf"), ""))
        if time.monotonic() - known < _PLAN_SECONDS:
            return told

        def explain(link: _Link) -> str:
            with link.reader.session(database=self._database, default_access_mode="READ") as session:
                plan = session.run("EXPLAIN " + cypher, dict(parameters or {})).consume().plan
            return _plan_text(plan) if plan else ""

        told = self._owner.ask(explain, cypher)
        if len(self._plans) >= _PLANS_KEPT:
            self._plans = {}
        self._plans[cypher] = time.monotonic(), told
        return told

    def scan(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        from neo4j.exceptions import DriverError, Neo4jError

        def start(link: _Link) -> tuple[Session, Any]:
            session = link.admin.session(database=self._database, default_access_mode="READ", fetch_size=_SCAN_ROWS)
            try:
                return session, session.run(cypher, dict(parameters or {}))
            except BaseException:
                session.close()
                raise

        session, result = self._owner.ask(start, cypher)
        try:
            for record in result:
                yield _row(record)
        except (DriverError, Neo4jError) as error:
            raise translated(error, cypher) from error
        finally:
            with suppress(DriverError, Neo4jError):
                session.close()

    def write(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> dict[str, int]:
        self._require_writable()

        def attempt(link: _Link) -> dict[str, int]:
            with link.admin.session(database=self._database) as session, session.begin_transaction() as transaction:
                counters = transaction.run(cypher, dict(parameters or {})).consume().counters
                transaction.commit()
            return {key: value for key, value in vars(counters).items() if type(value) is int and value}

        return self._owner.ask(lambda link: persistently(lambda: attempt(link)), cypher)

    def ensure_index(self, label: str, property_name: str) -> None:
        from neo4j.exceptions import ClientError

        self._require_writable()

        def create(link: _Link) -> None:
            statement = link.catalogue.index_statement(label, property_name)
            with link.admin.session(database=self._database) as session:
                try:
                    persistently(lambda: session.run(statement).consume())
                except ClientError as error:  # In spite of IF NOT EXISTS, where another process makes it right now.
                    if error.code != "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists":
                        raise
                if link.neo4j:
                    session.run("CALL db.awaitIndexes(600)").consume()
                    # Asked again after a load, this lets the planner see that the index is no longer empty.
                    session.run("CALL db.prepareForReplanning()").consume()

        self._owner.ask(create)

    def version(self) -> str:
        return self._owner.ask(lambda link: link.catalogue.version(self._name))

    def set_version(self, version: str) -> None:
        self._require_writable()
        self._owner.ask(lambda link: link.catalogue.set_version(self._name, version))

    def close(self) -> None:
        """Connections belong to the database; a store holds none."""

    def _read(self, link: _Link, cypher: str, parameters: Mapping[str, Any], limits: Limits) -> Rows:
        from neo4j import Query
        from neo4j.exceptions import DriverError, Neo4jError

        started = time.perf_counter()
        link.approve(cypher, parameters, self._database)
        query = Query(cypher, timeout=limits.timeout_s) if link.neo4j else cypher
        options: dict[str, Any] = {"default_access_mode": "READ", "fetch_size": limits.max_rows + 1}
        with (
            link.reader.session(database=self._database, **options) as session,
            link.limit.over(session, limits.timeout_s) as watched,
        ):
            records: list[dict[str, Any]] = []
            try:
                result = session.run(query, dict(parameters))
                for record in result:
                    if len(records) == limits.max_rows:
                        break
                    records.append(_row(record))
                else:
                    return Rows(records, False, (time.perf_counter() - started) * 1000)
            except (DriverError, Neo4jError, OSError) as error:
                if watched.expired:
                    raise _timed_out(cypher, limits.timeout_s) from error
                raise
            with suppress(DriverError, Neo4jError):
                link.abandon(session, result)
        return Rows(records, True, (time.perf_counter() - started) * 1000)

    def _require_writable(self) -> None:
        if not self._writable:
            raise BadInput(
                f"The graph “{self._name}” was not made by Clew, which therefore only reads it.",
                "Import into a graph of another name.",
            )


def translated(error: Exception, cypher: str = "") -> ClewError:
    """The driver's error as Clew's own."""
    from neo4j.exceptions import AuthError, Neo4jError

    if isinstance(error, AuthError):
        return DatabaseUnavailable("The database refused the credentials.", "Check user and password.")
    if not isinstance(error, Neo4jError):
        return DatabaseUnavailable(
            f"The database does not answer: {error}.", "Check that it runs (`clew database status`) and its address."
        )
    code, message = error.code or "", error.message or str(error)
    if code.startswith("Neo.ClientError.Transaction.T") and ("TimedOut" in code or "Terminated" in code):
        return QueryTimeout(f"The query was stopped by the database: {message}", cypher=cypher)
    if code.startswith("Neo.ClientError.Security") or code == "Neo.ClientError.Statement.AccessMode":
        return QueryForbidden(f"The database does not allow this query: {message}", cypher=cypher)
    return QueryFailed(f"The database rejected the query: {message}", cypher=cypher)


def _timed_out(cypher: str, timeout_s: float) -> QueryTimeout:
    return QueryTimeout(f"The query was stopped after {timeout_s:g} s.", "Ask something narrower.", cypher=cypher)


def _is_gone(error: Exception) -> bool:
    """Whether the server could not be reached (and so has not done what was asked)."""
    from neo4j.exceptions import IncompleteCommit, ServiceUnavailable, SessionExpired

    if isinstance(error, IncompleteCommit):
        return False
    return isinstance(error, ServiceUnavailable | SessionExpired | DatabaseUnavailable | OSError)


def _row(record: Any) -> dict[str, Any]:
    return {key: plain(value) for key, value in record.items()}


def _create(link: _Link, name: str) -> None:
    if link.neo4j and name == link.neo4j.database:
        raise BadInput(f"“{name}” is the name of the database itself.", "Choose another name for the graph.")
    link.catalogue.create(name)


def _drop(link: _Link, name: str) -> None:
    if link.neo4j and not link.neo4j.is_own(name):
        raise BadInput(f"The graph “{name}” was not made by Clew, which therefore does not remove it.")
    link.catalogue.drop(name)


def _unknown(name: str, names: list[str]) -> UnknownGraph:
    there = ", ".join(names) or "none yet"
    return UnknownGraph(f"There is no graph “{name}”.", f"Graphs in this database: {there}.")


def _operators(plan: Mapping[str, Any]) -> set[str]:
    """The kinds of operators in a plan (Neo4j writes them with the database's name: `LoadCSV@neo4j`)."""
    found = {str(plan.get("operatorType", "")).partition("@")[0]}
    return found.union(*map(_operators, plan.get("children") or ()))


def _plan_text(plan: Mapping[str, Any], depth: int = 0) -> str:
    """ArcadeDB's plan is text already; Neo4j's is a tree of operators (`ProduceResults@neo4j`), printed one a line,
    indented; its own drawing of the tree, which comes along, is 100 columns wide."""
    arguments = plan.get("args") or plan.get("arguments") or {}
    text = arguments.get("string-representation")
    if text and "@" not in str(plan.get("operatorType", "")):
        return str(text)
    rows = arguments.get("EstimatedRows")
    told = f" (about {float(rows):.0f} rows)" if isinstance(rows, (int, float)) else ""
    line = f"{'  ' * depth}{plan.get('operatorType', '')} {arguments.get('Details', '')}".rstrip() + told
    return "\n".join([line, *(_plan_text(child, depth + 1) for child in plan.get("children") or ())])


def _default_http(url: str) -> str:
    from urllib.parse import urlsplit

    return f"http://{urlsplit(url).hostname or '127.0.0.1'}:2480"
