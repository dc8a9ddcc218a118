"""`clew generator`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clew.app.api.requests import DECODINGS
from clew.app.cli.errors import Interrupted
from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import generator_option, graph_option, loading_options
from clew.app.cli.serve import SERVING_PACKAGES, needs_packages
from clew.app.cli.terminal import echo, echo_lines

if TYPE_CHECKING:
    from clew.app.api.generator import Trained
    from clew.app.api.requests import Decoding

LISTED = 5


def _ways(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...]:
    named = tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))
    if not named or not set(named) <= set(DECODINGS):
        raise click.BadParameter(f"{value} is none of {', '.join(DECODINGS)}.")
    return named


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
@loading_options
@pass_invocation
def serve(invocation: Invocation, model: str | None, host: str, port: int) -> None:
    """Serve MODEL (CLEW_GENERATOR by default) to other machines; needs no database.

    \b
    Examples:
      clew generator serve ./film-generator
      CLEW_GENERATOR_TOKEN=secret clew generator serve ./film-generator --host 0.0.0.0
      CLEW_GENERATOR_TOKEN=secret clew ask "who directed Heat?" -g films --generator http://gpu-host:8321

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
@click.option("--nodes", is_flag=True, help="Examples of choosing nodes (L2) among those that queries find.")
@click.option("--tokens", type=click.IntRange(min=100), help="With --nodes: of a prompt, at most. [default: 15000]")
@generator_option
@pass_invocation
def examples(
    invocation: Invocation, lessons: Path, graph: str | None, out: Path, nodes: bool, tokens: int | None
) -> None:
    """Make training examples from LESSONS, the questions with their best queries of `clew teach --out`.

    \b
    Examples:
      clew teach questions.jsonl --graph films --synthesize --out lessons.jsonl
      clew generator examples lessons.jsonl --graph films --out examples.jsonl
      clew generator examples others.jsonl --graph films --nodes --generator film-generator --out nodes.jsonl

    For --nodes, the generator (without one, the ranker) orders the queries; give it questions that it was not trained
    with. Training needs only this file: copy it to a machine with a GPU.
    """
    from clew.app.api.generator import generator_examples
    from clew.tools.errors import BadInput

    opened = invocation.client.graph(graph)
    count, questions, unused = generator_examples(opened, lessons, out, nodes=nodes, tokens=tokens)
    echo(f"{count} examples of {questions} questions in {out}.")
    if unused.without_query:
        echo(f"{unused.without_query} questions have no query that is good enough.")
    if unused.not_offered:
        shown = "; ".join(unused.not_offered[:LISTED])
        lacking = "there are not two nodes with a right one" if nodes else "the best query is not among the candidates"
        echo(f"For {len(unused.not_offered)} {lacking}: {shown}")
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
@click.option("--lora", is_flag=True, help="Train a LoRA adapter, not the whole model (needs clew[train]).")
@click.option("--nodes", is_flag=True, help="Start with the paper's settings for choosing nodes, not queries.")
@click.option("--epochs", type=click.IntRange(min=1), help="Passes over the examples. [default: 1]")
@click.option("--learning-rate", type=click.FloatRange(min=0, min_open=True), help="[default: 2e-5]")
@click.option("--batch", type=click.IntRange(min=1), help="Examples at once; halved if memory runs out. [default: 8]")
@click.option("--accumulate", type=click.IntRange(min=1), help="Batches that make a step. [default: 1]")
@click.option("--longest", type=click.IntRange(min=8), metavar="TOKENS", help="Skip longer examples.")
@click.option("--patience", type=click.IntRange(min=1), help="Epochs without progress before it ends. [default: 2]")
@click.option(
    "--schedule", type=click.Choice(["cosine", "linear"]),
    help="How the learning rate decays. [default: cosine; linear with --nodes]",
)  # fmt: skip
@click.option(
    "--optimiser", type=click.Choice(["auto", "adamw", "paged-8bit"]),
    help="AdamW with 32-bit or paged 8-bit state (bitsandbytes). [default: 8-bit on a GPU that has it]",
)  # fmt: skip
@click.option(
    "--checkpointing/--no-checkpointing", default=None,
    help="Compute activations again to save memory. [default: for more than 50 M parameters]",
)  # fmt: skip
@click.option("--packing/--no-packing", default=None, help="Several examples in a row, not padded. [default: on a GPU]")
@click.option("--rank", type=click.IntRange(min=1), help="Of the LoRA adapter. [default: 64]")
@click.option("--alpha", type=click.IntRange(min=1), help="Of the LoRA adapter. [default: 64]")
@click.option("--number-names", is_flag=True, help="Replace names by #1, #2 …; for small models.")
@click.option("--seed", type=int, default=0, show_default=True)
@loading_options
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

    Defaults are those of the GraphRAFT paper (B.3): an adapter is trained over 4-bit weights where bitsandbytes and a
    GPU are. A tenth of the questions is held out, and the epoch that scores
    best on them is kept. Ctrl-C loses nothing: the same command continues from there.

    \b
    Examples:
      clew generator train examples.jsonl --base ./gemma-2-9b-it --lora --out film-generator
      clew generator train nodes.jsonl --nodes --base ./llama-3.1-8b --lora --generator-4bit --out film-reasoner
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


@generator.command("eval")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="EXAMPLES…")
@click.option("--model", "name", required=True, metavar="MODEL", help="A folder, or the name of one on this machine.")
@click.option(
    "--decoding", "ways", default=",".join(DECODINGS), show_default=True, callback=_ways, metavar="A,B",
    help="Exact search, beam search and greedy search under the constraint; free is greedy without it.",
)  # fmt: skip
@click.option("--json", "report", type=click.Path(path_type=Path, dir_okay=False), help="Write the figures to a file.")
@loading_options
@pass_invocation
def evaluate(
    invocation: Invocation, files: tuple[Path, ...], name: str, ways: tuple[Decoding, ...], report: Path | None
) -> None:
    """Measure how often a model chooses right on EXAMPLES that it was not trained with; needs no database.

    \b
    Examples:
      clew generator eval test.jsonl --model film-generator
      clew generator eval test.jsonl --model film-generator --decoding exact,free --json figures.json

    Answers are measured by `clew eval questions.jsonl --method graphraft --generator MODEL`.
    """
    from clew.app.api.generator import evaluate_generator
    from clew.app.cli.progress_bars import ProgressBars
    from clew.app.cli.render import table
    from clew.tools.atomic_files import write_json

    figures = evaluate_generator(invocation.settings, files, name, ways, ProgressBars())
    rows = [
        (way, str(each["n"]), *(f"{each[key]:.3f}" for key in ("right", "right_in_5", "valid", "confidence")),
         f"{each['passes']:.1f}", f"{each['cpu_ms']:.1f}")
        for way, each in figures.items()
    ]  # fmt: skip
    heads = ("decoding", "n", "right", "right in 5", "valid", "confidence", "passes", "CPU ms")
    echo_lines(table(heads, rows, right=frozenset(range(1, len(heads)))))
    if report is not None:
        write_json(report, {"model": name, "examples": [str(path) for path in files], "decoding": figures})


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
    if trained.keep_from:
        lines.append(f"of several texts, those are taken that are {trained.keep_from:g} as likely as the likeliest")
    return [*lines, f"written to {out}"]
