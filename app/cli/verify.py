"""`clew verify`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import graph_option, json_option, model_options
from clew.app.cli.render import cost_line, print_result, triple

TRIPLES_SHOWN = 12


@click.command()
@click.argument("statement")
@graph_option
@model_options
@json_option
@pass_invocation
def verify(invocation: Invocation, statement: str, graph: str | None, as_json: bool) -> None:
    """Say whether the graph supports or refutes a statement, with the reason and the triples.

    The verdict is "supported", "refuted" or "not enough evidence". A fact is refuted where the graph has
    others of its kind in its place, such as another director of the film, and not where it has none; that
    there is something ("X has a spouse") is refuted where the graph has nothing of the kind.

    \b
    Examples:
      clew verify "Michael Mann directed Heat" --graph films
      clew verify "The director of Heat was not born in Paris." -g films --json
      clew verify "Heat stars Al Pacino and was released in 1995" -g films
      clew verify "Michael Mann directed Heat" -g films --model gpt-4.1-mini
    """
    result = invocation.client.graph(graph).verify(statement).to_dict()
    print_result(as_json, result, verdict_lines(result))


def verdict_lines(result: Mapping[str, Any]) -> Iterator[str]:
    """Verdict, reason, claims, triples and trace of one result (as `verify --json` has it)."""
    yield str(result["verdict"]).capitalize()
    yield f"  {result['reason']}"
    if len(result["claims"]) > 1:
        yield "Claims"
        for claim in result["claims"]:
            denied = "not: " if claim.get("negated") else ""
            yield f"  {denied}{claim['claim']}: {claim['verdict']}"
    if result["evidence"]:
        yield "Evidence"
        for item in result["evidence"][:TRIPLES_SHOWN]:
            yield f"  {triple(item)}"
        if len(result["evidence"]) > TRIPLES_SHOWN:
            yield f"  … {len(result['evidence'])} triples in all"
    for note in result["notes"]:
        yield f"Without the model: {note}"
    yield f"confidence {result['confidence']:.2f}, {result['ms']:.0f} ms, trace {result['trace_id']}"
    if result.get("model"):
        yield cost_line(result["model"])
