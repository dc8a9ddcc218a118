"""`clew documents describe`."""

from __future__ import annotations

import click

from clew.app.api.chunk_reading import TOKEN_BUDGET
from clew.app.cli.errors import Interrupted
from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import graph_option, model_options
from clew.app.cli.reading_costs import estimate_text, usage_text
from clew.app.cli.terminal import echo


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
    client = invocation.client
    describing = client.graph(graph).documents.describing()
    waiting = describing.waiting
    if not waiting:
        echo("There is no chunk that waits for a description.", err=True)
        return
    if only_estimate:
        echo(f"{estimate_text(describing.estimate())}. Nothing was sent.")
        return
    with client.progress.task("Describing", "chunks", waiting) as advance:
        try:
            for written in describing.run(budget):
                advance(written)
        except KeyboardInterrupt:
            raise Interrupted(f"{describing.written:,} chunks are described; the same command continues.") from None
    echo(f"{describing.written:,} of {waiting:,} chunks described in {usage_text(describing)}.", err=True)
    if describing.written < waiting:
        echo("Run it again for the others; they keep what the rules found until then.", err=True)
