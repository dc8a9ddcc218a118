"""Recording: a run is collected in memory, and written to the store when it ends, whether it succeeded or not.

Beside its spans and events, a trace keeps what it takes to run it again. `given` is a map: `kind` ("question" or
"statement"), `history` (the turns before), `method`, `strategies`, `model`, `without_model`, `budget`, `clarify`,
`graph_version`, `setup` (release, models, other settings), `fork` for a fork, and `redacted` if the question held a
secret. `writes` is a list of supersteps, each a list of [node, what it wrote into the state]; LangGraph's checkpoints
can be restored from them.
They take 2 to 6 KB and a millisecond or two for a question, where checkpoints would take a write to disk at every step.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import time
import uuid
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any

from langgraph.errors import GraphBubbleUp
from langgraph.types import Overwrite

from clew.app.traces.redaction import (
    bounded,
    bounded_json,
    bounded_text,
    json_without_secrets,
    redacted,
    without_words_of_secrets,
)
from clew.app.traces.store import TraceRecord, TraceStore
from clew.graphs.interruptible import Stopped
from clew.graphs.recorder import Recorder, Span, Trace
from clew.tools.errors import ClewError

if TYPE_CHECKING:
    from clew.app.traces.otel_export import OtelExporter

LONGEST_PROMPT = 20_000
"""Characters of a prompt or a reply of a model."""
_PROMPTS = ("system", "user", "reply")
EVENTS_PER_RUN = 500
MOST_BYTES = 4_000_000
"""Characters of all events of a run, and of what its nodes wrote; more is not kept."""
Superstep = Sequence[tuple[str, Mapping[str, Any]]]
"""Nodes that ran side by side, each with what it wrote into the state."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The run that a replay or a fork repeats."""

    replay_of: str | None = None
    thread: str | None = None
    """The conversation of the original run: deleting it deletes the trace."""
    fork: Mapping[str, Any] | None = None
    """Where a fork leaves the original run, and what it changes."""
    taken: Sequence[Mapping[str, Any]] = ()
    """The original run's spans up to there, as `TraceStore.show` has them."""
    writes: Sequence[Superstep] = ()
    """What was written up to there."""


@dataclass(frozen=True, slots=True)
class TraceRecorder(Recorder):
    """Records runs in a `TraceStore`. If a trace cannot be written, it logs a warning; questions still get answers."""

    store: TraceStore
    plans: bool = True
    owner: str | None = None
    """The user, if there are several."""
    setup: Mapping[str, Any] = field(default_factory=dict)
    """What answers: the release, and the models by name."""
    origin: Origin = Origin()
    exporter: OtelExporter | None = None
    """Also receives finished runs."""

    def begin(self, *, graph: str, question: str, thread_id: str | None) -> TraceRun:
        return TraceRun(self, graph, question, self.origin.thread or thread_id)


@dataclass(slots=True)
class _Event:
    span: int
    at: float
    kind: str
    data: str


@dataclass(slots=True)
class TraceSpan(Span):
    """One run of one node, while it is collected."""

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
        texts = {
            key: bounded_text(self.run.cleaned(data[key]), LONGEST_PROMPT)
            for key in _PROMPTS
            if isinstance(data.get(key), str)
        }
        kept = self.run.cleaned({key: value for key, value in data.items() if key not in texts})
        self.run.add(_Event(self.number, time.monotonic(), kind, bounded_json(kept, texts)))

    def output(self, **data: Any) -> None:
        self.outputs.update(data)


class TraceRun(Trace):
    """One question's trace while it runs; written when its `with` block ends, with or without an error."""

    def __init__(self, recorder: TraceRecorder, graph: str, question: str, thread: str | None) -> None:
        self._recorder = recorder
        self._graph = graph
        self._question = question
        self._thread = thread
        self._id = uuid.uuid4().hex[:16]
        self._started_at = time.time()
        self._started = time.monotonic()
        self._lock = Lock()
        self._spans: list[TraceSpan] = []
        self._events: list[_Event] = []
        self._outcome: dict[str, Any] = {}
        self._characters = 0
        self._cut = False
        self._given: dict[str, Any] = {}
        before = recorder.origin.writes
        self._writes = {number - len(before): list(superstep) for number, superstep in enumerate(before)}
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
        kept = bounded_json(self.cleaned(dict(inputs)))
        with self._lock:
            span = TraceSpan(self, len(self._spans), node, iteration, kept, time.monotonic())
            self._spans.append(span)
        try:
            yield span
        except GraphBubbleUp:  # No error: the run waits for its user.
            raise
        except BaseException as error:
            span.error = _described(error)
            raise
        finally:
            span.ended = time.monotonic()

    def cleaned(self, value: Any) -> Any:
        """A plain value without the words of secrets in the question."""
        return without_words_of_secrets(value, self._question)

    def add(self, event: _Event) -> None:
        with self._lock:
            self._characters += len(event.data)
            if self._cut:
                return
            self._cut = len(self._events) >= EVENTS_PER_RUN or self._characters > MOST_BYTES
            why = f"What follows is not kept: a trace has {EVENTS_PER_RUN} events and {MOST_BYTES:,} characters."
            self._events.append(replace(event, kind="cut", data=json.dumps({"why": why})) if self._cut else event)

    def begun(self, **given: Any) -> None:
        self._given = given

    def wrote(self, superstep: int, node: str, update: Mapping[str, Any]) -> None:
        with self._lock:
            self._writes.setdefault(superstep, []).append((node, update))

    def outcome(self, result: Mapping[str, Any]) -> None:
        self._outcome = dict(result)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            record = self._record(time.monotonic(), error)
            if self._recorder.exporter is not None:
                self._recorder.exporter.send(record)
            self._recorder.store.write(record)
        except (sqlite3.Error, OSError, ValueError, ClewError) as failure:
            logging.getLogger(__name__).warning("The trace of this question was not kept: %s", failure)

    def _record(self, ended: float, error: BaseException | None) -> TraceRecord:
        status = "waiting" if "choice" in self._outcome else "ok"
        if error is not None:
            interrupts = (KeyboardInterrupt, GeneratorExit, SystemExit, Stopped)
            status = "interrupted" if isinstance(error, interrupts) else "error"
        run = {
            "id": self._id,
            "started": self._started_at,
            "graph": self._graph,
            "question": bounded(self._question),
            "thread": self._thread,
            "status": status,
            "ms": self._ms(ended),
            "error": None if error is None else _described(error),
            "outcome": bounded_json(self.cleaned(self._outcome)),
            "owner": self._recorder.owner,
            "replay_of": self._recorder.origin.replay_of,
        }
        with self._lock:
            spans, events = list(self._spans), list(self._events)
        span_rows = [
            {
                "number": span.number,
                "node": span.node,
                "iteration": span.iteration,
                "start_ms": self._ms(span.started),
                "ms": round(((span.ended or ended) - span.started) * 1000, 3),
                "inputs": span.inputs,
                "outputs": bounded_json(self.cleaned(span.outputs)),
                "error": span.error,
            }
            for span in spans
        ]
        event_rows = [
            {"span": event.span, "number": number, "at_ms": self._ms(event.at), "kind": event.kind, "data": event.data}
            for number, event in enumerate(events)
        ]
        return TraceRecord(run, span_rows, event_rows, self._packed_given(), self._packed_writes())

    def _packed_given(self) -> bytes:
        fork = self._recorder.origin.fork
        given = {**self._given, "setup": self._recorder.setup, **({"fork": fork} if fork else {})}
        if redacted(self._question) != self._question:
            given["redacted"] = True
        return zlib.compress(_json(given), 1)

    def _packed_writes(self) -> bytes | None:
        """None if there are none, or more than MOST_BYTES: such a run cannot be forked."""
        with self._lock:
            supersteps = [self._writes[number] for number in sorted(self._writes)]
        plain = [[[node, _without_overwrites(update)] for node, update in superstep] for superstep in supersteps]
        text = _json(self.cleaned(plain))
        return zlib.compress(text, 1) if plain and len(text) <= MOST_BYTES else None

    def _take(self, span: Mapping[str, Any]) -> None:
        """Add a span of the original run, which this run did not execute and which took it no time."""
        at, number = self._started, len(self._spans)
        taken = TraceSpan(self, number, span["node"], span["iteration"], bounded_json(span["inputs"]), at, at)
        self._spans.append(taken)
        taken.outputs, taken.error = dict(span["outputs"]), span["error"]
        taken.event("taken over", trace=self._recorder.origin.replay_of, ms=span["ms"])
        for event in span["events"]:
            taken.event(event["kind"], **event["data"])

    def _ms(self, at: float) -> float:
        return round((at - self._started) * 1000, 3)


def _without_overwrites(update: Mapping[str, Any]) -> dict[str, Any]:
    """A question begins with an empty state, where overwriting is writing."""
    return {key: value.value if isinstance(value, Overwrite) else value for key, value in update.items()}


def _json(value: Any) -> bytes:
    return json_without_secrets(value).encode("utf-8", "replace")


def _described(error: BaseException) -> str:
    return str(bounded(f"{type(error).__name__}: {error}"))
