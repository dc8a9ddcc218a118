"""`clew eval --coverage` and `--recall-at`: scores of what is retrieved from documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clew.app.cli.terminal import echo_lines
from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from clew.app.cli.evaluation_report import EvaluationJob


def evaluate_retrieval(
    job: EvaluationJob, tokens: tuple[int, ...], ks: tuple[int, ...], *, ablate: bool, theta: float | None
) -> None:
    """Search the documents for every question; print the figures, and write the report."""
    from clew.app.cli.evaluation_report import retrieval_lines
    from clew.app.evaluation import retrieval
    from clew.app.progress import counted

    facts = job.facts()
    graph, collection = job.graph, job.client.graph(job.graph).files.collection()
    if collection.empty:
        raise BadInput(f"{graph} has no documents.", f"Add some: clew documents add PATH --graph {graph}")
    read = retrieval.read_passage_questions(job.file)
    chosen = job.sample(read)
    names, skeleton = retrieval.source_names(collection), collection.skeleton
    if theta is not None and skeleton is None:
        raise BadInput(f"{graph} has no skeleton of its documents.", "Make one: clew documents skeleton --help")
    by = skeleton.manifest.by if skeleton else None
    compared = retrieval.ways(ablate, by, theta, retrieval.paper_searches(collection, job.client.settings, theta))
    searched = retrieval.passage_search(collection)
    measures = retrieval.RetrievalMeasures(tokens, ks)
    with job.client.progress.task("Searching", "questions", len(chosen)) as advance:
        figures = retrieval.measure(searched, names, chosen, measures, compared, counted(advance))
    echo_lines(retrieval_lines(figures, len(chosen)))
    channels = {name: each.to_json() for name, each in figures.items()}
    made = {} if by is None else {"skeleton": by, "theta": compared["all"].theta}
    job.write({**facts, **made, "n": len(chosen), "bad_lines": len(read.bad_lines), "channels": channels})


def numbers(_: click.Context, option: click.Parameter, value: str | None) -> tuple[int, ...]:
    """ "2,5,10" as whole numbers above 0."""
    try:
        found = tuple(int(part) for part in (value or "").split(",") if part.strip())
    except ValueError:
        raise click.BadParameter(f"{value} is not a list of numbers; an example: 2,5,10.", param=option) from None
    if any(number < 1 for number in found):
        raise click.BadParameter("Numbers start at 1.", param=option)
    return found
