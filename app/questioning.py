"""Asking: the question graph on a graph's context, with what the front ends show besides the answer."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
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
class Asked:
    """One question, and how it is to be answered."""

    graph: str
    question: str
    strategies: tuple[str, ...] | None = None
    thread: str | None = None
    """The conversation that it belongs to, where that is kept here."""
    history: tuple[Turn, ...] | None = None
    """The conversation that it belongs to, where the caller keeps it."""
    owner: str | None = None
    """Whose trace it leaves, where there are several users."""
    seconds: float | None = None
    """Less time than the settings allow for a question."""
    rows: int | None = None
    tokens: int | None = None
    clarify: bool = False
    """Whether it may come back with a choice; only in a conversation that is kept here."""
    chosen: Chosen | None = None
    """What was chosen, where the question goes on (see `resumed`)."""
    steps: bool = True
    """Whether each step is told when it is done."""
    messages: bool = False
    """Whether what models say is told while they say it."""
    updates: bool = False
    """Whether what each node writes is told, too."""
    reread: bool = False
    """Whether it was answered before, and only its place in the conversation matters: no language model is asked, and
    no trace is kept."""

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
    """One question outside of any conversation; the result as `clew ask --json` prints it. Raises ClewError."""
    *_, last = events(container, container.context(graph), Asked(graph, question, strategies))
    found: dict[str, Any] = last["result"]
    return found


def steps_and_answer(
    container: Container,
    graph: str,
    question: str,
    session: str,
    *,
    clarify: bool = False,
    chosen: Chosen | None = None,
) -> Iterator[dict[str, Any]]:
    """One question of a conversation: each step when it is done (see `state.Step`), then the result, or, with
    `clarify`, the choice that it waits for."""
    asked = Asked(graph, question, thread=session, clarify=clarify, chosen=chosen)
    for event in events(container, container.context(graph), asked):
        yield event["result"] if event["type"] == "result" else event


def resumed(waiting: Waiting | None, mention: str, entity: str | None) -> Chosen:
    """What a user chose for the choice that a conversation waits for. Raises BadInput where it is no such thing."""
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


def turn_after(container: Container, context: Context, asked: Asked, cancelled: Event) -> Turn:
    """What a conversation remembers of a question."""
    *_, last = events(container, context, asked, cancelled)
    found: Turn = last["turn"]
    return found


def events(
    container: Container, context: Context, asked: Asked, cancelled: Event | None = None
) -> Generator[dict[str, Any], None, None]:
    """What happens while a question is answered (see `ask.stream`), whose result has what the front ends show
    besides. Another thread that sets `cancelled` ends it with clew.graphs.interruptible.Stopped. Raises ClewError."""
    from clew.graphs.ask import stream

    if asked.thread is not None:
        _same_graph(container, asked.thread, asked.graph)
        if asked.chosen is None:
            container.sessions.wait_no_more(asked.thread)
    runnable = container.question_graph if asked.thread else container.answering_graph
    live = _live(container, context, asked)
    how: dict[str, Any] = {"chosen": asked.chosen, "cancelled": cancelled, "updates": asked.updates}
    with closing(stream(runnable, live, asked.question, asked.thread, asked.history, **how)) as told:
        for event in told:
            if event["type"] == "choice" and asked.thread is not None:
                container.sessions.wait(asked.thread, asked.graph, asked.question, event)
            if event["type"] != "result":
                if asked.steps or event["type"] != "step":
                    yield event
                continue
            result = {**event["result"], "linked": event["turn"]["mentions"], "graph": asked.graph}
            if asked.thread is not None:
                container.sessions.remember(asked.thread, asked.graph, asked.question, result)
            yield {**event, "result": result}


def _live(container: Container, context: Context, asked: Asked) -> Context:
    from clew.graphs.recorder import NoRecorder

    changed: dict[str, Any] = {
        "strategies": asked.strategies, "budget": asked.within(context.budget), "clarify": asked.clarify,
        "messages": asked.messages,
    }  # fmt: skip
    if asked.owner is not None:
        changed["recorder"] = replace(container.recorder, owner=asked.owner)
    if asked.reread:
        changed |= {"tools": context.tools.without_models(), "recorder": NoRecorder()}
    return replace(context, **changed)


def _same_graph(container: Container, thread: str, graph: str) -> None:
    """Raises BadInput where a conversation is about another graph: its entities mean nothing here."""
    about = container.sessions.graph_of(thread)
    if about is not None and about != graph:
        raise BadInput(f"This conversation is about the graph {about}.", f"Ask about {about}, or begin another one.")
