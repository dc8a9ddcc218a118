"""The question graph for LangGraph's own server and Studio, which `langgraph.json` names (docs/serving.md).

They pass JSON values and bring their own checkpoints. The store, the indexes and the models are opened here from the
settings (CLEW_HOME and the other variables) at the first question.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Any

from typing_extensions import TypedDict

from clew.graphs.context import Context
from clew.graphs.methods import checked_method
from clew.graphs.question import QuestionGraph, build_question_graph
from clew.graphs.recorder import Recorder
from clew.graphs.sequence import prepare
from clew.graphs.strategies import checked_strategies

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from clew.app.api.client import Client

_RUNS_KEPT = 64
"""Runs whose context is cached; a run that resumes later gets a new context with a new deadline."""


class StudioInput(TypedDict):  # The state's own classes have no JSON schema before Python 3.12.
    """A question."""

    question: str


@dataclass
class Options:
    """How a question is answered; Studio shows these beside the input."""

    graph: str | None = None
    """None means the only one."""
    method: str | None = None
    """A paper's method, in place of strategies (docs/methods.md)."""
    strategies: list[str] | None = None
    reading: str | None = None
    """The reading of the question to answer, in words."""
    strict: bool = False
    """Whether only what is sure and explained in full is an answer."""
    clarify: bool = False
    """Whether the run stops to ask which entity is meant (an interrupt, resumed with {"entity": ID or null})."""


@dataclass
class _RunContexts:
    """The contexts of runs."""

    _contexts: OrderedDict[str, Context] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)
    _client: Client | None = None

    def of(self, runtime: Runtime[Any]) -> Context:
        """The context of the run that a node belongs to: all nodes of a run share time, budget and ranking."""
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
        strategies = checked_strategies(options.strategies or None)
        method = checked_method(options.method or None, strategies)
        if self._client is None:
            from clew.app.api.client import Client

            self._client = Client()
        context = self._client.context(self._client.graph_name(options.graph))
        chosen = context.by(method)
        own = replace(
            chosen, recorder=Recorder(), strategies=strategies or chosen.strategies, clarify=options.clarify,
            reading=options.reading, strict=options.strict,
        )  # fmt: skip
        prepare(own)
        return own.for_question("")


question_graph: QuestionGraph = build_question_graph(live=_RunContexts().of, options=Options, asks=StudioInput)
"""Built once: the server would call a function for every run, on its event loop."""
