"""`clew import`."""

from __future__ import annotations

from pathlib import Path

import click

from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import json_option
from clew.app.cli.render import print_result


@click.command("import")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH…")
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
@click.option("--replace", is_flag=True, help="Replace the content of the graph, once the new files have been checked.")
@click.option(
    "--max-bad-share",
    type=click.FloatRange(0, 1),
    default=0.01,
    show_default=True,
    help="The largest share of bad lines. With more, the import stops and nothing is changed.",
)
@json_option
@pass_invocation
def import_graph(
    invocation: Invocation,
    paths: tuple[Path, ...],
    graph: str,
    labels: Path | None,
    name_properties: tuple[str, ...],
    replace: bool,
    max_bad_share: float,
    as_json: bool,
) -> None:
    """Import files into a graph.

    The formats are triples (separated by tabs, commas or |), node and edge CSV with neo4j-admin headers, JSON Lines
    as APOC exports them, N-Triples, Turtle and Cypher scripts, each also gzipped. Files named together are
    imported together.

    \b
    Examples:
      clew import kb.tsv.gz --graph films
      clew import nodes.csv edges.csv --graph shop --name-property Customer=companyName
      clew import kb.txt --graph films --labels labels.csv --replace

    Importing the same files again changes nothing; an interrupted import continues when it is run again.
    """
    into = invocation.client.graph(graph)
    report = into.import_files(
        *paths,
        labels=labels,
        name_properties=dict(_pair(text) for text in name_properties),
        replace=replace,
        max_bad_share=max_bad_share,
        index=False,
    )
    print_result(as_json, report.to_json(), report.summary_lines())
    into.index()
    if not into.has_searchable_texts:
        click.echo(f"Its nodes have texts: `clew index --texts --graph {graph}` finds them by what they say.", err=True)


def _pair(text: str) -> tuple[str, str]:
    label, equals, name = text.partition("=")
    if not (label and equals and name):
        raise click.BadParameter(f"{text!r} is not LABEL=PROPERTY.", param_hint="--name-property")
    return label, name
