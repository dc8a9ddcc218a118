"""`clew documents describe`."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

import click

from clew.app.cli.errors import Interrupted
from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import graph_option, model_options
from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from clew.agents.models.calls import Model
    from clew.agents.models.endpoint import ModelSpec
    from clew.app.container import Container
    from clew.tools.documents.store.store import DocumentStore

SECONDS = 24 * 3600.0
"""For all calls together; each has its own limit."""
BUDGET = 1_000_000


@click.command()
@graph_option
@click.option(
    "--tokens",
    "budget",
    type=click.IntRange(1),
    default=BUDGET,
    show_default=True,
    metavar="N",
    help="No more than these, sent and received together.",
)
@click.option("--estimate", "only_estimate", is_flag=True, help="Say what it would take, and send nothing.")
@model_options
@pass_invocation
def describe(invocation: Invocation, graph: str | None, budget: int, only_estimate: bool) -> None:
    """Let a model write the topic and the names of each chunk, and what the columns of tables tell.

    That takes the place of what rules found. Chunks that have them already are not sent again, so
    an interrupted run goes on where it stopped. Sent to the model: the titles and texts of chunks.

    \b
    Examples:
      clew documents describe --graph films --model gpt-4.1-mini --estimate
      clew documents describe --graph films --model gpt-4.1-mini --tokens 200000
    """
    container = invocation.container
    store = container.documents(container.graph_name(graph))
    waiting = sum(1 for _ in store.undescribed())
    if not waiting:
        click.echo("There is no chunk that waits for a description.", err=True)
        return
    spec = _spec(container)
    if only_estimate:
        _estimate(container, store, spec)
        return
    _describe(container, store, spec, waiting, budget)


def _describe(container: Container, store: DocumentStore, spec: ModelSpec, waiting: int, budget: int) -> None:
    from clew.agents.models.calls import Usage, total
    from clew.agents.writing.chunk_describer import describe as described_by
    from clew.tools.embedding.token_budget import counter

    name = spec.endpoint.name
    usages, written = list[Usage](), 0
    with container.progress.task("Describing", "chunks", waiting) as advance:
        try:
            for call in described_by(_model(container), store.undescribed(), counter(), budget, spec.max_tokens):
                written += store.describe(call.found, by=name)
                usages.append(call.usage)
                advance(written)
        except KeyboardInterrupt:
            raise Interrupted(f"{written:,} chunks are described; the same command goes on.") from None
    usage = total(usages)
    price = "" if usage.price is None else f", ${usage.price:.4f}"
    click.echo(
        f"{written:,} of {waiting:,} chunks described in {len(usages):,} calls, "
        f"{usage.input_tokens:,} + {usage.output_tokens:,} tokens{price}.",
        err=True,
    )
    if written < waiting:
        click.echo("Run it again for the others; they keep what the rules found until then.", err=True)


def _estimate(container: Container, store: DocumentStore, spec: ModelSpec) -> None:
    from clew.agents.models.prices import Prices
    from clew.agents.writing.chunk_describer import estimate
    from clew.tools.embedding.token_budget import counter

    found = estimate(store.undescribed(), counter())
    prices = Prices.load(container.settings.model_prices) if container.settings.model_prices else Prices()
    price = prices.price(spec.endpoint.name, found.input_tokens, found.output_tokens)
    cost = "" if price is None else f", ${price:.4f}"
    click.echo(
        f"{found.chunks:,} chunks in {found.calls:,} calls: about {found.input_tokens:,} + {found.output_tokens:,} "
        f"tokens{cost}. Nothing was sent."
    )


def _spec(container: Container) -> ModelSpec:
    from clew.agents.writing.chunk_describer import ROLE
    from clew.app.models import spec_of

    spec = spec_of(ROLE, container.settings)
    if spec is None:
        raise BadInput("Chunks are described by a model, and none is set.", "Name one: --model NAME [--base-url URL].")
    return spec


def _model(container: Container) -> Model:
    from clew.agents.writing.chunk_describer import ROLE

    models = container.models
    model = None if models is None else models.of(ROLE, seconds=SECONDS, cancelled=Event())
    assert model is not None  # `_spec` has found one.
    return model
