"""`clew eval --methods`: each method on each file of questions, in one table."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clew.app.api.requests import METHODS, checked_method
from clew.app.cli.errors import Interrupted
from clew.app.cli.render import table
from clew.app.cli.terminal import echo_lines
from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from clew.app.api.asking import AskOptions
    from clew.app.cli.evaluation_report import EvaluationJob
    from clew.app.evaluation.methods import MethodRow
    from clew.app.evaluation.questions import By


def methods_named(_: click.Context, option: click.Parameter, value: str | None) -> tuple[str, ...]:
    """ "all", or "byokg,simgrag" as names."""
    if value is None:
        return ()
    names = tuple(METHODS) if value == "all" else tuple(name.strip() for name in value.split(",") if name.strip())
    try:
        return tuple(dict.fromkeys(checked_method(name).name for name in names))
    except BadInput as error:
        raise click.BadParameter(f"{error.message} {error.remedy}", param=option) from None


def evaluate_methods(
    jobs: Sequence[EvaluationJob], methods: Sequence[str], by: By, options: AskOptions
) -> list[dict[str, Any]]:
    """Ask the questions of each job's file by each method, and report on all that were asked, however the run ends.

    Returns:
        The figures of every file and method, as `MethodRow.figures` has them.
    """
    if options["method"] or options["strategies"]:
        raise click.UsageError("--methods stands alone, without --method and --strategies.")
    rows: list[MethodRow] = []
    interrupted = True
    try:
        for job in jobs:
            _evaluate(job, methods, by, options, rows)
        interrupted = False
    except KeyboardInterrupt:
        raise Interrupted("The figures cover the questions asked so far.") from None
    finally:
        figures = [row.figures() for row in rows]
        echo_lines(method_lines(figures))
        facts = {**jobs[0].facts(), "questions": [str(job.file) for job in jobs]}
        jobs[0].write({**facts, "rows": figures, "interrupted": interrupted})
    return figures


def _evaluate(job: EvaluationJob, methods: Sequence[str], by: By, options: AskOptions, rows: list[MethodRow]) -> None:
    """Add a row for each method, and ask the questions of one file."""
    from clew.app.evaluation.methods import MethodRow, compare
    from clew.app.evaluation.questions import read_questions
    from clew.app.progress import counted

    questions, client = job.sample(read_questions(job.file, by)), job.client
    client.keep_open(inf)  # The figures are of one version of the graph.
    graph, lacking = client.graph(job.graph), {name: _lacks(job, name) for name in methods}
    added = [MethodRow(_short(job.file), name, lacking[name]) for name in methods]
    rows.extend(added)
    usable = sum(not row.lacks for row in added)

    def ask(method: str, text: str) -> dict[str, Any]:
        how: AskOptions = {**options, "method": method}
        return graph.ask(text, **how).to_dict()

    with client.progress.task(f"Asking {_short(job.file)}", "questions", len(questions) * usable) as advance:
        compare(added, questions, ask, counted(advance))


def _lacks(job: EvaluationJob, method: str) -> str:
    """Why a graph cannot be asked by a method; "" if it can."""
    try:
        job.client.context(job.graph).by(METHODS[method])
    except BadInput as error:
        return error.message
    return ""


def _short(path: Path) -> str:
    """The file's name without its endings."""
    return path.name.split(".json")[0]


def method_lines(figures: Sequence[dict[str, Any]]) -> list[str]:
    """The table of all rows, why methods were left out, and the failed questions."""
    from clew.app.evaluation.methods import HEADS, cells

    heads = ("file", "method", *HEADS)
    lines = [*table(heads, [(row["file"], row["method"], *cells(row)) for row in figures if "lacks" not in row],
                    right=frozenset(range(2, len(heads))))]  # fmt: skip
    lines += dict.fromkeys(row["lacks"] for row in figures if "lacks" in row)
    failed = [(row, message) for row in figures for message in row.get("error_messages", ())]
    return lines + [f"failed: {row['file']}, {row['method']}: {message}" for row, message in failed]
