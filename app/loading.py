"""What a process imports and loads before its first question, in steps, for a process that does so in advance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module

CONNECTING = (
    "clew.app.api.client", "clew.tools.graph.store.daemon", "clew.tools.graph.store.connection",
    "clew.tools.graph.store.bolt", "neo4j",
)  # fmt: skip
"""What every command imports that opens a graph."""
ANSWERING = (
    "requests", "httpx", "langsmith.run_trees", "langchain_core.messages", "langchain_core.tracers.event_stream",
    "langgraph.types", "clew.graphs.context", "langgraph.runtime", "langgraph.graph", "clew.app.graph_context",
    "scipy.special", "clew.graphs.strategies.registry", "clew.graphs.question", "clew.graphs.ask",
    "clew.graphs.verification", "clew.app.traces.recording", "langchain_core.tracers.context",
    "langchain_core.tracers.run_collector", "langchain_core.tracers.stdout",
)  # fmt: skip
"""What a question imports beside, what others import first."""


def connecting_steps() -> Iterator[Callable[[], object]]:
    """Steps of a fraction of a second each, for commands that do not ask."""
    return (partial(import_module, name) for name in CONNECTING)


def answering_steps() -> Iterator[Callable[[], object]]:
    """Steps of a fraction of a second each, for questions: imports, and the embedding model."""
    yield from (partial(import_module, name) for name in ANSWERING)
    yield _load_embedding_model


def _load_embedding_model() -> None:
    from clew.tools.embedding import shared_minilm

    shared_minilm().embed(["a"])
