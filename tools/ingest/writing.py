"""Writing the staged records into the graph: batches of UNWIND, nodes first, then edges by type and end labels.

A batch is one transaction. In ArcadeDB, `CREATE` with its properties spelled out is many times faster than
`SET n = row` (which updates the indexes twice) and than `MERGE`. Records that may be in the graph already are looked up
first instead. A hint makes Neo4j look nodes up in the index: its statistics lag behind the import, so it would scan all
nodes for each row.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import date
from typing import Any, TypeVar

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.naming import Naming
from clew.tools.graph.node_terms import node_pattern
from clew.tools.graph.samples import Sample
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.ingest.batches import Batch
from clew.tools.ingest.formats import values
from clew.tools.ingest.formats.rdf_statements import local_name
from clew.tools.ingest.staging import Staging

T = TypeVar("T")
R = TypeVar("R")
_ZEROS = re.compile(r"(?<=:\d\d)(\.0+)?(\+00:00|Z)?\Z")
RESERVED = ("nodeId", "name", "aliases")
_OWN_NODE_ID = "node_id"
"""The name under which a property `nodeId` of the files is stored."""


def put_in_order(staging: Staging) -> None:
    """Create the tables `node_order` and `edge_order`, whose row ids are the order of writing, and empty tables of what
    has to be removed from the graph."""
    staging.db.executescript("""
        DROP TABLE IF EXISTS node_order;
        DROP TABLE IF EXISTS edge_order;
        CREATE TABLE gone_nodes (key, label);
        CREATE TABLE gone_edges (relation, source_label, target_label, source, target, n);
        CREATE TABLE node_order AS SELECT id AS node, label, present FROM nodes ORDER BY present, label, id;
        CREATE TABLE edge_order AS
            SELECT r.name AS relation, s.label AS source_label, t.label AS target_label, source, target,
                   e.properties AS properties
            FROM edges e JOIN relations r ON r.id = relation JOIN nodes s ON s.id = source JOIN nodes t ON t.id = target
            ORDER BY r.name, s.label, t.label, source, target;
    """)


def read_ahead(items: Iterable[T], read: Callable[[T], R]) -> Iterator[tuple[T, R]]:
    """Each item with what `read` returns for it; that of the next one is read meanwhile."""
    with ThreadPoolExecutor(1) as reader:
        waiting: deque[tuple[T, Future[R]]] = deque()
        for item in items:
            waiting.append((item, reader.submit(read, item)))
            if len(waiting) > 1:
                before, result = waiting.popleft()
                yield before, result.result()
        for before, result in waiting:
            yield before, result.result()


class Writer:
    """Writes batches to a graph."""

    def __init__(
        self,
        store: GraphStore,
        db: sqlite3.Connection,
        namings: Mapping[str, Naming],
        properties: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """`properties` are, by label, those that nodes lose if the files do not give them."""
        self._store = store
        self._db = db
        self._namings = namings
        self._properties = properties or {}

    def write_all(self, batches: Iterable[Batch], careful: Callable[[Batch], bool]) -> Iterator[Batch]:
        """Write batches, and yield each when it is written. The next one is read while the database writes one.

        Args:
            batches: in the order of writing.
            careful: whether records of a batch may be in the graph already, so that they have to be looked up.
        """
        for batch, rows in read_ahead(batches, self._read):
            self.write(batch, rows, careful=careful(batch))
            yield batch

    def _read(self, batch: Batch) -> list[Any]:
        """The rows of a batch."""
        if batch.kind == "edges":
            return self._edge_rows(batch)
        if batch.kind in ("new nodes", "known nodes"):
            return self._node_rows(batch, added=batch.kind == "known nodes")
        columns, table = ("source, target", "gone_edges") if batch.kind == "gone edges" else ("key", "gone_nodes")
        query = f"SELECT {columns} FROM {table} WHERE rowid BETWEEN ? AND ?"
        return [list(row) for row in self._db.execute(query, (batch.first, batch.last))]

    def write(self, batch: Batch, rows: list[Any], *, careful: bool) -> None:
        """Write the rows of a batch; with `careful`, records that the graph has already are not written again."""
        if batch.kind == "edges":
            self._write_edges(batch, rows, careful=careful)
        elif batch.kind == "gone edges":
            self._store.write(f"{self._match_type(batch)} DELETE r", {"rows": rows})
        elif batch.kind == "gone nodes":
            match = self._match("n", batch.label, "row[0]")
            self._store.write(f"UNWIND $rows AS row {match} DETACH DELETE n", {"rows": rows})
        elif batch.kind == "known nodes":
            self._update_nodes(batch, rows)
        else:
            self._create_nodes(batch, rows, careful=careful)

    def _create_nodes(self, batch: Batch, rows: list[dict[str, Any]], *, careful: bool) -> None:
        if careful:
            present = self._present_nodes(batch, [row["nodeId"] for row in rows])
            rows = [row for row in rows if row["nodeId"] not in present]
        if rows:
            names = sorted({name for row in rows for name in row})
            cypher = f"UNWIND $rows AS row CREATE {self._node('n', batch.label, _map(names))}"
            self._store.write(cypher, {"rows": [list(map(row.get, names)) for row in rows]})

    def _update_nodes(self, batch: Batch, rows: list[dict[str, Any]]) -> None:
        """Add the files' properties to nodes that the graph has already."""
        cleared = dict.fromkeys(self._properties.get(batch.label, ()))
        changes = [[row.pop("nodeId"), cleared | row] for row in rows]
        if changes := [change for change in changes if change[1]]:
            match = self._match("n", batch.label, "row[0]")
            self._store.write(f"UNWIND $rows AS row {match} SET n += row[1]", {"rows": changes})

    def _write_edges(self, batch: Batch, rows: list[list[Any]], *, careful: bool) -> None:
        if careful:
            present = self._present_edges(batch, rows)
            rows = [row for row in rows if (row[0], row[1], _comparable(row[2])) not in present]
        if rows:
            names = sorted({name for row in rows for name in row[2]})
            properties = f" {{{_map(names, start=2)}}}" if names else ""
            cypher = f"{self._match_ends(batch)} CREATE (a)-[:{quoted(batch.relation)}{properties}]->(b)"
            given = [[*row[:2], *map(row[2].get, names)] for row in rows] if names else [row[:2] for row in rows]
            self._store.write(cypher, {"rows": given})

    def _match_ends(self, batch: Batch) -> str:
        source, target = self._match("a", batch.label, "row[0]"), self._match("b", batch.target, "row[1]")
        return f"UNWIND $rows AS row {source} {target}"

    def _match_type(self, batch: Batch) -> str:
        return f"{self._match_ends(batch)} MATCH (a)-[r:{quoted(batch.relation)}]->(b)"

    def _node(self, variable: str, label: str, properties: str) -> str:
        return node_pattern(variable, label, self._store.scope, properties=properties)

    def _match(self, variable: str, label: str, key: str) -> str:
        """The clause that finds the node of a label with this key."""
        hint = f" USING INDEX SEEK {variable}:{quoted(label)}(nodeId)" if self._store.engine == "neo4j" else ""
        return f"MATCH {self._node(variable, label, f'nodeId: {key}')}{hint}"

    def _present_nodes(self, batch: Batch, keys: list[str]) -> set[str]:
        cypher = f"UNWIND $keys AS key {self._match('n', batch.label, 'key')} RETURN key"
        return {row["key"] for row in self._store.scan(cypher, {"keys": keys})}

    def _present_edges(self, batch: Batch, rows: list[list[Any]]) -> set[tuple[str, str, str]]:
        """The edges that the graph has between these ends: (source, target, properties as comparable text)."""
        cypher = f"{self._match_type(batch)} RETURN row[0] AS source, row[1] AS target, properties(r) AS properties"
        found = self._store.scan(cypher, {"rows": [row[:2] for row in rows]})
        return {(row["source"], row["target"], _comparable(row["properties"] or {})) for row in found}

    def _node_rows(self, batch: Batch, *, added: bool) -> list[dict[str, Any]]:
        """The nodes' properties with `nodeId`, `name` and `aliases`; with `added` only those in the files."""
        naming = self._namings.get(batch.label, Naming())
        found = self._db.execute(
            "SELECT key, labels, properties FROM node_order o JOIN nodes ON id = node WHERE o.rowid BETWEEN ? AND ?",
            (batch.first, batch.last),
        )
        return [_node_row(naming, *row, added=added) for row in found]

    def _edge_rows(self, batch: Batch) -> list[list[Any]]:
        """[source key, target key, properties] of each edge."""
        found = self._db.execute(
            "SELECT s.key, t.key, o.properties FROM edge_order o JOIN nodes s ON s.id = source "
            "JOIN nodes t ON t.id = target WHERE o.rowid BETWEEN ? AND ? ORDER BY o.rowid",
            (batch.first, batch.last),
        )
        return [[source, target, values.load(text) if text else {}] for source, target, text in found]


def samples(staging: Staging) -> list[Sample]:
    """Up to SAMPLE nodes with properties of each label."""
    found: dict[str, Sample] = {}
    for label, text in staging.db.execute("SELECT label, properties FROM nodes WHERE properties IS NOT NULL"):
        sample = found.setdefault(label, Sample(label))
        if not sample.full:
            sample.add(values.load(text))
    return list(found.values())


def _node_row(naming: Naming, key: str, labels: str | None, text: str | None, *, added: bool) -> dict[str, Any]:
    given = values.load(text) if text else {}
    if added and not given:
        return {"nodeId": key}
    row = {name: value for name, value in given.items() if name not in RESERVED}
    if "nodeId" in given:
        row[_OWN_NODE_ID] = given["nodeId"]
    if labels:
        row["labels"] = json.loads(labels)
    aliases = naming.aliases_of(given)
    if aliases:
        row["aliases"] = aliases
    fallback = local_name(key) if "://" in key else key
    row["nodeId"] = key
    if naming.name or not added:
        row["name"] = naming.name_of(given, fallback)
    return row


def _map(names: list[str], start: int = 0) -> str:
    """`a`: row[0], `b`: row[1]; databases do not store what is null."""
    return ", ".join(f"{quoted(name)}: row[{i}]" for i, name in enumerate(names, start))


def _comparable(properties: Mapping[str, Any]) -> str:
    """Properties as text that is equal before writing and after reading back, where dates are ISO text and whole
    seconds may have gained a fraction and UTC may have lost its zone."""
    shown = {
        name: _ZEROS.sub("", value if isinstance(value, str) else value.isoformat())
        if isinstance(value, str | date)
        else value
        for name, value in properties.items()
    }
    return values.dump(shown)
