"""Which model is asked, where, and with what limits: plain values, made from the settings."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import SecretStr

from clew.agents.models.calls import Role

OPENAI = "https://api.openai.com/v1"
MAX_TOKENS: dict[Role, int] = {
    "linker": 4096, "traversal": 2048, "reasoner": 8192, "glosser": 4096, "pattern": 2048, "verifier": 2048,
    "plan": 2048, "extractor": 4096,
}  # fmt: skip
"""Tokens of a reply where the settings say nothing: room for a long list of answers, and for a thinking model."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model on a server."""

    name: str
    """As the server calls the model."""
    base_url: str = OPENAI
    """As OpenAI-compatible servers have it, usually ending in /v1."""
    api_key: SecretStr | None = None
    """None for a server that asks for none."""

    @property
    def place(self) -> str:
        """The address as it may be shown: without a user, a password or a query."""
        parts = urlsplit(self.base_url)
        host = f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
        return f"{parts.scheme}://{host}{parts.path}"

    @property
    def is_openai(self) -> bool:
        return urlsplit(self.base_url).hostname == urlsplit(OPENAI).hostname


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """The model of one role."""

    endpoint: Endpoint
    max_tokens: int
    """Of one reply."""
    temperature: float = 0.0
