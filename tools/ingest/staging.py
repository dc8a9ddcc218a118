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
from clew.tools.ingest.records import NAME_CANDIDATES, BadLine, EdgeRecord, NodeRecord, Record, Triple
from clew.tools.ingest.stored_names import stored_property

_FLUSH_AT = 10_000
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
        edges: list[tuple[int, str, int, str, str]] = []
        parts: list[tuple[str, str, int, int, str]] = []
        for record in batch:
            if isinstance(record, Triple):
                keys[record.head] = keys[record.tail] = 1
                edges.append((self.relation_id(record.relation), "", base + record.line, record.head, record.tail))
            elif isinstance(record, EdgeRecord):
                for key in (record.source, record.target):
                    keys[key] = max(keys.get(key, 0), record.declares)
                text = values.dump(self._stored(record.properties)) if record.properties else ""
                edges.append((self.relation_id(record.type), text, base + record.line, record.source, record.target))
            elif isinstance(record, NodeRecord):
                keys[record.key] = 1
                properties = values.dump(self._stored(record.properties))
                part = (_labels_text(record.labels), properties, base + record.line, record.partial)
                parts.append((*part, record.key))
        self.db.executemany(
            "INSERT INTO nodes (key, declared) VALUES (?, ?) "
            "ON CONFLICT (key) DO UPDATE SET declared = 1 WHERE excluded.declared > declared",
            keys.items(),
        )
        self.db.executemany("INSERT INTO parts SELECT id, ?, ?, ?, ? FROM nodes WHERE key = ?", parts)
        self.db.executemany(
            "INSERT OR IGNORE INTO edges (relation, source, target, properties, place) "
            "SELECT ?1, s.id, t.id, ?2, ?3 FROM nodes s, nodes t WHERE s.key = ?4 AND t.key = ?5",
            edges,
        )
        self.given_edges += len(edges)

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
            label, labels, properties, doubles = _merge(rows)
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


Part = tuple[int, str, str, int, int]
"""One record of a node: node id, labels and properties as JSON, place, and whether it is partial."""


def _merge(rows: Iterable[Part]) -> tuple[str | None, str | None, str | None, list[tuple[int, int]]]:
    """(label, further labels as JSON, properties as JSON, [(place of the first, place of a duplicate)])."""
    labels: dict[str, None] = {}
    found: dict[str, Any] = {}
    doubles: list[tuple[int, int]] = []
    whole: int | None = None
    for _node, label_text, property_text, place, partial in rows:
        if not partial and whole is not None:
            doubles.append((whole, place))
            continue
        if not partial:
            whole = place
        labels.update(dict.fromkeys(json.loads(label_text)))
        for name, value in values.load(property_text).items():
            found[name] = _joined(found[name], value) if name in found else value
    _name_from_candidates(found)
    first, *others = labels or [None]
    more = json.dumps(others, ensure_ascii=False) if others else None
    stored = {name: _uniform(value) for name, value in found.items()}
    return first, more, values.dump(stored) if stored else None, doubles


def _joined(old: Any, new: Any) -> Any:
    """Two facts of one property: a list of both, without duplicates."""
    listed = list(old) if isinstance(old, list) else [old]
    listed += [value for value in (new if isinstance(new, list) else [new]) if value not in listed]
    return listed if len(listed) > 1 or isinstance(old, list) else listed[0]


def _uniform(value: Any) -> Any:
    """Lists of one kind only, as databases want them: numbers together as floats, anything else as text."""
    if not isinstance(value, list):
        return value
    kinds = {type(item) for item in value}
    if len(kinds) <= 1:
        return value
    return [float(item) for item in value] if kinds == {int, float} else [str(item) for item in value]


def _name_from_candidates(found: dict[str, Any]) -> None:
    """Turn the candidates for a name into `name` and `aliases`."""
    candidates = found.pop(NAME_CANDIDATES, None)
    if candidates:
        ordered = sorted(candidates, key=lambda candidate: candidate[0])
        texts = list(dict.fromkeys(text for _rank, text in ordered))
        found["name"] = texts[0]
        if texts[1:]:
            found["aliases"] = _joined(texts[1:], found.get("aliases", []))


@lru_cache(maxsize=1024)
def _labels_text(labels: tuple[str, ...]) -> str:
    return json.dumps(labels)
