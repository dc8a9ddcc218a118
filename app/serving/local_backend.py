"""The backend that answers in the server's own process. `worker_pool.WorkerPool` answers in others, and has the same
methods and attributes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING, Any

from clew.app.questioning import AskRequest
from clew.app.serving.open_graphs import OpenGraphs
from clew.app.serving.runs import Work
from clew.app.traces.forking import Fork
from clew.app.traces.replaying import Replayer

if TYPE_CHECKING:
    from clew.app.api.client import Client
    from clew.graphs.state import Turn

Events = Work[dict[str, Any]]
"""Raises ClewError, and Stopped if it is cancelled."""


@dataclass
class LocalBackend:
    """Answers in the threads that run its work (see `runs`)."""

    client: Client
    graphs: OpenGraphs

    def ask(self, asked: AskRequest) -> Events:
        """The events of `clew.app.questioning.events`."""

        def work(cancelled: Event) -> Iterator[dict[str, Any]]:
            yield from self.client.graph(asked.graph).run(asked, cancelled)

        return work

    def verify(self, graph: str, statement: str, owner: str | None) -> Events:
        """One event, {"type": "result", "result": …}."""

        def work(cancelled: Event) -> Iterator[dict[str, Any]]:
            found = self.client.graph(graph).run_verification(statement, owner, cancelled)
            yield {"type": "result", "result": found}

        return work

    def reread(self, graph: str, questions: Sequence[str]) -> Events:
        """One event, {"type": "turns", "turns": […]}: what a conversation of these questions remembers of them."""

        def work(cancelled: Event) -> Iterator[dict[str, Any]]:
            turns: tuple[Turn, ...] = ()
            for question in questions:
                asked = AskRequest(graph, question, history=turns, reread=True)
                *_, last = self.client.graph(graph).run(asked, cancelled)
                turns = (*turns, last["turn"])
            yield {"type": "turns", "turns": turns}

        return work

    def replay(self, id: str, owner: str | None, fork: Fork | None) -> Events:
        """One event, {"type": "result", "result": …}: the replay of a trace, or a fork of it."""

        def work(cancelled: Event) -> Iterator[dict[str, Any]]:
            replayer = Replayer(
                self.client.container.recorder, self.graphs.context, owner, capped=True, cancelled=cancelled
            )
            done = replayer.replay(id) if fork is None else replayer.fork(id, fork)
            yield {"type": "result", "result": done.to_json()}

        return work

    def open(self, names: list[str] | None) -> None:
        """Open these graphs, or all."""
        self.client.container.embedder.settle()
        self.graphs.open_all(names)

    @property
    def open_now(self) -> list[str]:
        """The graphs that are open."""
        return self.graphs.open_now

    @property
    def failed(self) -> dict[str, str]:
        """The graphs that could not be opened, and why."""
        return self.graphs.failed

    def close(self) -> None:
        """Nothing to close: the caller closes the client."""
