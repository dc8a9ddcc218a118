"""conclude: end a run that ran out of time, readings or entities, and state what is missing."""

from __future__ import annotations

from clew.agents.answering.reasoner import best_attempt
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import NodeState
from clew.graphs.steps import StepResult
from clew.graphs.strategies.registry import REGISTRY

_NAMED = 8


def conclude(state: NodeState, context: Context, span: Span) -> StepResult:
    missing = [] if best_attempt(state["attempts"].values(), REGISTRY) else _missing(state, context)
    span.event("missing", missing=missing)
    return StepResult({"missing": missing}, f"Ends here: {state['stop_reason']}", missing)


def _missing(state: NodeState, context: Context) -> list[str]:
    missing = []
    if not state["tried"]:
        labels = sorted(context.tools.schema.labels, key=lambda label: -context.tools.schema.labels[label])
        missing.append(f"a name of the graph in the question (it has {', '.join(labels[:_NAMED])})")
    elif not state["attempts"] and not state["errors"]:
        missing.append("a relation of the linked entities that fits the question")
    elif not state["errors"]:
        missing.append("answers other than the entities that the question names")
    return missing
