"""Model calls of a run: within its time and number, counted, and kept in its trace."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from agents.models.calls import Model, Reply, Role, Usage
from agents.prompting import Prompt

if TYPE_CHECKING:
    from graphs.context import Context
    from graphs.recorder import Span


@dataclass
class Ledger:
    """What the calls of one run took, role by role. Safe to share between threads."""

    entries: list[tuple[Role, Usage]] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)
    _begun: int = 0

    def begin(self, most: int) -> bool:
        """Whether one more call is within `most`; counts it if so."""
        with self._lock:
            self._begun += self._begun < most
            return len(self.entries) < most and self._begun <= most

    def add(self, role: Role, usage: Usage) -> None:
        with self._lock:
            self.entries.append((role, usage))


def model_of(role: Role, context: Context, span: Span) -> Model | None:
    """The model that plays `role` in this run; None where the run has no model."""
    return None if context.models is None else _Counted(role, context, span)


@dataclass(frozen=True, slots=True)
class _Counted:
    """A model whose calls are counted, limited and traced."""

    role: Role
    context: Context
    span: Span

    def ask(self, prompt: Prompt, *, json: bool = False) -> Reply:
        raise NotImplementedError
