"""assess: decide whether the findings are enough or what to try next, and record the reason.

Source: ByoKG-RAG section 3.6 and Algorithm 2, the loop back to the linker. `link_entities` ends the loop if the linker
says FINISH or proposes nothing new.
"""

from __future__ import annotations

from clew.agents.answering.agreement import agreeing, origin
from clew.agents.answering.confidence import CERTAIN, ENOUGH
from clew.agents.answering.reasoner import best_attempt
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.sequence import Decision, ending, when_doubted, when_out_of_readings, when_unsure
from clew.graphs.state import NodeState
from clew.graphs.steps import StepResult
from clew.graphs.strategies.registry import REGISTRY
from clew.graphs.strategies.texts import left_to_texts
from clew.graphs.trace_records import attempt_summaries

_LEAST_TIME = 0.25
"""Minimum share of a question's time for another reading by the model; the answer needs a call too."""


def assess(state: NodeState, context: Context, span: Span) -> StepResult:
    decision = _decide(state, context) if state["artifacts"] is None else _decide_with_model(state, context)
    span.event(
        "decision", next=decision.next, why=decision.why, strategies=decision.strategies,
        iteration=state["iteration"], most_iterations=context.budget.max_iterations, enough=ENOUGH,
        attempts=attempt_summaries(state["attempts"].values()), model_calls=len(context.run.ledger.entries),
    )  # fmt: skip
    update = {
        **decision.update,
        "strategies": decision.strategies if decision.next == "retrieve" else state["strategies"],
        "iteration": state["iteration"] + (decision.next == "link"),
    }
    return StepResult(update, decision.why[0].upper() + decision.why[1:])


def _decide(state: NodeState, context: Context) -> Decision:
    """Without a model: `retrieve` at most twice per reading, and `link` at most T_R - 1 times."""
    best = best_attempt(state["attempts"].values(), REGISTRY)
    certain = best is not None and best["confidence"] >= CERTAIN
    if not (certain or context.run.deadline.passed) and (waiting := when_doubted(state, context)):
        return Decision("retrieve", f"{'not certain' if best else 'no answer yet'}: also {', '.join(waiting)}", waiting)
    late = context.run.deadline.passed
    if best is not None and best["confidence"] >= ENOUGH and (late or not left_to_texts(best, context)):
        return Decision("reason", "the evidence is enough")
    if late:
        return Decision("conclude", f"the time for a question ({context.budget.seconds:g} s) is over")
    if waiting := when_unsure(state, context):
        unsure = "the best answer is not certain" if best else "no answer yet"
        return Decision("retrieve", f"{unsure}: also {', '.join(waiting)}", waiting)
    if best is not None:
        return Decision("reason", "there are answers, though not certain ones")
    if state["iteration"] >= context.budget.max_iterations:
        return Decision("conclude", f"the limit of {context.budget.max_iterations} readings is reached")
    return Decision("link", "no answer in this reading: try another")


def _decide_with_model(state: NodeState, context: Context) -> Decision:
    """With a model: it reads the question again with the findings (one call) before it explores the graph (several)."""
    if not context.method.every_reading and (why := _enough(state)):
        return Decision("reason", why)
    if context.run.deadline.passed:
        return Decision("conclude", f"the time for a question ({context.budget.seconds:g} s) is over")
    if context.run.deadline.remaining < _LEAST_TIME * context.budget.seconds:
        return Decision(ending(state), "the time that is left is for the answer")
    if waiting := when_unsure(state, context):
        return Decision("retrieve", f"the answers are not certain: also {', '.join(waiting)}", waiting)
    if state["iteration"] < context.budget.max_iterations:
        return Decision("link", "the answers are not certain: the model reads again, with what was found")
    if waiting := when_out_of_readings(state, context):
        return Decision("retrieve", f"the answers are not certain: also {', '.join(waiting)}", waiting)
    return Decision(ending(state), f"the limit of {context.budget.max_iterations} readings is reached")


def _enough(state: NodeState) -> str:
    """Why the findings are enough: attempts of different origin agree, or the model's have no answers and the ranker is
    certain. "" if they are not enough."""
    attempts = list(state["attempts"].values())
    if pair := agreeing(attempts, REGISTRY):
        return f"{origin(pair[0], REGISTRY)} and {origin(pair[1], REGISTRY)} agree on the answers"
    best = best_attempt(attempts, REGISTRY)
    by_model = any(a["answers"] for a in attempts if a.get("by_model"))
    return "the evidence is enough" if best is not None and best["confidence"] >= ENOUGH and not by_model else ""
