"""The service through which all routes ask questions and verify statements."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractContextManager, AsyncExitStack, aclosing, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from clew.app.api.requests import AskRequest, checked_choice
from clew.app.api.streams import Stopped, Work, last_of
from clew.app.serving.authentication import Caller
from clew.app.serving.busy_sessions import BusySessions
from clew.app.serving.local_backend import LocalBackend
from clew.app.serving.metrics import Metrics
from clew.app.serving.queries import QueryRuns
from clew.app.serving.request_models import AskOptions, ChoiceSelection, ForkBody
from clew.app.serving.runs import Places, Runs, ShuttingDown
from clew.app.serving.worker_pool import WorkerPool
from clew.tools.errors import BadInput, UnknownGraph

if TYPE_CHECKING:
    from clew.app.api.client import Client
    from clew.app.api.requests import Chosen, Turn

T = TypeVar("T")
_NAMES_KEPT = 30.0
"""Seconds for which the list of graphs is cached; a name that is not in it is looked up at once."""


@dataclass
class QuestionService:
    """Made and used on one event loop. Its methods raise ClewError, such as QueueFull.

    Methods with `places` run in one of them, and without are admitted on their own."""

    client: Client
    backend: LocalBackend | WorkerPool
    runs: Runs
    metrics: Metrics
    busy: BusySessions = field(init=False)
    """The conversations in which a question is being answered."""
    queries: QueryRuns = field(init=False)
    """Cypher of people."""
    opened: bool = False
    """Whether the graphs that were to be opened at the start are open."""
    stopping: bool = False
    """Whether the server has received the signal to stop."""
    _names: tuple[float, list[str]] = (float("-inf"), [])

    def __post_init__(self) -> None:
        self.busy = BusySessions(self.client.claims)
        self.queries = QueryRuns()

    def stop(self) -> None:
        """Say that the server stops, while it still answers."""
        self.stopping = True

    async def visible(self, caller: Caller) -> list[str]:
        """The graphs that the caller may ask."""
        looked, names = self._names
        if time.monotonic() - looked > _NAMES_KEPT:
            names = [graph.name for graph in await asyncio.to_thread(self.client.graphs)]
            self._names = time.monotonic(), names
        return [name for name in names if caller.may_ask(name)]

    def graphs_changed(self) -> None:
        """Look the names up anew: graphs were added or removed."""
        self._names = float("-inf"), []

    async def graph(self, caller: Caller, given: str | None, session: str | None = None) -> str:
        """The graph of a request: the named one, that of the session, or the only one.

        Graphs that the caller may not ask, and sessions about them, do not exist for them. Raises UnknownGraph,
        UnknownSession or BadInput.
        """
        if given is None and session is not None:
            given = await asyncio.to_thread(self.client.sessions.graph_of, await self.thread(caller, session))
        graph = await self._named(caller, given)
        if session is not None:
            await self.thread(caller, session)
        return graph

    async def _named(self, caller: Caller, given: str | None) -> str:
        names = await self.visible(caller)
        if given is not None and given not in names:
            self.graphs_changed()
            names = await self.visible(caller)
        if given in names:
            return str(given)
        if given is not None:
            raise UnknownGraph(f"There is no graph {given!r}.", f"You may ask: {', '.join(names) or 'no graph yet'}.")
        if len(names) != 1:
            raise BadInput(f"There are {len(names)} graphs: {', '.join(names)}.", "Name one: graph.")
        return names[0]

    async def thread(self, caller: Caller, session: str) -> str:
        """The thread of the caller's session, which need not exist yet. Raises UnknownSession if it is about graphs
        that the caller may not ask."""
        thread = caller.thread(session)
        if caller.graphs is not None:
            await asyncio.to_thread(self.client.sessions.refuse_if_about_others, thread, caller.graphs)
        return thread

    async def ask(
        self,
        caller: Caller,
        question: str | ChoiceSelection,
        options: AskOptions,
        history: tuple[Turn, ...] | None = None,
        *,
        clarify: bool = False,
        steps: bool = True,
        places: Places | None = None,
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Answer a question, as events.

        The first is {"type": "start", "graph", "session"}: the question is admitted. With `steps`, {"type": "step", …}
        follow; the last is {"type": "result", "result": …, "turn": …} or, with `clarify`, {"type": "choice", "session",
        …}, after which a ChoiceSelection continues the session's question.
        """
        graph = await self.graph(caller, options.graph, options.session)
        thread = caller.thread(options.session) if options.session is not None else None
        async with AsyncExitStack() as stack:
            admitted = stack.enter_context(self.admitted(caller, options.session, places))
            await stack.enter_async_context(self.busy.alone(thread))
            text, chosen = (question, None) if isinstance(question, str) else await self._chosen(thread, question)
            request = AskRequest(
                text,
                method=options.method,
                strategies=tuple(options.strategies) if options.strategies else None,
                thread=thread,
                origin=options.origin,
                history=history,
                owner=caller.owner,
                seconds=options.seconds,
                rows=options.rows,
                tokens=options.tokens,
                reading=options.reading,
                strict=options.strict,
                model=options.model,
                without_model=options.without_model,
                clarify=clarify,
                chosen=chosen,
                steps=steps,
                updates=options.updates,
                messages=options.messages,
            )
            yield {"type": "start", "graph": graph, "session": options.session}
            last: dict[str, Any] | None = None
            async with aclosing(self._counted("ask", self.backend.ask(graph, request), admitted)) as events:
                async for event in events:
                    if event["type"] in ("result", "choice"):
                        last = event
                    else:
                        yield event
        if last is None:
            raise RuntimeError("A run ended without a result.")
        # Sent when the session is free again, so that the client can ask on at once.
        yield {**last, "session": options.session} if last["type"] == "choice" else last

    async def result(
        self,
        caller: Caller,
        question: str | ChoiceSelection,
        options: AskOptions,
        *,
        clarify: bool = False,
        places: Places | None = None,
    ) -> dict[str, Any]:
        """As `ask`, the result or the choice alone."""
        event = await last_of(self.ask(caller, question, options, clarify=clarify, steps=False, places=places))
        found: dict[str, Any] = event["result"] if event["type"] == "result" else event
        return found

    async def verify(
        self, caller: Caller, statement: str, graph: str | None, places: Places | None = None
    ) -> dict[str, Any]:
        """Verify a statement, as `clew verify --json` prints it."""
        name = await self.graph(caller, graph)
        return await self._result(caller, name, "verify", self.backend.verify(name, statement, caller.owner), places)

    async def replay(self, caller: Caller, run: Mapping[str, Any]) -> dict[str, Any]:
        """Replay a trace, as `clew trace replay --json` prints it."""
        return await self._result(caller, run["graph"], "replay", self.backend.replay(run["id"], caller.owner))

    async def fork(self, caller: Caller, run: Mapping[str, Any], body: ForkBody) -> dict[str, Any]:
        """Fork a trace, as `clew trace fork --json` prints it."""
        work = self.backend.fork(run["id"], body.step, body.changes, caller.owner)
        return await self._result(caller, run["graph"], "fork", work)

    async def uncounted(self, work: Work[T]) -> T:
        """The last item of `work`, in a run that the metrics do not count."""
        try:
            return await self.runs.last(work)
        except Stopped:
            raise _shutting_down() from None

    async def _result(
        self, caller: Caller, graph: str, kind: str, work: Work[dict[str, Any]], places: Places | None = None
    ) -> dict[str, Any]:
        """The result of `work` on a graph that the caller may ask."""
        await self.graph(caller, graph)
        with self.admitted(caller, places=places) as admitted:
            found: dict[str, Any] = (await last_of(self._counted(kind, work, admitted)))["result"]
        return found

    def admitted(
        self, caller: Caller, session: str | None = None, places: Places | None = None, runs: int = 1
    ) -> AbstractContextManager[Places]:
        """`places`, or else new ones. Users take turns; without tokens, sessions do. Raises QueueFull."""
        if places is not None:
            return nullcontext(places)
        return self.runs.admitted(runs, caller.owner or f"/{session or ''}")

    async def _chosen(self, thread: str | None, selection: ChoiceSelection) -> tuple[str, Chosen]:
        """The question that waits for a choice, and what was chosen. Raises BadInput."""
        waiting = None
        if thread is not None:
            waiting = await asyncio.to_thread(lambda: self.client.sessions.waiting(thread))
        chosen = checked_choice(waiting, selection.mention, selection.entity)
        assert waiting is not None
        return waiting["question"], chosen

    async def _counted(
        self, kind: str, work: Work[dict[str, Any]], places: Places
    ) -> AsyncGenerator[dict[str, Any], None]:
        outcome, cost = "left", None
        try:
            async with aclosing(self.runs.stream(work, places)) as events:
                async for event in events:
                    if event["type"] == "result":
                        outcome = "empty" if event["result"].get("answers") == [] else "answered"
                        cost = event["result"].get("model")
                    elif event["type"] == "choice":
                        outcome = "asked back"
                    yield event
        except Stopped:
            raise _shutting_down() from None
        except Exception:
            outcome = "error"
            raise
        finally:
            self.metrics.run(kind, outcome, cost)


def _shutting_down() -> ShuttingDown:
    return ShuttingDown("The server is shutting down.", "Ask again in a moment.")
