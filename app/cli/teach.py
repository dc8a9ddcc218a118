"""`clew teach`."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clew.app.cli.errors import Interrupted, show_bad_lines
from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import graph_option, model_options

if TYPE_CHECKING:
    from clew.app.training.teaching import Encoder, Report
    from clew.tools.learning.teaching.fitting import HeldBack


@click.command("teach")
@click.argument("questions", nargs=-1, type=click.Path(path_type=Path), metavar="[QUESTIONS…]")
@graph_option
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Learn from a random sample of N questions.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the sample, and of what is written.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the queries that were found (or, with --write-questions, the questions) to a file of JSON lines.",
)
@click.option(
    "--threads", type=click.IntRange(1, 64), default=4, show_default=True, help="Questions looked up at once."
)
@click.option(
    "--encoder",
    type=click.Choice(["auto", "tuned", "frozen"]),
    default="auto",
    show_default=True,
    help="Whether to fine-tune the embedding model too (a few minutes): auto does so from 100 questions on, and uses "
    "it if it ranks queries better.",
)
@click.option("--status", is_flag=True, help="Show what the graph was taught, and stop.")
@click.option("--reset", is_flag=True, help="Delete what the graph was taught, and stop.")
@click.option(
    "--write-questions",
    "written",
    type=click.IntRange(min=1),
    metavar="N",
    help="Let a language model (--model) write N questions about the graph into --out FILE, to be taught with later.",
)
@model_options
@pass_invocation
def teach(
    invocation: Invocation,
    questions: tuple[Path, ...],
    graph: str | None,
    limit: int | None,
    seed: int,
    out: Path | None,
    threads: int,
    encoder: Encoder,
    status: bool,
    reset: bool,
    written: int | None,
) -> None:
    """Train the ranking of queries with questions and their answers.

    QUESTIONS holds JSON lines, plain or gzipped: "question" and "answers" (the names of all right answers). Clew finds
    the query that gives these answers, learns which words indicate which query, and uses the result from then on, as
    long as the graph has those relations. A few dozen questions help; a few hundred are better.

    \b
    Examples:
      clew teach questions.jsonl --graph films
      clew teach questions.jsonl --graph films --limit 300 --out lessons.jsonl
      clew teach lessons.jsonl --graph films              (after correcting them by hand)
      clew teach --status --graph films
      clew teach --write-questions 200 --model llama3.1 --out questions.jsonl --graph films

    Lines may also contain candidate queries (docs/teaching.md). Ctrl-C loses nothing: the queries found so far are
    kept, the same command continues from there, and the earlier ranking stays in use until the new one is ready.
    """
    modes = [status, reset, written is not None, bool(questions)]
    if sum(modes) != 1:
        raise click.UsageError("Give QUESTIONS, or one of --status, --reset, --write-questions N.")
    name = invocation.client.graph_name(graph)
    if status:
        _status(invocation, name)
    elif reset:
        _reset(invocation, name)
    elif written is not None:
        _write(invocation, name, written, seed, out)
    else:
        _teach(invocation, name, questions, _Choices(limit, seed, threads, encoder, out))


@dataclass(frozen=True)
class _Choices:
    """Which questions to learn from, and how."""

    limit: int | None
    seed: int
    threads: int
    encoder: Encoder
    out: Path | None


def _teach(invocation: Invocation, name: str, files: tuple[Path, ...], choices: _Choices) -> None:
    from clew.app.evaluation.questions import sample
    from clew.app.training.teaching import Teaching, read_material
    from clew.tools.errors import ClewError
    from clew.tools.learning.teaching.training_examples import preferred, write_training_examples

    began = time.monotonic()
    material = read_material(files)
    show_bad_lines(material.bad_lines)
    limit, seed = choices.limit, choices.seed
    pairs, given = sample(material.pairs, limit, seed), sample(material.given, limit, seed)
    teaching = Teaching(invocation.client, name)
    try:
        examples = [*sample(material.examples, limit, seed), *teaching.synthesise(pairs, choices.threads)]
        if choices.out is not None:
            write_training_examples(choices.out, preferred([*examples, *given]))
        report = teaching.teach(examples, given, began, choices.encoder)
    except MemoryError:
        raise ClewError(
            "There is not enough memory to learn from so many questions.",
            "Teach with fewer (--limit N); the queries found so far are kept, and so is what was taught before.",
        ) from None
    except KeyboardInterrupt:
        raise Interrupted("What was found and tuned so far is kept; the same command goes on from there.") from None
    click.echo("\n".join(report_lines(report)))


def report_lines(report: Report) -> Iterable[str]:
    """A report as text."""
    yield f"{report.questions} questions: " + ", ".join(
        f"{count} {status}" for status, count in sorted(report.statuses.items(), key=lambda item: -item[1])
    )
    yield f"best queries: mean F1 {report.mean_f1:.3f}, {report.perfect} of them exact; {report.patterns} patterns"
    for status, questions in report.unlearned.items():
        for question in questions:
            yield f"  {status}: {question}"
    if report.trained is not None:
        held = report.trained.held_back
        yield f"on {held.questions} held-back questions, the query put first:"
        yield f"  before  F1 {held.untaught_f1:.3f}, a right answer for {held.untaught_hits:.1%}"
        yield f"  after   F1 {held.taught_f1:.3f}, a right answer for {held.taught_hits:.1%}"
        if tried := report.trained.encoder:
            yield encoder_line(tried.weight, tried.frozen, tried.tuned)
        if not held.better:
            yield "There is no gain, so questions are answered as before."
    yield f"{report.seconds:.0f} seconds"


def encoder_line(weight: float, frozen: HeldBack, tuned: HeldBack) -> str:
    figures = f"F1 {frozen.taught_f1:.3f} without, {tuned.taught_f1:.3f} with, on {tuned.questions} questions"
    return f"tuned encoder  {'used' if weight else 'not used'}: {figures}"


def _reset(invocation: Invocation, name: str) -> None:
    from clew.app.training.teaching import Teaching

    invocation.client.store(name)
    click.echo("Forgotten." if Teaching(invocation.client, name).reset() else f"{name} was taught nothing.")


def _status(invocation: Invocation, name: str) -> None:
    from clew.app.training.teaching import Teaching
    from clew.tools.errors import BadInput
    from clew.tools.learning.teaching.fitting import HeldBack
    from clew.tools.learning.teaching.stored import load_taught

    client = invocation.client
    teaching = Teaching(client, name)
    schema = client.files(name).schema()
    manifest = teaching.status()
    if manifest is None:
        click.echo(f"{name} was taught nothing. clew teach QUESTIONS --graph {name}")
        return
    held = manifest["held_back"]
    click.echo(f"taught at      {manifest['taught_at']}")
    click.echo(f"learned from   {manifest['learned_from']} of {manifest['questions']} questions")
    click.echo(f"patterns       {len(manifest['patterns'])}")
    figures = f"F1 {held['untaught_f1']:.3f} before, {held['taught_f1']:.3f} after"
    click.echo(f"held back      {held['questions']} questions: {figures}")
    if tried := manifest.get("tried"):
        click.echo(encoder_line(tried["weight"], HeldBack(**tried["frozen"]), HeldBack(**tried["tuned"])))
    try:
        used = "yes" if load_taught(teaching.folder, schema) else "no: it gained nothing on the held-back questions"
    except BadInput as error:
        used = f"no: {error.message} {error.remedy}"
    click.echo(f"used           {used}")


def _write(invocation: Invocation, name: str, wanted: int, seed: int, out: Path | None) -> None:
    from clew.agents.writing.question_writer import write_questions
    from clew.app.training.teaching import Teaching
    from clew.tools.errors import BadInput

    client = invocation.client
    if out is None:
        raise click.UsageError("--write-questions needs --out FILE.")
    if client.models is None:
        raise BadInput("Only a language model can write questions, and none is named.", "Add --model NAME.")
    context = client.context(name)
    space = Teaching(client, name).space()
    written = failed = 0
    try:
        with (
            out.open("w", encoding="utf-8") as file,
            client.progress.task("Writing questions", "questions", wanted) as advance,
        ):
            for made in write_questions(client.models, space, context.tools.index, wanted, seed):
                if isinstance(made, str):
                    failed += 1
                    client.progress.note(f"Skipped: {made}")
                    continue
                written += 1
                row = {"question": made.question, "answers": list(made.answers), "query": made.words}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
                file.flush()
                advance(written)
    except KeyboardInterrupt:
        raise Interrupted(f"{written} questions are in {out}.") from None
    except OSError as error:
        raise BadInput(f"{out} cannot be written: {error}.", "Check the path.") from None
    if not written:
        raise BadInput(f"The model wrote no question that can be used ({failed} replies).", "Try another --model.")
    click.echo(f"{written} questions in {out}. Teach with them: clew teach {out} --graph {name}")
