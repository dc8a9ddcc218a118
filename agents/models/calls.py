"""A language model as a role sees it: a prompt goes in, a reply with its cost comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from clew.agents.prompting import Prompt
from clew.tools.errors import ClewError

Role = Literal["linker", "traversal", "reasoner", "glosser", "pattern", "verifier", "plan", "extractor"]
ROLES: tuple[Role, ...] = ("linker", "traversal", "reasoner", "glosser", "pattern", "verifier", "plan", "extractor")
OnToken = Callable[[str, str], None]
"""Called with each piece of a reply as it arrives: the id of the request, and the next piece of its text."""
Reason = Literal[
    "timeout", "unavailable", "rate limited", "unauthorised", "rejected", "empty", "cancelled", "over budget"
]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and price of one call or several."""

    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False
    """True if a server gave no usage, so that (some) tokens are counted or estimated here."""
    price: float | None = None
    """US dollars; None if a price is not known."""


def total(usages: Iterable[Usage]) -> Usage:
    """The sum. Its price is known if every price is; without calls it is 0."""
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
    """What a model replied."""

    text: str
    usage: Usage
    model: str
    finish_reason: str
    """As the server says: "stop", "length", …; "" if it says nothing."""
    attempts: int = 1
    """Requests sent; 0 for a reply from the cache."""


class Model(Protocol):
    """A model in one role."""

    def ask(self, prompt: Prompt, *, json: bool = False) -> Reply:
        """The reply to a prompt. With `json`, the server is asked for one JSON value, if it supports that.

        Raises:
            ModelFailed: For anything that the server does; no other error is raised.
        """


class ModelFailed(ClewError):
    """A model gave no reply. The message says what happened, and `reason` which kind of failure it is.

    `model` (its name), `attempts` (requests sent) and `usage` (what they took) serve accounting.
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
