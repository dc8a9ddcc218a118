"""Steps as LangGraph nodes: traced, timed, streamed, and able to fail without ending the run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from clew.agents.evidence import Failure
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import CONVERSIONS, Conversion, Step
from clew.tools.errors import DatabaseUnavailable


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of a step."""

    update: dict[str, Any]
    """Keys of the state. With `steps` in it, this is the first step of a question, and earlier steps are dropped."""
    title: str
    """One line for people."""
    details: list[str] = field(default_factory=list)


Work = Callable[[Any, Context, Span], StepResult]
"""A step: reads the state (or its input) and the context, and records details in the span."""
Node = Callable[..., dict[str, Any]]


Live = Callable[[Runtime[Any]], Context]
"""Takes the context of a run from LangGraph's runtime."""


def handed(runtime: Runtime[Context]) -> Context:
    """The context that the caller passed."""
    return runtime.context


def as_node(
    name: str,
    work: Work,
    *,
    reads: tuple[str, ...],
    may_fail: bool = False,
    live: Live = handed,
    conversions: Mapping[str, Conversion] = CONVERSIONS,
) -> Node:
    """A node that runs `work` on typed values, from and to the plain values of the state.

    Args:
        name: The name of the node.
        work: The step.
        reads: The keys of its input that the trace keeps.
        may_fail: Whether an error becomes an entry of `errors` while other branches continue. An unavailable database
            always ends the run.
        live: Takes the run's context from LangGraph's runtime.
        conversions: By key of the state.
    """

    def node(state: Any, runtime: Runtime[Any]) -> dict[str, Any]:
        context, iteration, started = live(runtime), state.get("iteration", 1), time.monotonic()
        with context.run.trace.span(name, iteration, {key: state[key] for key in reads if key in state}) as span:
            try:
                typed = {key: conversions[key].typed(state[key]) for key in conversions if key in state}
                done = work({**state, **typed}, context, span)
            except (DatabaseUnavailable, GraphBubbleUp):
                raise
            except Exception as error:
                if not may_fail:
                    raise
                done = failed(name, iteration, error)
                span.event("failed", message=done.details[0])
            span.output(title=done.title, details=done.details, **_counts(done.update))
        step: Step = {
            "node": name,
            "iteration": iteration,
            "title": done.title,
            "details": done.details,
            "ms": round((time.monotonic() - started) * 1000, 3),
        }
        ran = _step_update(started, step)
        plain = {key: conversions[key].plain(done.update[key]) for key in conversions if key in done.update}
        return {**done.update, **plain, "steps": Overwrite(ran) if "steps" in done.update else ran}

    node.__name__ = name
    return node


def steps_in(update: Mapping[str, Any]) -> Iterable[Step]:
    """The steps in a node's update of the state."""
    steps: dict[str, Step] | Overwrite = update["steps"]
    return (steps.value if isinstance(steps, Overwrite) else steps).values()


def _counts(update: dict[str, Any]) -> dict[str, int]:
    """The numbers of attempts and triplets in the update."""
    return {key: len(update[key]) for key in ("attempts", "evidence") if isinstance(update.get(key), dict)}


def failed(name: str, iteration: int, error: Exception) -> StepResult:
    """The result of a step that an error ended."""
    return StepResult(
        {"errors": failure(name, iteration, error)}, f"{name} failed", [f"{type(error).__name__}: {error}"]
    )


def failure(name: str, iteration: int, error: Exception, part: str = "") -> dict[str, Failure]:
    """An error as an entry of the state's `errors`; `part` distinguishes several errors of one step."""
    message = getattr(error, "message", None) or str(error)
    return {
        f"{name}/{iteration}{part}": {
            "step": name, "iteration": iteration, "kind": type(error).__name__, "message": message
        }
    }  # fmt: skip


def _step_update(started: float, step: Step) -> dict[str, Step]:
    """The update with the step, whose key sorts steps by their start."""
    return {f"{started:017.6f}/{step['node']}": step}


def spoken(count: int, noun: str) -> str:
    """ "1 query", "3 queries"."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{count} {noun if count == 1 else plural}"
