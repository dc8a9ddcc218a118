"""The desk: what all routes ask questions and check statements through."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from clew.app.questioning import Asked, resumed
from clew.app.serving.answering import Answering
from clew.app.serving.callers import Busy, Caller, GoingAway
from clew.app.serving.metrics import Metrics
from clew.app.serving.open_graphs import OpenGraphs
from clew.app.serving.runs import Runs, Work
from clew.app.serving.shapes import AskOptions, Choosing, ForkBody
from clew.app.traces.forking import Fork
from clew.graphs.interruptible import Stopped
from clew.tools.errors import BadInput, UnknownGraph

if TYPE_CHECKING:
    from clew.app.container import Container
    from clew.graphs.nodes.clarify import Chosen
    from clew.graphs.state import Turn

T = TypeVar("T")
_NAMES_KEPT = 30.0
"""Seconds for which the list of graphs is taken as it was; one that is not in it is looked for at once."""


@dataclass
class Desk:
    """Made and used on one event loop."""

    container: Container
    graphs: OpenGraphs
    answers: Answering
    runs: Runs
    metrics: Metrics
    _talking: set[str] = field(default_factory=set)
    """Threads of conversations in which a question is being answered."""
    opened: bool = False
    """Whether the graphs have been opened that were to be."""
    _names: tuple[float, list[str]] = (float("-inf"), [])

    async def visible(self, caller: Caller) -> list[str]:
        """The graphs that there are for the caller."""
        looked, names = self._names
        if time.monotonic() - looked > _NAMES_KEPT:
            names = await asyncio.to_thread(self.graphs.names)
            self._names = time.monotonic(), names
        return [name for name in names if caller.may_ask(name)]

    async def graph(self, caller: Caller, given: str | None, session: str | None = None) -> str:
        """The graph that is meant: the one that is named, that of the session, or the only one. To a caller, graphs
        that they may not ask are not there. Raises UnknownGraph or BadInput."""
        names = await self.visible(caller)
        if given is None and session is not None:
            given = await asyncio.to_thread(self.container.sessions.graph_of, caller.thread(session))
        if given is not None and given not in names:
            self._names = float("-inf"), []
            names = await self.visible(caller)
        if given in names:
            return str(given)
        if given is not None:
            raise UnknownGraph(f"There is no graph {given!r}.", f"There is {', '.join(names) or 'none for you'}.")
        if len(names) != 1:
            raise BadInput(f"There are {len(names)} graphs: {', '.join(names)}.", "Say which: graph.")
        return names[0]

    async def ask(
        self,
        caller: Caller,
        question: str | Choosing,
        options: AskOptions,
        history: tuple[Turn, ...] | None = None,
        *,
        clarify: bool = False,
        steps: bool = True,
    ) -> AsyncGenerator[dict[str, Any], None]:
        """What happens, beginning with {"type": "start", "graph", "session"}, then with `steps` each
        {"type": "step", …}, and at last {"type": "result", "result": …, "turn": …}, or, with `clarify`,
        {"type": "choice", "session", …}, after which the session's question goes on with a Choosing. Raises ClewError
        and Full."""
        graph = await self.graph(caller, options.graph, options.session)
        thread = caller.thread(options.session) if options.session is not None else None
        self.runs.refuse_unless_room()
        with self.alone(thread):
            text, chosen = (question, None) if isinstance(question, str) else await self._chosen(thread, question)
            asked = Asked(
                graph,
                text,
                strategies=tuple(options.strategies) if options.strategies else None,
                thread=thread,
                history=history,
                owner=caller.owner,
                seconds=options.seconds,
                rows=options.rows,
                tokens=options.tokens,
                clarify=clarify,
                chosen=chosen,
                steps=steps,
                updates=options.updates,
                messages=options.messages,
            )
            yield {"type": "start", "graph": graph, "session": options.session}
            last: dict[str, Any] | None = None
            async for event in self._counted("ask", self.answers.ask(asked)):
                if event["type"] in ("result", "choice"):
                    last = event
                else:
                    yield event
        if last is not None:  # Told when the session is free: whoever has the answer may ask on at once.
            yield {**last, "session": options.session} if last["type"] == "choice" else last

    async def result(
        self, caller: Caller, question: str | Choosing, options: AskOptions, *, clarify: bool = False
    ) -> dict[str, Any]:
        """Only the result, or the choice."""
        async with aclosing(self.ask(caller, question, options, clarify=clarify, steps=False)) as told:
            async for event in told:
                if event["type"] in ("result", "choice"):
                    found: dict[str, Any] = event["result"] if event["type"] == "result" else event
                    return found
        raise AssertionError("a run ends with its result")

    async def verify(self, caller: Caller, statement: str, graph: str | None) -> dict[str, Any]:
        """As `clew verify --json` has it. Raises ClewError and Full."""
        name = await self.graph(caller, graph)

        return await self._worked(caller, name, "verify", self.answers.verify(name, statement, caller.owner))

    async def replay(self, caller: Caller, run: Mapping[str, Any]) -> dict[str, Any]:
        """As `clew trace replay --json` has one. Raises ClewError and Full."""
        work = self.answers.again(run["id"], caller.owner, None)
        return await self._worked(caller, run["graph"], "replay", work)

    async def fork(self, caller: Caller, run: Mapping[str, Any], wanted: ForkBody) -> dict[str, Any]:
        """As `clew trace fork --json`. Raises ClewError and Full."""
        limits = {name: value for name in ("seconds", "rows", "tokens") if (value := getattr(wanted, name)) is not None}
        strategies = tuple(wanted.strategies) if wanted.strategies else None
        work = self.answers.again(run["id"], caller.owner, Fork(wanted.step, strategies, wanted.entities, limits))
        return await self._worked(caller, run["graph"], "fork", work)

    async def quietly(self, work: Work[T]) -> T:
        """The last thing that `work` yields, in a run that is not counted. Raises ClewError and Full."""
        try:
            return await self.runs.last(work)
        except Stopped:
            raise _going_away() from None

    async def _worked(self, caller: Caller, graph: str, kind: str, work: Work[dict[str, Any]]) -> dict[str, Any]:
        """The result of `work` about a graph that the caller may ask."""
        await self.graph(caller, graph)
        async with aclosing(self._counted(kind, work)) as told:
            async for event in told:
                found: dict[str, Any] = event["result"]
                return found
        raise AssertionError("a run ends with its result")

    async def _chosen(self, thread: str | None, choosing: Choosing) -> tuple[str, Chosen]:
        """The question that waits, and what was chosen for it. Raises BadInput."""
        waiting = await asyncio.to_thread(self.container.sessions.waiting, thread) if thread is not None else None
        chosen = resumed(waiting, choosing.mention, choosing.entity)
        assert waiting is not None
        return waiting["question"], chosen

    async def _counted(self, kind: str, work: Any) -> AsyncGenerator[dict[str, Any], None]:
        outcome, cost = "left", None
        try:
            async with aclosing(self.runs.stream(work)) as parts:
                async for event in parts:
                    if event["type"] == "result":
                        outcome = "empty" if event["result"].get("answers") == [] else "answered"
                        cost = event["result"].get("model")
                    elif event["type"] == "choice":
                        outcome = "asked back"
                    yield event
        except Stopped:
            raise _going_away() from None
        except Exception:
            outcome = "error"
            raise
        finally:
            self.metrics.run(kind, outcome, cost)

    @contextmanager
    def alone(self, thread: str | None) -> Iterator[None]:
        """Raises Busy where a question of the same conversation is being answered."""
        if thread is None:
            yield
            return
        if thread in self._talking:
            raise Busy("A question of this session is still being answered.", "Wait for it, or leave it.")
        self._talking.add(thread)
        try:
            yield
        finally:
            self._talking.discard(thread)


def _going_away() -> GoingAway:
    return GoingAway("The server is going away.", "Ask again in a moment.")
