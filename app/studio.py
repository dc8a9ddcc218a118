"""What `langgraph.json` names: the question graph for LangGraph's own server and Studio (docs/serving.md).

They hand over what JSON can hold and bring their own checkpoints. The live things, store, indexes and models, are made
here of the settings (CLEW_HOME and its like), once, when the first question comes.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Any

from typing_extensions import TypedDict

from clew.graphs.context import Context
from clew.graphs.question import QuestionGraph, build_question_graph
from clew.graphs.recorder import NoRecorder
from clew.graphs.sequence import prepare
from clew.graphs.strategies import STRATEGIES
from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from clew.app.container import Container

_RUNS_KEPT = 64
"""Runs whose context is at hand; one that goes on later gets a new one, with time of its own."""


class Asks(TypedDict):  # The state's own classes have no JSON schema before Python 3.12.
    """A question."""

    question: str


@dataclass
class Options:
    """How a question is answered; Studio shows these beside the input."""

    graph: str | None = None
    """The only one where there is one."""
    strategies: list[str] | None = None
    clarify: bool = False
    """Whether the run stops to ask which entity is meant (an interrupt, resumed with {"entity": ID or null})."""


@dataclass
class _Live:
    """The contexts of runs."""

    _contexts: OrderedDict[str, Context] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)
    _container: Container | None = None

    def of(self, runtime: Runtime[Any]) -> Context:
        """The one of the run that a node is part of: all its nodes share time, budget and ranking."""
        from langgraph.config import get_config

        config = get_config()
        run = str(config.get("metadata", {}).get("run_id") or config.get("configurable", {}).get("run_id") or "")
        with self._lock:
            if run not in self._contexts or not run:
                self._contexts[run] = self._made(runtime.context or Options())
            self._contexts.move_to_end(run)
            while len(self._contexts) > _RUNS_KEPT:
                self._contexts.popitem(last=False)
            return self._contexts[run]

    def _made(self, options: Options) -> Context:
        unknown = [name for name in options.strategies or () if name not in STRATEGIES]
        if unknown:
            raise BadInput(f"Unknown strategies: {', '.join(unknown)}.", f"There are {', '.join(STRATEGIES)}.")
        if self._container is None:
            from clew.app.container import Container
            from clew.app.progress import Silent
            from clew.app.settings import load_settings

            self._container = Container(load_settings(), Silent())
        context = self._container.context(self._container.graph_name(options.graph))
        strategies = tuple(options.strategies) if options.strategies else None
        own = replace(context, recorder=NoRecorder(), strategies=strategies, clarify=options.clarify)
        prepare(own)
        return own.for_question("")


question_graph: QuestionGraph = build_question_graph(live=_Live().of, options=Options, asks=Asks)
"""Made once: the server would call a function for every run, on its event loop."""
