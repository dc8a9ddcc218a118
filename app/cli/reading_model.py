"""The language model of a command that has chunks of documents read, with its prices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING

from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from clew.agents.models.calls import Model, Role, Usage
    from clew.agents.models.endpoint import ModelSpec
    from clew.agents.models.prices import Prices
    from clew.agents.writing.chunk_batches import Estimate
    from clew.app.api.client import Client

SECONDS = 24 * 3600.0
"""For all calls together; each has its own limit."""
TOKEN_BUDGET = 1_000_000


@dataclass(frozen=True)
class ReadingModel:
    """The model of a role."""

    client: Client
    role: Role
    spec: ModelSpec
    prices: Prices

    @classmethod
    def of(cls, client: Client, role: Role, missing: str, remedy: str) -> ReadingModel:
        """Raises BadInput with these texts if the settings name no model."""
        from clew.agents.models.prices import Prices
        from clew.app.models import spec_of

        settings = client.settings
        spec = spec_of(role, settings)
        if spec is None:
            raise BadInput(missing, remedy)
        return cls(client, role, spec, Prices.load(settings.model_prices) if settings.model_prices else Prices())

    @property
    def name(self) -> str:
        return self.spec.endpoint.name

    def opened(self, cancelled: Event | None = None) -> Model:
        """The model, to be asked."""
        models = self.client.models
        model = None if models is None else models.of(self.role, seconds=SECONDS, cancelled=cancelled or Event())
        assert model is not None  # It has a spec.
        return model

    def price(self, input_tokens: int, output_tokens: int) -> float | None:
        """US dollars; None if the price is unknown."""
        return self.prices.price(self.name, input_tokens, output_tokens)

    @property
    def has_price(self) -> bool:
        return self.price(1, 1) is not None

    def estimate_text(self, found: Estimate) -> str:
        """What the calls would take, and what counted the tokens."""
        from clew.tools.embedding.token_budget import counted_by

        return (
            f"{found.chunks:,} chunks in {found.calls:,} calls: about {found.input_tokens:,} + "
            f"{found.output_tokens:,} tokens (by {counted_by()})"
            f"{_dollars(self.price(found.input_tokens, found.output_tokens))}"
        )


def usage_text(usages: Sequence[Usage]) -> str:
    """What calls took."""
    from clew.agents.models.calls import total

    usage = total(usages)
    tokens = f"{usage.input_tokens:,} + {usage.output_tokens:,} tokens"
    return f"{len(usages):,} calls, {tokens}{_dollars(usage.price)}"


def _dollars(price: float | None) -> str:
    return "" if price is None else f", ${price:.4f}"
