"""Model calls of a run: limited in time and number, counted, and recorded in the trace."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from langgraph.config import get_config, get_stream_writer

from clew.agents.models.calls import Model, ModelFailed, OnToken, Reply, Role, Usage
from clew.agents.prompting import Prompt
from clew.graphs.context import Context
from clew.graphs.recorder import Span

_FOR_ONE_CALL = 0.9
"""Share of the remaining time that a call may take; the steps after a failed call need the rest."""


def model_of(role: Role, context: Context, span: Span, *, leaving: int = 0) -> Model | None:
    """The model of a role in this run; None if the run or the role has no model.

    Args:
        role: The role that the model plays.
        context: The context of the run.
        span: Records the calls.
        leaving: How many of the run's calls are reserved for other roles.
    """
    if (
        context.tools.models is None
        or context.tools.models.of(role, seconds=0.0, cancelled=context.run.cancelled) is None
    ):
        return None
    return _Counted(role, context, span, leaving)


@dataclass(frozen=True, slots=True)
class _Counted:
    """A model whose calls are counted, limited and traced."""

    role: Role
    context: Context
    span: Span
    leaving: int = 0

    def ask(self, prompt: Prompt, *, json: bool = False) -> Reply:
        """As clew.agents.models.calls.Model; raises ModelFailed too where the run may make no more calls."""
        started = time.monotonic()
        try:
            reply = self._asked(prompt, json)
        except ModelFailed as failed:
            outcome = {"error": failed.message, "reason": failed.reason, "attempts": failed.attempts}
            self._record(prompt, failed.model, failed.usage, started, outcome)
            raise
        outcome = {"reply": reply.text, "finish_reason": reply.finish_reason, "attempts": reply.attempts}
        self._record(prompt, reply.model, reply.usage, started, outcome)
        return reply

    def _asked(self, prompt: Prompt, json: bool) -> Reply:
        seconds, most = self.context.run.deadline.remaining * _FOR_ONE_CALL, self.context.budget.max_model_calls
        if seconds <= 0:
            raise ModelFailed(
                "The question's time is over.", "Raise CLEW_MODEL_SECONDS, or use a faster model.", reason="timeout"
            )
        models, cancelled = self.context.tools.models, self.context.run.cancelled
        listener: dict[str, Any] = {"on_token": _token_writer(self.role)} if self.context.messages else {}
        model = models.of(self.role, seconds=seconds, cancelled=cancelled, **listener) if models else None
        if model is None:
            raise ModelFailed(f"There is no model for the role {self.role}.", "Set CLEW_MODEL.", reason="unavailable")
        if not self.context.run.ledger.begin(most - self.leaving):
            raise ModelFailed(
                f"The question has had its {most} model calls.", "Raise CLEW_MODEL_CALLS.", reason="over budget"
            )
        try:
            reply = model.ask(prompt, json=json)
        except ModelFailed as failed:
            self.context.run.ledger.add(self.role, failed.usage)
            raise
        self.context.run.ledger.add(self.role, reply.usage)
        return reply

    def _record(self, prompt: Prompt, model: str, usage: Usage, started: float, outcome: dict[str, Any]) -> None:
        self.span.event(
            "model call",
            role=self.role,
            model=model,
            prompt=prompt.name,
            digest=prompt.digest,
            system=prompt.system,
            user=prompt.user,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            estimated=usage.estimated,
            price=usage.price,
            ms=round((time.monotonic() - started) * 1000, 3),
            **outcome,
        )


def _token_writer(role: Role) -> OnToken:
    """Streams a model's text: {"type": "message", "role", "node", "call", "text"}. A repeated call has another `call`,
    and its text starts again."""
    write, node = get_stream_writer(), get_config()["metadata"]["langgraph_node"]

    def on_token(request: str, text: str) -> None:
        write({"type": "message", "role": role, "node": node, "call": request, "text": text})

    return on_token
