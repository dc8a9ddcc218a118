"""Who answers what the desk takes in: this process, or worker processes (`workers`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING, Any, Protocol

from clew.app.questioning import Asked, events, turn_after
from clew.app.serving.open_graphs import OpenGraphs
from clew.app.serving.runs import Work
from clew.app.traces.forking import Fork
from clew.app.traces.forking import fork as forked
from clew.app.traces.replaying import replay
from clew.app.verifying import verified_in

if TYPE_CHECKING:
    from clew.app.container import Container
    from clew.graphs.state import Turn


class Answering(Protocol):
    """Each gives what a thread of `runs` works through. The work raises ClewError, and Stopped where it was ended."""

    def ask(self, asked: Asked) -> Work[dict[str, Any]]:
        """The events of `clew.app.questioning.events`."""

    def verify(self, graph: str, statement: str, owner: str | None) -> Work[dict[str, Any]]:
        """One event, {"type": "result", "result": …}."""

    def reread(self, graph: str, questions: Sequence[str]) -> Work[dict[str, Any]]:
        """One event, {"type": "turns", "turns": […]}: what a conversation of these questions remembers of them."""

    def again(self, id: str, owner: str | None, fork: Fork | None) -> Work[dict[str, Any]]:
        """One event, {"type": "result", "result": …}: the replay of a trace, or a fork of it."""

    def open(self, names: list[str] | None) -> None:
        """Open those graphs, or all."""

    @property
    def open_now(self) -> list[str]:
        """The graphs that can be asked without being opened first."""

    @property
    def failed(self) -> dict[str, str]:
        """The graphs that could not be opened, and why."""

    def close(self) -> None: ...


@dataclass
class Here:
    """Answers in the threads that work through it."""

    container: Container
    graphs: OpenGraphs

    def ask(self, asked: Asked) -> Work[dict[str, Any]]:
        return lambda left: events(self.container, self.graphs.context(asked.graph), asked, left)

    def verify(self, graph: str, statement: str, owner: str | None) -> Work[dict[str, Any]]:
        def work(left: Event) -> Iterator[dict[str, Any]]:
            found = verified_in(self.container, self.graphs.context(graph), statement, owner, left)
            yield {"type": "result", "result": found}

        return work

    def reread(self, graph: str, questions: Sequence[str]) -> Work[dict[str, Any]]:
        def work(left: Event) -> Iterator[dict[str, Any]]:
            found: tuple[Turn, ...] = ()
            context = self.graphs.context(graph)
            for question in questions:
                asked = Asked(graph, question, history=found, reread=True)
                found = (*found, turn_after(self.container, context, asked, left))
            yield {"type": "turns", "turns": found}

        return work

    def again(self, id: str, owner: str | None, fork: Fork | None) -> Work[dict[str, Any]]:
        def work(left: Event) -> Iterator[dict[str, Any]]:
            how: Any = {"owner": owner, "open_context": self.graphs.context, "capped": True, "cancelled": left}
            done = replay(self.container, id, **how) if fork is None else forked(self.container, id, fork, **how)
            yield {"type": "result", "result": done.to_json()}

        return work

    def open(self, names: list[str] | None) -> None:
        self.container.embedder.settle()
        self.graphs.open_all(names)

    @property
    def open_now(self) -> list[str]:
        return self.graphs.open_now

    @property
    def failed(self) -> dict[str, str]:
        return self.graphs.failed

    def close(self) -> None:
        return
