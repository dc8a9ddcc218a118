"""Checking statements: the verification graph on a graph's context."""

from __future__ import annotations

from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING, Any

from clew.app.container import Container

if TYPE_CHECKING:
    from clew.graphs.context import Context


def verified(container: Container, graph: str, statement: str) -> dict[str, Any]:
    """One statement; the result as `clew verify --json` prints it. Raises ClewError."""
    return verified_in(container, container.context(graph), statement)


def verified_in(
    container: Container, context: Context, statement: str, owner: str | None = None, cancelled: Event | None = None
) -> dict[str, Any]:
    """The same in a context that is open; the trace is `owner`'s, and another thread that sets `cancelled` ends the
    calls of a model."""
    from clew.graphs.verification import verify

    if owner is not None:
        context = replace(context, recorder=replace(container.recorder, owner=owner))
    return {**verify(context, statement, cancelled), "graph": context.tools.store.name}
