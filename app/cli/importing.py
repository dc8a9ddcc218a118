"""`clew import`."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import json_option
from clew.tools.errors import ClewError

if TYPE_CHECKING:
    from clew.app.container import Container
    from clew.app.progress import Progress
    from clew.tools.graph.store.graph_store import GraphStore
    from clew.tools.ingest import ImportOptions, ImportReport


@click.command("import")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH…")
@click.option("--graph", "-g", required=True, metavar="NAME", help="The graph to import into; made if need be.")
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Labels for the ends of relations, lines of relation,subject|object,Label; others are inferred.",
)
@click.option(
    "--name-property",
    "name_properties",
    multiple=True,
    metavar="LABEL=PROPERTY",
    help="The property that names the nodes of a label (several joined by +); others are chosen and shown.",
)
@click.option("--replace", is_flag=True, help="Drop what the graph holds, once the new files have been checked.")
@click.option(
    "--max-bad-share",
    type=click.FloatRange(0, 1),
    default=0.01,
    show_default=True,
    help="More bad lines than this share of all stop the import, with nothing changed.",
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

    Recognised are triples (separated by tabs, commas or |), node and edge CSV with neo4j-admin headers, JSON Lines
    as APOC exports them, N-Triples, Turtle and Cypher scripts, each also gzipped. Files named together are
    imported together.

    \b
    Examples:
      clew import kb.tsv.gz --graph films
      clew import nodes.csv edges.csv --graph shop --name-property Customer=companyName
      clew import kb.txt --graph films --labels labels.csv --replace

    Importing the same files again changes nothing; an interrupted import continues when it is run again.
    """
    from clew.tools.ingest import ImportOptions, read_labels

    container = invocation.container
    options = ImportOptions(
        state_dir=container.folder(graph) / "import",
        labels=read_labels(labels) if labels else {},
        name_properties=dict(_pair(text) for text in name_properties),
        replace=replace,
        max_bad_share=max_bad_share,
    )
    report = run_import(container, graph, paths, options)
    if as_json:
        click.echo(json.dumps(report.to_json(), ensure_ascii=False, indent=2, default=str))
    else:
        click.echo("\n".join(report.summary_lines()))
    container.index(graph)
    container.linked_documents(graph)
    if not container.has_texts_at_hand(graph):
        click.echo(f"Its nodes have texts: `clew index --texts --graph {graph}` finds them by what they say.", err=True)


def run_import(container: Container, graph: str, paths: tuple[Path, ...], options: ImportOptions) -> ImportReport:
    """Import. A graph that was made for an import which then wrote nothing is removed again. Raises ClewError."""
    from clew.tools.ingest import is_unfinished, load

    database = container.database
    is_new = not database.exists(graph)
    store = database.open(graph, create=True)
    with ExitStack() as bars:
        shown = _Shown(container.progress, bars)
        try:
            report = load(store, paths, options, shown, _recreated(container, graph))
        except BaseException:
            if is_new:
                with suppress(ClewError):
                    if not is_unfinished(store.version()):
                        container.drop(graph)
            raise
    store.close()
    return report


def _recreated(container: Container, graph: str) -> Callable[[], GraphStore]:
    def recreate() -> GraphStore:
        container.database.drop(graph)
        return container.database.open(graph, create=True)

    return recreate


class _Shown:
    """The import's progress as tasks of `clew.app.progress`."""

    def __init__(self, progress: Progress, bars: ExitStack) -> None:
        self._progress = progress
        self._bars = bars
        self._done = 0

    def start(self, total: int, what: str) -> None:
        unit, _, of = what.partition(" of ")
        label = f"Reading {of}" if of else f"Writing {unit}"
        self._done = 0
        self._advance = self._bars.enter_context(self._progress.task(label, unit, total))

    def advance(self, n: int) -> None:
        self._done += n
        self._advance(self._done)

    def done(self) -> None:
        self._bars.close()


def _pair(text: str) -> tuple[str, str]:
    label, equals, name = text.partition("=")
    if not (label and equals and name):
        raise click.BadParameter(f"{text!r} is not LABEL=PROPERTY.", param_hint="--name-property")
    return label, name
