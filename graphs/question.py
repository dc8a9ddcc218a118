"""The question graph: START → contextualize → link → link_entities (→ clarify) → strategies → gather → assess → reason
→ END.

`assess` may send out the strategies that were held back, ask the linker for another reading (up to T_R times in
all), or end the run; `link_entities` ends it where that reading has nothing new. A run that ends without enough passes
through `conclude`, which says what is missing. Every loop is counted in the state, so the recursion limit never ends
one.

Times are kept by cooperation (`Context.deadline`): LangGraph's node timeouts stop asynchronous nodes only, and
a query that was cut off by one would leave its work running in the database.
"""

from __future__ import annotations

from typing import Any, cast

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import RetryPolicy, Send

from clew.graphs.context import Context
from clew.graphs.nodes.assess import assess
from clew.graphs.nodes.clarify import clarify
from clew.graphs.nodes.conclude import conclude
from clew.graphs.nodes.contextualize import contextualize
from clew.graphs.nodes.gather import gather
from clew.graphs.nodes.link import link
from clew.graphs.nodes.link_entities import link_entities
from clew.graphs.nodes.reason import reason
from clew.graphs.run import Budget
from clew.graphs.state import NodeState, State, StrategyInput, strategy_input
from clew.graphs.steps import Live, Work, as_node, handed
from clew.graphs.strategies.registry import REGISTRY
from clew.tools.errors import DatabaseUnavailable

QuestionGraph = CompiledStateGraph[State, Context, State, State]

_AGAIN = RetryPolicy(max_attempts=2, initial_interval=0.2, jitter=False, retry_on=DatabaseUnavailable)
"""Retries for a database that restarts; strategies only read, so they can run again."""
_STEPS: dict[str, tuple[Work, tuple[str, ...]]] = {
    "contextualize": (contextualize, ("question", "history")),
    "link": (link, ("resolved", "given")),
    "link_entities": (link_entities, ("mentions",)),
    "clarify": (clarify, ("ambiguous",)),
    "gather": (gather, ("strategies",)),
    "assess": (assess, ("selected", "strategies")),
    "conclude": (conclude, ("stop_reason",)),
    "reason": (reason, ("selected", "stop_reason")),
}
_STEPS_PER_ITERATION = 11
"""link, link_entities, and three times strategies, gather, assess: first, when in doubt, when unsure."""


def build_question_graph(
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    *,
    live: Live = handed,
    options: type[Any] = Context,
    asks: Any = State,
) -> QuestionGraph:
    """Compile the question graph.

    Args:
        checkpointer: Stores conversations by their thread id; None stores none.
        live: Returns the Context of a run, given LangGraph's runtime.
        options: The class of the runtime context that the caller passes.
        asks: The schema of the input.
    """
    builder: StateGraph[State, Context, State, State] = StateGraph(State, context_schema=options, input_schema=asks)
    for name, (work, reads) in _STEPS.items():
        builder.add_node(name, as_node(name, work, reads=reads, live=live))
    for name, strategy in REGISTRY.items():
        node = as_node(name, strategy.run, reads=("question", "mentions"), may_fail=True, live=live)
        builder.add_node(name, node, input_schema=StrategyInput, retry_policy=_AGAIN)
        builder.add_edge(name, "gather")
    builder.add_edge(START, "contextualize")
    builder.add_edge("contextualize", "link")
    builder.add_edge("link", "link_entities")
    builder.add_conditional_edges("link_entities", _onwards, ["clarify", *REGISTRY, "conclude", "reason"])
    builder.add_conditional_edges("clarify", _onwards, [*REGISTRY])
    builder.add_edge("gather", "assess")
    builder.add_conditional_edges("assess", _onwards, [*REGISTRY, "link", "conclude", "reason"])
    builder.add_edge("conclude", "reason")
    builder.add_edge("reason", END)
    return builder.compile(checkpointer=checkpointer, name="question")


def recursion_limit(budget: Budget) -> int:
    """A number of supersteps that no run reaches: contextualize, clarify, the iterations, the last strategies with
    gather and assess, conclude, reason, and one more."""
    return 8 + _STEPS_PER_ITERATION * budget.max_iterations


def _onwards(state: State) -> str | list[Send]:
    """The next node, as the last step decided."""
    if state["next"] != "retrieve":
        return state["next"]
    sent = strategy_input(cast(NodeState, state))  # Plain values, which the strategies' nodes convert.
    return [Send(name, sent) for name in state["strategies"]]
