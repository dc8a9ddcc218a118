"""`clew eval`."""

from __future__ import annotations

import platform
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli.failure import Interrupted
from app.cli.invocation import Invocation, pass_invocation
from app.cli.options import graph_option, model_options, strategies_option

if TYPE_CHECKING:
    from app.container import Container
    from app.evaluation import Evaluation
    from app.questions import Question

BAD_LINES_SHOWN = 10
PATHS_SHOWN = 20
VERSIONS_OF = ("clew", "langgraph", "torch", "transformers", "rapidfuzz", "arcadedb-embedded", "neo4j")


@click.command("eval")
@click.argument("questions", type=click.Path(path_type=Path))
@graph_option
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Ask a random sample of N questions.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the sample.")
@strategies_option
@model_options
@click.option("--json", "report", type=click.Path(path_type=Path, dir_okay=False), help="Write all figures to a file.")
@pass_invocation
def evaluate(
    invocation: Invocation,
    questions: Path,
    graph: str | None,
    limit: int | None,
    seed: int,
    strategies: tuple[str, ...] | None,
    report: Path | None,
) -> None:
    """Ask the questions of a file and score the answers.

    QUESTIONS holds JSON lines, plain or gzipped: "question" and "answers" (the names of all correct answers);
    for diagnosis "topics" (the entities that it is about) and "path" (the relations that lead to the answer),
    which are never used to answer.

    \b
    Examples:
      clew eval questions.jsonl --graph films
      clew eval dev.jsonl.gz --graph films --limit 500 --seed 1 --json report.json

    Scores are fractions of 1. Ctrl-C stops it and reports on the questions asked so far.
    """
    from app.evaluation import Evaluation
    from app.questions import read_questions, sample

    read = read_questions(questions)
    for line in read.bad_lines[:BAD_LINES_SHOWN]:
        click.echo(f"Passed over {line}", err=True)
    if len(read.bad_lines) > BAD_LINES_SHOWN:
        click.echo(f"… {len(read.bad_lines)} lines passed over in all", err=True)
    chosen = sample(read.questions, limit, seed)
    container = invocation.container
    name = container.graph_name(graph)
    container.context(name)
    evaluation = Evaluation()
    facts = {
        "command": shlex.join(["clew", *sys.argv[1:]]),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "graph": name,
        "graph_version": container.store(name).version(),
        "questions": str(questions),
        "limit": limit,
        "seed": seed,
        "strategies": list(strategies) if strategies else None,
        "models": container.models.names if container.models else None,
        "bad_lines": len(read.bad_lines),
        "versions": _versions(),
    }
    with _reported(evaluation, facts, len(chosen), report):
        _run(container, name, evaluation, chosen, strategies)


def _run(
    container: Container,
    name: str,
    evaluation: Evaluation,
    questions: list[Question],
    strategies: tuple[str, ...] | None,
) -> None:
    from app.questioning import answer

    asked = 0
    with container.progress.task("Asking", "questions", len(questions)) as advance:

        def done() -> None:
            nonlocal asked
            asked += 1
            advance(asked)

        evaluation.run(questions, lambda text: answer(container, name, text, strategies), done)


@contextmanager
def _reported(evaluation: Evaluation, facts: dict[str, Any], wanted: int, report: Path | None) -> Iterator[None]:
    """Whatever ends the run, report on the questions that were asked."""
    try:
        yield
    except KeyboardInterrupt:
        _report(evaluation, {**facts, "interrupted": True}, report)
        asked = len(evaluation.overall.scores)
        raise Interrupted(f"The figures are of the {asked} of {wanted} questions asked so far.") from None
    except Exception:
        _report(evaluation, {**facts, "interrupted": True}, report)
        raise
    _report(evaluation, {**facts, "interrupted": False}, report)


def _report(evaluation: Evaluation, facts: dict[str, Any], report: Path | None) -> None:
    from app.container import write_json

    figures = evaluation.figures()
    click.echo("\n".join(figure_lines(figures)))
    if report is not None:
        write_json(report, {**figures, **facts})


def figure_lines(figures: dict[str, Any]) -> Iterator[str]:
    """The figures as text: one a line, then the largest groups of gold paths."""
    from app.cli.render import table
    from app.evaluation import METRICS

    yield f"{'questions':<14} {figures['n']}"
    for metric in [*METRICS, "linking_at_1"]:
        if figures[metric] is not None:
            yield f"{metric:<14} {figures[metric]:.3f}"
    yield f"{'errors':<14} {figures['errors']}"
    for name, value in figures["latency_ms"].items():
        if value is not None:
            yield f"{'latency ' + name:<14} {value:.1f} ms"
    if figures["by_path"]:
        yield ""
        rows = [
            (path, str(group["n"]), f"{group['hits_at_1']:.3f}", f"{group['set_f1']:.3f}")
            for path, group in list(figures["by_path"].items())[:PATHS_SHOWN]
        ]
        yield from table(("gold path", "n", "hits_at_1", "set_f1"), rows, right=frozenset({1, 2, 3}))
        if len(figures["by_path"]) > PATHS_SHOWN:
            yield f"… {len(figures['by_path'])} gold paths in all; --json FILE has every one."
    for message in figures["error_messages"]:
        yield f"failed: {message}"


def _versions() -> dict[str, str]:
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": platform.python_version()}
    for package in VERSIONS_OF:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
