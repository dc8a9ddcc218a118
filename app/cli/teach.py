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
from clew.app.cli.options import graph_option, model_options, workers_option
from clew.app.cli.terminal import echo, echo_lines

if TYPE_CHECKING:
    from clew.app.api.graph import Encoder, Report, Teaching


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
@click.option("--synthesize", "synthesise", is_flag=True, help="Only find the queries, and write them to --out FILE.")
@click.option("--status", is_flag=True, help="Show what the graph was taught, and stop.")
@click.option("--reset", is_flag=True, help="Delete what the graph was taught, and stop.")
@click.option(
    "--write-questions",
    "written",
    type=click.IntRange(min=1),
    metavar="N",
    help="Let a language model (--model) write N questions about the graph into --out FILE, to be taught with later.",
)
@workers_option
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
    synthesise: bool,
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
      clew teach questions.jsonl --graph films --synthesize --out lessons.jsonl   (for clew generator examples)
      clew teach lessons.jsonl --graph films              (after correcting them by hand)
      clew teach --status --graph films
      clew teach --write-questions 200 --model llama3.1 --out questions.jsonl --graph films

    Lines may also contain candidate queries (docs/teaching.md). Ctrl-C loses nothing: the queries found so far are
    kept, the same command continues from there, and the earlier ranking stays in use until the new one is ready.
    """
    modes = [status, reset, written is not None, bool(questions)]
    if sum(modes) != 1:
        raise click.UsageError("Give QUESTIONS, or one of --status, --reset, --write-questions N.")
    if synthesise and (out is None or not questions):
        raise click.UsageError("--synthesize needs QUESTIONS and --out FILE.")
    teaching = invocation.client.graph(graph).teaching
    if status:
        _show_status(teaching)
    elif reset:
        echo("Deleted." if teaching.reset() else f"{teaching.graph} was taught nothing.")
    elif written is not None:
        _write_questions(teaching, written, seed, out)
    else:
        _teach(teaching, questions, _Choices(limit, seed, threads, encoder, out, synthesise))


@dataclass(frozen=True)
class _Choices:
    """Which questions to learn from, and how."""

    limit: int | None
    seed: int
    threads: int
    encoder: Encoder
    out: Path | None
    only_synthesise: bool


def _teach(teaching: Teaching, files: tuple[Path, ...], choices: _Choices) -> None:
    from clew.tools.errors import ClewError

    began = time.monotonic()
    material = teaching.read(files)
    show_bad_lines(material.bad_lines)
    chosen = material.sampled(choices.limit, choices.seed)
    try:
        examples = [*chosen.examples, *teaching.synthesise(chosen.pairs, choices.threads)]
        if choices.out is not None:
            teaching.save([*examples, *chosen.given], choices.out)
        if choices.only_synthesise:
            found = sum(example.found for example in examples)
            echo(f"{found} of {len(examples)} questions have a query that is good enough; all are in {choices.out}.")
            return
        report = teaching.teach(examples, chosen.given, began, choices.encoder)
    except MemoryError:
        raise ClewError(
            "There is not enough memory to learn from so many questions.",
            "Teach with fewer (--limit N); the queries found so far are kept, and so is what was taught before.",
        ) from None
    except KeyboardInterrupt:
        raise Interrupted("The queries found so far are kept; the same command continues from there.") from None
    echo_lines(report_lines(report))


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
            yield encoder_line(tried.weight, tried.frozen.taught_f1, tried.tuned.taught_f1, tried.tuned.questions)
        if not held.better:
            yield "There is no gain, so questions are answered as before."
    yield f"{report.seconds:.0f} seconds"


def encoder_line(weight: float, frozen_f1: float, tuned_f1: float, questions: int) -> str:
    """Whether a tuned encoder is used, and why."""
    figures = f"F1 {frozen_f1:.3f} without, {tuned_f1:.3f} with, on {questions} questions"
    return f"tuned encoder  {'used' if weight else 'not used'}: {figures}"


def _show_status(teaching: Teaching) -> None:
    manifest = teaching.status()
    if manifest is None:
        echo(f"{teaching.graph} has not been taught. Teach it: clew teach QUESTIONS --graph {teaching.graph}")
        return
    held = manifest["held_back"]
    echo(f"taught at      {manifest['taught_at']}")
    echo(f"learned from   {manifest['learned_from']} of {manifest['questions']} questions")
    echo(f"patterns       {len(manifest['patterns'])}")
    figures = f"F1 {held['untaught_f1']:.3f} before, {held['taught_f1']:.3f} after"
    echo(f"held back      {held['questions']} questions: {figures}")
    if tried := manifest.get("tried"):
        frozen, tuned = tried["frozen"]["taught_f1"], tried["tuned"]["taught_f1"]
        echo(encoder_line(tried["weight"], frozen, tuned, tried["tuned"]["questions"]))
    echo(f"used           {teaching.used()}")


def _write_questions(teaching: Teaching, count: int, seed: int, out: Path | None) -> None:
    from clew.tools.errors import BadInput

    if out is None:
        raise click.UsageError("--write-questions needs --out FILE.")
    questions, written, failed = teaching.write_questions(count, seed), 0, 0
    try:
        with out.open("w", encoding="utf-8") as file:
            for made in questions:
                if isinstance(made, str):
                    failed += 1
                    echo(f"Skipped: {made}", err=True)
                    continue
                written += 1
                row = {"question": made.question, "answers": list(made.answers), "query": made.words}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
                file.flush()
    except KeyboardInterrupt:
        raise Interrupted(f"{written} questions are in {out}.") from None
    except OSError as error:
        raise BadInput(f"{out} cannot be written: {error}.", "Check the path.") from None
    if not written:
        raise BadInput(f"The model wrote no question that can be used ({failed} replies).", "Try another --model.")
    echo(f"{written} questions in {out}. Teach with them: clew teach {out} --graph {teaching.graph}")
