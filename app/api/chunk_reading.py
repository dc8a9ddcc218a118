"""Chunks of documents that a language model reads (SAGE, section 2.1; KET-RAG, Algorithm 1).

Reading costs money, so that an estimate can be had before. Each call is stored when it ends, and chunks that were read
are not sent again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from threading import Event
from typing import TYPE_CHECKING, ClassVar

from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from clew.agents.models.calls import Model, Usage
    from clew.agents.models.endpoint import ModelSpec
    from clew.agents.models.prices import Prices
    from clew.agents.writing.chunk_batches import Estimate
    from clew.app.container import Container

SECONDS = 24 * 3600.0
"""For all calls together; each has its own limit."""
TOKEN_BUDGET = 1_000_000


@dataclass(frozen=True, slots=True)
class ReadingEstimate:
    """What calls of a model will take."""

    calls: int
    chunks: int
    input_tokens: int
    output_tokens: int
    price: float | None
    """US dollars; None if the price of the model is unknown."""
    counted_by: str
    """What counted the tokens."""


@dataclass(frozen=True)
class ModelOfChunks:
    """The model that reads chunks, with its prices."""

    client: Container
    spec: ModelSpec
    prices: Prices

    @classmethod
    def of(cls, client: Container, missing: str, remedy: str) -> ModelOfChunks:
        """Raises BadInput with these texts if the settings name no model."""
        from clew.agents.models.prices import Prices
        from clew.agents.writing.chunk_batches import ROLE
        from clew.app.models import spec_of

        spec, prices = spec_of(ROLE, client.settings), client.settings.model_prices
        if spec is None:
            raise BadInput(missing, remedy)
        return cls(client, spec, Prices.load(prices) if prices else Prices())

    def opened(self, cancelled: Event | None = None) -> Model:
        """The model, to be asked."""
        from clew.agents.writing.chunk_batches import ROLE

        models = self.client.models
        model = None if models is None else models.of(ROLE, seconds=SECONDS, cancelled=cancelled or Event())
        assert model is not None  # It has a spec.
        return model

    def price(self, input_tokens: int, output_tokens: int) -> float | None:
        """US dollars; None if the price is unknown."""
        return self.prices.price(self.spec.endpoint.name, input_tokens, output_tokens)

    def priced(self, found: Estimate) -> ReadingEstimate:
        from clew.tools.embedding.token_budget import counted_by

        price = self.price(found.input_tokens, found.output_tokens)
        return ReadingEstimate(
            found.calls, found.chunks, found.input_tokens, found.output_tokens, price, counted_by()
        )  # fmt: skip


@dataclass
class ChunkReading:
    """Chunks that a model reads, and what the calls so far took."""

    client: Container
    usages: list[Usage] = field(default_factory=list, init=False)
    no_model: ClassVar[tuple[str, str]]
    """The error if no model is set, and its remedy."""

    @cached_property
    def _reader(self) -> ModelOfChunks:
        return ModelOfChunks.of(self.client, *self.no_model)

    @property
    def usage(self) -> Usage:
        """What the calls so far took."""
        from clew.agents.models.calls import total

        return total(self.usages)

    @property
    def model(self) -> str:
        """The name of the model. Raises BadInput if none is set."""
        return self._reader.spec.endpoint.name

    @property
    def place(self) -> str:
        """Where the model runs, in words."""
        return self._reader.spec.endpoint.place

    @property
    def has_price(self) -> bool:
        return self._reader.price(1, 1) is not None


@dataclass
class Describing(ChunkReading):
    """The topic and the names of each chunk, and the meaning of table columns, by a model, in place of those that rules
    found."""

    graph: str
    written: int = field(default=0, init=False)
    """The chunks that are described so far."""
    no_model = ("Chunks are described by a model, and none is set.", "Name one: --model NAME [--base-url URL].")

    @cached_property
    def waiting(self) -> int:
        """The chunks without a description by a model."""
        return sum(1 for _ in self.client.files(self.graph).documents().undescribed())

    def estimate(self) -> ReadingEstimate:
        """What describing the waiting chunks will take. Raises BadInput if no model is set."""
        from clew.agents.writing.chunk_describer import estimate
        from clew.tools.embedding.token_budget import counter

        return self._reader.priced(estimate(self.client.files(self.graph).documents().undescribed(), counter()))

    def run(self, tokens: int = TOKEN_BUDGET) -> Iterator[int]:
        """Describe the waiting chunks. Yields how many are described, after each call.

        Args:
            tokens: The most that calls may send and receive together.

        Raises:
            BadInput: No model is set.
            ModelFailed: The model gave no reply.
        """
        from clew.agents.writing.chunk_describer import describe
        from clew.tools.embedding.token_budget import counter

        store, longest = self.client.files(self.graph).documents(), self._reader.spec.max_tokens
        for call in describe(self._reader.opened(), store.undescribed(), counter(), tokens, longest):
            self.written += store.describe(call.found, by=self.model)
            self.usages.append(call.usage)
            yield self.written
