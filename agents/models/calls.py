"""What a role sees of a language model: a prompt goes in, a reply with its cost comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from clew.agents.prompting import Prompt
from clew.tools.errors import ClewError

Role = Literal["linker", "traversal", "reasoner", "glosser", "pattern", "verifier", "plan", "extractor"]
ROLES: tuple[Role, ...] = ("linker", "traversal", "reasoner", "glosser", "pattern", "verifier", "plan", "extractor")
Hear = Callable[[str, str], None]
"""Told of a reply while it is written: which request it is the reply to, and the next piece of its text."""
Reason = Literal[
    "timeout", "unavailable", "rate limited", "unauthorised", "rejected", "empty", "cancelled", "over budget"
]


@dataclass(frozen=True, slots=True)
class Usage:
    """What one or several calls took."""

    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False
    """True where an endpoint gave no usage, so that (some) tokens are counted or estimated here."""
    price: float | None = None
    """US dollars; None where a price is not known."""


def total(usages: Iterable[Usage]) -> Usage:
    """The sum; its price is known where every price is, and nothing costs nothing."""
    every = list(usages)
    prices = [usage.price for usage in every if usage.price is not None]
    return Usage(
        sum(usage.input_tokens for usage in every),
        sum(usage.output_tokens for usage in every),
        any(usage.estimated for usage in every),
        sum(prices, 0.0) if len(prices) == len(every) else None,
    )


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said."""

    text: str
    usage: Usage
    model: str
    finish_reason: str
    """As the endpoint says: "stop", "length", …; "" where it says nothing."""
    ms: float
    """Wall-clock milliseconds, waiting and retries included."""
    attempts: int = 1
    """Requests that were sent; 0 for a reply from the cache."""


class Model(Protocol):
    """A model in one role."""

    def ask(self, prompt: Prompt, *, json: bool = False) -> Reply:
        """The reply to a prompt; with `json`, one JSON value is asked for (where the endpoint can promise that).

        Raises ModelFailed; never anything else for what an endpoint does.
        """


class ModelFailed(ClewError):
    """A model gave no reply: the message says what happened, `reason` which kind of thing.

    `model` (its name), `attempts` (requests that were sent) and `usage` (what they took) are for accounts.
    """

    def __init__(
        self,
        message: str,
        remedy: str = "",
        *,
        reason: Reason,
        model: str = "",
        attempts: int = 0,
        usage: Usage | None = None,
    ) -> None:
        super().__init__(message, remedy)
        self.reason: Reason = reason
        self.model = model
        self.attempts = attempts
        self.usage = Usage(price=0.0) if usage is None else usage
