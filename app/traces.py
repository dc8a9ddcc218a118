"""Traces: what every question did, kept in SQLite, bounded in size and number.

A run is collected in memory and written in one transaction when it ends, well or not. Values are cut before they
are written, names that look like secrets lose their value, and the oldest runs beyond the limit are dropped.
"""

from __future__ import annotations

import json
import logging
import re
import sqlite3
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any

from langgraph.errors import GraphBubbleUp

from app.redaction import bounded, bounded_json, bounded_text
from graphs.interruptible import Stopped
from graphs.recorder import Run
from tools.errors import BadInput

RUNS_KEPT = 1000
LONGEST_PROMPT = 20_000
"""Characters of what a model was asked or said, which is read as a whole or not at all."""
_PROMPTS = ("system", "user", "reply")
EVENTS_PER_RUN = 500

_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY, started REAL NOT NULL, graph TEXT NOT NULL, question TEXT NOT NULL, thread TEXT,
    status TEXT NOT NULL, ms REAL NOT NULL, error TEXT, outcome TEXT NOT NULL, owner TEXT
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
"""


@dataclass(frozen=True, slots=True)
class Wanted:
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
        empty = ["json_array_length(outcome, '$.answers') = 0"] if self.empty else []
        return " AND ".join([*(text for text, _ in parts), *empty]) or "true", [value for _, value in parts]


class TraceStore:
    """The traces in the SQLite file `path`. Safe for several threads and processes; the file is made when needed."""

    def __init__(self, path: Path, runs_kept: int = RUNS_KEPT) -> None:
        self._path = path
        self._runs_kept = runs_kept
        self._open: sqlite3.Connection | None = None
        self._lock = Lock()

    def list(self, limit: int = 20, graph: str | None = None, wanted: Wanted | None = None) -> list[dict[str, Any]]:
        """The latest runs, newest first: id, started (seconds since 1970), graph, question, thread, status, ms,
        error, and of the outcome the number of answers, the confidence, the verdict on a statement, and what a model
        took."""
        if not self._path.exists():
            return []
        where, values = (wanted or Wanted(graph)).sql()
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
        return {
            **_run_fields(run),
            "outcome": json.loads(run["outcome"]),
            "spans": [_span(span, [e for e in events if e["span"] == span["number"]]) for span in spans],
        }

    def write(self, run: TraceRun) -> None:
        """Keep a run, and drop the oldest beyond the limit. Raises sqlite3.Error or OSError."""
        spans, events = run.rows()
        with self._connection() as connection, connection:
            connection.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", run.row())
            connection.executemany("INSERT INTO spans VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", spans)
            connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", events)
            connection.execute(
                "DELETE FROM runs WHERE id IN (SELECT id FROM runs ORDER BY started DESC LIMIT -1 OFFSET ?)",
                [self._runs_kept],
            )

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
            connection.executescript(_SCHEMA)
            if "owner" not in {row["name"] for row in connection.execute("PRAGMA table_info(runs)")}:
                _add_owner(connection)
        except sqlite3.Error:
            connection.close()
            raise
        return connection


class TraceRecorder:
    """Records runs for a `TraceStore`. A trace that cannot be written costs a warning, never the answer."""

    def __init__(self, store: TraceStore, *, plans: bool = True, owner: str | None = None) -> None:
        """`owner`: who asks, where there are several."""
        self._store = store
        self._plans = plans
        self._owner = owner

    def begin(self, *, graph: str, question: str, thread_id: str | None) -> TraceRun:
        return TraceRun(self._store, graph, question, thread_id, self._plans, self._owner)


@dataclass(slots=True)
class _Event:
    span: int
    at: float
    kind: str
    data: str


@dataclass(slots=True)
class TraceSpan:
    """One run of one node, as it is collected."""

    run: TraceRun
    number: int
    node: str
    iteration: int
    inputs: str
    started: float
    ended: float | None = None
    outputs: dict[str, Any] = field(default_factory=dict)
    error: str | None = None

    def event(self, kind: str, **data: Any) -> None:
        texts = {key: bounded_text(data[key], LONGEST_PROMPT) for key in _PROMPTS if isinstance(data.get(key), str)}
        kept = {key: value for key, value in data.items() if key not in texts}
        self.run.add(_Event(self.number, time.monotonic(), kind, bounded_json(kept, texts)))

    def output(self, **data: Any) -> None:
        self.outputs.update(data)


class TraceRun:
    """One question's trace while it runs; written when its `with` block ends, however it ends."""

    def __init__(
        self,
        store: TraceStore,
        graph: str,
        question: str,
        thread_id: str | None,
        plans: bool,
        owner: str | None = None,
    ) -> None:
        self._store = store
        self._graph = graph
        self._question = question
        self._thread = thread_id
        self._plans = plans
        self._owner = owner
        self._id = uuid.uuid4().hex[:16]
        self._started_at = time.time()
        self._started = time.monotonic()
        self._ended = self._started
        self._lock = Lock()
        self._spans: list[TraceSpan] = []
        self._events: list[_Event] = []
        self._outcome: dict[str, Any] = {}
        self._error: BaseException | None = None

    @property
    def id(self) -> str:
        return self._id

    @property
    def keeps_plans(self) -> bool:
        return self._plans

    @contextmanager
    def span(self, node: str, iteration: int, inputs: Mapping[str, Any]) -> Iterator[TraceSpan]:
        kept = bounded_json(dict(inputs))
        with self._lock:
            span = TraceSpan(self, len(self._spans), node, iteration, kept, time.monotonic())
            self._spans.append(span)
        try:
            yield span
        except GraphBubbleUp:  # No error: the run waits for its user.
            raise
        except BaseException as error:
            span.error = _told(error)
            raise
        finally:
            span.ended = time.monotonic()

    def add(self, event: _Event) -> None:
        with self._lock:
            if len(self._events) < EVENTS_PER_RUN:
                self._events.append(event)

    def outcome(self, result: Mapping[str, Any]) -> None:
        self._outcome = dict(result)

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._ended, self._error = time.monotonic(), error
        try:
            self._store.write(self)
        except (sqlite3.Error, OSError, BadInput) as failure:
            logging.getLogger(__name__).warning("The trace of this question was not kept: %s", failure)

    def row(self) -> tuple[Any, ...]:
        """As the table `runs` has it."""
        ended = "waiting" if "choice" in self._outcome else "ok"
        status = ended if self._error is None else "interrupted" if _is_interrupt(self._error) else "error"
        error = None if self._error is None else _told(self._error)
        question = bounded(self._question)
        return (
            self._id, self._started_at, self._graph, question, self._thread, status, self._ms(self._ended), error,
            bounded_json(self._outcome), self._owner,
        )  # fmt: skip

    def rows(self) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        """As the tables `spans` and `events` have them."""
        with self._lock:
            spans, events = list(self._spans), list(self._events)
        return [
            (
                self._id, span.number, span.node, span.iteration, self._ms(span.started),
                round(((span.ended or self._ended) - span.started) * 1000, 3), span.inputs,
                bounded_json(span.outputs), span.error,
            )
            for span in spans
        ], [
            (self._id, event.span, number, self._ms(event.at), event.kind, event.data)
            for number, event in enumerate(events)
        ]  # fmt: skip

    def _ms(self, at: float) -> float:
        return round((at - self._started) * 1000, 3)


def _told(error: BaseException) -> str:
    return str(bounded(f"{type(error).__name__}: {error}"))


def _is_interrupt(error: BaseException) -> bool:
    return isinstance(error, (KeyboardInterrupt, GeneratorExit, SystemExit, Stopped))


def _add_owner(connection: sqlite3.Connection) -> None:
    """To a file of an earlier release. Another process may be at it, too."""
    try:
        connection.execute("ALTER TABLE runs ADD COLUMN owner TEXT")
    except sqlite3.OperationalError as error:
        if "duplicate column" not in str(error):
            raise


def _run_fields(row: sqlite3.Row) -> dict[str, Any]:
    return {key: row[key] for key in ("id", "started", "graph", "question", "thread", "status", "ms", "error")}


def _summary(row: sqlite3.Row) -> dict[str, Any]:
    outcome = json.loads(row["outcome"])
    known = outcome if isinstance(outcome, dict) else {}
    model = known.get("model")
    cost: Mapping[str, Any] = model if isinstance(model, dict) else {}
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
