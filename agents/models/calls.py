"""What a role sees of a language model: a prompt goes in, a reply with its cost comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from agents.prompting import Prompt
from tools.errors import ClewError

Role = Literal["linker", "traversal", "reasoner", "glosser"]
ROLES: tuple[Role, ...] = ("linker", "traversal", "reasoner", "glosser")
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
    """A model gave no reply: the message says what happened, `reason` which kind of thing."""

    def __init__(self, message: str, remedy: str = "", *, reason: Reason) -> None:
        super().__init__(message, remedy)
        self.reason: Reason = reason
