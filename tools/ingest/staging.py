"""A temporary SQLite database for the records of an import, before anything is written to the graph.

Memory stays flat: it holds one batch of records, the relation names, and SQLite's page cache (16 MiB).
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from clew.tools.errors import BadInput
from clew.tools.ingest.formats import values
from clew.tools.ingest.merging import merge
from clew.tools.ingest.records import NAME_CANDIDATES, BadLine, EdgeRecord, NodeRecord, Record, Triple
from clew.tools.ingest.stored_names import stored_property

_FLUSH_AT = 10_000
_REMEMBERED = 100_000
_KNOWN = "SELECT nodes.key, id, declared FROM temp.asked CROSS JOIN nodes ON nodes.key = asked.key"
_PLACE_BITS = 40
MOST_RELATIONS = 10_000
"""More relationship types than this mean that the relation column is not one."""

_TABLES = """
CREATE TABLE kept (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE files (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE nodes (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, declared INTEGER NOT NULL,
    label TEXT, labels TEXT, properties TEXT, present INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE parts (node INTEGER, labels TEXT, properties TEXT, place INTEGER, partial INTEGER);
CREATE TABLE relations (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE edges (
    relation INTEGER, source INTEGER, target INTEGER, properties TEXT NOT NULL, place INTEGER,
    PRIMARY KEY (relation, source, target, properties)
) WITHOUT ROWID;
"""


class Staging:
    """The records of an import: nodes, edges without duplicates, and the file and line of each."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.db.execute("PRAGMA cache_size = -16384")
        self.db.execute("PRAGMA temp_store = FILE")
        self.db.execute("PRAGMA synchronous = OFF")
        self.db.execute("PRAGMA journal_mode = OFF")
        self.relation_ids: dict[str, int] = {}
        """From a relation's name to its id."""
        self.renamed_properties: dict[str, str] = {}
        """Properties of the files that are stored under another name."""
        self.lines = 0
        self.given_edges = 0
        self._nodes = 0
        self._declared: dict[str, int] = {}
        """From the keys of nodes that are declared to their ids: those that were used last."""
        self.db.execute("CREATE TEMP TABLE asked (key TEXT)")

    @classmethod
    def create(cls, path: Path) -> Staging:
        """A new, empty one; an older file at `path` is overwritten."""
        path.unlink(missing_ok=True)
        staging = cls(path)
        staging.db.executescript(_TABLES)
        return staging

    def close(self) -> None:
        self.db.close()

    def delete(self) -> None:
        self.close()
        self._path.unlink(missing_ok=True)

    def make_durable(self) -> None:
        """Flush the file to the disk, so that an import can continue from it after a crash."""
        with self._path.open("rb") as file:
            os.fsync(file.fileno())

    def put_object(self, name: str, value: dict[str, Any]) -> None:
        """Store a JSON object with the staged records."""
        self.db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (name, json.dumps(value)))

    def get_object(self, name: str) -> dict[str, Any]:
        """The object that was stored under this name."""
        row = self.db.execute("SELECT value FROM kept WHERE name = ?", (name,)).fetchone()
        return dict(json.loads(row[0]))

    def count(self, table: str) -> int:
        return int(self.db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    def relation_names(self) -> dict[int, str]:
        return dict(self.db.execute("SELECT id, name FROM relations"))

    def add(self, records: Iterable[Record], file: str) -> Iterator[BadLine]:
        """Stage the records of one file; yields its bad lines."""
        cursor = self.db.execute("INSERT INTO files (name) VALUES (?)", (file,))
        base = (cursor.lastrowid or 0) << _PLACE_BITS
        batch: list[Record] = []
        self.db.execute("BEGIN")
        for record in records:
            self.lines += 1
            if isinstance(record, BadLine):
                yield record
                continue
            batch.append(record)
            if len(batch) >= _FLUSH_AT:
                self._flush(batch, base)
                batch.clear()
        self._flush(batch, base)
        self.db.execute("COMMIT")

    def _flush(self, batch: list[Record], base: int) -> None:
        keys: dict[str, int] = {}
        edges: list[tuple[int, str, str, str, int]] = []
        parts: list[tuple[str, str, str, int, int]] = []
        for record in batch:
            if isinstance(record, EdgeRecord):
                source, type, target, properties, line, declares = record
                if declares:
                    keys[source] = keys[target] = 1
                else:
                    keys.setdefault(source, 0)
                    keys.setdefault(target, 0)
                text = values.dump(self._stored(properties)) if properties else ""
                edges.append((self.relation_id(type), source, target, text, base + line))
            elif isinstance(record, NodeRecord):
                keys[record.key] = 1
                text = values.dump(self._stored(record.properties))
                parts.append((record.key, _labels_text(record.labels), text, base + record.line, record.partial))
            elif isinstance(record, Triple):
                keys[record.head] = keys[record.tail] = 1
                edges.append((self.relation_id(record.relation), record.head, record.tail, "", base + record.line))
        ids = self._ids_of(keys)
        self.db.executemany("INSERT INTO parts VALUES (?, ?, ?, ?, ?)", [(ids[key], *part) for key, *part in parts])
        self.db.executemany(
            "INSERT OR IGNORE INTO edges VALUES (?, ?, ?, ?, ?)",
            [(relation, ids[source], ids[target], text, place) for relation, source, target, text, place in edges],
        )
        self.given_edges += len(edges)

    def _ids_of(self, keys: dict[str, int]) -> dict[str, int]:
        """The ids of the nodes with these keys, each with whether it is declared; new ones are added."""
        if len(self._declared) > _REMEMBERED:
            self._declared.clear()
        ids = {key: found for key in keys if (found := self._declared.get(key))}
        self.db.executemany("INSERT INTO temp.asked VALUES (?)", [(key,) for key in keys if key not in ids])
        raised = []
        for key, found, declared in self.db.execute(_KNOWN).fetchall():
            ids[key] = found
            if declared:
                self._declared[key] = found
            elif keys[key]:
                raised.append((found,))
        self.db.execute("DELETE FROM temp.asked")
        self.db.executemany("UPDATE nodes SET declared = 1 WHERE id = ?", raised)
        added = [
            (number, key, keys[key]) for number, key in enumerate((k for k in keys if k not in ids), self._nodes + 1)
        ]
        self.db.executemany("INSERT INTO nodes (id, key, declared) VALUES (?, ?, ?)", added)
        self._nodes += len(added)
        ids.update((key, number) for number, key, _declared in added)
        self._declared.update((key, ids[key]) for key, declared in keys.items() if declared)
        return ids

    def _stored(self, properties: dict[str, Any]) -> dict[str, Any]:
        """Properties by the names under which they are stored."""
        changed = {}
        for name in properties:
            if name != NAME_CANDIDATES and (stored := stored_property(name)) != name:
                changed[name] = stored
        self.renamed_properties |= changed
        return {changed.get(name, name): value for name, value in properties.items()} if changed else properties

    def rename_label(self, label: str, stored: str) -> None:
        """Give the nodes of a label another one."""
        self.db.execute("UPDATE nodes SET label = ? WHERE label = ?", (stored, label))

    def rename_relation(self, relation: str, stored: str) -> None:
        """Give a relation another name; where there is one of that name, it gets the edges that it does not have."""
        if stored not in self.relation_ids:
            self.db.execute("UPDATE relations SET name = ? WHERE name = ?", (stored, relation))
            self.relation_ids[stored] = self.relation_ids.pop(relation)
            return
        ids = self.relation_ids[stored], self.relation_ids.pop(relation)
        self.db.execute("UPDATE OR IGNORE edges SET relation = ? WHERE relation = ?", ids)
        self.db.execute("DELETE FROM edges WHERE relation = ?", ids[1:])
        self.db.execute("DELETE FROM relations WHERE id = ?", ids[1:])

    def relation_id(self, name: str) -> int:
        """The id of a relation, which is added where it is new. Raises BadInput for more than MOST_RELATIONS."""
        found = self.relation_ids.get(name)
        if found is None:
            if len(self.relation_ids) >= MOST_RELATIONS:
                raise BadInput(
                    f"There are more than {MOST_RELATIONS:,} different relations, the last being `{name[:80]}`.",
                    "Check that the relation is in the right column; a header row can say which one it is.",
                )
            found = self.relation_ids[name] = len(self.relation_ids) + 1
            self.db.execute("INSERT INTO relations (id, name) VALUES (?, ?)", (found, name))
        return found

    def merge_parts(self) -> Iterator[BadLine]:
        """Merge the records of each node; yields the lines of nodes that were given twice (the first stays)."""
        self._take_single_parts()
        cursor = self.db.execute("SELECT node, labels, properties, place, partial FROM parts ORDER BY node, rowid")
        merged: list[tuple[str | None, str | None, str | None, int]] = []
        self.db.execute("BEGIN")
        for node, rows in groupby(cursor, key=itemgetter(0)):
            label, labels, properties, doubles = merge(rows)
            for first, place in doubles:
                key = self.db.execute("SELECT key FROM nodes WHERE id = ?", (node,)).fetchone()[0]
                file, line = self.where(first)
                yield BadLine(*self.where(place), f"the id `{key}` was given already, at {file}:{line}")
            merged.append((label, labels, properties, node))
            if len(merged) >= _FLUSH_AT:
                self._store_merged(merged)
        self._store_merged(merged)
        self.db.execute("COMMIT")
        self.db.execute("DROP TABLE parts")

    def _take_single_parts(self) -> None:
        """Take over the nodes with one label and one record that needs no merging: no list, no names to choose from."""
        self.db.executescript("""
            CREATE TABLE single AS SELECT node, json_extract(labels, '$[0]') AS label, properties FROM parts
                GROUP BY node HAVING count(*) = 1 AND json_array_length(labels) = 1 AND instr(properties, '[') = 0;
            CREATE UNIQUE INDEX by_node ON single (node);
            UPDATE nodes SET label = single.label, properties = nullif(single.properties, '{}')
                FROM single WHERE single.node = nodes.id;
            DELETE FROM parts WHERE node IN (SELECT node FROM single);
            DROP TABLE single;
        """)

    def _store_merged(self, merged: list[tuple[str | None, str | None, str | None, int]]) -> None:
        self.db.executemany("UPDATE nodes SET label = ?, labels = ?, properties = ? WHERE id = ?", merged)
        merged.clear()

    def mark_present(self, label: str, keys: Iterable[str]) -> None:
        """Mark the nodes with these keys: the graph has them already, under `label`."""
        self.db.execute("BEGIN")
        self.db.executemany("UPDATE nodes SET present = 1, label = ? WHERE key = ?", ((label, key) for key in keys))
        self.db.execute("COMMIT")

    def drop_dangling(self) -> Iterator[BadLine]:
        """Remove edges to nodes that neither the files nor the graph have; yields their lines."""
        missing = "SELECT id FROM nodes WHERE declared = 0 AND present = 0"
        dangling = f"source IN ({missing}) OR target IN ({missing})"
        for place, key in self.db.execute(
            "SELECT place, coalesce(s.key, t.key) FROM edges "
            "LEFT JOIN nodes s ON s.id = source AND s.declared = 0 AND s.present = 0 "
            f"LEFT JOIN nodes t ON t.id = target AND t.declared = 0 AND t.present = 0 WHERE {dangling}"
        ):
            yield BadLine(*self.where(place), f"the relationship refers to a node `{key}` that is not given")
        self.db.execute(f"DELETE FROM edges WHERE {dangling}")
        self.db.execute("DELETE FROM nodes WHERE declared = 0 AND present = 0")

    def where(self, place: int) -> tuple[str, int]:
        """The file and the line of a record's place."""
        row = self.db.execute("SELECT name FROM files WHERE id = ?", (place >> _PLACE_BITS,)).fetchone()
        return str(row[0]) if row else "", place & ((1 << _PLACE_BITS) - 1)


@lru_cache(maxsize=1024)
def _labels_text(labels: tuple[str, ...]) -> str:
    return json.dumps(labels)
