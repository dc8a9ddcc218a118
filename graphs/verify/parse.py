"""parse: separate the content of the statement from its negation; with a model, also write it as a pattern."""

from __future__ import annotations

from typing import Any

from clew.agents.evidence import Failure
from clew.agents.verifying.sentence import plain
from clew.graphs.context import Context
from clew.graphs.matching import relations_text
from clew.graphs.model_calls import model_of
from clew.graphs.recorder import Span
from clew.graphs.steps import StepResult
from clew.graphs.verify.state import VerifyState


def parse(state: VerifyState, context: Context, span: Span) -> StepResult:
    """The step that takes words about truth off a statement, and asks the model for its pattern."""
    text, turned = plain(state["statement"])
    span.event("plain", text=text, turned=turned)
    pattern, errors = _pattern(text, context, span)
    update = {"text": text, "turned": turned, "pattern": pattern, "errors": errors}
    notes = ["It is said not to be so."] if turned else []
    return StepResult(update, f"Checked is: {text}", [*notes, *(failed["message"] for failed in errors.values())])


def _pattern(text: str, context: Context, span: Span) -> tuple[dict[str, Any] | None, dict[str, Failure]]:
    """The pattern that a model writes for the statement, or None with the failure."""
    reserved = int(model_of("verifier", context, span) is not None)
    model = model_of("pattern", context, span, leaving=reserved)
    if model is None or context.tools.patterns is None:
        return None, {}
    from clew.agents.patterns.pattern_writer import write
    from clew.agents.patterns.query_patterns import pattern_examples  # statements are mostly checked without a model

    examples = pattern_examples(context.tools.schema, context.tools.store.terms)
    reply = write(model, text, relations_text(text, context, span), asks=False, examples=examples)
    if reply.written is not None:
        span.event("written", **reply.written.pattern.to_json(), notes=list(reply.written.notes))
        return reply.written.pattern.to_json(), {}
    span.event("without a model", message=reply.degraded)
    failed: Failure = {"step": "parse", "iteration": 1, "kind": "ModelFailed", "message": reply.degraded}
    return None, {"parse/1": failed}
