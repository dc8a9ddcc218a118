"""Model calls of a run: within its time and number, counted, and kept in its trace."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, TypedDict

from langgraph.config import get_config, get_stream_writer

from clew.agents.models.calls import Model, ModelFailed, OnToken, Reply, Role, Usage, total
from clew.agents.prompting import Prompt

if TYPE_CHECKING:
    from clew.graphs.context import Context
    from clew.graphs.recorder import Span

_FOR_ONE_CALL = 0.9
"""Share of the time left that a call may take: what follows a call that failed needs a little, too."""


class RoleCost(TypedDict):
    """What the calls of one role took."""

    calls: int
    """Failed ones, and those answered from the cache, included."""
    input_tokens: int
    output_tokens: int
    estimated: bool
    """Whether some of the tokens were counted here, because an endpoint did not say."""
    price: float | None
    """US dollars; None where a model has no price."""


class ModelCost(RoleCost):
    """What all calls of a run took."""

    by_role: dict[str, RoleCost]


@dataclass
class Ledger:
    """What the calls of one run took, role by role. Safe to share between threads."""

    entries: list[tuple[Role, Usage]] = field(default_factory=list)
    """Of the calls that have ended."""
    _lock: Lock = field(default_factory=Lock)
    _begun: int = 0

    def begin(self, most: int) -> bool:
        """Whether one more call is within `most`; counts it if so."""
        with self._lock:
            if self._begun >= most:
                return False
            self._begun += 1
            return True

    def add(self, role: Role, usage: Usage) -> None:
        with self._lock:
            self.entries.append((role, usage))

    def summary(self) -> ModelCost:
        """As results tell it; all zeros for a run without a call."""
        with self._lock:
            entries = list(self.entries)
        roles = dict.fromkeys(role for role, _ in entries)
        by_role = {str(r): _cost(usage for role, usage in entries if role == r) for r in roles}
        return {**_cost(usage for _, usage in entries), "by_role": by_role}


def model_of(role: Role, context: Context, span: Span, *, leaving: int = 0) -> Model | None:
    """The model that plays `role` in this run; None where the run, or the role, has no model. Its calls leave the last
    `leaving` of those that the run may make to others."""
    if context.models is None or context.models.of(role, seconds=0.0, cancelled=context.cancelled) is None:
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
            self._tell(prompt, failed.model, failed.usage, started, outcome)
            raise
        outcome = {"reply": reply.text, "finish_reason": reply.finish_reason, "attempts": reply.attempts}
        self._tell(prompt, reply.model, reply.usage, started, outcome)
        return reply

    def _asked(self, prompt: Prompt, json: bool) -> Reply:
        seconds, most = self.context.deadline.remaining * _FOR_ONE_CALL, self.context.budget.max_model_calls
        if seconds <= 0:
            raise ModelFailed(
                "The question's time is over.", "Raise CLEW_MODEL_SECONDS, or use a faster model.", reason="timeout"
            )
        models = self.context.models
        told: dict[str, Any] = {"on_token": _telling(self.role)} if self.context.messages else {}
        model = models.of(self.role, seconds=seconds, cancelled=self.context.cancelled, **told) if models else None
        if model is None:
            raise ModelFailed(f"There is no model for the role {self.role}.", "Set CLEW_MODEL.", reason="unavailable")
        if not self.context.ledger.begin(most - self.leaving):
            raise ModelFailed(
                f"The question has had its {most} model calls.", "Raise CLEW_MODEL_CALLS.", reason="over budget"
            )
        try:
            reply = model.ask(prompt, json=json)
        except ModelFailed as failed:
            self.context.ledger.add(self.role, failed.usage)
            raise
        self.context.ledger.add(self.role, reply.usage)
        return reply

    def _tell(self, prompt: Prompt, model: str, usage: Usage, started: float, outcome: dict[str, Any]) -> None:
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


def _telling(role: Role) -> OnToken:
    """Tells whoever listens to the run what a model says: {"type": "message", "role", "node", "call", "text"}. A call
    that is repeated has another `call`, and begins anew."""
    write, node = get_stream_writer(), get_config()["metadata"]["langgraph_node"]

    def on_token(request: str, text: str) -> None:
        write({"type": "message", "role": role, "node": node, "call": request, "text": text})

    return on_token


def _cost(usages: Iterable[Usage]) -> RoleCost:
    every = list(usages)
    whole = total(every)
    return {
        "calls": len(every),
        "input_tokens": whole.input_tokens,
        "output_tokens": whole.output_tokens,
        "estimated": whole.estimated,
        "price": None if whole.price is None else round(whole.price, 6),
    }
