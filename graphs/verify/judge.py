"""judge: combine the findings on the claims into a verdict on the statement.

If a model is configured, it reads the facts and judges. The verdict without a model is used if the model fails or cites
no fact.
"""

from __future__ import annotations

from typing import Any

from clew.agents.evidence import Failure
from clew.agents.models.calls import ModelFailed
from clew.agents.verifying.verdicts import UNKNOWN, Finding, denied, judged, negation
from clew.agents.verifying.verifier import ModelVerdict
from clew.agents.verifying.verifier import judge as judge_with
from clew.graphs.context import Context
from clew.graphs.model_calls import model_of
from clew.graphs.recorder import Span
from clew.graphs.steps import StepResult, failure
from clew.graphs.verify.state import VerifyState

NO_NAME = "The statement names nothing that the graph has."


def judge(state: VerifyState, context: Context, span: Span) -> StepResult:
    """The step that combines the findings into a verdict, by rules and, if there is one, by the model."""
    update = _without_model(state)
    judgement, errors = _of_model(state, context, span)
    if judgement is not None:
        update |= {
            "verdict": judgement.verdict,
            "confidence": judgement.confidence,
            "reason": judgement.reason,
        }
    update |= {"cited": list(judgement.cited) if judgement is not None else [], "errors": errors}
    span.event("verdict", verdict=update["verdict"], confidence=update["confidence"], by_model=judgement is not None)
    title = str(update["verdict"]).capitalize()
    return StepResult(update, title, [update["reason"], *(failed["message"] for failed in errors.values())])


def _without_model(state: VerifyState) -> dict[str, Any]:
    if state["formula"] is None:
        return {"verdict": UNKNOWN, "confidence": 0.5, "reason": NO_NAME, "findings": []}
    formula = state["formula"]
    result = judged(formula, state["findings"])
    turned = [each != state["turned"] for each in denied(formula)]
    findings: list[Finding] = [
        {**finding, "negated": negated} for finding, negated in zip(state["findings"], turned, strict=True)
    ]
    verdict = negation(result.verdict) if state["turned"] else result.verdict
    reason = " ".join(dict.fromkeys(_sentence(findings[number]) for number in result.decisive))
    return {"verdict": verdict, "confidence": result.confidence, "reason": reason, "findings": findings}


def _of_model(state: VerifyState, context: Context, span: Span) -> tuple[ModelVerdict | None, dict[str, Failure]]:
    """The model's verdict, or None with the failure if the model failed or gave no valid verdict."""
    model = model_of("verifier", context, span)
    if model is None:
        return None, {}
    try:
        judgement = judge_with(
            model,
            state["statement"],
            state["evidence"],
            state["findings"],
            state["subgraphs"],
            context.budget.max_tokens,
        )
    except ModelFailed as error:
        span.event("without a model", reason=error.reason, message=error.message)
        return None, failure("judge", 1, error)
    if isinstance(judgement, ModelVerdict):
        return judgement, {}
    span.event("without a model", reason="no verdict", message=judgement)
    failed: Failure = {
        "step": "judge",
        "iteration": 1,
        "kind": "NoVerdict",
        "message": f"The model's reply: {judgement}.",
    }
    return None, {"judge/1": failed}


def _sentence(finding: Finding) -> str:
    """The reason, preceded by the claim if the statement denies it."""
    prefix = f"Denied is \u201c{finding['claim']}\u201d. "
    return (prefix if finding.get("negated") else "") + finding["reason"]
