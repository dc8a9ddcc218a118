"""The interface of traces: a run is a list of spans (one per node run), and a span holds events."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import Any, Protocol


class Span(Protocol):
    """One run of one node."""

    def event(self, kind: str, **data: Any) -> None:
        """Record an event: candidates with scores and reasons, a query with its rows, a decision."""

    def output(self, **data: Any) -> None:
        """Record the output of the node."""


class Trace(Protocol):
    """The trace of one question. Spans may be opened by several threads at once."""

    @property
    def id(self) -> str:
        """The id of the trace: `clew trace show ID`."""

    @property
    def keeps_plans(self) -> bool:
        """Whether the database should be asked for the plan of the query that gives the answers."""

    def span(self, node: str, iteration: int, inputs: Mapping[str, Any]) -> AbstractContextManager[Span]:
        """Open a span. An error that leaves it is recorded."""

    def begun(self, **given: Any) -> None:
        """Record the data for a replay."""

    def wrote(self, superstep: int, node: str, update: Mapping[str, Any]) -> None:
        """Record the state update of a node; nodes of one superstep ran in parallel."""

    def outcome(self, result: Mapping[str, Any]) -> None:
        """Record the result of the run, before it ends."""

    def __enter__(self) -> Trace: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Store the trace, whether the run succeeded, failed or was interrupted."""


class Recorder(Protocol):
    """Storage of traces."""

    def begin(self, *, graph: str, question: str, thread_id: str | None) -> Trace: ...


class NoSpan:
    """A span that records nothing."""

    def event(self, kind: str, **data: Any) -> None:
        return

    def output(self, **data: Any) -> None:
        return


class NoTrace:
    """The trace of a run without recording; its id is empty."""

    id = ""
    keeps_plans = False

    def span(self, node: str, iteration: int, inputs: Mapping[str, Any]) -> AbstractContextManager[Span]:
        return nullcontext(NoSpan())

    def begun(self, **given: Any) -> None:
        return

    def wrote(self, superstep: int, node: str, update: Mapping[str, Any]) -> None:
        return

    def outcome(self, result: Mapping[str, Any]) -> None:
        return

    def __enter__(self) -> Trace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        return


class NoRecorder:
    def begin(self, *, graph: str, question: str, thread_id: str | None) -> Trace:
        return NoTrace()
