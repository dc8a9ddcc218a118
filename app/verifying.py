"""Checking statements: the verification graph on a graph's context."""

from __future__ import annotations

from typing import Any

from app.container import Container


def verified(container: Container, graph: str, statement: str) -> dict[str, Any]:
    """One statement; the result as `clew verify --json` prints it. Raises ClewError."""
    from graphs.verification import verify

    return {**verify(container.context(graph), statement), "graph": graph}
