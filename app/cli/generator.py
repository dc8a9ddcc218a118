"""`clew generator`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clew.app.cli.errors import Interrupted
from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import graph_option
from clew.app.cli.serve import SERVING_PACKAGES, needs_packages
from clew.app.cli.terminal import echo, echo_lines

if TYPE_CHECKING:
    from clew.app.api.generator import Trained

LISTED = 5


@click.group()
def generator() -> None:
    """Serve or train a language model that chooses the query.

    Such a model can only output one of the valid queries for a question (docs/generator.md). If one is named
    (`clew ask --generator MODEL`, or CLEW_GENERATOR), it decides which query is tried first.
    """


@generator.command()
@click.argument("model", required=False)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to serve on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8321, show_default=True, help="0 takes a free one.")
@pass_invocation
def serve(invocation: Invocation, model: str | None, host: str, port: int) -> None:
    """Serve MODEL (CLEW_GENERATOR by default) to other machines; needs no database.

    \b
    Examples:
      clew generator serve ./film-generator
      CLEW_GENERATOR_TOKEN=secret clew generator serve ./film-generator --host 0.0.0.0
      CLEW_GENERATOR_TOKEN=secret clew ask "who directed Heat?" -g films --generator http://gpu-host:8321

    CLEW_GENERATOR_ADAPTER, _DEVICE, _DTYPE and _4BIT configure how it is loaded.
    """
    needs_packages(SERVING_PACKAGES)
    from clew.app.api.generator import generator_to_serve
    from clew.app.serving.generator import CLOSING_SECONDS, generator_app
    from clew.app.serving.server import bound_socket, url_of
    from clew.app.serving.server import serve as serve_on

    chooser = generator_to_serve(invocation.settings, model)
    token = invocation.settings.generator_token
    secret = token.get_secret_value() if token else None
    remedy = "Set CLEW_GENERATOR_TOKEN, or serve on 127.0.0.1."
    with bound_socket(host, port, has_tokens=secret is not None, remedy=remedy) as bound:
        chooser.prepare()
        echo(f"Serving {chooser.name} on {url_of(host, bound)} (Ctrl-C ends it)", err=True)
        serve_on(generator_app(chooser, secret), bound, CLOSING_SECONDS)


@generator.command()
@click.argument("lessons", type=click.Path(path_type=Path))
@graph_option
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True, metavar="FILE", help="To write.")
@pass_invocation
def examples(invocation: Invocation, lessons: Path, graph: str | None, out: Path) -> None:
    """Make training examples from LESSONS, the questions with their best queries of `clew teach --out`.

    \b
    Examples:
      clew teach questions.jsonl --graph films --out lessons.jsonl
      clew generator examples lessons.jsonl --graph films --out examples.jsonl

    Training needs only this file: copy it to a machine with a GPU.
    """
    from clew.app.api.generator import generator_examples
    from clew.tools.errors import BadInput

    count, questions, unused = generator_examples(invocation.client.graph(graph), lessons, out)
    echo(f"{count} examples of {questions} questions in {out}.")
    if unused.without_query:
        echo(f"{unused.without_query} questions have no query that is good enough.")
    if unused.not_offered:
        shown = "; ".join(unused.not_offered[:LISTED])
        echo(f"For {len(unused.not_offered)} the best query is not among the candidates: {shown}")
    if not count:
        raise BadInput("There is nothing to train with.", "Are the questions about this graph?")


@generator.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="EXAMPLES…")
@click.option("--base", metavar="MODEL", help="The model to train: a folder, or the name of one on this machine.")
@click.option(
    "--fresh", is_flag=True, help="Train a small model from scratch instead; for tens of thousands of examples."
)
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), required=True, metavar="FOLDER", help="For it."
)
@click.option("--lora", is_flag=True, help="Train a LoRA adapter, not the whole model (needs peft).")
@click.option("--nodes", is_flag=True, help="Start with the paper's settings for choosing nodes, not queries.")
@click.option("--epochs", type=click.IntRange(min=1), help="Passes over the examples. [default: 1]")
@click.option("--learning-rate", type=click.FloatRange(min=0, min_open=True), help="[default: 2e-5]")
@click.option("--batch", type=click.IntRange(min=1), help="Examples at once; halved if memory runs out. [default: 8]")
@click.option("--accumulate", type=click.IntRange(min=1), help="Batches that make a step. [default: 1]")
@click.option("--longest", type=click.IntRange(min=8), metavar="TOKENS", help="Skip longer examples.")
@click.option("--patience", type=click.IntRange(min=1), help="Epochs without progress before it ends. [default: 2]")
@click.option("--number-names", is_flag=True, help="Replace names by #1, #2 …; for small models.")
@click.option("--seed", type=int, default=0, show_default=True)
@pass_invocation
def train(
    invocation: Invocation,
    /,
    files: tuple[Path, ...],
    base: str | None,
    fresh: bool,
    out: Path,
    nodes: bool,
    **given: Any,
) -> None:
    """Train a model on EXAMPLES; needs no database.

    Defaults are those of the GraphRAFT paper (B.3). A tenth of the questions is held out, and the epoch that scores
    best on them is kept. Ctrl-C loses nothing: the same command continues from there.

    \b
    Examples:
      clew generator train examples.jsonl --base ./gemma-2-9b-it --lora --out film-generator
      clew generator train examples.jsonl --fresh --number-names --epochs 40 --learning-rate 2e-3 --out film-generator
      clew ask "who directed Heat?" --graph films --generator film-generator
    """
    from clew.app.api.generator import train_generator
    from clew.app.cli.progress_bars import ProgressBars

    if (base is None) != fresh:
        raise click.UsageError("Give --base MODEL, or --fresh.")
    recipe = {name: value for name, value in given.items() if value is not None}
    try:
        trained = train_generator(
            invocation.settings, files, out, base=base, nodes=nodes, progress=ProgressBars(), **recipe
        )
    except KeyboardInterrupt:
        raise Interrupted(f"What was learned so far is kept in {out}; the same command continues from there.") from None
    echo_lines(trained_lines(trained, out))


def trained_lines(trained: Trained, out: Path) -> list[str]:
    """The result of training as text."""
    early = ", ended early" if trained.stopped_early else ""
    resumed = ", after an interruption" if trained.resumed else ""
    took = f"{trained.steps} steps, {trained.epochs} epochs{early}{resumed}"
    lines = [f"learned from {trained.learned_from} examples in {took}"]
    if trained.left_out:
        lines.append(f"{trained.left_out} examples were too long")
    lines.append(f"on {trained.held_back} held-back examples:")
    for when, score in (("before", trained.before), ("after ", trained.after)):
        right = f", right {score.right:.1%}" if score.right is not None else ""
        lines.append(f"  {when}  loss {score.loss:.4f}{right}")
    if trained.after.loss >= trained.before.loss:
        lines.append("There is no gain; the model is unchanged.")
    lines.append(f"its probabilities are calibrated by a temperature of {trained.temperature:g}")
    return [*lines, f"written to {out}"]
