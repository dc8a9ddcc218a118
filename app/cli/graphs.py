"""`clew graphs`, `schema`, `index` and `drop`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import graph_option, json_option, vectors_option, workers_option
from clew.app.cli.render import print_list, print_result, shortened, table
from clew.app.cli.terminal import confirm, echo
from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from clew.app.api.results import Schema


@click.command()
@json_option
@pass_invocation
def graphs(invocation: Invocation, as_json: bool) -> None:
    """List the graphs."""
    found = invocation.client.graphs()
    documents = {graph.name: len(invocation.client.graph(graph.name).documents) for graph in found}
    listed = [{**asdict(graph), "documents": documents[graph.name]} for graph in found]
    rows = [(g.name, f"{g.nodes:,}", f"{g.relationships:,}", f"{documents[g.name]:,}", g.version) for g in found]
    header = ("graph", "nodes", "relationships", "documents", "version")
    none = "There is no graph yet. Import one: clew import FILE --graph NAME"
    print_list(as_json, listed, none, table(header, rows, right=frozenset({1, 2, 3})))


@click.command()
@graph_option
@json_option
@pass_invocation
def schema(invocation: Invocation, graph: str | None, as_json: bool) -> None:
    """Show a graph's labels, relationship types and properties.

    Of a graph that Clew did not import, it also shows what names the nodes, and the file in which you can change that.

    \b
    Example:
      clew schema --graph films
    """
    opened = invocation.client.graph(graph)
    found, terms = opened.schema(), opened.files.store.terms
    if terms.imported:
        print_result(as_json, found.to_json(), schema_lines(found))
        return
    mapping = str(invocation.client.mapping_file(opened.name))
    named = {
        label: {"name": list(terms.names.get(label, ())), "aliases": list(terms.others.get(label, ()))}
        for label in found.labels
    }
    lines = [*schema_lines(found), "", *naming_lines(named), f"Change it in {mapping} (docs/neo4j.md)."]
    print_result(as_json, {**found.to_json(), "named_by": named, "mapping_file": mapping}, lines)


@click.command()
@graph_option
@click.option("--dense", is_flag=True, help="Also embed every name, to find paraphrases; minutes for 100,000 names.")
@click.option(
    "--texts", is_flag=True, help="Also index the texts of nodes, and similar nodes. Takes minutes for 10,000."
)
@workers_option
@vectors_option
@pass_invocation
def index(invocation: Invocation, graph: str | None, dense: bool, texts: bool) -> None:
    """Build the index of entity names again.

    Questions build it when the graph has changed; use this command for --dense and --texts, or after damage. With
    --texts, questions that the names and relations of the graph do not answer are planned over the texts of its nodes.

    With --workers N, texts and names are embedded by N processes, or on a Ray cluster (docs/scaling.md).
    """
    began = time.perf_counter()
    nodes = invocation.client.graph(graph).index(rebuild=True, dense=dense, texts=texts)
    echo(f"{nodes:,} nodes indexed in {time.perf_counter() - began:.1f} s.", err=True)


@click.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@pass_invocation
def drop(invocation: Invocation, name: str, yes: bool) -> None:
    """Remove the graph NAME, its documents and everything derived from it."""
    invocation.client.graph(name).version()
    if not yes and not confirm(f"Remove the graph {name} for good?"):
        raise BadInput(f"{name} was not removed.")
    invocation.client.drop(name)
    echo(f"{name} was removed.", err=True)


def naming_lines(named: Mapping[str, Mapping[str, list[str]]]) -> Iterator[str]:
    """By label the properties that name its nodes."""
    rows = [(label, " + ".join(of["name"]) or "nothing", ", ".join(of["aliases"])) for label, of in named.items()]
    yield from table(("label", "named by", "further names"), rows)


def schema_lines(found: Schema) -> Iterator[str]:
    """The schema as text: labels, relationships by falling count, properties with examples."""
    labels = [(label, f"{count:,}") for label, count in sorted(found.labels.items(), key=lambda item: -item[1])]
    yield from table(("label", "nodes"), labels, right=frozenset({1}))
    yield ""
    relations = [
        (f"(:{r.source})-[:{r.type}]->(:{r.target})", f"{r.count:,}")
        for r in sorted(found.relations, key=lambda r: (-r.count, r.type))
    ]
    yield from table(("relationship", "count"), relations, right=frozenset({1}))
    yield ""
    properties = [
        (f"{p.label}.{p.name}", p.type, ", ".join(shortened(e, 40) for e in p.examples)) for p in found.properties
    ]
    yield from table(("property", "type", "examples"), properties)
