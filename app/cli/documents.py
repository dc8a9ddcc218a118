"""`clew documents`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clew.app.cli.describe_documents import describe
from clew.app.cli.document_search import keywords, search
from clew.app.cli.errors import Interrupted
from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import graph_option, json_option
from clew.app.cli.render import counted, local_time, print_list, print_result, shortened, table
from clew.app.cli.skeleton import skeleton
from clew.app.cli.terminal import echo
from clew.tools.errors import BadInput, UnknownGraph

if TYPE_CHECKING:
    from clew.app.api.client import Client
    from clew.app.api.documents import ChunkDetails, Document, Documents, SkeletonSettings


@click.group()
def documents() -> None:
    """Keep documents and tables beside a graph.

    They are cut into chunks, and the chunks are linked to the entities of the graph that they name. A graph need not
    contain anything else: one that does not exist is created.

    \b
    Examples:
      clew documents add notes/ report.pdf --graph films
      clew documents list --graph films
      clew documents remove "notes/old-*" --graph films
    """


documents.add_command(describe)
documents.add_command(keywords)
documents.add_command(search)
documents.add_command(skeleton)


@documents.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH…")
@graph_option
@click.option(
    "--chunking",
    type=click.Choice(["paragraph", "semantic", "tokens"]),
    help="Cut at paragraphs, where the meaning changes (slower), or by length alone. Default: paragraph, or as the "
    "graph's documents were cut before.",
)
@click.option("--most", type=click.IntRange(1), metavar="TOKENS", help="Of a chunk. Default: 200.")
@click.option(
    "--least", type=click.IntRange(0), metavar="TOKENS", help="Smaller chunks are joined where they can. Default: 60."
)
@click.option(
    "--overlap", type=click.IntRange(0), metavar="TOKENS", help="For --chunking tokens: what chunks share. Default: 40."
)
@click.option("--encoding", metavar="NAME", help="Of text files that are not UTF-8, such as windows-1251.")
@click.option("--follow-links", is_flag=True, help="Also follow symbolic links that lead out of a folder.")
@json_option
@pass_invocation
def add(
    invocation: Invocation,
    paths: tuple[Path, ...],
    graph: str | None,
    chunking: str | None,
    most: int | None,
    least: int | None,
    overlap: int | None,
    encoding: str | None,
    follow_links: bool,
    as_json: bool,
) -> None:
    """Add files, and folders with all that is below them.

    The formats are text, Markdown, HTML, PDF and DOCX, and CSV and TSV as tables. In folders, hidden files and files of
    other formats are skipped. Files that are unchanged since they were added are not read again; a changed file
    replaces its earlier version. Files that cannot be read are listed at the end, and the exit status is 1.

    \b
    Examples:
      clew documents add notes/ --graph films
      clew documents add paper.pdf data/*.csv --graph films
      clew documents add book.txt --graph films --chunking semantic

    After Ctrl-C, the files that are done stay; the same command continues.
    """
    documents = _documents_to_add_to(invocation.client, graph)
    options = {"method": chunking, "most": most, "least": least, "overlap": overlap}
    given = {key: value for key, value in options.items() if value is not None}
    try:
        report = documents.add(*paths, encoding=encoding, follow_links=follow_links, **given)
    except KeyboardInterrupt:
        done = documents.report.added + documents.report.changed if documents.report else 0
        raise Interrupted(f"{done:,} documents were added. Run the same command again to continue.") from None
    stored, name = documents.store.totals(), documents.graph
    linked = f", {counted(stored.mentions, 'mention')} of its entities" if stored.mentions else ""
    held = f"{name} has {counted(stored.documents, 'document')}: {counted(stored.chunks, 'chunk')}{linked}."
    result = {**report.to_json(), "graph": name, "kept": asdict(stored)}
    print_result(as_json, result, [*report.summary_lines(), held])
    if report.bad:
        click.get_current_context().exit(1)


@documents.command()
@graph_option
@click.option("--remove", is_flag=True, help="Delete the published chunks.")
@pass_invocation
def publish(invocation: Invocation, graph: str | None, remove: bool) -> None:
    """Write the chunks into the graph's database, for your own Cypher and for graph browsers.

    They become (:Chunk) nodes with the relationships MENTIONS to the graph's nodes, and SIMILAR, SHARES_NAMES, LINKS_TO
    and NEXT among each other. It is a copy: publish again after the documents have changed. Questions to the graph do
    not see it. The query page of `clew serve`, `graph.query(…)` in Python and Neo4j Browser do.

    \b
    Examples:
      clew documents publish --graph films
      clew documents publish --graph films --remove
    """
    documents = _documents(invocation.client, graph)
    if remove:
        echo(f"{counted(documents.unpublish(), 'chunk')} removed from the graph.", err=True)
        return
    done = documents.publish()
    mentions, edges = counted(done.mentions, "mention"), counted(done.edges, "relationship")
    echo(f"{counted(done.chunks, 'chunk')} published, with {mentions} and {edges} between chunks.")


@documents.command("list")
@graph_option
@json_option
@pass_invocation
def list_documents(invocation: Invocation, graph: str | None, as_json: bool) -> None:
    """List the documents of a graph."""
    from clew.app.api.documents import short_id

    documents = _documents(invocation.client, graph)
    found, extracted = list(documents), documents.store.extractions.counts()
    listed = [{**asdict(document), "extracted": extracted.get(document.id, 0)} for document in found]
    rows = [
        (short_id(each), shortened(each.title, 48), f"{each.chunks:,}", f"{each.tables:,}", each.source)
        for each in found
    ]
    none = "There is no document yet. Add some: clew documents add PATH --graph NAME"
    header = ("id", "title", "chunks", "tables", "source")
    print_list(as_json, listed, none, table(header, rows, right=frozenset({2, 3})))
    if found and not as_json and (made := documents.store.extractions.settings):
        echo(_skeleton_line(made, extracted, documents))


@documents.command()
@click.argument("id", metavar="ID")
@graph_option
@click.option("--edges", is_flag=True, help="Also the edges of each chunk in the chunk graph.")
@json_option
@pass_invocation
def show(invocation: Invocation, id: str, graph: str | None, edges: bool, as_json: bool) -> None:
    """Show a document and its chunks, or one chunk.

    ID is a document's id, its beginning or its path, or the id of a chunk.
    """
    documents = _documents(invocation.client, graph)
    document, chunks = documents.show(id)
    around = {each.chunk.id: documents.edges(each.chunk.id) for each in chunks} if edges else {}
    lines = list(_document_lines(document))
    for each in chunks:
        lines += ["", *_chunk_lines(each)]
        for edge in around.get(each.chunk.id, ()):
            lines.append(f"  edge to {edge.target.id} [{edge.target.title}]: {edge.words()}")
    listed = [each.to_json(around.get(each.chunk.id) if edges else None) for each in chunks]
    print_result(as_json, {**asdict(document), "chunks": listed}, lines)


@documents.command()
@click.argument("selectors", nargs=-1, metavar="DOCUMENT…")
@graph_option
@click.option("--all", "every", is_flag=True, help="All documents of the graph.")
@pass_invocation
def remove(invocation: Invocation, selectors: tuple[str, ...], graph: str | None, every: bool) -> None:
    """Remove documents from a graph; the files themselves stay.

    DOCUMENT is an id or its beginning, a file, a folder, or a pattern of paths in quotes.

    \b
    Examples:
      clew documents remove 3f9a21c0 --graph films
      clew documents remove "notes/old-*.md" --graph films
    """
    if every == bool(selectors):
        raise click.UsageError("Name documents, or give --all.")
    documents = _documents(invocation.client, graph)
    removed = documents.store.remove(each.id for each in documents) if every else documents.remove(*selectors)
    echo(f"{counted(removed, 'document')} removed.", err=True)


def _documents_to_add_to(client: Client, graph: str | None) -> Documents:
    """The documents of a graph; one that does not exist is created by `add`, since documents need nothing in it."""
    try:
        return client.graph(graph).documents
    except UnknownGraph:
        raise BadInput("There is no graph yet.", "Name one to create it: --graph NAME") from None


def _documents(client: Client, graph: str | None) -> Documents:
    """The documents of a graph. Raises UnknownGraph."""
    found = client.graph(graph)
    documents = found.documents
    if graph is not None and not documents.store.path.exists():
        found.version()  # Raises UnknownGraph for a mistyped name.
    return documents


def _document_lines(document: Document) -> Iterator[str]:
    yield document.title
    yield f"{document.id}, {document.source}"
    held = f"{counted(document.chunks, 'chunk')}, {counted(document.tables, 'table')}"
    yield f"{held}, {document.bytes:,} bytes, added {local_time(document.added)}"


def _chunk_lines(details: ChunkDetails) -> Iterator[str]:
    """A chunk: its text, topic, columns, names, mentions, and what a model extracted from it."""
    chunk = details.chunk
    place = f", {chunk.place}" if chunk.place else ""
    yield f"[{chunk.order}] {chunk.id}{place}"
    yield from (f"  {line}" for line in chunk.text.splitlines())
    if chunk.topic:
        yield f"  topic: {chunk.topic}"
    if details.columns:
        described = zip(chunk.header, details.columns, strict=True)
        yield f"  columns: {'; '.join(f'{name} ({what})' if what else name for name, what in described)}"
    if chunk.entities:
        yield f"  names: {', '.join(chunk.entities)}"
    if linked := dict.fromkeys(f"{each.surface} → {each.node}" for each in details.mentions):
        yield f"  mentions: {', '.join(linked)}"
    if (found := details.extraction) is not None:
        yield f"  entities: {', '.join(f'{e.name} ({e.type})' if e.type else e.name for e in found.entities) or 'none'}"
        yield from (f"  relation: {each.head} —{each.words}→ {each.tail}" for each in found.relations)


def _skeleton_line(made: SkeletonSettings, extracted: Mapping[str, int], documents: Documents) -> str:
    if made.by == "rules":
        return f"A skeleton by rules, of the core chunks (β {made.beta:g})."
    store = documents.store
    by = f" by {', '.join(store.extractions.models())}" if extracted else ""
    return f"A skeleton{by}, from {sum(extracted.values()):,} of {store.totals().chunks:,} chunks."
