"""`clew eval`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clew.app.api.requests import checked_method
from clew.app.cli.errors import Interrupted
from clew.app.cli.evaluate_methods import evaluate_methods, methods_named
from clew.app.cli.evaluate_retrieval import evaluate_retrieval, numbers
from clew.app.cli.evaluation_report import EvaluationJob, figure_lines, verdict_figures
from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import (
    generator_option,
    graph_option,
    method_option,
    model_options,
    strategies_option,
    strict_option,
    workers_option,
)
from clew.app.cli.terminal import echo_lines
from clew.app.progress import counted

if TYPE_CHECKING:
    from clew.app.api.asking import AskOptions
    from clew.app.cli.evaluate_workers import Task
    from clew.app.evaluation.evaluation import Evaluation, Timed
    from clew.app.evaluation.questions import By, ItemFile, Question
    from clew.app.evaluation.statements import Statement, Verdicts


@click.command("eval")
@click.argument("questions", type=click.Path(path_type=Path), nargs=-1, required=True)
@graph_option
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Ask a random sample of N questions.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the sample.")
@click.option(
    "--by",
    type=click.Choice(["id", "name"]),
    help="Compare answers by node id or by name. Default: by id where a line has answer_ids.",
)
@strategies_option
@method_option
@click.option(
    "--methods", callback=methods_named, metavar="A,B",
    help="Compare methods in one table: their names, or all. Takes several files.",
)  # fmt: skip
@strict_option
@click.option("--coverage", is_flag=True, help="Of the graph's documents: how often an answer is retrieved.")
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
@workers_option
@click.option("--json", "report", type=click.Path(path_type=Path, dir_okay=False), help="Write all figures to a file.")
@pass_invocation
def evaluate(
    invocation: Invocation,
    questions: tuple[Path, ...],
    graph: str | None,
    limit: int | None,
    seed: int,
    by: By,
    strategies: tuple[str, ...] | None,
    method: str | None,
    methods: tuple[str, ...],
    strict: bool,
    coverage: bool,
    context_tokens: tuple[int, ...],
    ks: tuple[int, ...],
    ablate: bool,
    theta: float | None,
    report: Path | None,
) -> None:
    """Ask the questions of a file and score the answers, or check its statements and score the verdicts.

    QUESTIONS holds JSON lines, plain or gzipped: "question" and "answers" (the names of all correct answers) or
    "answer_ids" (their node ids, as imported), or both; for diagnosis "topics" (the entities of the question), and
    "path" (the relations that lead to the answer) or "type" to group the figures, which are never used to answer. Or
    it holds statements: "statement" and "label" (supported, refuted, not enough evidence, true or false), and "type"
    to group the figures. With --coverage or --recall-at, the graph's documents are searched for the questions and
    nothing is answered; a line has "answers", "passages" (titles, files or ids of documents, or ids of chunks), or
    both.

    \b
    Examples:
      clew eval questions.jsonl --graph films
      clew eval retrieval.jsonl --graph shop --by id --strategies hybrid
      clew eval statements.jsonl --graph films
      clew eval one-hop.jsonl two-hop.jsonl --graph films --methods all
      clew eval questions.jsonl --graph notes --coverage --recall-at 2,5,10 --ablate
      clew eval dev.jsonl.gz --graph films --limit 500 --seed 1 --json report.json
      clew eval dev.jsonl.gz --graph films --workers 4              # to use four cores

    Scores are fractions of 1. Ctrl-C stops the run and reports on the questions asked so far.
    """
    if len(questions) > 1 and not methods:
        raise click.UsageError("Several files are compared by --methods. Name one file, or --methods all.")
    if "workers" in invocation.models and (methods or coverage or ks):
        raise click.UsageError("--workers is for answers and verdicts, not for --methods, --coverage and --recall-at.")
    client = invocation.client
    options: AskOptions = {"method": method, "strategies": strategies, "strict": strict}
    jobs = [EvaluationJob(client, client.graph_name(graph), file, limit, seed, report) for file in questions]
    if methods:
        evaluate_methods(jobs, methods, by, options)
    elif coverage or ks:
        evaluate_retrieval(jobs[0], context_tokens if coverage else (), ks, ablate=ablate, theta=theta)
    else:
        _evaluate_answers(jobs[0], by, options)


def _evaluate_answers(job: EvaluationJob, by: By, options: AskOptions) -> None:
    read = _read(job.file, by)
    chosen = job.sample(read)
    client = job.client
    client.keep_open(inf)  # The figures are of one version of the graph.
    client.context(job.graph).by(checked_method(options["method"], options["strategies"]))
    facts = {
        **job.facts(),
        "by": by,
        "method": options["method"],
        "strategies": list(options["strategies"] or ()) or None,
        "strict": options["strict"],
        "generator": client.generator.name if client.generator else None,
        "models": client.models.names if client.models else None,
        "bad_lines": len(read.bad_lines),
        "workers": client.settings.workers,
    }
    scores, run = _scoring(job, chosen, options)
    with _reported(job, scores, facts, len(chosen)):
        run()


def _read(path: Path, by: By) -> ItemFile[Any]:
    """The questions or the statements of a file."""
    from clew.app.evaluation.questions import read_questions
    from clew.app.evaluation.statements import holds_statements, read_statements

    return read_statements(path) if holds_statements(path) else read_questions(path, by)


def _scoring(
    job: EvaluationJob, chosen: Sequence[Question | Statement], options: AskOptions
) -> tuple[Evaluation | Verdicts, Callable[[], None]]:
    """The sums of the scores, and the run that fills them."""
    from clew.app.evaluation.evaluation import Evaluation
    from clew.app.evaluation.questions import Question
    from clew.app.evaluation.statements import Statement, Verdicts

    evaluation, verdicts = Evaluation(), Verdicts()
    questions = [item for item in chosen if isinstance(item, Question)]
    statements = [item for item in chosen if isinstance(item, Statement)]

    def ask() -> None:
        task = job.client.progress.task("Asking", "questions", len(questions))
        with task as advance, _results(job, "ask", options) as results:
            evaluation.score_all(questions, results([each.text for each in questions]), counted(advance))

    def check() -> None:
        task = job.client.progress.task("Checking", "statements", len(statements))
        with task as advance, _results(job, "verify", options) as results:
            verdicts.score_all(statements, results([each.text for each in statements]), counted(advance))

    return (verdicts, check) if statements else (evaluation, ask)


@contextmanager
def _results(
    job: EvaluationJob, task: Task, options: AskOptions
) -> Iterator[Callable[[Sequence[str]], Iterator[Timed]]]:
    """What answers texts, in their order: this process, or several others."""
    from clew.app.cli.evaluate_workers import answering, answers_of
    from clew.app.evaluation.evaluation import timed

    workers = job.client.workers
    if workers.elsewhere:
        with workers.open(partial(answering, job.client.settings, job.graph, task, options)) as results:
            yield results
        return
    answered = answers_of(job.client.graph(job.graph), task, options)
    yield lambda texts: (timed(answered, text) for text in texts)


@contextmanager
def _reported(job: EvaluationJob, scores: Evaluation | Verdicts, facts: dict[str, Any], total: int) -> Iterator[None]:
    """Report on what was asked or checked, however the run ends."""
    from clew.app.evaluation.statements import Verdicts

    interrupted = True
    try:
        yield
        interrupted = False
    except KeyboardInterrupt:
        asked = scores.figures()["n"]
        what = "statements checked" if isinstance(scores, Verdicts) else "questions asked"
        raise Interrupted(f"The figures cover {asked} of {total} {what}.") from None
    finally:
        figures = scores.figures()
        echo_lines(verdict_figures(figures) if "accuracy" in figures else figure_lines(figures))
        job.write({**figures, **facts, "interrupted": interrupted})
