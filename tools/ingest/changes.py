"""What the imports of tables put into a graph, so that a further import of changed tables writes only what changed.

A SQLite file beside the journal holds the key and a digest of each node, and each relationship. Rows that are no longer
in the tables are removed from the graph; nodes and relationships of other origin, and those of tables that are not
part of the import, stay.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from clew.tools.ingest.journal import Journal
from clew.tools.ingest.report import ImportReport
from clew.tools.ingest.staging import Staging

_FILE = "tables.sqlite"
_NEXT_FILE = "tables-next.sqlite"
"""Of an import into an empty graph, until the graph is published."""
_TABLES = """
CREATE TABLE IF NOT EXISTS was.state (version TEXT);
CREATE TABLE IF NOT EXISTS was.nodes (key TEXT PRIMARY KEY, label TEXT, digest BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS was.edges (
    relation TEXT, source TEXT, target TEXT, properties TEXT, source_label TEXT, target_label TEXT,
    PRIMARY KEY (relation, source, target, properties)
) WITHOUT ROWID;
"""
_OWNED_NODES = "label IN (SELECT label FROM temp.owned_labels)"
_OWNED_EDGES = "(relation, source_label, target_label) IN (SELECT * FROM temp.owned_types)"


@dataclass(frozen=True, slots=True)
class Owned:
    """What an import of tables decides alone: all of the graph's nodes and relationships of these kinds are in it."""

    labels: frozenset[str] = frozenset()
    types: frozenset[tuple[str, str, str]] = frozenset()
    """(type, label of the source, label of the target)"""
    properties: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Label to all properties that the tables give."""


def noted(journal: Journal, version: str) -> Path | None:
    """The file of what imports of tables have put into a graph, if the graph of this version has it."""
    path = journal.folder / _FILE
    if not path.exists():
        return None
    with closing(sqlite3.connect(path)) as db:
        try:
            row = db.execute("SELECT version FROM state").fetchone()
        except sqlite3.Error:
            return None  # An import was killed before it wrote to it.
    return path if row is not None and journal.follows(str(row[0]), version) else None


def compare(staging: Staging, journal: Journal, owned: Owned, report: ImportReport, version: str) -> ImportReport:
    """Take out of the order of writing what the graph has already, and add what has to be removed from it.

    Args:
        staging: the records of the import, in the order of writing.
        journal: of the graph.
        owned: what is removed where the import does not give it.
        report: the report so far.
        version: of the graph. If something else than Clew has changed it, all records are written as if they were new.

    Returns:
        The report with the numbers of what changed.
    """
    db = staging.db
    if (path := noted(journal, version)) is None:
        return report
    with _attached(staging, path, owned):
        _compare_edges(db)
        db.executescript(f"""
            INSERT INTO gone_nodes SELECT key, label FROM was.nodes w
                WHERE {_OWNED_NODES} AND NOT EXISTS (SELECT 1 FROM nodes n WHERE n.key = w.key) ORDER BY label, key;
            CREATE TEMP TABLE same AS SELECT n.id FROM nodes n JOIN was.nodes w ON w.key = n.key
                WHERE n.present AND w.digest = digest(n.label, n.labels, n.properties);
            CREATE TABLE kept_order AS SELECT node, label, present FROM node_order
                WHERE node NOT IN (SELECT id FROM temp.same) ORDER BY rowid;
            DROP TABLE temp.same;
            DROP TABLE node_order;
            ALTER TABLE kept_order RENAME TO node_order;
        """)
    added = staging.count("node_order WHERE NOT present")
    return replace(
        report,
        updates={
            "nodes added": added,
            "nodes changed": staging.count("node_order") - added,
            "nodes removed": staging.count("gone_nodes"),
            "relationships added": staging.count("edge_order WHERE NOT rewritten"),
            "relationships removed": db.execute("SELECT total(n) FROM gone_edges").fetchone()[0],
        },
    )


def _compare_edges(db: sqlite3.Connection) -> None:
    """All relationships of one type between two nodes are written anew if one of them is gone."""
    known = (
        "EXISTS (SELECT 1 FROM was.edges w WHERE w.relation = o.relation AND w.source = s.key AND w.target = t.key "
        "AND w.properties = coalesce(o.properties, ''))"
    )
    db.executescript(f"""
        CREATE TEMP TABLE new_edges AS SELECT o.rowid AS place, o.relation, s.key AS source, t.key AS target,
            coalesce(o.properties, '') AS properties, {known} AS known
            FROM edge_order o JOIN nodes s ON s.id = o.source JOIN nodes t ON t.id = o.target;
        CREATE INDEX temp.by_edge ON new_edges (relation, source, target, properties);
        INSERT INTO gone_edges SELECT relation, source_label, target_label, source, target, count(*) AS n
            FROM was.edges w WHERE {_OWNED_EDGES} AND NOT EXISTS (
                SELECT 1 FROM temp.new_edges e WHERE e.relation = w.relation AND e.source = w.source
                AND e.target = w.target AND e.properties = w.properties)
            GROUP BY relation, source_label, target_label, source, target ORDER BY 1, 2, 3, 4, 5;
        CREATE INDEX gone_by_ends ON gone_edges (relation, source, target);
        CREATE TABLE kept_edges AS SELECT o.*, e.known AS rewritten FROM temp.new_edges e JOIN edge_order o
            ON o.rowid = e.place WHERE NOT e.known OR EXISTS (SELECT 1 FROM gone_edges g
                WHERE g.relation = e.relation AND g.source = e.source AND g.target = e.target)
            ORDER BY e.place;
        DROP TABLE temp.new_edges;
        DROP TABLE edge_order;
        ALTER TABLE kept_edges RENAME TO edge_order;
    """)


def remember(staging: Staging, journal: Journal, owned: Owned, version: str, *, fresh: bool) -> None:
    """Note what the graph holds after an import.

    Args:
        staging: the records of the import.
        journal: of the graph.
        owned: as for `compare`.
        version: of the graph after the import.
        fresh: the graph held nothing before.
    """
    path = journal.folder / (_NEXT_FILE if fresh else _FILE)
    if fresh:
        path.unlink(missing_ok=True)
    db = staging.db
    with _attached(staging, path, owned):
        db.execute("BEGIN")
        db.execute(f"DELETE FROM was.nodes WHERE {_OWNED_NODES}")
        db.execute(f"DELETE FROM was.edges WHERE {_OWNED_EDGES}")
        gone = "(SELECT key FROM main.gone_nodes)"
        db.execute(f"DELETE FROM was.edges WHERE source IN {gone} OR target IN {gone}")
        db.execute(
            "INSERT OR REPLACE INTO was.nodes SELECT key, label, digest(label, labels, properties) FROM main.nodes "
            "WHERE declared ORDER BY key"
        )
        db.execute(
            "INSERT OR IGNORE INTO was.edges SELECT r.name, s.key, t.key, e.properties, s.label, t.label "
            "FROM main.edges e JOIN relations r ON r.id = e.relation JOIN main.nodes s ON s.id = e.source "
            "JOIN main.nodes t ON t.id = e.target ORDER BY 1, 2, 3, 4"
        )
        db.execute("DELETE FROM was.state")
        db.execute("INSERT INTO was.state VALUES (?)", (version,))
        db.execute("COMMIT")


def published(journal: Journal, *, fresh: bool) -> None:
    """The graph has become visible: what is noted of a `fresh` one takes the place of what was noted before."""
    if not fresh:
        return
    if (journal.folder / _NEXT_FILE).exists():
        os.replace(journal.folder / _NEXT_FILE, journal.folder / _FILE)
    else:
        (journal.folder / _FILE).unlink(missing_ok=True)


@contextmanager
def _attached(staging: Staging, path: Path, owned: Owned) -> Iterator[None]:
    """The file as the schema `was` of the staging database, with the function `digest` and the tables of `owned`."""
    db = staging.db
    namings = {label: str(naming) for label, naming in staging.get_object("namings").items()}

    def digest(label: str | None, labels: str | None, properties: str | None) -> bytes:
        content = f"{label or ''}\0{labels or ''}\0{properties or ''}\0{namings.get(label or '', '')}"
        return hashlib.blake2b(content.encode(), digest_size=12).digest()

    db.create_function("digest", 3, digest, deterministic=True)
    db.execute("ATTACH ? AS was", (str(path),))
    try:
        db.executescript(_TABLES)
        db.execute("CREATE TEMP TABLE owned_labels (label TEXT)")
        db.execute("CREATE TEMP TABLE owned_types (type TEXT, source TEXT, target TEXT)")
        db.executemany("INSERT INTO temp.owned_labels VALUES (?)", [(label,) for label in owned.labels])
        db.executemany("INSERT INTO temp.owned_types VALUES (?, ?, ?)", list(owned.types))
        yield
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")
        db.executescript("DROP TABLE IF EXISTS temp.owned_labels; DROP TABLE IF EXISTS temp.owned_types; DETACH was;")
