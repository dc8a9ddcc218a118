"""`clew eval`."""

from __future__ import annotations

import platform
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clew.app.cli.errors import Interrupted
from clew.app.cli.evaluate_retrieval import evaluate_documents, numbers
from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import generator_option, graph_option, model_options, strategies_option

if TYPE_CHECKING:
    from clew.app.container import Container
    from clew.app.evaluation.evaluation import Evaluation
    from clew.app.evaluation.questions import By, Question
    from clew.app.evaluation.statements import Statement, Verdicts

BAD_LINES_SHOWN = 10
PATHS_SHOWN = 20
GROUP_METRICS = ("hits_at_1", "hits_at_5", "recall_at_20", "mrr", "set_f1")
VERSIONS_OF = ("clew", "langgraph", "torch", "transformers", "rapidfuzz", "arcadedb-embedded", "neo4j")


@click.command("eval")
@click.argument("questions", type=click.Path(path_type=Path))
@graph_option
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Ask a random sample of N questions.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the sample.")
@click.option(
    "--by",
    type=click.Choice(["id", "name"]),
    help="Compare answers by node id or by name. Default: by id where a line has answer_ids.",
)
@strategies_option
@click.option("--coverage", is_flag=True, help="Of the documents beside the graph: how often an answer is retrieved.")
@click.option(
    "--context-tokens", callback=numbers, default="12000,4000,1500", metavar="N,N", show_default=True,
    help="For --coverage: tokens of what is retrieved.",
)  # fmt: skip
@click.option(
    "--recall-at",
    "ks",
    callback=numbers,
    metavar="K,K",
    help="Of the documents: recall of the gold passages, as 2,5,10.",
)
@click.option("--ablate", is_flag=True, help="With these: each channel alone, and all without each.")
@click.option(
    "--theta", type=click.FloatRange(0, 1), metavar="SHARE",
    help="Of the tokens, the skeleton's share, where the documents have one. Default: 0.4 for one by a model, else 0.",
)  # fmt: skip
@model_options
@generator_option
@click.option("--json", "report", type=click.Path(path_type=Path, dir_okay=False), help="Write all figures to a file.")
@pass_invocation
def evaluate(
    invocation: Invocation,
    questions: Path,
    graph: str | None,
    limit: int | None,
    seed: int,
    by: By,
    strategies: tuple[str, ...] | None,
    coverage: bool,
    context_tokens: tuple[int, ...],
    ks: tuple[int, ...],
    ablate: bool,
    theta: float | None,
    report: Path | None,
) -> None:
    """Ask the questions of a file and score the answers, or check its statements and score the verdicts.

    QUESTIONS holds JSON lines, plain or gzipped: "question" and "answers" (the names of all correct answers) or
    "answer_ids" (their node ids, as imported), or both; for diagnosis "topics" (the entities that it is about), and
    "path" (the relations that lead to the answer) or "type" to group the figures, which are never used to answer. Or
    it holds statements: "statement" and "label" (supported, refuted, not enough evidence, true or false), and "type"
    to group the figures. With --coverage or --recall-at nothing is answered: the documents beside the graph are
    searched for the questions, and a line has "answers", "passages" (titles, files or ids of documents, or ids of
    chunks), or both.

    \b
    Examples:
      clew eval questions.jsonl --graph films
      clew eval retrieval.jsonl --graph shop --by id --strategies hybrid
      clew eval statements.jsonl --graph films
      clew eval questions.jsonl --graph notes --coverage --recall-at 2,5,10 --ablate
      clew eval dev.jsonl.gz --graph films --limit 500 --seed 1 --json report.json

    Scores are fractions of 1. Ctrl-C stops it and reports on the questions asked so far.
    """
    from clew.app.evaluation.questions import sample

    if coverage or ks:
        container, tokens = invocation.container, context_tokens if coverage else ()
        name = container.graph_name(graph)
        facts = _facts(container, name, questions, limit, seed)
        evaluate_documents(
            container,
            name,
            questions,
            facts,
            tokens=tokens,
            ks=ks,
            ablate=ablate,
            theta=theta,
            limit=limit,
            seed=seed,
            report=report,
        )
        return
    items: Sequence[Question | Statement]
    items, bad_lines = _read(questions, by)
    for line in bad_lines[:BAD_LINES_SHOWN]:
        click.echo(f"Passed over {line}", err=True)
    if len(bad_lines) > BAD_LINES_SHOWN:
        click.echo(f"… {len(bad_lines)} lines passed over in all", err=True)
    chosen = sample(items, limit, seed)
    container = invocation.container
    name = container.graph_name(graph)
    container.context(name)
    facts = {
        **_facts(container, name, questions, limit, seed),
        "by": by,
        "strategies": list(strategies) if strategies else None,
        "generator": container.generator.name if container.generator else None,
        "models": container.models.names if container.models else None,
        "bad_lines": len(bad_lines),
    }
    scores, run = _scoring(container, name, chosen, strategies)
    with _reported(scores, facts, len(chosen), report):
        run()


def _facts(container: Container, name: str, questions: Path, limit: int | None, seed: int) -> dict[str, Any]:
    """What every report says of its run."""
    return {
        "command": shlex.join(["clew", *sys.argv[1:]]),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "graph": name,
        "graph_version": container.store(name).version(),
        "questions": str(questions),
        "limit": limit,
        "seed": seed,
        "versions": _versions(),
    }


def _read(path: Path, by: By) -> tuple[Sequence[Question | Statement], list[str]]:
    """The questions or the statements of a file, and its lines that are neither."""
    from clew.app.evaluation.questions import read_questions
    from clew.app.evaluation.statements import holds_statements, read_statements

    if holds_statements(path):
        statements = read_statements(path)
        return statements.statements, statements.bad_lines
    questions = read_questions(path, by)
    return questions.questions, questions.bad_lines


def _scoring(
    container: Container, name: str, chosen: Sequence[Question | Statement], strategies: tuple[str, ...] | None
) -> tuple[Evaluation | Verdicts, Callable[[], None]]:
    """What adds up the scores, and the run that does it."""
    from clew.app.evaluation.evaluation import Evaluation
    from clew.app.evaluation.questions import Question
    from clew.app.evaluation.statements import Statement, Verdicts
    from clew.app.questioning import answer
    from clew.app.verifying import verified

    evaluation, verdicts = Evaluation(), Verdicts()
    questions = [item for item in chosen if isinstance(item, Question)]
    statements = [item for item in chosen if isinstance(item, Statement)]

    def ask() -> None:
        with _counted(container, "Asking", "questions", len(questions)) as done:
            evaluation.run(questions, lambda text: answer(container, name, text, strategies), done)

    def check() -> None:
        with _counted(container, "Checking", "statements", len(statements)) as done:
            verdicts.run(statements, lambda text: verified(container, name, text), done)

    return (verdicts, check) if statements else (evaluation, ask)


@contextmanager
def _counted(container: Container, label: str, unit: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar, and what moves it on by one."""
    count = 0
    with container.progress.task(label, unit, total) as advance:

        def done() -> None:
            nonlocal count
            count += 1
            advance(count)

        yield done


@contextmanager
def _reported(
    evaluation: Evaluation | Verdicts, facts: dict[str, Any], wanted: int, report: Path | None
) -> Iterator[None]:
    """Whatever ends the run, report on what was asked or checked."""
    from clew.app.evaluation.statements import Verdicts

    try:
        yield
    except KeyboardInterrupt:
        _report(evaluation, {**facts, "interrupted": True}, report)
        asked = evaluation.figures()["n"]
        what = "statements checked" if isinstance(evaluation, Verdicts) else "questions asked"
        raise Interrupted(f"The figures are of the {asked} of {wanted} {what} so far.") from None
    except Exception:
        _report(evaluation, {**facts, "interrupted": True}, report)
        raise
    _report(evaluation, {**facts, "interrupted": False}, report)


def _report(evaluation: Evaluation | Verdicts, facts: dict[str, Any], report: Path | None) -> None:
    from clew.app.files import write_json

    figures = evaluation.figures()
    click.echo("\n".join(verdict_figures(figures) if "accuracy" in figures else figure_lines(figures)))
    if report is not None:
        write_json(report, {**figures, **facts})


def figure_lines(figures: dict[str, Any]) -> Iterator[str]:
    """The figures as text: one a line, then the largest groups of gold paths."""
    from clew.app.cli.render import table
    from clew.app.evaluation.evaluation import METRICS

    by_id = f" ({figures['scored_by_id']} scored by node id)" if figures["scored_by_id"] else ""
    yield f"{'questions':<14} {figures['n']}{by_id}"
    for metric in [*METRICS, "linking_at_1"]:
        if figures[metric] is not None:
            yield f"{metric:<14} {figures[metric]:.3f}"
    yield f"{'errors':<14} {figures['errors']}"
    for name, value in figures["latency_ms"].items():
        if value is not None:
            yield f"{'latency ' + name:<14} {value:.1f} ms"
    if cost := figures["model"]:
        price = "" if cost["price"] is None else f", {cost['price']:.4f} USD"
        tokens = f"{cost['input_tokens'] + cost['output_tokens']:,} tokens{' (estimated)' if cost['estimated'] else ''}"
        yield f"{'model calls':<14} {cost['calls_per_question']:.2f} a question, {tokens}{price}"
    if figures["by_path"]:
        yield ""
        rows = [
            (path, str(group["n"]), *(f"{group[metric]:.3f}" for metric in GROUP_METRICS))
            for path, group in list(figures["by_path"].items())[:PATHS_SHOWN]
        ]
        heads = ("gold path", "n", *GROUP_METRICS)
        yield from table(heads, rows, right=frozenset(range(1, len(heads))))
        if len(figures["by_path"]) > PATHS_SHOWN:
            yield f"… {len(figures['by_path'])} gold paths in all; --json FILE has every one."
    for message in figures["error_messages"]:
        yield f"failed: {message}"


def verdict_figures(figures: dict[str, Any]) -> Iterator[str]:
    """The figures of verdicts as text: accuracy, by type, and which labels were taken for which."""
    from clew.app.cli.render import table

    yield f"{'statements':<14} {figures['n']}"
    if figures["accuracy"] is not None:
        yield f"{'accuracy':<14} {figures['accuracy']:.3f}"
    yield f"{'errors':<14} {figures['errors']}"
    for name, value in figures["latency_ms"].items():
        if value is not None:
            yield f"{'latency ' + name:<14} {value:.1f} ms"
    if figures["by_type"]:
        yield ""
        rows = [(kind, str(row["n"]), f"{row['accuracy']:.3f}") for kind, row in figures["by_type"].items()]
        yield from table(("type", "n", "accuracy"), rows, right=frozenset({1, 2}))
    verdicts = sorted({verdict for row in figures["confusion"].values() for verdict in row})
    if verdicts:
        yield ""
        counts = [
            (label, *(str(row.get(verdict, 0)) for verdict in verdicts)) for label, row in figures["confusion"].items()
        ]
        right = frozenset(range(1, len(verdicts) + 1))
        yield from table(("label \\ verdict", *verdicts), counts, right=right)
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
