"""`clew import`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clew.app.api.importing import KINDS, Kind
from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import json_option
from clew.app.cli.render import print_result
from clew.app.cli.terminal import confirm, echo, echo_lines
from clew.app.printable import printable_json

if TYPE_CHECKING:
    from clew.app.api.graph import Graph
    from clew.app.api.importing import ImportReport, PlannedImport


@click.command("import")
@click.argument("paths", nargs=-1, metavar="PATH…")
@click.option(
    "--graph", "-g", required=True, metavar="NAME", help="The graph to import into; it is created if it does not exist."
)
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Labels for the ends of relations: lines of relation,subject|object,Label. Other labels are inferred.",
)
@click.option(
    "--name-property",
    "name_properties",
    multiple=True,
    metavar="LABEL=PROPERTY",
    help="The property that names the nodes of a label (several joined by +). Others are chosen and shown.",
)
@click.option("--replace", is_flag=True, help="Replace the graph. The old one stays until the new one is whole.")
@click.option(
    "--max-bad-share",
    type=click.FloatRange(0, 1),
    default=0.01,
    show_default=True,
    help="The largest share of bad lines. With more, the import stops and nothing is changed.",
)
@click.option("--format", "kind", type=click.Choice(KINDS), help="The format of all files. It is recognised otherwise.")
@click.option(
    "--plan",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the graph model of the tables to this YAML file, and import nothing.",
)
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Import the tables by this graph model, as --plan writes it. Without it, the model is inferred.",
)
@click.option(
    "--value-nodes",
    multiple=True,
    metavar="TABLE.COLUMN",
    help="Make nodes of the values of this column of a table, such as customers.country.",
)
@click.option(
    "--suggest-names",
    is_flag=True,
    help="Let the language model (clew --model NAME) replace names of tables and columns that say little. It sees them "
    "with three values of each column.",
)
@click.option("--dense", is_flag=True, help="Also embed every name, to find paraphrases (docs/linking.md).")
@click.option(
    "--follow", is_flag=True, help="Import JSON Lines from standard input as they come, and acknowledge them."
)
@click.option(
    "--follow-seconds", type=click.FloatRange(min=0.01), default=1.0, show_default=True,
    help="For --follow: the longest time until the import of a line begins.",
)  # fmt: skip
@click.option("--yes", is_flag=True, help="Import tables without asking. Nothing is asked if there is no terminal.")
@json_option
@pass_invocation
def import_graph(
    invocation: Invocation,
    paths: tuple[str, ...],
    graph: str,
    labels: Path | None,
    name_properties: tuple[str, ...],
    replace: bool,
    max_bad_share: float,
    kind: Kind | None,
    plan: Path | None,
    model: Path | None,
    value_nodes: tuple[str, ...],
    suggest_names: bool,
    dense: bool,
    follow: bool,
    follow_seconds: float,
    yes: bool,
    as_json: bool,
) -> None:
    """Import tables or graph files into a graph.

    Tables are CSV files with a header row, workbooks, Parquet and JSON files, named one by one, as a folder or a .zip,
    and databases: sqlite:///FILE, postgresql://…, mysql://…. Rows become nodes and relationships by a graph model,
    which is inferred from keys and names, shown, and confirmed.

    Graph files are triples (separated by tabs, commas or |), node and edge CSV with neo4j-admin headers, APOC's JSON
    Lines, RDF, GraphML, GEXF, GML, the JSON of networkx, and Cypher, also gzipped. Files named together are one graph.

    \b
    Examples:
      clew import shop/ --graph shop
      clew import sqlite:///shop.db --graph shop --plan model.yaml
      clew import sqlite:///shop.db --graph shop --model model.yaml --yes
      clew --model gpt-4.1-mini import shop/ --graph shop --suggest-names
      clew import nodes.csv edges.csv --graph shop --name-property Customer=companyName
      clew import kb.txt --graph films --labels labels.csv --replace
      tail -n +1 -F events.jsonl | clew import --follow --graph events

    With --follow, JSON Lines come from standard input, and a line on standard output acknowledges each batch
    (docs/importing.md). Importing the same files again changes nothing; an interrupted import continues.
    """
    into = invocation.client.graph(graph)
    if follow:
        others = (paths, labels, name_properties, replace, kind, plan, model, value_nodes, suggest_names, dense)
        return _follow(into, follow_seconds, alone=not any(others))
    _need(paths)
    columns = [_pair(text, ".", "TABLE.COLUMN", "--value-nodes") for text in value_nodes]
    names = dict(_pair(text, "=", "LABEL=PROPERTY", "--name-property") for text in name_properties)
    with into.plan_import(
        *paths, format=kind, model=model, value_nodes=columns, suggest_names=suggest_names, replace=replace
    ) as planned:
        echo_lines(planned.lines(), err=True)
        if plan is not None:
            return _write_plan(planned, plan)
        if planned.plan is not None and not yes:
            _ask(graph)
        report = into.import_files(
            planned, labels=labels, name_properties=names, replace=replace, max_bad_share=max_bad_share, index=False
        )
    _end(into, report, as_json, dense)


def _write_plan(planned: PlannedImport, path: Path) -> None:
    planned.write_model(path)
    echo(f"Written to {path}; nothing has been imported.", err=True)


def _need(paths: tuple[str, ...]) -> None:
    if not paths:
        raise click.UsageError("There is nothing to import. Name files, or take standard input: --follow.")


def _ask(graph: str) -> None:
    """Go on if there is nobody to ask, or they agree."""
    if is_terminal() and not confirm(f"Import this into {graph}?", default=True):
        raise click.Abort


def _end(into: Graph, report: ImportReport, as_json: bool, dense: bool) -> None:
    """Print what was imported, and index it."""
    print_result(as_json, report.to_json(), report.summary_lines())
    into.index(dense=dense)
    if not into.has_searchable_texts:
        echo(f"Its nodes have texts: `clew index --texts --graph {into.name}` finds them by what they say.", err=True)


def _follow(into: Graph, seconds: float, *, alone: bool) -> None:
    """Import standard input until it ends, and index the names then; `alone` says that no other option was given."""
    if not alone:
        raise click.UsageError("--follow takes --graph and --follow-seconds alone: lines come from standard input.")
    from clew.app.api.following import Following, follow

    for batch in follow(into, sys.stdin.buffer, Following(seconds=seconds)):
        for each in batch.bad:
            echo(str(each), err=True)
        told = {
            "acknowledged": batch.lines, "nodes": batch.nodes, "relationships": batch.relationships,
            "bad": batch.bad_lines,
        }  # fmt: skip
        echo(printable_json(told, indent=None))
        sys.stdout.flush()
    into.index()


def is_terminal() -> bool:
    """Whether there is someone to ask."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _pair(text: str, by: str, form: str, option: str) -> tuple[str, str]:
    left, found, right = text.rpartition(by) if by == "." else text.partition(by)
    if not (left and found and right):
        raise click.BadParameter(f"{text!r} is not {form}.", param_hint=option)
    return left, right
