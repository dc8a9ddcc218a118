"""Traces: what every question did, kept in SQLite, bounded in number, size and age.

A run is written in one transaction when it ends, well or not (`clew.app.traces.recording`), and what is beyond
the retention is dropped then.
"""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from clew.app.traces.inputs import unpacked
from clew.app.traces.retention import USUAL, Retention, tidy
from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from clew.app.traces.recording import TraceRun

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
_LARGEST_LOG = 16_000_000
"""Bytes of SQLite's log beside the file."""
_LATER = ("owner", "replay_of")
"""Columns of `runs` that a file of an earlier release may lack."""


@dataclass(frozen=True, slots=True)
class RunFilter:
    """Which runs are to be listed; None where it does not matter."""

    graph: str | None = None
    status: str | None = None
    """"ok", "waiting" (for a choice), "error" or "interrupted"."""
    strategy: str | None = None
    """A node that ran."""
    slower_ms: float | None = None
    empty: bool = False
    """Only questions without an answer."""
    before: float | None = None
    """Only runs that began earlier (seconds since 1970)."""
    owner: str | None = None
    originals: bool = False
    """Only what was asked, without replays and forks of it."""

    def sql(self) -> tuple[str, list[Any]]:
        """A condition on the table `runs`, and its values."""
        given: list[tuple[str, Any]] = [
            ("graph = ?", self.graph),
            ("status = ?", self.status),
            ("id IN (SELECT run FROM spans WHERE node = ?)", self.strategy),
            ("ms >= ?", self.slower_ms),
            ("started < ?", self.before),
            ("owner = ?", self.owner),
        ]
        parts = [(text, value) for text, value in given if value is not None]
        plain = [("json_array_length(outcome, '$.answers') = 0", self.empty), ("replay_of IS NULL", self.originals)]
        texts = [*(text for text, _ in parts), *(text for text, wanted in plain if wanted)]
        return " AND ".join(texts) or "true", [value for _, value in parts]


class TraceStore:
    """The traces in the SQLite file `path`. Safe for several threads and processes; the file is made when needed."""

    def __init__(self, path: Path, retention: Retention = USUAL) -> None:
        self._path = path
        self._retention = retention
        self._open: sqlite3.Connection | None = None
        self._lock = Lock()

    def list(self, limit: int = 20, graph: str | None = None, wanted: RunFilter | None = None) -> list[dict[str, Any]]:
        """The latest runs, newest first: id, started (seconds since 1970), graph, question, thread, status, ms,
        error, and of the outcome the number of answers, the confidence, the verdict on a statement, and what a model
        took."""
        if not self._path.exists():
            return []
        where, values = (wanted or RunFilter(graph)).sql()
        with self._connection() as connection:
            rows = connection.execute(
                f"SELECT * FROM runs WHERE {where} ORDER BY started DESC, rowid DESC LIMIT ?", [*values, limit]
            ).fetchall()
        return [_summary(row) for row in rows]

    def graphs(self, owner: str | None = None) -> tuple[str, ...]:
        """Those that there are traces of, by name."""
        if not self._path.exists():
            return ()
        with self._connection() as connection:
            mine = "SELECT DISTINCT graph FROM runs WHERE ?1 IS NULL OR owner = ?1 ORDER BY graph"
            return tuple(row["graph"] for row in connection.execute(mine, [owner]))

    def show(self, id: str, owner: str | None = None) -> dict[str, Any]:
        """One run, of that `owner` where one is given, with its spans and their events. A unique beginning of the id is
        enough. Raises BadInput."""
        if not self._path.exists():
            raise _unknown(id)
        with self._connection() as connection:
            pattern = re.sub(r"([%_\\])", r"\\\1", id) + "%"
            mine = r"SELECT * FROM runs WHERE id LIKE ?1 ESCAPE '\' AND (?2 IS NULL OR owner = ?2) LIMIT 2"
            rows = connection.execute(mine, [pattern, owner]).fetchall()
            if not id or len(rows) != 1:
                raise _unknown(id, several=len(rows) > 1)
            run = rows[0]
            spans = connection.execute("SELECT * FROM spans WHERE run = ? ORDER BY number", [run["id"]]).fetchall()
            events = connection.execute("SELECT * FROM events WHERE run = ? ORDER BY number", [run["id"]]).fetchall()
            given = connection.execute("SELECT given FROM inputs WHERE run = ?", [run["id"]]).fetchone()
        return {
            **_run_fields(run),
            "owner": run["owner"],
            "given": unpacked(given["given"]) if given else None,
            "outcome": json.loads(run["outcome"]),
            "spans": [_span(span, [e for e in events if e["span"] == span["number"]]) for span in spans],
        }

    def writes(self, id: str) -> Any:
        """What the nodes of the run of exactly this id wrote (see `traces.inputs`); None where that is not kept."""
        with self._connection() as connection:
            row = connection.execute("SELECT writes FROM inputs WHERE run = ?", [id]).fetchone()
        return unpacked(row["writes"]) if row is not None and row["writes"] is not None else None

    def write(self, run: TraceRun) -> None:
        """Keep a run, and drop what is beyond the retention. Raises sqlite3.Error or OSError."""
        row, (spans, events) = run.row(), run.rows()
        with self._connection() as connection, connection:
            names, places = ", ".join(row), ", ".join("?" * len(row))
            connection.execute(f"INSERT OR REPLACE INTO runs ({names}) VALUES ({places})", list(row.values()))
            connection.execute("INSERT INTO inputs VALUES (?, ?, ?)", [run.id, *run.inputs()])
            connection.executemany("INSERT INTO spans VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", spans)
            connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", events)
            tidy(connection, self._retention, time.time())

    def prune(self, retention: Retention) -> dict[str, int]:
        """Drop what is beyond `retention` and give its room on the disk back: `removed`, `kept` (runs), and the file's
        size `before` and `after`, in bytes. Raises BadInput where another process holds the file."""
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
        """The runs of a conversation that has another name now."""
        with self._connection() as connection, connection:
            connection.execute("UPDATE runs SET thread = ? WHERE thread = ?", [name, thread])

    def forget(self, thread: str) -> None:
        """Drop the runs of a conversation."""
        with self._connection() as connection, connection:
            connection.execute("DELETE FROM runs WHERE thread = ?", [thread])

    def close(self) -> None:
        """Release the file; the next use opens it again."""
        with self._lock:
            if self._open is not None:
                self._open.close()
                self._open = None

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """The one connection, for one thread at a time. It stays open: closing the last one of a database makes
        SQLite fold its log into the file, which costs more than all else that a trace costs."""
        with self._lock:
            try:
                if self._open is None:
                    self._open = self._connected()
                yield self._open
            except sqlite3.DatabaseError as error:
                if "not a database" in str(error) or "malformed" in str(error):
                    raise BadInput(f"{self._path} is not a trace file: {error}.", "Move it away.") from error
                raise

    def _connected(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self._path, timeout=10, check_same_thread=False)
        try:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("PRAGMA foreign_keys=ON")
            connection.execute(f"PRAGMA journal_size_limit={_LARGEST_LOG}")
            connection.executescript(_SCHEMA)
            there = {row["name"] for row in connection.execute("PRAGMA table_info(runs)")}
            for column in _LATER:
                if column not in there:
                    _add(column, connection)
        except sqlite3.Error:
            connection.close()
            raise
        return connection


def _add(column: str, connection: sqlite3.Connection) -> None:
    """To a file of an earlier release. Another process may be at it, too."""
    try:
        connection.execute(f"ALTER TABLE runs ADD COLUMN {column} TEXT")
    except sqlite3.OperationalError as error:
        if "duplicate column" not in str(error):
            raise


_FIELDS = ("id", "started", "graph", "question", "thread", "status", "ms", "error", "replay_of")


def _run_fields(row: sqlite3.Row) -> dict[str, Any]:
    return {key: row[key] for key in _FIELDS}


def _summary(row: sqlite3.Row) -> dict[str, Any]:
    outcome = json.loads(row["outcome"])
    known = outcome if isinstance(outcome, dict) else {}
    model = known.get("model")
    cost: dict[str, Any] = model if isinstance(model, dict) else {}
    return {
        **_run_fields(row),
        "answers": _count(known.get("answers")),
        "confidence": known.get("confidence"),
        "verdict": known.get("verdict"),
        "model_calls": cost.get("calls", 0),
        "tokens": cost.get("input_tokens", 0) + cost.get("output_tokens", 0),
        "price": cost.get("price"),
    }


def _count(answers: Any) -> int:
    """Of a list that may have been cut: its mark says how many there were."""
    if not isinstance(answers, list):
        return 0
    mark = re.fullmatch(r"… \(cut: (\d+) items\)", str(answers[-1])) if answers else None
    return int(mark[1]) if mark else len(answers)


def _span(row: sqlite3.Row, events: list[sqlite3.Row]) -> dict[str, Any]:
    return {
        "node": row["node"],
        "iteration": row["iteration"],
        "start_ms": row["start_ms"],
        "ms": row["ms"],
        "inputs": json.loads(row["inputs"]),
        "outputs": json.loads(row["outputs"]),
        "error": row["error"],
        "events": [{"kind": e["kind"], "at_ms": e["at_ms"], "data": json.loads(e["data"])} for e in events],
    }


def _unknown(id: str, *, several: bool = False) -> BadInput:
    if several:
        return BadInput(f"Several traces begin with {id}.", "Give more of the id.")
    return BadInput(f"There is no trace {id!r}.", "`clew trace list` shows those there are; old ones are dropped.")
