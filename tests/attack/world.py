"""A graph that is attacked, and what must not happen to it and around it."""

from __future__ import annotations

import hashlib
import json
import os
import socket
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from clew.tools.cypher.quoting import quoted
from clew.tools.errors import ClewError, QueryFailed, QueryForbidden, QueryTimeout
from clew.tools.graph.store import daemon
from clew.tools.graph.store.arcadedb import READER, ArcadeDB
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore, Limits

EXAMPLES = int(os.environ.get("CLEW_ATTACK", "300"))
"""Queries of each kind and engine; `make test-attack` asks for 10,000."""
LIMIT_S, LATE_S = 1.0, 1.0
CANARY = "canary-7f3e19"
MARKED = "MATCH (n) WHERE n:Attacked OR n.attacked IS NOT NULL"


class Listener:
    """Takes connections on loopback, and counts them."""

    def __init__(self) -> None:
        self.contacts = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/x.csv"
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                contact, _ = self._socket.accept()
            except OSError:
                return
            self.contacts += 1
            contact.close()

    def close(self) -> None:
        self._socket.close()


def content(graph: GraphStore) -> tuple[int, str]:
    """How many nodes and relationships the graph has, and a hash of them all."""
    scope = f":{quoted(graph.scope)}" if graph.scope else ""
    nodes = graph.scan(f"MATCH (n{scope}) RETURN labels(n) AS labels, properties(n) AS values")
    edges = graph.scan(f"MATCH (a{scope})-[r]->(b) RETURN a.name, type(r), properties(r), b.name")
    rows = sorted(json.dumps(row, sort_keys=True, default=str) for row in (*nodes, *edges))
    return len(rows), hashlib.sha256("\n".join(rows).encode()).hexdigest()


class World:
    """One graph of one engine, a folder and a listener."""

    def __init__(self, database: BoltDatabase, home: Path, folder: Path) -> None:
        self._database, self._home, self.folder = database, home, folder
        self.listener = Listener()
        (folder / "canary.csv").write_text(f"{CANARY},1\n")
        self._name = f"attacked-{uuid.uuid4().hex[:12]}"
        self.late: list[str] = []
        """Queries that were over too late."""
        self.leaks: list[str] = []
        """Queries whose rows held what the folder holds."""
        self.holes: list[str] = []
        """Queries that only the database, or its plan, refused."""
        self.graph = self._made()

    @property
    def engine(self) -> str:
        return self.graph.engine

    def _made(self) -> GraphStore:
        graph = self._database.open(self._name, create=True)
        label = f":Target:{quoted(graph.scope)}" if graph.scope else ":Target"
        graph.ensure_index("Target", "name")
        if graph.engine == "neo4j":
            graph.write("CREATE INDEX attack_kept IF NOT EXISTS FOR (n:Target) ON (n.kept)")
        rows = [{"name": f"Set It Off {number}", "year": 1990 + number, "set": number} for number in range(12)]
        graph.write(f"UNWIND $rows AS row CREATE (n{label}) SET n = row", {"rows": rows})
        graph.write(f"MATCH (a{label}), (b{label}) WHERE a.year < b.year CREATE (a)-[:NEAR {{by: b.year}}]->(b)")
        return graph

    def reset(self) -> None:
        """Make the graph again, without what an attack left."""
        self.close()
        self.graph = self._made()

    def close(self) -> None:
        if self.engine == "neo4j":
            self.graph.write(f"{MARKED} DETACH DELETE n")
            self.graph.write("DROP INDEX attacked IF EXISTS")
            self.graph.write("DROP CONSTRAINT attacked IF EXISTS")
        self._database.drop(self._name)

    def state(self) -> dict[str, Any]:
        """What no query may change: the graph, its indexes, the files, and the contacts of the listener."""
        return {
            "content": content(self.graph),
            "marked": next(iter(self.graph.scan(f"{MARKED} RETURN count(n) AS n")))["n"],
            "schema": self._schema(),
            "files": {str(path): path.read_text() for path in sorted(self.folder.rglob("*"))},
            "written": [str(path) for path in self._home.rglob("attacked.*")],
            "contacts": self.listener.contacts,
        }

    def _schema(self) -> list[str]:
        if self.engine == "neo4j":
            users = "SHOW USERS YIELD user WHERE user = 'attacked' RETURN user AS name"
            indexes = "SHOW INDEXES YIELD name, type WHERE name IN ['attacked', 'attack_kept'] RETURN name, type"
            found = list(self.graph.scan(indexes))
            found += self._database.ask(lambda c: [dict(row) for row in c.admin.execute_query(users).records])
            return sorted(map(str, found))

        def of_embedded(connection: Any) -> list[str]:
            arcadedb: ArcadeDB = connection.catalogue
            found = arcadedb._sql(self._name, "SELECT name, indexes.name AS indexes FROM schema:types", read=True)
            users = arcadedb._call("GET", "/api/v1/server/users")["result"]
            return sorted([*(f"{each['name']} {each['indexes']}" for each in found), *(u["name"] for u in users),
                           *(name for name in arcadedb.names())])  # fmt: skip

        return self._database.ask(of_embedded)

    def read(self, cypher: str) -> ClewError | None:
        """Run a query as a question would; its error, if it has one."""
        server = self._server()
        error, seconds = self._timed(cypher)
        if seconds > LIMIT_S + LATE_S:  # twice, since a busy machine may be slow once
            error, seconds = self._timed(cypher)
            if seconds > LIMIT_S + LATE_S and self._server() == server:  # the start of another server is not counted
                self.late.append(f"{seconds:.1f} s: {cypher}")
        return error

    def _server(self) -> int:
        endpoint = daemon.status(self._home).endpoint if self.engine == "arcadedb" else None
        return endpoint.pid if endpoint else 0

    def _timed(self, cypher: str) -> tuple[ClewError | None, float]:
        cypher = cypher.replace("@LISTENER@", self.listener.url).replace("@FOLDER@", str(self.folder))
        error: ClewError | None = None
        started = time.monotonic()
        try:
            found = self.graph.read(cypher, {"p": 1}, Limits(LIMIT_S, 100)).records
            if CANARY in str(found):
                self.leaks.append(cypher)
        except QueryFailed as failed:
            error = failed
            if isinstance(failed, QueryForbidden) and not failed.message.startswith("The query is not run"):
                self.holes.append(cypher)
        seconds = time.monotonic() - started
        if isinstance(error, QueryTimeout) or "ended while" in str(error):
            self._settle()
        return error, seconds

    def _settle(self) -> None:
        """Wait until the server has stopped the query, or itself, so that the next one is timed fairly."""
        if self.engine == "neo4j":
            return
        until = time.monotonic() + 30
        running: list[Any] = [{"user": READER}]
        while time.monotonic() < until and any(each.get("user") == READER for each in running):
            time.sleep(0.1)
            with suppress(ClewError):  # a server that ends
                running = self._database.ask(lambda c: c.catalogue._server("list queries"))  # type: ignore[union-attr]
        self.graph.version()


@contextmanager
def attacked(database: BoltDatabase, home: Path, folder: Path) -> Iterator[World]:
    world = World(database, home, folder)
    try:
        yield world
    finally:
        world.close()
        world.listener.close()


def attack(world: World, queries: Sequence[str], *, guarded: bool = True) -> None:
    """Run the queries. Raises AssertionError, with the query, where one broke a law.

    Where they are `guarded`, no query may be left to the database to refuse.
    """
    world.holes, world.late, world.leaks = [], [], []
    before = world.state()
    for cypher in queries:
        world.read(cypher)
    after = world.state()
    if after != before:
        changed = {key: (was, after[key]) for key, was in before.items() if was != after[key]}
        raise AssertionError(f"{_culprit(world, queries)}\nchanged: {changed}")
    assert not (guarded and world.holes), f"the guard passes {world.holes}"
    assert not world.leaks, world.leaks
    assert not world.late, world.late


def _culprit(world: World, queries: Sequence[str]) -> str:
    """The first of the queries that changes what it may not, each run by itself."""
    for cypher in queries:
        world.reset()
        before = world.state()
        world.read(cypher)
        if world.state() != before:
            return cypher
    return "no query by itself"


def stop(home: Path) -> None:
    daemon.stop(home)
