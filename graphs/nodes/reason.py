"""reason: choose the answers among the findings, and remember the turn for follow-up questions."""

from __future__ import annotations

from agents.findings import EntityRef, MentionRef
from agents.reasoner import Conclusion, Findings
from agents.reasoner import reason as conclude_from
from graphs.context import Context
from graphs.recorder import Span
from graphs.state import State, Turn
from graphs.steps import Done, spoken

_ANSWERS_REMEMBERED = 20


def reason(state: State, context: Context, span: Span) -> Done:
    conclusion = conclude_from(
        Findings(
            question=state["resolved"],
            mentions=state["mentions"],
            ambiguous=state["ambiguous"],
            attempts=state["attempts"],
            evidence={key: state["evidence"][key] for key in state["selected"]},
            errors=state["errors"],
            stop_reason=state["stop_reason"],
            missing=state["missing"],
        )
    )
    span.event("conclusion", confidence=conclusion.confidence, cypher=conclusion.cypher)
    update = {
        "answers": conclusion.answers,
        "supports": conclusion.supports,
        "cypher": conclusion.cypher,
        "confidence": conclusion.confidence,
        "explanation": conclusion.explanation,
        "history": [_turn(state, conclusion)],
    }
    if not conclusion.answers:
        return Done(update, "No answer found", [conclusion.explanation])
    names = ", ".join(answer["name"] for answer in conclusion.answers[:5])
    return Done(update, f"{spoken(len(conclusion.answers), 'answer')}: {names}", [conclusion.explanation])


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
    """The mention with the entity that the answers came from put first."""
    used = {
        anchor["id"]
        for attempt in state["attempts"].values()
        if attempt["cypher"] == conclusion.cypher
        for anchor in attempt["anchors"]
    }
    return {**mention, "candidates": sorted(mention["candidates"], key=lambda c: c["id"] not in used)}
