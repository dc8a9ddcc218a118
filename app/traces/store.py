"""The store of traces, in SQLite or PostgreSQL, bounded in number, size and age.

A run is written in one transaction when it ends, and runs beyond the retention are dropped then.
"""

from __future__ import annotations

import json
import re
import sqlite3
import time
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clew.app.former_names import present_name, stored_names, with_present_names
from clew.app.traces import feedback
from clew.app.traces.retention import Retention, tidy
from clew.app.traces.rows import run_fields, span_values, summary, value_of
from clew.tools.errors import BadInput, DamagedFile
from clew.tools.sqlite_files import written_ahead
from clew.tools.state.sqlite import SqliteFile
from clew.tools.state.tables import Tables, among, having

_RUNS = """
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY, started REAL NOT NULL, graph TEXT NOT NULL, question TEXT NOT NULL, thread TEXT,
    status TEXT NOT NULL, ms REAL NOT NULL, error TEXT, outcome TEXT NOT NULL, owner TEXT, replay_of TEXT
);
CREATE INDEX IF NOT EXISTS runs_by_time ON runs (started);
CREATE TABLE IF NOT EXISTS spans (
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, number INTEGER NOT NULL, node TEXT NOT NULL,
    iteration INTEGER NOT NULL, start_ms REAL NOT NULL, ms REAL NOT NULL, inputs TEXT NOT NULL,
    outputs TEXT NOT NULL, error TEXT, PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, span INTEGER NOT NULL, number INTEGER NOT NULL,
    at_ms REAL NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS inputs (
    run TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE, given BLOB NOT NULL, writes BLOB
);
"""
SCHEMA = _RUNS + feedback.SCHEMA
FORMAT = 1
"""Of a SQLite file. A file without one is of a version of Clew that did not number them, and is completed."""
_LOG_LIMIT = "journal_size_limit=16000000"  # bytes of SQLite's log
_ADDED_COLUMNS = ("owner", "replay_of")  # of `runs`, which a file of an earlier release may lack
_OF_THREADS = ("runs", "feedback")
_DEFAULT = Retention()


@dataclass(frozen=True, slots=True)
class RunFilter:
    """Which runs to list; None accepts all."""

    graph: str | None = None
    status: str | None = None
    """"ok", "waiting" (for a choice), "error" or "interrupted"."""
    strategy: str | None = None
    """A node that ran."""
    slower_ms: float | None = None
    empty: bool = False
    """Only questions without an answer."""
    before: float | None = None
    """Only runs that started earlier (seconds since 1970)."""
    owner: str | None = None
    graphs: Collection[str] | None = None
    """Only runs of these."""
    question: str | None = None
    search: str | None = None
    """Only questions with this text, whatever its case."""
    originals: bool = False
    """No replays and forks."""

    def sql(self, tables: Tables) -> tuple[str, dict[str, Any]]:
        """A condition on the table `runs`, and its values."""
        given: list[tuple[str, Any]] = [
            ("graph = :graph", self.graph),
            ("status = :status", self.status),
            ("ms >= :slower_ms", self.slower_ms),
            ("started < :before", self.before),
            ("owner = :owner", self.owner),
            ("question = :question", self.question),
            ("lower(question) LIKE :search ESCAPE '!'", None if self.search is None else having(self.search)),
            (f"{tables.text_in('outcome', 'answers')} = '[]'", self.empty or None),
            ("replay_of IS NULL", self.originals or None),
        ]
        texts: list[str] = []
        values: dict[str, Any] = {}
        for text, value in given:
            if value is not None:
                texts.append(text)
                values |= dict.fromkeys(re.findall(r":(\w+)", text), value)
        if self.strategy is not None:
            text, named = among("node", stored_names(self.strategy), "node")
            texts.append(f"id IN (SELECT run FROM spans WHERE {text})")
            values |= named
        if self.graphs is not None:
            text, named = among("graph", self.graphs)
            texts.append(text)
            values |= named
        return " AND ".join(texts) or "1 = 1", values


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """A finished run as rows of the tables."""

    run: Mapping[str, Any]
    spans: list[dict[str, Any]]
    events: list[dict[str, Any]]
    given: bytes
    """What it takes to ask the same again, as `packed` by `clew.app.traces.recording`."""
    writes: bytes | None
    """What the nodes wrote, likewise."""

    def shown(self) -> dict[str, Any]:
        """As `TraceStore.show`, without `given`."""
        return {**self.run, "outcome": json.loads(self.run["outcome"]), "spans": span_values(self.spans, self.events)}


class TraceStore:
    """The traces in a SQLite file, which is made when needed, or in tables. Safe for several threads and processes."""

    def __init__(self, where: Path | Tables, retention: Retention = _DEFAULT) -> None:
        self._tables: Tables = SqliteFile(where, _prepare, FORMAT) if isinstance(where, Path) else where
        self._retention = retention

    def list(self, limit: int = 20, graph: str | None = None, where: RunFilter | None = None) -> list[dict[str, Any]]:
        """The latest runs, newest first.

        Each has id, started (seconds since 1970), graph, question, thread, status, ms, error, replay_of, and of the
        outcome the number of answers, the confidence, the verdict on a statement, and what language models took.
        """
        condition, values = (where or RunFilter(graph)).sql(self._tables)
        query = f"SELECT * FROM runs WHERE {condition} ORDER BY started DESC, id LIMIT :limit"
        return [summary(row) for row in self._tables.rows(query, {**values, "limit": limit})]

    def graphs(self, where: RunFilter | None = None) -> tuple[str, ...]:
        """The names of graphs with traces, in order."""
        condition, values = (where or RunFilter()).sql(self._tables)
        rows = self._tables.rows(f"SELECT DISTINCT graph FROM runs WHERE {condition}", values)
        return tuple(sorted(row["graph"] for row in rows))

    def show(self, id: str, owner: str | None = None, graphs: Collection[str] | None = None) -> dict[str, Any]:
        """One run, of `owner` and of one of `graphs` if given, with its spans and their events. A unique prefix of the
        id is enough. Raises BadInput."""
        condition, values = RunFilter(owner=owner, graphs=graphs).sql(self._tables)
        values |= {"begin": id, "length": len(id)}
        rows = self._tables.rows(
            f"SELECT * FROM runs WHERE substr(id, 1, :length) = :begin AND {condition} LIMIT 2", values
        )
        if id and len(rows) > 1:
            raise BadInput(f"Several traces begin with {id}.", "Give more of the id.")
        if not id or not rows:
            raise BadInput(f"There is no trace {id!r}.", "`clew trace list` shows the traces; old ones are dropped.")
        run = rows[0]
        spans, events, given = (
            self._tables.rows(f"SELECT * FROM {table} WHERE run = :run ORDER BY {key}", {"run": run["id"]})
            for table, key in (("spans", "number"), ("events", "number"), ("inputs", "run"))
        )
        return {
            **run_fields(run),
            "owner": run["owner"],
            "given": _unpacked(given[0]["given"]) if given else None,
            "outcome": value_of(run["outcome"]),
            "spans": span_values(spans, events),
        }

    def writes(self, id: str) -> Any:
        """What the nodes of the run with exactly this id wrote (see `recording`); None if that is not kept."""
        rows = self._tables.rows("SELECT writes FROM inputs WHERE run = :run", {"run": id})
        written = _unpacked(rows[0]["writes"]) if rows and rows[0]["writes"] is not None else None
        return written and [[[present_name(node), update] for node, update in superstep] for superstep in written]

    def write(self, record: TraceRecord) -> None:
        """Keep a run, and drop runs beyond the retention. Raises sqlite3.Error, OSError or ClewError."""
        try:
            self._write(record)
        except DamagedFile:
            self._write(record)

    def _write(self, record: TraceRecord) -> None:
        id = record.run["id"]
        with self._tables.changes() as change:
            change.insert("runs", [record.run])
            change.insert("inputs", [{"run": id, "given": record.given, "writes": record.writes}])
            for table, rows in (("spans", record.spans), ("events", record.events)):
                change.insert(table, [{"run": id, **row} for row in rows])
            tidy(change, self._retention, time.time())

    def prune(self, retention: Retention) -> dict[str, int]:
        """Drop runs beyond `retention` and give their space back.

        Returns `removed` and `kept` (runs), and the size `before` and `after`, in bytes on disk. Raises BadInput if
        another process holds the file.
        """
        tables = self._tables
        with tables.alone():
            if not (before := tables.size()):
                return {"removed": 0, "kept": 0, "before": 0, "after": 0}
            with tables.changes() as change:
                removed = tidy(change, retention, time.time())
            tables.shrink()
            [row] = tables.rows("SELECT count(*) AS kept FROM runs")
            return {"removed": removed, "kept": row["kept"], "before": before, "after": tables.size()}

    def renamed(self, thread: str, name: str) -> None:
        """Move the runs of a conversation to its new name."""
        with self._tables.changes() as change:
            for table in _OF_THREADS:
                change.execute(
                    f"UPDATE {table} SET thread = :name WHERE thread = :thread", {"thread": thread, "name": name}
                )

    def forget(self, thread: str) -> None:
        """Drop the runs of a conversation, and what was said of them."""
        with self._tables.changes() as change:
            for table in _OF_THREADS:
                change.execute(f"DELETE FROM {table} WHERE thread = :thread", {"thread": thread})

    @property
    def feedback(self) -> feedback.Feedback:
        """What users say of answers."""
        return feedback.Feedback(self._tables)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self._tables.close()


def _prepare(connection: sqlite3.Connection) -> None:
    written_ahead(connection)
    for pragma in ("foreign_keys=ON", _LOG_LIMIT):
        connection.execute(f"PRAGMA {pragma}")
    connection.executescript(SCHEMA)
    there = {row[1] for row in connection.execute("PRAGMA table_info(runs)")}
    for column in _ADDED_COLUMNS:
        if column not in there:
            _add(column, connection)


def _add(column: str, connection: sqlite3.Connection) -> None:
    """Add a column to a file of an earlier release; another process may do the same at this moment."""
    try:
        connection.execute(f"ALTER TABLE runs ADD COLUMN {column} TEXT")
    except sqlite3.OperationalError as error:
        if "duplicate column" not in str(error):
            raise


def _unpacked(kept: bytes) -> Any:
    try:
        return json.loads(zlib.decompress(kept), object_hook=with_present_names)
    except (zlib.error, ValueError):
        return None  # Something has overwritten it.
