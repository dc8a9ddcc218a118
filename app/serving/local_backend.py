"""The backend that answers in the server's own process. `worker_pool.WorkerPool` answers in others, and has the same
methods and attributes."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Any

from clew.app.api.requests import AskRequest
from clew.app.api.streams import Work
from clew.app.progress import Task, TrackedProgress
from clew.tools.errors import ClewError

if TYPE_CHECKING:
    from clew.app.api.client import Client
    from clew.app.api.requests import Turn

Events = Work[dict[str, Any]]
"""Raises ClewError, and Stopped if it is cancelled."""
_RECHECK_SECONDS = 2.0
"""After which the database is asked again whether a graph has changed."""


@dataclass
class LocalBackend:
    """Answers in the threads that run its work (see `runs`)."""

    client: Client
    failed: dict[str, str] = field(default_factory=dict)
    """The graphs that could not be opened, and why."""
    _progress: TrackedProgress = field(init=False)

    def __post_init__(self) -> None:
        self._progress = self.client.progress = TrackedProgress(self.client.progress)
        self.client.keep_open(_RECHECK_SECONDS, self._after_opening)

    def ask(self, graph: str, request: AskRequest) -> Events:
        """The events of `clew.app.api.asking.Asking.run`."""

        def work(cancelled: Event) -> Iterator[dict[str, Any]]:
            yield from self.client.graph(graph).run(request, cancelled)

        return work

    def verify(self, graph: str, statement: str, owner: str | None) -> Events:
        """One event, {"type": "result", "result": …}."""

        return _result(lambda cancelled: self.client.graph(graph).run_verification(statement, owner, cancelled))

    def reread(self, graph: str, questions: Sequence[str]) -> Events:
        """One event, {"type": "turns", "turns": […]}: what a conversation of these questions remembers of them."""

        def work(cancelled: Event) -> Iterator[dict[str, Any]]:
            turns: tuple[Turn, ...] = ()
            for question in questions:
                request = AskRequest(question, history=turns, reread=True)
                *_, last = self.client.graph(graph).run(request, cancelled)
                turns = (*turns, last["turn"])
            yield {"type": "turns", "turns": turns}

        return work

    def replay(self, id: str, owner: str | None) -> Events:
        """One event, {"type": "result", "result": …}: the replay of a trace."""
        replay = self.client.replay
        return _result(lambda cancelled: replay(id, owner=owner, capped=True, cancelled=cancelled).to_json())

    def fork(self, id: str, step: str, changes: Mapping[str, Any], owner: str | None) -> Events:
        """One event, {"type": "result", "result": …}: the fork of a trace."""
        fork = self.client.fork
        return _result(
            lambda cancelled: fork(id, step, changes, owner=owner, capped=True, cancelled=cancelled).to_json()
        )

    def open(self, names: list[str] | None) -> None:
        """Open these graphs, or all; `failed` gets those that cannot be opened."""
        self.client.minilm.settle()
        for name in [graph.name for graph in self.client.graphs()] if names is None else names:
            try:
                self.client.context(name)
            except ClewError as error:
                self.failed[name] = error.message

    @property
    def open_now(self) -> list[str]:
        """The graphs that are open."""
        return self.client.open_now

    def opening(self, name: str) -> Task | None:
        """The progress of opening a graph; None if it is not being opened."""
        if name != self.client.being_opened:
            return None
        return self._progress.current or Task("Opening", "graphs", None)

    def close(self) -> None:
        """Nothing to close: the caller closes the client."""

    def _after_opening(self, name: str) -> None:
        """Keep the garbage collector from walking over open graphs again and again, while all threads wait (0.4 s at a
        time for 40,000 nodes).

        Graphs that are no longer used are collected first. What a question allocates is freed with it: looking for
        cycles at every 700th object takes 4 % of a question's time, so the threshold is higher.
        """
        self.failed.pop(name, None)
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)


def _result(compute: Callable[[Event], dict[str, Any]]) -> Events:
    """The work of one event with the computed result."""

    def work(cancelled: Event) -> Iterator[dict[str, Any]]:
        yield {"type": "result", "result": compute(cancelled)}

    return work
