"""Asking: the question graph on a graph's context, with what the front ends show besides the answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from app.container import Container


def answer(
    container: Container, graph: str, question: str, strategies: tuple[str, ...] | None = None
) -> dict[str, Any]:
    """One question outside of any conversation; the result as `clew ask --json` prints it. Raises ClewError."""
    *_, last = _events(container, graph, question, strategies=strategies)
    return last


def steps_and_answer(container: Container, graph: str, question: str, session: str) -> Iterator[dict[str, Any]]:
    """One question of a conversation: each step when it is done (see `graphs.state.Step`), then the result."""
    yield from _events(container, graph, question, session=session)


def _events(
    container: Container,
    graph: str,
    question: str,
    *,
    session: str | None = None,
    strategies: tuple[str, ...] | None = None,
) -> Iterator[dict[str, Any]]:
    from graphs.ask import stream

    context = replace(container.context(graph), strategies=strategies)
    runnable = container.question_graph if session else container.answering_graph
    for event in stream(runnable, context, question, session):
        if event["type"] == "result":
            yield {**event["result"], "linked": event["turn"]["mentions"], "graph": graph}
        else:
            yield event
