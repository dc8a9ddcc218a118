"""`clew documents describe`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clew.app.cli.errors import Interrupted
from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import graph_option, model_options
from clew.app.cli.reading_model import TOKEN_BUDGET, ReadingModel, usage_text
from clew.app.cli.terminal import echo

if TYPE_CHECKING:
    from clew.tools.documents.store.store import DocumentStore


@click.command()
@graph_option
@click.option(
    "--tokens",
    "budget",
    type=click.IntRange(1),
    default=TOKEN_BUDGET,
    show_default=True,
    metavar="N",
    help="No more than these, sent and received together.",
)
@click.option("--estimate", "only_estimate", is_flag=True, help="Show what it would take, and send nothing.")
@model_options
@pass_invocation
def describe(invocation: Invocation, graph: str | None, budget: int, only_estimate: bool) -> None:
    """Let a model write the topic and the names of each chunk, and the meaning of table columns.

    They replace what rules found. Chunks with a description are not sent again, so an interrupted run continues where
    it stopped. The model receives the titles and texts of chunks.

    \b
    Examples:
      clew documents describe --graph films --model gpt-4.1-mini --estimate
      clew documents describe --graph films --model gpt-4.1-mini --tokens 200000
    """
    from clew.agents.writing.chunk_batches import ROLE
    from clew.agents.writing.chunk_describer import estimate
    from clew.tools.embedding.token_budget import counter

    client = invocation.client
    store = client.files(client.graph_name(graph)).documents()
    waiting = sum(1 for _ in store.undescribed())
    if not waiting:
        echo("There is no chunk that waits for a description.", err=True)
        return
    missing = "Chunks are described by a model, and none is set."
    model = ReadingModel.of(client, ROLE, missing, "Name one: --model NAME [--base-url URL].")
    if only_estimate:
        echo(f"{model.estimate_text(estimate(store.undescribed(), counter()))}. Nothing was sent.")
        return
    _describe(model, store, waiting, budget)


def _describe(model: ReadingModel, store: DocumentStore, waiting: int, budget: int) -> None:
    from clew.agents.models.calls import Usage
    from clew.agents.writing.chunk_describer import describe as described_by
    from clew.tools.embedding.token_budget import counter

    usages, written = list[Usage](), 0
    with model.client.progress.task("Describing", "chunks", waiting) as advance:
        try:
            for call in described_by(model.opened(), store.undescribed(), counter(), budget, model.spec.max_tokens):
                written += store.describe(call.found, by=model.name)
                usages.append(call.usage)
                advance(written)
        except KeyboardInterrupt:
            raise Interrupted(f"{written:,} chunks are described; the same command continues.") from None
    echo(f"{written:,} of {waiting:,} chunks described in {usage_text(usages)}.", err=True)
    if written < waiting:
        echo("Run it again for the others; they keep what the rules found until then.", err=True)
