"""`clew eval --coverage` and `--recall-at`: scores what is retrieved from documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from clew.app.container import Container


def evaluate_documents(
    container: Container,
    graph: str,
    questions: Path,
    facts: dict[str, Any],
    *,
    tokens: tuple[int, ...],
    ks: tuple[int, ...],
    ablate: bool,
    theta: float | None,
    limit: int | None,
    seed: int,
    report: Path | None,
) -> None:
    """Search for every question, and print and write the figures."""
    from clew.app.evaluation import retrieval
    from clew.app.evaluation.questions import sample
    from clew.app.files import write_json
    from clew.tools.documents.skeleton.retrieval import TwoChannels

    collection = container.collection(graph)
    if collection.empty:
        raise BadInput(f"{graph} has no documents.", f"Add some: clew documents add PATH --graph {graph}")
    found, bad = retrieval.read_passage_questions(questions)
    for line in bad[:10]:
        click.echo(f"Passed over {line}", err=True)
    chosen = sample(found, limit, seed)
    names = {d.id: (d.id, d.title, d.source, Path(d.source).name) for d in collection.store.documents()}
    skeleton, index, count = collection.skeleton, collection.index, 0
    if theta is not None and skeleton is None:
        raise BadInput(f"{graph} has no skeleton of its documents.", "Make one: clew documents skeleton --help")
    by = skeleton.manifest.by if skeleton else None
    compared = retrieval.ways(ablate, by, theta)
    searched = TwoChannels(index, skeleton) if skeleton else index
    with container.progress.task("Searching", "questions", len(chosen)) as advance:

        def done() -> None:
            nonlocal count
            count += 1
            advance(count)

        figures = retrieval.measure(searched, names, chosen, retrieval.RetrievalMeasures(tokens, ks), compared, done)
    click.echo("\n".join(retrieval.lines(figures, len(chosen))))
    if report is not None:
        told = {name: each.to_json() for name, each in figures.items()}
        made = {} if by is None else {"skeleton": by, "theta": compared["all"].theta}
        write_json(report, {**facts, **made, "n": len(chosen), "bad_lines": len(bad), "channels": told})


def numbers(_: click.Context, option: click.Parameter, value: str | None) -> tuple[int, ...]:
    """ "2,5,10" as whole numbers above 0."""
    try:
        found = tuple(int(part) for part in (value or "").split(",") if part.strip())
    except ValueError:
        raise click.BadParameter(f"{value} is no list of numbers; an example: 2,5,10.", param=option) from None
    if any(number < 1 for number in found):
        raise click.BadParameter("Numbers begin at 1.", param=option)
    return found
