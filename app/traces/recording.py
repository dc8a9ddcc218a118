"""Recording: a run is collected in memory while it lasts, and handed to the store when it ends, well or not."""

from __future__ import annotations

import json
import logging
import sqlite3
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Lock
from types import TracebackType
from typing import Any, Protocol

from langgraph.errors import GraphBubbleUp

from clew.app.traces.inputs import Superstep, Writes, packed
from clew.app.traces.redaction import bounded, bounded_json, bounded_text, redacted
from clew.app.traces.store import TraceStore
from clew.graphs.interruptible import Stopped
from clew.graphs.recorder import Trace
from clew.tools.errors import BadInput

LONGEST_PROMPT = 20_000
"""Characters of what a model was asked or said, which is read as a whole or not at all."""
_PROMPTS = ("system", "user", "reply")
EVENTS_PER_RUN = 500
MOST_BYTES = 4_000_000
"""Characters of all events of a run; what comes after that, or after so many events, is not kept."""


class Exporter(Protocol):
    """As clew.app.traces.otel_export.OtelExporter."""

    def send(self, run: TraceRun) -> None: ...


@dataclass(frozen=True, slots=True)
class Origin:
    """What a run goes back to, where it asks again what another run asked."""

    replay_of: str | None = None
    thread: str | None = None
    """The conversation that the other run belonged to: the trace goes when that goes."""
    fork: Mapping[str, Any] | None = None
    """Where it leaves the other run, and with what changed."""
    taken: Sequence[Mapping[str, Any]] = ()
    """The other run's spans up to there, as `TraceStore.show` has them."""
    writes: Sequence[Superstep] = ()
    """What was written up to there."""


@dataclass(frozen=True, slots=True)
class TraceRecorder:
    """Records runs for a `TraceStore`. A trace that cannot be written costs a warning, never the answer."""

    store: TraceStore
    plans: bool = True
    owner: str | None = None
    """Who asks, where there are several."""
    setup: Mapping[str, Any] = field(default_factory=dict)
    """What answers: the release, and the models by name."""
    origin: Origin = Origin()
    exporter: Exporter | None = None
    """Where finished runs are sent besides."""

    def begin(self, *, graph: str, question: str, thread_id: str | None) -> TraceRun:
        return TraceRun(self, graph, question, self.origin.thread or thread_id)


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

    def __init__(self, recorder: TraceRecorder, graph: str, question: str, thread: str | None) -> None:
        self._recorder = recorder
        self._graph = graph
        self._question = question
        self._thread = thread
        self._id = uuid.uuid4().hex[:16]
        self._started_at = time.time()
        self._started = time.monotonic()
        self._ended = self._started
        self._lock = Lock()
        self._spans: list[TraceSpan] = []
        self._events: list[_Event] = []
        self._outcome: dict[str, Any] = {}
        self._error: BaseException | None = None
        self._told = 0
        self._cut = False
        self._given: dict[str, Any] = {}
        self._writes = Writes(recorder.origin.writes)
        for span in recorder.origin.taken:
            self._take(span)

    @property
    def id(self) -> str:
        return self._id

    @property
    def keeps_plans(self) -> bool:
        return self._recorder.plans

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
            self._told += len(event.data)
            if self._cut:
                return
            self._cut = len(self._events) >= EVENTS_PER_RUN or self._told > MOST_BYTES
            why = f"What follows is not kept: a trace has {EVENTS_PER_RUN} events and {MOST_BYTES:,} characters."
            self._events.append(replace(event, kind="cut", data=json.dumps({"why": why})) if self._cut else event)

    def begun(self, **given: Any) -> None:
        self._given = given

    def wrote(self, superstep: int, node: str, update: Mapping[str, Any]) -> None:
        self._writes.add(superstep, node, update)

    def outcome(self, result: Mapping[str, Any]) -> None:
        self._outcome = dict(result)

    def __enter__(self) -> Trace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._ended, self._error = time.monotonic(), error
        try:
            self._recorder.store.write(self)
        except (sqlite3.Error, OSError, ValueError, BadInput) as failure:
            logging.getLogger(__name__).warning("The trace of this question was not kept: %s", failure)
        if self._recorder.exporter is not None:
            self._recorder.exporter.send(self)

    def shown(self) -> dict[str, Any]:
        """As `TraceStore.show` has it, once it has ended."""
        row, (spans, events) = self.row(), self.rows()
        told: dict[int, list[dict[str, Any]]] = {}
        for _, span, _, at, kind, data in events:
            told.setdefault(span, []).append({"kind": kind, "at_ms": at, "data": json.loads(data)})
        shown = [
            {
                "node": node,
                "iteration": iteration,
                "start_ms": start,
                "ms": ms,
                "inputs": json.loads(inputs),
                "outputs": json.loads(outputs),
                "error": error,
                "events": told.get(number, []),
            }
            for _, number, node, iteration, start, ms, inputs, outputs, error in spans
        ]
        return {**row, "outcome": json.loads(row["outcome"]), "spans": shown}

    def row(self) -> dict[str, Any]:
        """As the table `runs` has it."""
        ended = "waiting" if "choice" in self._outcome else "ok"
        status = ended if self._error is None else "interrupted" if _is_interrupt(self._error) else "error"
        return {
            "id": self._id,
            "started": self._started_at,
            "graph": self._graph,
            "question": bounded(self._question),
            "thread": self._thread,
            "status": status,
            "ms": self._ms(self._ended),
            "error": None if self._error is None else _told(self._error),
            "outcome": bounded_json(self._outcome),
            "owner": self._recorder.owner,
            "replay_of": self._recorder.origin.replay_of,
        }

    def inputs(self) -> tuple[bytes, bytes | None]:
        """What it takes to ask the same again, and what the nodes wrote (see `clew.app.traces.inputs`)."""
        fork = self._recorder.origin.fork
        given = {**self._given, "setup": self._recorder.setup, **({"fork": fork} if fork else {})}
        if redacted(self._question) != self._question:
            given["redacted"] = True
        return packed(given), self._writes.packed()

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

    def _take(self, span: Mapping[str, Any]) -> None:
        """A step of another run, which this one has not done again and which took it no time."""
        at, number = self._started, len(self._spans)
        taken = TraceSpan(self, number, span["node"], span["iteration"], bounded_json(span["inputs"]), at, at)
        self._spans.append(taken)
        taken.outputs, taken.error = dict(span["outputs"]), span["error"]
        taken.event("taken over", trace=self._recorder.origin.replay_of, ms=span["ms"])
        for event in span["events"]:
            taken.event(event["kind"], **event["data"])

    def _ms(self, at: float) -> float:
        return round((at - self._started) * 1000, 3)


def _told(error: BaseException) -> str:
    return str(bounded(f"{type(error).__name__}: {error}"))


def _is_interrupt(error: BaseException) -> bool:
    return isinstance(error, (KeyboardInterrupt, GeneratorExit, SystemExit, Stopped))
