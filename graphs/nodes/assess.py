"""assess: is this enough, or is there something left to try? Says why, whichever it is.

Source: ByoKG-RAG section 3.6 for the loop back to the linker and its ends.
"""

from __future__ import annotations

from agents.confidence import ENOUGH
from agents.reasoner import best_attempt
from graphs.context import STRATEGIES, Context
from graphs.recorder import Span
from graphs.state import State
from graphs.steps import Done


def assess(state: State, context: Context, span: Span) -> Done:
    following, why = _decide(state, context)
    strategies = _waiting(state, context) if following == "retrieve" else state["strategies"]
    span.event("decision", next=following, why=why)
    update = {
        "next": following,
        "strategies": strategies,
        "iteration": state["iteration"] + (following == "link"),
        "stop_reason": "" if following in _GOES_ON else why,
    }
    return Done(update, why[0].upper() + why[1:])


_GOES_ON = ("retrieve", "link")


def _decide(state: State, context: Context) -> tuple[str, str]:
    """The next node and the reason. `retrieve` at most once per round and `link` at most T_R - 1 times."""
    best = best_attempt(state["attempts"].values())
    if best is not None and best["confidence"] >= ENOUGH:
        return "reason", "the evidence is enough"
    if context.deadline.passed:
        return "conclude", f"the time for a question ({context.budget.seconds:g} s) is over"
    if waiting := _waiting(state, context):
        return "retrieve", f"{'the best answer is not certain' if best else 'no answer yet'}: also {', '.join(waiting)}"
    if best is not None:
        return "reason", "there are answers, though not certain ones"
    if state["iteration"] >= context.budget.max_iterations:
        return "conclude", f"the limit of {context.budget.max_iterations} readings is reached"
    return "link", "no answer in this reading: try another"


def _waiting(state: State, context: Context) -> list[str]:
    """Strategies held back in this round. Without an entity they have nowhere to begin."""
    if context.strategies is not None or not state["mentions"]:
        return []
    return [name for name in STRATEGIES if name != "cypher"] if state["strategies"] == ["cypher"] else []
