"""The store of traces: SQLite, bounded in number, size and age.

A run is written in one transaction when it ends, and runs beyond the retention are dropped then.
"""

from __future__ import annotations

import json
import re
import sqlite3
import time
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from clew.app.traces import feedback
from clew.app.traces.retention import Retention, tidy
from clew.app.traces.rows import as_array, run_fields, span_values, summary, value_of
from clew.tools.errors import BadInput, DamagedFile
from clew.tools.sqlite_files import in_use, opened, written_ahead

_SCHEMA = """
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
FORMAT = 1
"""Of the file. A file without one is of a version of Clew that did not number them, and is completed."""
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

    def sql(self) -> tuple[str, list[Any]]:
        """A condition on the table `runs`, and its values."""
        given: list[tuple[str, Any]] = [
            ("graph = ?", self.graph),
            ("status = ?", self.status),
            ("id IN (SELECT run FROM spans WHERE node = ?)", self.strategy),
            ("ms >= ?", self.slower_ms),
            ("started < ?", self.before),
            ("owner = ?", self.owner),
            ("graph IN (SELECT value FROM json_each(?))", as_array(self.graphs)),
            ("question = ?", self.question),
            ("instr(lower(question), lower(?)) > 0", self.search),
        ]
        parts = [(text, value) for text, value in given if value is not None]
        flags = [("json_array_length(outcome, '$.answers') = 0", self.empty), ("replay_of IS NULL", self.originals)]
        texts = [*(text for text, _ in parts), *(text for text, is_set in flags if is_set)]
        return " AND ".join(texts) or "true", [value for _, value in parts]


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
    """The traces in the SQLite file `path`. Safe for several threads and processes; the file is made when needed."""

    def __init__(self, path: Path, retention: Retention = _DEFAULT) -> None:
        self._path = path
        self._retention = retention
        self._open: sqlite3.Connection | None = None
        self._lock = Lock()

    def list(self, limit: int = 20, graph: str | None = None, where: RunFilter | None = None) -> list[dict[str, Any]]:
        """The latest runs, newest first.

        Each has id, started (seconds since 1970), graph, question, thread, status, ms, error, replay_of, and of the
        outcome the number of answers, the confidence, the verdict on a statement, and what language models took.
        """
        condition, values = (where or RunFilter(graph)).sql()
        query = f"SELECT * FROM runs WHERE {condition} ORDER BY started DESC, rowid DESC LIMIT ?"
        return [summary(row) for row in self._rows(query, [*values, limit])]

    def graphs(self, where: RunFilter | None = None) -> tuple[str, ...]:
        """The names of graphs with traces, in order."""
        condition, values = (where or RunFilter()).sql()
        rows = self._rows(f"SELECT DISTINCT graph FROM runs WHERE {condition} ORDER BY graph", values)
        return tuple(row["graph"] for row in rows)

    def show(self, id: str, owner: str | None = None, graphs: Collection[str] | None = None) -> dict[str, Any]:
        """One run, of `owner` and of one of `graphs` if given, with its spans and their events. A unique prefix of the
        id is enough. Raises BadInput."""
        pattern = re.sub(r"([%_\\])", r"\\\1", id) + "%"
        condition, values = RunFilter(owner=owner, graphs=graphs).sql()
        rows = self._rows(rf"SELECT * FROM runs WHERE id LIKE ? ESCAPE '\' AND {condition} LIMIT 2", [pattern, *values])
        if len(rows) > 1:
            raise BadInput(f"Several traces begin with {id}.", "Give more of the id.")
        if not id or not rows:
            raise BadInput(f"There is no trace {id!r}.", "`clew trace list` shows the traces; old ones are dropped.")
        run = rows[0]
        with self._connection() as connection:
            spans, events, given = (
                connection.execute(f"SELECT * FROM {table} WHERE run = ? ORDER BY {key}", [run["id"]]).fetchall()
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
        rows = self._rows("SELECT writes FROM inputs WHERE run = ?", [id])
        return _unpacked(rows[0]["writes"]) if rows and rows[0]["writes"] is not None else None

    def write(self, record: TraceRecord) -> None:
        """Keep a run, and drop runs beyond the retention. Raises sqlite3.Error or OSError."""
        try:
            self._write(record)
        except DamagedFile:
            self._write(record)

    def _write(self, record: TraceRecord) -> None:
        run = record.run
        with self._connection() as connection, connection:
            names, places = ", ".join(run), ", ".join("?" * len(run))
            connection.execute(f"INSERT OR REPLACE INTO runs ({names}) VALUES ({places})", list(run.values()))
            connection.execute("INSERT INTO inputs VALUES (?, ?, ?)", [run["id"], record.given, record.writes])
            for table, rows in (("spans", record.spans), ("events", record.events)):
                values = [(run["id"], *row.values()) for row in rows]
                if values:
                    columns, marks = ", ".join(["run", *rows[0]]), ", ".join("?" * len(values[0]))
                    connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", values)
            tidy(connection, self._retention, time.time())

    def prune(self, retention: Retention) -> dict[str, int]:
        """Drop runs beyond `retention` and shrink the file.

        Returns `removed` and `kept` (runs), and the file's size `before` and `after`, in bytes. Raises BadInput if
        another process holds the file.
        """
        if not self._path.exists():
            return {"removed": 0, "kept": 0, "before": 0, "after": 0}
        try:
            with self._connection() as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                before = self._path.stat().st_size
                with connection:
                    removed = tidy(connection, retention, time.time())
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                kept = connection.execute("SELECT count(*) FROM runs").fetchone()[0]
        except sqlite3.OperationalError as error:
            raise BadInput(f"{self._path} is in use: {error}.", "Try again in a moment.") from error
        return {"removed": removed, "kept": kept, "before": before, "after": self._path.stat().st_size}

    def renamed(self, thread: str, name: str) -> None:
        """Move the runs of a conversation to its new name."""
        with self._connection() as connection, connection:
            for table in _OF_THREADS:
                connection.execute(f"UPDATE {table} SET thread = ? WHERE thread = ?", [name, thread])

    def forget(self, thread: str) -> None:
        """Drop the runs of a conversation, and what was said of them."""
        with self._connection() as connection, connection:
            for table in _OF_THREADS:
                connection.execute(f"DELETE FROM {table} WHERE thread = ?", [thread])

    @property
    def feedback(self) -> feedback.Feedback:
        """What users say of answers."""
        return feedback.Feedback(self._connection)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            self._let_go()

    def _rows(self, query: str, values: Sequence[Any]) -> Sequence[sqlite3.Row]:
        if not self._path.exists():
            return []
        with self._connection() as connection:
            return connection.execute(query, values).fetchall()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """The one connection, for one thread at a time. It stays open: closing a database's last connection makes
        SQLite fold its log into the file, which costs more than the rest of a trace."""
        with self._lock:
            if self._open is None:
                self._open = opened(self._path, _prepare, format=FORMAT)
            with in_use(self._path, self._let_go):
                yield self._open

    def _let_go(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


def _prepare(connection: sqlite3.Connection) -> None:
    connection.row_factory = sqlite3.Row
    written_ahead(connection)
    for pragma in ("foreign_keys=ON", _LOG_LIMIT):
        connection.execute(f"PRAGMA {pragma}")
    connection.executescript(_SCHEMA + feedback.SCHEMA)
    there = {row["name"] for row in connection.execute("PRAGMA table_info(runs)")}
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
        return json.loads(zlib.decompress(kept))
    except (zlib.error, ValueError):
        return None  # Something has overwritten it.
