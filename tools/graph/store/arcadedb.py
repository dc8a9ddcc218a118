"""ArcadeDB's side of the graph store: one database per graph, administered over its HTTP API."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import json
import re
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import quote, urlsplit

from clew.tools.cypher.quoting import quoted
from clew.tools.errors import ClewError, DatabaseUnavailable, QueryFailed
from clew.tools.graph.label_sets import counting_labels
from clew.tools.graph.store.graph_store import GraphInfo

READER = "clew_reader"
"""The user, and the group, with permission to read records and nothing else."""
_TYPE = "ClewGraph"
"""A document type that holds a graph's version. Documents are not vertices, so Cypher does not see them."""

_LINES = "application/x-ndjson"
_BLOCK = 1 << 20
_LOAD_S = 1800.0
"""The most seconds that the server may take for a request of the bulk load."""
_FAULTS = (
    "corruptedIndexes", "totalCorruptedRecords", "totalUndecodableRecords", "invalidLinks", "distinctMissingReferences",
    "missingReferenceBack", "edgesMissingInReference", "edgesMissingOutReference", "unreachableEdgeRecords",
)  # fmt: skip
"""What `CHECK DATABASE` counts or lists, and a sound graph has none of."""


def reader_password(secret: str) -> str:
    """The reader's password, derived from the administrator's so that it need not be stored."""
    return hmac.new(secret.encode(), READER.encode(), hashlib.sha256).hexdigest()


class ArcadeDB:
    """The HTTP API of a server, used as its administrator. Every call is one short connection.

    Raises DatabaseUnavailable where the server does not answer, and QueryFailed for a command that it rejects.
    """

    def __init__(self, url: str, user: str, password: str, timeout_s: float = 60.0) -> None:
        parts = urlsplit(url)
        self._host = parts.hostname or "127.0.0.1"
        self._port = parts.port or 2480
        self._timeout_s = timeout_s
        credentials = base64.b64encode(f"{user}:{password}".encode()).decode()
        self._headers = {"Authorization": f"Basic {credentials}", "Content-Type": "application/json"}

    def names(self) -> list[str]:
        """The names of the databases."""
        return sorted(self._call("GET", "/api/v1/databases")["result"])

    def location(self, name: str) -> tuple[str, str | None, bool]:
        """Where a graph is: its database, the label of all its nodes, and whether Clew may write to it."""
        return name, None, True

    def create(self, name: str) -> None:
        """Create an empty graph."""
        self._server(f"create database {name}")
        self._sql(name, f"CREATE DOCUMENT TYPE {_TYPE} IF NOT EXISTS")

    def drop(self, name: str) -> None:
        """Remove a graph with everything in it."""
        self._server(f"drop database {name}")

    def graphs(self) -> list[GraphInfo]:
        """All graphs, except those that another process drops or creates meanwhile."""
        found = []
        for name in self.names():
            try:
                found.append(self.info(name))
            except QueryFailed as error:
                if "is not available" not in error.message:
                    raise
        return found

    def info(self, name: str) -> GraphInfo:
        """The size and the version of a graph."""
        counts = {"vertex": 0, "edge": 0}
        for each in self._sql(name, "SELECT type, records FROM schema:types"):
            if each["type"] in counts:
                counts[each["type"]] += each["records"]
        # Clew stores no version in a graph that something else created.
        version = self._stored_version(name) or f"counts-{counts['vertex']}-{counts['edge']}"
        return GraphInfo(name, counts["vertex"], counts["edge"], version)

    def version(self, name: str) -> str:
        """The version of a graph (see `GraphStore.version`)."""
        return self._stored_version(name) or self.info(name).version

    def set_version(self, name: str, version: str) -> None:
        """Store the version of a graph."""
        self._sql(name, f"CREATE DOCUMENT TYPE {_TYPE} IF NOT EXISTS")
        script = f"BEGIN; DELETE FROM {_TYPE}; INSERT INTO {_TYPE} SET version = :version; COMMIT;"
        self._sql(name, script, {"version": version}, language="sqlscript")

    def damage(self, name: str) -> list[str]:
        """What `CHECK DATABASE` finds wrong with a graph."""
        found = self._sql(name, "CHECK DATABASE")[0]
        faults = {key: found.get(key) for key in _FAULTS}
        counted = {key: len(value) if isinstance(value, list) else value for key, value in faults.items() if value}
        return [*map(str, found.get("warnings") or []), *(f"{key}: {count}" for key, count in counted.items())]

    def rebuild_indexes(self, name: str) -> None:
        """Build all indexes of a graph again."""
        self._sql(name, "REBUILD INDEX *")

    def index_statement(self, label: str, property_name: str) -> str:
        """Cypher that creates the label, the property and the index."""
        return f"CREATE INDEX IF NOT EXISTS FOR (n:{quoted(label)}) ON (n.{quoted(property_name)})"

    def counting_labels(self, name: str) -> tuple[str, ...]:
        """If nodes of a graph have several labels, the labels that count (see `NodeTerms.labels`)."""
        types = self._sql(name, "SELECT name, records, parentTypes FROM schema:types WHERE type = 'vertex'", read=True)
        sets = {frozenset(each["parentTypes"] or [each["name"]]): each["records"] for each in types if each["records"]}
        return counting_labels(sets)[0] if any(len(labels) > 1 for labels in sets) else ()

    def server_version(self) -> tuple[int, ...]:
        """Such as (26, 10, 2)."""
        given = str(self._call("GET", "/api/v1/server?mode=basic").get("version", ""))
        return tuple(map(int, re.findall(r"\d+", given.partition(" ")[0])))

    def records(self, name: str, label: str, behind: str, most: int) -> Iterator[tuple[str, str]]:
        """Stream the `nodeId` and the record id of nodes of a label, in the order of their record ids.

        Args:
            name: The database.
            label: Their label.
            behind: The record id that comes before the first one.
            most: The maximum number of them.
        """
        command = f"SELECT nodeId AS key, @rid AS id FROM {_sql_name(label)} WHERE @rid > {behind} LIMIT {most}"
        body = json.dumps({"language": "sql", "command": command, "limit": -1})
        connection = self._connection(_LOAD_S)
        try:
            connection.request(
                "POST", f"/api/v1/query/{quote(name, safe='')}", body, self._headers | {"Accept": _LINES}
            )
            rows = self._streamed(connection, connection.getresponse())
        except (OSError, http.client.HTTPException) as error:
            raise self._silent(error) from error
        return ((row["key"], row["id"]) for row in rows)

    def _streamed(
        self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse
    ) -> Iterator[dict[str, Any]]:
        rest = told = b""
        with closing(connection):
            try:
                told = response.read() if response.status >= 400 else b""
                while not told and (block := response.read1(_BLOCK)):
                    *lines, rest = (rest + block).split(b"\n")
                    if lines and not lines[-1].startswith(b'{"record"'):
                        told = lines.pop()
                    yield from (row["record"] for row in json.loads(b"[%b]" % b",".join(lines)))
            except (OSError, http.client.HTTPException) as error:
                raise self._silent(error) from error
        if not told.startswith(b'{"stats"'):
            raise QueryFailed(f"ArcadeDB broke off a query: {told.decode('utf-8', 'replace')}")

    def load(self, name: str, lines: bytes, count: int) -> None:
        """Load `count` relationships, a line of JSON each.

        Raises QueryFailed where the server refuses them, and ClewError, where it is open what has been loaded.
        """
        size = max(1, count)
        # The whole request is one transaction for each end; the write-ahead log makes it outlast the server's process.
        how = f"batchSize={size}&commitEvery={size + 1}&expectedRecords={count}&wal=true&parallelFlush=false"
        path = f"/api/v1/batch/{quote(name, safe='')}?{how}&edgeListInitialSize=64"
        connection = self._connection(_LOAD_S)
        try:
            connection.request("POST", path, lines, {**self._headers, "Content-Type": _LINES})
            response = connection.getresponse()
            text = response.read().decode("utf-8", "replace")
        except (OSError, http.client.HTTPException) as error:
            raise ClewError(
                f"ArcadeDB broke off while it loaded relationships: {error}.", "Run the same command again to continue."
            ) from error
        finally:
            connection.close()
        if response.status >= 400:
            raise QueryFailed(f"ArcadeDB refused to load relationships: {text[:1000]}")

    def has_both_ends(self, name: str, relation: str) -> bool:
        """Whether every relationship of a type is known to both of its ends."""
        types = self._sql(name, "SELECT FROM schema:types", read=True)
        counts = {each["records"] for each in types if each["name"] == relation}
        labels = [each["name"] for each in types if each["type"] == "vertex" and not each["parentTypes"]]
        for end in ("outE", "inE"):
            total = 0
            for label in labels:
                query = f"SELECT sum({end}(:relation).size()) AS n FROM {_sql_name(label)}"
                rows = self._sql(name, query, {"relation": relation}, read=True, timeout_s=_LOAD_S)
                total += int(rows[0]["n"] or 0) if rows else 0
            counts.add(total)
        return len(counts) == 1

    def ensure_reader(self, password: str) -> None:
        """Create the user who can only read, in every present and future database."""
        group = {
            "database": "*",
            "name": READER,
            "resultSetLimit": -1,
            "readTimeout": -1,
            "access": [],
            "types": {"*": {"access": ["readRecord"]}},
        }
        self._call("POST", "/api/v1/server/groups", group)
        if READER in {each["name"] for each in self._call("GET", "/api/v1/server/users")["result"]}:
            return
        user = {"name": READER, "password": password, "databases": {"*": [READER]}}
        self._server(f"create user {json.dumps(user)}")

    def terminate(self, client_port: int, timeout_s: float = 3.0) -> None:
        """Stop the query that runs for the connection from this local port."""
        for each in self._server("list queries", timeout_s):
            if str(each.get("clientAddress", "")).endswith(f":{client_port}"):
                self._server(f"terminate query {each['id']}", timeout_s)

    def _stored_version(self, name: str) -> str:
        try:
            rows = self._sql(name, f"SELECT version FROM {_TYPE}", read=True)
        except QueryFailed:
            return ""
        return str(rows[0]["version"]) if rows else ""

    def _server(self, command: str, timeout_s: float | None = None) -> Any:
        return self._call("POST", "/api/v1/server", {"command": command}, timeout_s)["result"]

    def _sql(
        self,
        name: str,
        command: str,
        parameters: dict[str, Any] | None = None,
        *,
        language: str = "sql",
        read: bool = False,
        timeout_s: float | None = None,
    ) -> Any:
        body = {"language": language, "command": command, "params": parameters or {}}
        path = f"/api/v1/{'query' if read else 'command'}/{quote(name, safe='')}"
        return self._call("POST", path, body, timeout_s)["result"]

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None, timeout_s: float | None = None) -> Any:
        connection = self._connection(timeout_s)
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, self._headers)
            response = connection.getresponse()
            text = response.read().decode("utf-8", "replace")
        except (OSError, http.client.HTTPException) as error:
            raise self._silent(error) from error
        finally:
            connection.close()
        if response.status in (401, 403):
            raise DatabaseUnavailable(
                f"The database at {self._host}:{self._port} refused the credentials.", "Check user and password."
            )
        try:
            answer = json.loads(text) if text else {"result": []}
        except ValueError as error:
            raise DatabaseUnavailable(f"What answers at {self._host}:{self._port} is not ArcadeDB.") from error
        if response.status >= 400:
            detail = answer.get("detail") or answer.get("error") or text
            raise QueryFailed(f"ArcadeDB refused {path}: {detail}", cypher=str((body or {}).get("command", "")))
        return answer

    def _connection(self, timeout_s: float | None = None) -> http.client.HTTPConnection:
        """An open connection."""
        connection = http.client.HTTPConnection(self._host, self._port, timeout=timeout_s or self._timeout_s)
        try:
            connection.connect()
        except OSError as error:
            raise self._silent(error) from error
        return connection

    def _silent(self, error: Exception) -> DatabaseUnavailable:
        return DatabaseUnavailable(
            f"ArcadeDB's HTTP API at {self._host}:{self._port} does not answer: {error}.", "See `clew database status`."
        )


def _sql_name(name: str) -> str:
    """A name in ArcadeDB's SQL."""
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"
