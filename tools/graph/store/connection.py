"""The connection to one Bolt server: its drivers, its catalogue of graphs, and what guards its queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from clew.tools.errors import QueryForbidden
from clew.tools.graph.store.arcadedb import READER, ArcadeDB, reader_password
from clew.tools.graph.store.graph_entries import GraphEntries
from clew.tools.graph.store.graph_store import Engine
from clew.tools.graph.store.neo4j_catalogue import Neo4jCatalogue
from clew.tools.graph.store.results import operators
from clew.tools.graph.store.time_limit import TimeLimit

if TYPE_CHECKING:
    from neo4j import Driver, Result, Session

    from clew.tools.graph.store.lent import LentDriver

_APPROVED_LIMIT = 4096
_STALE_S = 0.05
"""A connection that was idle for longer is checked before use: a query that is sent to a server that has gone away
would not be sent again, since it might be the cause."""


@dataclass(frozen=True, slots=True)
class Server:
    """The address of a Bolt server and the credentials to use."""

    url: str
    user: str | None = None
    """None where the server needs no credentials."""
    password: str | None = field(default=None, repr=False)
    reader: tuple[str, str] | None = field(default=None, repr=False)
    """User and password of a user who can only read; on ArcadeDB one is created where this is None."""
    http_url: str | None = None
    """ArcadeDB's HTTP API; None: port 2480 of the same host."""
    may_blame: Callable[[str], bool] = field(default=lambda cypher: True, repr=False)
    """Whether the server, now gone, may have ended because of a query."""
    driver: LentDriver | None = field(default=None, repr=False)
    """Used in place of a new one; the credentials are then its own."""


class Connection:
    """The drivers of one server, as a user who may write (`admin`) and as one who can only read (`reader`)."""

    def __init__(self, server: Server) -> None:
        from neo4j import GraphDatabase

        auth = (server.user, server.password or "") if server.user else None
        options: dict[str, Any] = {"notifications_min_severity": "OFF", "connection_timeout": 10.0}
        options["liveness_check_timeout"] = _STALE_S
        self.admin: Driver | LentDriver = server.driver or GraphDatabase.driver(server.url, auth=auth, **options)
        self.reader = self.admin
        self.limit = TimeLimit()
        self.may_blame = server.may_blame
        try:
            agent = self.admin.get_server_info().agent
            self.engine: Engine = "arcadedb" if "ArcadeDB" in agent else "neo4j"
            reader = server.reader
            if self.engine == "arcadedb":
                http_url = server.http_url or f"http://{urlsplit(server.url).hostname or '127.0.0.1'}:2480"
                arcadedb = ArcadeDB(http_url, server.user or "root", server.password or "")
                if reader is None:
                    reader = (READER, reader_password(server.password or ""))
                    arcadedb.ensure_reader(reader[1])
                self.catalogue: ArcadeDB | Neo4jCatalogue = arcadedb
                self.limit.terminate = arcadedb.terminate
            else:
                self.catalogue = Neo4jCatalogue(self.admin)
            self.entries = GraphEntries(self.catalogue)
            if reader:
                self.reader = GraphDatabase.driver(server.url, auth=reader, **options)
                self.reader.verify_connectivity()
        except BaseException:
            self.close()
            raise
        self._approved: set[str] = set()

    def approve(self, cypher: str, parameters: Mapping[str, Any], database: str) -> None:
        """Raises QueryForbidden unless Neo4j says that the query only reads.

        ArcadeDB reports every query as `w`; there the user can only read.
        """
        if self.engine == "arcadedb" or cypher in self._approved:
            return
        with self.reader.session(database=database, default_access_mode="READ") as session:
            summary = session.run("EXPLAIN " + cypher, dict(parameters)).consume()
        if summary.query_type != "r" or "LoadCSV" in operators(summary.plan or {}):
            raise QueryForbidden("The query does more than read.", "Only queries that read are run.", cypher=cypher)
        if len(self._approved) >= _APPROVED_LIMIT:
            self._approved.clear()
        self._approved.add(cypher)

    def abandon(self, session: Session, result: Result) -> None:
        """Stop a stream whose other rows are not needed.

        Neo4j drops them on DISCARD, which the driver sends by itself. ArcadeDB would compute them all, but drops them
        on RESET, for which the driver has no public name. The session forgets its result first: the end of the stream,
        if it arrived during RESET, would otherwise return the connection to the pool, and another thread would read
        our reply.
        """
        connection = getattr(session, "_connection", None)
        if self.engine == "arcadedb" and connection is not None and hasattr(session, "_auto_result"):
            session._auto_result = None
            connection.reset()
        else:
            result.consume()

    def close(self) -> None:
        """Close the drivers, and the thread that keeps the time limit."""
        self.limit.close()
        if self.reader is not self.admin:
            self.reader.close()
        self.admin.close()
