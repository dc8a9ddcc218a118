"""The interface of traces: a run is a list of spans (one per node run), and a span holds events.

The classes here record nothing; those of `clew.app.traces.recording` do.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import Any


class Span:
    """One run of one node."""

    def event(self, kind: str, **data: Any) -> None:
        """Record an event: candidates with scores and reasons, a query with its rows, a decision."""

    def output(self, **data: Any) -> None:
        """Record the output of the node."""


class Trace:
    """The trace of one question. Spans may be opened by several threads at once."""

    @property
    def id(self) -> str:
        """The id of the trace: `clew trace show ID`; empty if nothing is recorded."""
        return ""

    @property
    def keeps_plans(self) -> bool:
        """Whether the database should be asked for the plan of the query that gives the answers."""
        return False

    def span(self, node: str, iteration: int, inputs: Mapping[str, Any]) -> AbstractContextManager[Span]:
        """Open a span. An error that leaves it is recorded."""
        return nullcontext(Span())

    def begun(self, **given: Any) -> None:
        """Record the data for a replay."""

    def wrote(self, superstep: int, node: str, update: Mapping[str, Any]) -> None:
        """Record the state update of a node; nodes of one superstep ran in parallel."""

    def outcome(self, result: Mapping[str, Any]) -> None:
        """Record the result of the run, before it ends."""

    def __enter__(self) -> Trace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Store the trace, whether the run succeeded, failed or was interrupted."""


class Recorder:
    """Storage of traces."""

    def begin(self, *, graph: str, question: str, thread_id: str | None) -> Trace:
        """Begin the trace of a run."""
        return Trace()
