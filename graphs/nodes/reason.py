"""reason: choose the answers among the findings, and store the turn for follow-up questions.

A model reads the findings and chooses. If it names no answer or fails, the answers are chosen without it.
"""

from __future__ import annotations

from dataclasses import replace

from clew.agents.answering.model_reasoner import answer, without_model
from clew.agents.answering.reasoner import Conclusion, best_attempt
from clew.agents.answering.reasoner import reason as conclude_from
from clew.agents.evidence import EntityRef, Failure, Findings, MentionRef
from clew.agents.models.calls import ModelFailed
from clew.graphs.context import Context
from clew.graphs.model_calls import model_of
from clew.graphs.recorder import Span
from clew.graphs.state import State, Turn
from clew.graphs.steps import StepResult, failure, spoken
from clew.graphs.strategies.registry import REGISTRY
from clew.graphs.trace_records import ROWS_SHOWN, attempt_summaries

_ANSWERS_REMEMBERED = 20


def reason(state: State, context: Context, span: Span) -> StepResult:
    findings = Findings(
        question=state["resolved"],
        mentions=state["mentions"],
        ambiguous=state["ambiguous"],
        attempts=state["attempts"],
        evidence={key: state["evidence"][key] for key in state["selected"]},
        errors=state["errors"],
        stop_reason=state["stop_reason"],
        missing=state["missing"],
        strategies=REGISTRY,
    )
    conclusion, errors = _concluded(findings, state, context, span)
    span.event(
        "conclusion", confidence=conclusion.confidence, cypher=conclusion.cypher,
        answers=conclusion.answers[:ROWS_SHOWN], count=len(conclusion.answers), explanation=conclusion.explanation,
        attempts=attempt_summaries(state["attempts"].values()),
    )  # fmt: skip
    update = {
        "errors": errors,
        "answers": conclusion.answers,
        "supports": conclusion.supports,
        "cypher": conclusion.cypher,
        "confidence": conclusion.confidence,
        "explanation": conclusion.explanation,
        "history": [_turn(state, conclusion)],
    }
    if not conclusion.answers:
        return StepResult(update, "No answer found", [conclusion.explanation])
    names = ", ".join(answer["name"] for answer in conclusion.answers[:5])
    return StepResult(update, f"{spoken(len(conclusion.answers), 'answer')}: {names}", [conclusion.explanation])


def _concluded(findings: Findings, state: State, context: Context, span: Span) -> tuple[Conclusion, dict[str, Failure]]:
    """The model's conclusion, or else one without a model that says so."""
    model = model_of("reasoner", context, span)
    trusted_alone = context.tools.models is not None and context.tools.models.trusted_alone
    has_findings = findings.evidence or best_attempt(findings.attempts.values(), REGISTRY) is not None
    if model is None or not (has_findings or trusted_alone):
        return conclude_from(findings), {}
    try:
        conclusion = answer(model, findings, context.budget.max_tokens, trusted_alone=trusted_alone)
    except ModelFailed as error:
        span.event("without a model", reason=error.reason, message=error.message)
        errors = failure("reason", state["iteration"], error)
        return conclude_from(replace(findings, errors={**findings.errors, **errors})), errors
    if conclusion is not None:
        return conclusion, {}
    span.event("without a model", reason="no answer", message="The model names no answer that may be shown.")
    return without_model(conclude_from(findings), "The model named no answer that the evidence has."), {}


def _turn(state: State, conclusion: Conclusion) -> Turn:
    history = state.get("history", [])
    answers: list[EntityRef] = [
        {"id": answer["id"], "name": answer["name"], "label": answer["label"]}
        for answer in conclusion.answers
        if answer["id"] is not None
    ]
    return {
        "number": history[-1]["number"] + 1 if history else 1,
        "question": state["question"],
        "resolved": state["resolved"],
        "mentions": [_chosen(mention, state, conclusion) for mention in state["mentions"]],
        "answers": answers[:_ANSWERS_REMEMBERED],
    }


def _chosen(mention: MentionRef, state: State, conclusion: Conclusion) -> MentionRef:
    """The mention, with the entity that led to the answers first."""
    used = {
        anchor["id"]
        for attempt in state["attempts"].values()
        if attempt["cypher"] == conclusion.cypher
        for anchor in attempt["anchors"]
    }
    return {**mention, "candidates": sorted(mention["candidates"], key=lambda c: c["id"] not in used)}
