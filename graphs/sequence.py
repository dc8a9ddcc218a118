"""The course of a run: which strategies it runs, and where it goes when they end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from clew.graphs.context import Context
from clew.graphs.follow_ups import of_a_set
from clew.graphs.hubs import has_hub
from clew.graphs.state import Next, NodeState
from clew.graphs.strategies.registry import REGISTRY
from clew.graphs.strategies.strategy import Strategy, Turn


@dataclass(frozen=True, slots=True)
class Decision:
    """The next step of a run, and the reason."""

    next: Next
    why: str
    strategies: list[str] = field(default_factory=list)
    """The strategies to run, if the next step is `retrieve`."""

    @property
    def update(self) -> dict[str, Any]:
        """The state update of the decision, without the strategies."""
        goes_on = self.next in ("clarify", "retrieve", "link")
        return {"next": self.next, "stop_reason": "" if goes_on else self.why}


def reads_alone(state: NodeState, context: Context) -> bool:
    """Whether the question is read without a model: there is none, or its reply was of no use."""
    return context.tools.models is None or state["artifacts"] is None


def prepare(context: Context) -> None:
    """Let the strategies of the run prepare, before the time of the question starts."""
    for strategy in REGISTRY.values():
        if strategy.prepare is not None and _may_run(strategy, context):
            strategy.prepare(context)


def first(state: NodeState, context: Context) -> list[str]:
    """The strategies of every reading of the question."""
    if context.strategies:
        return list(context.strategies)
    alone = reads_alone(state, context)
    asked = [name for name in _at({Turn.ASKED}, context, alone) if REGISTRY[name].asked(state, context)]
    if of_a_set(state["follow_ups"]):
        # Without a model, the others do not know the sets of the conversation; a model's queries are compared with it.
        return [*([] if alone else _at({Turn.FIRST}, context, alone)), "read", *asked]
    if not context.tools.schema.labels and alone:
        without_graph = [s.name for s in REGISTRY.values() if not s.needs_graph and _may_run(s, context)]
        if without_graph:
            return without_graph
    reader = context.tools.reader
    defined = reader is not None and bool(reader.defined_in(state["resolved"]))
    turns = {Turn.FIRST, Turn.DEFINED} if defined else {Turn.FIRST}
    return [*(_at(turns, context, alone) or _at({Turn.DOUBTED}, context, alone)), *asked]


def when_doubted(state: NodeState, context: Context) -> list[str]:
    """The strategies that read the question as well if the first are not certain; none if they have run already."""
    if context.strategies or _by_its_set(state, context) or state["strategies"] != first(state, context):
        return []
    doubted = _at({Turn.DOUBTED}, context, reads_alone(state, context))
    return _sparing_hubs([name for name in doubted if name not in state["strategies"]], state, context)


def when_unsure(state: NodeState, context: Context) -> list[str]:
    """The strategies that follow in the same reading; none if they cannot start, or have run already."""
    began, alone = first(state, context), reads_alone(state, context)
    if context.strategies or _by_its_set(state, context):
        return []
    if state["strategies"] not in (began, [name for name in _at({Turn.DOUBTED}, context, alone) if name not in began]):
        return []
    if not alone:
        also = [name for name in _at({Turn.DEFINED}, context, alone) if name not in began]
        return [*also, *_at({Turn.UNSURE}, context, alone)] if state["tried"] else []
    if not context.tools.schema.labels:
        return []
    unsure = _sparing_hubs(_at({Turn.UNSURE}, context, alone), state, context)
    return [name for name in unsure if state["mentions"] or not REGISTRY[name].needs_entities]


def _sparing_hubs(names: list[str], state: NodeState, context: Context) -> list[str]:
    """Those of the strategies that can run for what the question names."""
    if not any(REGISTRY[name].spares_hubs for name in names) or not has_hub(state["mentions"], context):
        return names
    return [name for name in names if not REGISTRY[name].spares_hubs]


def _by_its_set(state: NodeState, context: Context) -> bool:
    """Whether only the set of the conversation can answer."""
    return reads_alone(state, context) and of_a_set(state["follow_ups"])


def when_out_of_readings(state: NodeState, context: Context) -> list[str]:
    """The strategies for a run without a certain reading. Each runs once; none if it cannot start, or the linker's
    model failed."""
    if context.strategies or not context.tools.schema.labels or state["artifacts"] is None or not state["tried"]:
        return []
    return not_run(_at({Turn.LAST}, context, False), state)


def not_run(names: list[str], state: NodeState) -> list[str]:
    """The strategies that have not run in any reading."""
    ran = {step["node"] for step in state["steps"].values()}
    return [name for name in names if name not in ran]


def ending(state: NodeState) -> Next:
    """The node that ends a run: `conclude` if there is nothing to answer from, and it says what is missing."""
    found = state["evidence"] or any(attempt["answers"] for attempt in state["attempts"].values())
    return "reason" if found else "conclude"


def _turn(strategy: Strategy, context: Context, alone: bool) -> Turn:
    turn = strategy.without_model if alone else strategy.with_model
    generated = turn is Turn.DOUBTED and context.tools.generator is not None
    return Turn.FIRST if generated else turn  # The user set up a generator to be asked.


def _at(turns: set[Turn], context: Context, alone: bool) -> list[str]:
    return [s.name for s in REGISTRY.values() if _turn(s, context, alone) in turns and s.is_ready(context)]


def _may_run(strategy: Strategy, context: Context) -> bool:
    if context.strategies:
        return strategy.name in context.strategies
    turns = {_turn(strategy, context, alone) for alone in (True, context.tools.models is None)}
    return turns != {Turn.NAMED} and strategy.is_ready(context)
