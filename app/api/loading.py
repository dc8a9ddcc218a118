"""What a process imports and loads before its first question, in steps, for a process that does so in advance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module

MODULES = (
    "clew.app.api.client", "clew.tools.graph.store.daemon", "clew.tools.graph.store.bolt",
    "clew.tools.graph.store.connection", "neo4j", "clew.app.graph_context", "scipy.special", "clew.graphs.ask",
    "clew.graphs.verification", "clew.app.traces.recording", "langchain_core.tracers.context",
    "langchain_core.tracers.run_collector", "langchain_core.tracers.stdout",
)  # fmt: skip
"""Those that a question imports, the quickest first."""


def loading_steps() -> Iterator[Callable[[], object]]:
    """Steps of at most a second each: an import, or loading the embedding model."""
    yield from (partial(import_module, name) for name in MODULES)
    yield _load_embedding_model


def _load_embedding_model() -> None:
    from clew.tools.embedding import shared_minilm

    shared_minilm().embed(["a"])
