"""assess: is this enough, or is there something left to try? Says why, whichever it is.

Source: ByoKG-RAG section 3.6 and Algorithm 2 for the loop back to the linker and its ends. Two of its ends, the
linker's FINISH and a linker with nothing new, are seen in `ground`.
"""

from __future__ import annotations

from clew.agents.answering.agreement import agreeing, origin
from clew.agents.answering.confidence import ENOUGH
from clew.agents.answering.reasoner import best_attempt
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.rounds import ending, held_back
from clew.graphs.state import State
from clew.graphs.steps import Done
from clew.graphs.telling import weighed

_LEAST_TIME = 0.25
"""Share of a question's time without which a model is not asked to read it again: the answer takes a call too."""
_WORDS = {
    "ranker": "the ranked query", "query": "the model's query", "chain": "the model's path",
    "pattern": "the model's pattern", "plan": "its plan", "walk": "its walk",
}  # fmt: skip


def assess(state: State, context: Context, span: Span) -> Done:
    with_model = state["artifacts"] is not None
    following, why = _decide_with_model(state, context) if with_model else _decide(state, context)
    strategies = state["strategies"]
    if following == "retrieve":
        strategies = _next_with_model(state, context) if with_model else _waiting(state, context)
    span.event(
        "decision", next=following, why=why, strategies=strategies if following == "retrieve" else [],
        iteration=state["iteration"], most_iterations=context.budget.max_iterations, enough=ENOUGH,
        attempts=weighed(state["attempts"].values()), model_calls=len(context.run.ledger.entries),
    )  # fmt: skip
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
    if context.run.deadline.passed:
        return "conclude", f"the time for a question ({context.budget.seconds:g} s) is over"
    if waiting := _waiting(state, context):
        return "retrieve", f"{'the best answer is not certain' if best else 'no answer yet'}: also {', '.join(waiting)}"
    if best is not None:
        return "reason", "there are answers, though not certain ones"
    if state["iteration"] >= context.budget.max_iterations:
        return "conclude", f"the limit of {context.budget.max_iterations} readings is reached"
    return "link", "no answer in this reading: try another"


def _waiting(state: State, context: Context) -> list[str]:
    """Strategies held back in this round. Without an entity only a plan and documents have
    somewhere to begin."""
    if state["strategies"] != list(context.first_strategies) or context.tools.models is not None:
        return []
    return [name for name in context.held_back_strategies if state["mentions"] or name in ("plan", "documents")]


def _decide_with_model(state: State, context: Context) -> tuple[str, str]:
    """The same where a model read the question: it sees what was found and reads it again (one call) before the graph
    is walked (several calls)."""
    if why := _enough(state):
        return "reason", why
    if context.run.deadline.passed:
        return "conclude", f"the time for a question ({context.budget.seconds:g} s) is over"
    if context.run.deadline.remaining < _LEAST_TIME * context.budget.seconds:
        return ending(state), "the time that is left is for the answer"
    if waiting := _scoring(state, context):
        return "retrieve", f"the answers are not certain: also {', '.join(waiting)}"
    if state["iteration"] < context.budget.max_iterations:
        return "link", "the answers are not certain: the model reads again, with what was found"
    if waiting := held_back(state, context):
        return "retrieve", f"the answers are not certain: also {', '.join(waiting)}"
    return ending(state), f"the limit of {context.budget.max_iterations} readings is reached"


def _next_with_model(state: State, context: Context) -> list[str]:
    return _scoring(state, context) or held_back(state, context)


def _scoring(state: State, context: Context) -> list[str]:
    """What looks at the facts around, where this reading has not been there yet."""
    went_first = state["strategies"] == list(context.first_strategies)
    return list(context.scoring_strategies) if went_first and state["tried"] else []


def _enough(state: State) -> str:
    """Why no more is needed: readings of different origin agree, or the model's came to nothing and the ranker is sure;
    "" where more is."""
    attempts = list(state["attempts"].values())
    if pair := agreeing(attempts):
        return f"{_WORDS[origin(pair[0])]} and {_WORDS[origin(pair[1])]} agree on the answers"
    best = best_attempt(attempts)
    by_model = any(a["answers"] for a in attempts if a.get("by_model"))
    return "the evidence is enough" if best is not None and best["confidence"] >= ENOUGH and not by_model else ""
