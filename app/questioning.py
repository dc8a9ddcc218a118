"""Questions and statements: the graphs that answer them, and what the front ends show besides."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from threading import Event
from typing import TYPE_CHECKING, Any

from clew.app.container import Container
from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from clew.app.sessions.store import Waiting
    from clew.graphs.context import Context
    from clew.graphs.nodes.clarify import Chosen
    from clew.graphs.run import Budget
    from clew.graphs.state import Turn


@dataclass(frozen=True, slots=True)
class AskRequest:
    """One question, and how to answer it."""

    graph: str
    question: str
    strategies: tuple[str, ...] | None = None
    thread: str | None = None
    """The conversation that it belongs to, if it is kept here."""
    history: tuple[Turn, ...] | None = None
    """The conversation that it belongs to, if the caller keeps it."""
    owner: str | None = None
    """The user who owns its trace."""
    seconds: float | None = None
    """Less time than the settings allow for a question."""
    rows: int | None = None
    tokens: int | None = None
    clarify: bool = False
    """Whether the run may end with a choice; only in a conversation that is kept here."""
    chosen: Chosen | None = None
    """The user's choice, to resume a question that waits for one (see `checked_choice`)."""
    steps: bool = True
    """Whether the events have each step."""
    messages: bool = False
    """Whether the events have the text of models while they write it."""
    updates: bool = False
    """Whether the events have what each node writes."""
    reread: bool = False
    """Whether it was answered before, and only its place in the conversation matters: without a language model, and
    without a trace."""

    def within(self, budget: Budget) -> Budget:
        """The limits of the settings, or less."""
        return replace(
            budget,
            seconds=min(self.seconds or budget.seconds, budget.seconds),
            max_rows=min(self.rows or budget.max_rows, budget.max_rows),
            max_tokens=min(self.tokens or budget.max_tokens, budget.max_tokens),
        )


def checked_strategies(names: Iterable[str] | None) -> tuple[str, ...] | None:
    """Each name once; None for None. Raises BadInput where one is no strategy, or none is named."""
    if names is None:
        return None
    from clew.graphs.strategies import STRATEGIES

    given = tuple(dict.fromkeys(names))
    if not given or (unknown := [name for name in given if name not in STRATEGIES]):
        raise BadInput(
            f"Unknown strategies: {', '.join(unknown) if given else 'none'}.", f"There are {', '.join(STRATEGIES)}."
        )
    return given


def answer(
    container: Container, graph: str, question: str, strategies: tuple[str, ...] | None = None
) -> dict[str, Any]:
    """The result of one question outside of a conversation, as `clew ask --json` prints it. Raises ClewError."""
    *_, last = events(container, container.context(graph), AskRequest(graph, question, strategies))
    found: dict[str, Any] = last["result"]
    return found


def verify(
    container: Container, context: Context, statement: str, owner: str | None = None, cancelled: Event | None = None
) -> dict[str, Any]:
    """The result of one statement, as `clew verify --json` prints it.

    Args:
        container: The application.
        context: Of the graph.
        statement: One or more claims.
        owner: The user who owns the trace.
        cancelled: Another thread sets it to end the calls of language models.

    Raises:
        ClewError: The statement cannot be used, or the database does not answer.
    """
    from clew.graphs.verification import verify

    if owner is not None:
        context = replace(context, recorder=replace(container.recorder, owner=owner))
    return {**verify(context, statement, cancelled), "graph": context.tools.store.name}


def checked_choice(waiting: Waiting | None, mention: str, entity: str | None) -> Chosen:
    """A user's choice for the question that a conversation waits with. Raises BadInput where it does not fit it."""
    if waiting is None:
        raise BadInput("This conversation waits for no choice.", "Ask the question again.")
    choice = waiting["choice"]
    ids = [candidate["id"] for candidate in choice["candidates"]]
    if mention != choice["mention"] or entity not in [*ids, None]:
        raise BadInput(
            f"The choice is about “{choice['mention']}”, between {', '.join(ids)}.",
            "Choose one of them, or null for any.",
        )
    return {"entity": entity}


def events(
    container: Container, context: Context, request: AskRequest, cancelled: Event | None = None
) -> Generator[dict[str, Any], None, None]:
    """The events of a run (see `clew.graphs.ask.stream`); the result has what the front ends show besides.

    Raises:
        ClewError: The question cannot be used, or the database does not answer.
        Stopped: Another thread set `cancelled`.
    """
    from clew.graphs.ask import RunRequest, stream

    if request.thread is not None:
        _same_graph(container, request.thread, request.graph)
        if request.chosen is None:
            container.sessions.clear_waiting(request.thread)
    runnable = container.question_graph if request.thread else container.answering_graph
    live = _configured(container, context, request)
    run = RunRequest(
        request.question, request.thread, request.history, request.chosen, cancelled=cancelled, updates=request.updates
    )
    with closing(stream(runnable, live, run)) as stream_events:
        for event in stream_events:
            if event["type"] == "choice" and request.thread is not None:
                container.sessions.set_waiting(request.thread, request.graph, request.question, event)
            if event["type"] != "result":
                if request.steps or event["type"] != "step":
                    yield event
                continue
            result = {**event["result"], "linked": event["turn"]["mentions"], "graph": request.graph}
            if request.thread is not None:
                container.sessions.add_turn(request.thread, request.graph, request.question, result)
            yield {**event, "result": result}


def _configured(container: Container, context: Context, request: AskRequest) -> Context:
    from clew.graphs.recorder import NoRecorder

    changed: dict[str, Any] = {
        "strategies": request.strategies, "budget": request.within(context.budget), "clarify": request.clarify,
        "messages": request.messages,
    }  # fmt: skip
    if request.owner is not None:
        changed["recorder"] = replace(container.recorder, owner=request.owner)
    if request.reread:
        changed |= {"tools": context.tools.without_models(), "recorder": NoRecorder()}
    return replace(context, **changed)


def _same_graph(container: Container, thread: str, graph: str) -> None:
    """Raises BadInput if a conversation is about another graph, whose entities mean nothing here."""
    about = container.sessions.graph_of(thread)
    if about is not None and about != graph:
        raise BadInput(f"This conversation is about the graph {about}.", f"Ask about {about}, or begin another one.")
