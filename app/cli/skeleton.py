"""`clew documents skeleton`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from clew.app.api.chunk_reading import TOKEN_BUDGET
from clew.app.api.document_skeleton import CORE_CHOICES, CoreChoice
from clew.app.cli.errors import Interrupted
from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import graph_option, model_options
from clew.app.cli.reading_costs import estimate_text, usage_text
from clew.app.cli.render import counted
from clew.app.cli.terminal import confirm, echo, echo_lines
from clew.tools.errors import BadInput, ClewError

if TYPE_CHECKING:
    from clew.app.api.document_skeleton import DocumentSkeleton, Extracting, SkeletonManifest
    from clew.app.progress import Progress


@click.command()
@graph_option
@click.option(
    "--beta",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.2,
    show_default=True,
    metavar="SHARE",
    help="The share of the chunks to read.",
)
@click.option("--core", type=click.Choice(CORE_CHOICES), default="pagerank", show_default=True,
              help="How these chunks are chosen: the most central ones, or at random.")  # fmt: skip
@click.option("--rules", is_flag=True, help="Make it by rules, without a model: coarser, and free of charge.")
@click.option("--estimate", "only_estimate", is_flag=True, help="Show what it would take, and send nothing.")
@click.option("--tokens", type=click.IntRange(1), default=TOKEN_BUDGET, show_default=True, metavar="N",
              help="No more than these, sent and received together.")  # fmt: skip
@click.option("--dollars", type=click.FloatRange(0), metavar="X", help="And no more than these; needs a price list.")
@click.option("--forget", is_flag=True, help="Delete the skeleton and everything extracted for it.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@model_options
@pass_invocation
def skeleton(
    invocation: Invocation,
    graph: str | None,
    beta: float,
    core: CoreChoice,
    rules: bool,
    only_estimate: bool,
    tokens: int,
    dollars: float | None,
    forget: bool,
    yes: bool,
) -> None:
    """Let a model extract the entities and relations of the documents' core chunks.

    Questions to the documents follow them from then on, and cite their chunks. The command shows what it would take
    before it sends anything. Chunks that were read are not sent again, so an interrupted run continues where it
    stopped, and after `clew documents add` only new chunks are sent. The model receives the titles and texts of the
    core chunks. The graph itself is not changed.

    \b
    Examples:
      clew documents skeleton --graph films --model gpt-4.1-mini --estimate
      clew documents skeleton --graph films --model gpt-4.1-mini --tokens 200000
      clew documents skeleton --graph films --rules
    """
    if rules + only_estimate + forget > 1:
        raise click.UsageError("Choose one of --rules, --estimate and --forget.")
    client = invocation.client
    made = client.graph(graph).documents.skeleton
    if forget:
        _delete(made, yes)
    elif rules:
        _print_totals(made.by_rules(beta, core))
    else:
        extracting = made.extracting(beta, core)
        with nullcontext() if only_estimate else extracting:
            if _agreed(extracting, yes, dollars, only_estimate=only_estimate):
                _extract(extracting, client.progress, tokens, dollars)
                _print_totals(made.manifest)


def _delete(made: DocumentSkeleton, yes: bool) -> None:
    held = made.extractions
    if held and not yes and not confirm(f"Delete the extractions from {held:,} chunks of {made.graph}?"):
        raise click.Abort
    echo(f"The skeleton is deleted, with the extractions from {made.forget():,} chunks.", err=True)


def _print_totals(made: SkeletonManifest) -> None:
    linked = f" ({made.linked:,} of them the graph's)" if made.linked else ""
    echo(
        f"The skeleton has {made.entities:,} entities{linked} and {counted(made.relations, 'relation')}, "
        f"from {counted(made.chunks, 'chunk')}."
    )


def _agreed(extracting: Extracting, yes: bool, dollars: float | None, *, only_estimate: bool) -> bool:
    """Show what extracting takes; returns whether it may begin."""
    model = extracting.model
    if dollars is not None and not extracting.has_price:
        raise BadInput(
            f"No price of {model} is known, so a limit of {dollars:g} dollars cannot be checked.",
            "Name a price list: CLEW_MODEL_PRICES (docs/models.md).",
        )
    echo_lines(_plan(extracting), err=not only_estimate)
    if only_estimate:
        echo("Nothing was sent.")
        return False
    if extracting.waiting and not yes and not confirm(f"Send them to {extracting.place}?"):
        raise click.Abort
    return True


def _plan(extracting: Extracting) -> Iterator[str]:
    """What extracting takes, before anything is sent."""
    beta, done = extracting.beta, extracting.core_chunks - extracting.waiting
    before = f", {done:,} of them extracted before" if done else ""
    yield f"{extracting.core_chunks:,} of {extracting.chunks:,} chunks are core (β {beta:g}){before}."
    if extracting.waiting:
        yield f"{estimate_text(extracting.estimate())} with {extracting.model}."
        if beta < 1:
            yield f"For comparison, all chunks (β 1): {estimate_text(extracting.estimate(every=True))}."
        if not extracting.has_price:
            yield f"No price of {extracting.model} is known; CLEW_MODEL_PRICES names a price list."


def _extract(extracting: Extracting, progress: Progress, tokens: int, dollars: float | None) -> None:
    waiting = extracting.waiting
    with progress.task("Extracting", "chunks", waiting) if waiting else nullcontext(lambda _: None) as advance:
        try:
            for done in extracting.run(tokens, dollars):
                advance(done)
        except KeyboardInterrupt:
            _finish(extracting)
            kept = f"{len(extracting.extracted):,} of {waiting:,} chunks are extracted and kept"
            raise Interrupted(f"{kept}; the same command continues.") from None
        except ClewError:
            extracting.finish()
            echo_lines(_account(extracting, waiting), err=True)
            raise
    if waiting:
        echo_lines(_account(extracting, waiting), err=True)


def _finish(extracting: Extracting) -> None:
    """After Ctrl-C, wait for the running calls, which are paid for; a second Ctrl-C cancels them."""
    echo("\nWaiting for the running calls. Ctrl-C again cancels them.", err=True)
    try:
        extracting.finish()
    except KeyboardInterrupt:
        extracting.cancel()


def _account(extracting: Extracting, waiting: int) -> Iterator[str]:
    done = len(extracting.extracted)
    yield f"{done:,} of {waiting:,} chunks extracted in {usage_text(extracting)}."
    yield from dict.fromkeys(extracting.failures)
    if extracting.stopped_by_budget:
        yield "The next call might have exceeded the limit. Run the command again for the others."
    elif done < waiting:
        yield "The model returned nothing usable for the others. Run the command again to ask for them."
