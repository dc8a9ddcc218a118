"""`clew documents search` and `clew documents keywords`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from clew.app.api.documents import EDGE_KINDS, MODES, MOST_SPLITS, SearchOptions
from clew.app.cli.invocation import Invocation, pass_invocation
from clew.app.cli.options import graph_option, json_option
from clew.app.cli.render import counted, print_list
from clew.app.cli.terminal import echo

if TYPE_CHECKING:
    from clew.app.api.documents import DocumentHit

USUAL = SearchOptions()
_SHOWN = 300
"""Characters of a chunk."""


@click.command()
@click.argument("question")
@graph_option
@click.option("--mode", type=click.Choice(MODES), default=USUAL.mode, show_default=True,
              help="All channels together, SAGE's seeds and neighbours, or KET-RAG's two channels.")  # fmt: skip
@click.option("-k", "k", type=click.IntRange(1), default=10, show_default=True, metavar="N", help="Chunks to show.")
@click.option("--tokens", type=click.IntRange(1), metavar="N",
              help="For ket: show what fits into N tokens (λ) instead of a number of chunks.")  # fmt: skip
@click.option("--theta", type=click.FloatRange(0, 1), default=USUAL.theta, show_default=True, metavar="SHARE",
              help="For ket: the share of the skeleton's channel (θ).")  # fmt: skip
@click.option("--splits", type=click.IntRange(0, MOST_SPLITS), default=USUAL.splits, show_default=True, metavar="N",
              help="For ket: how often chunks are halved (τ).")  # fmt: skip
@click.option("--neighbours", type=click.FloatRange(0, 1, max_open=True), default=USUAL.neighbours, show_default=True,
              metavar="SHARE", help="For sage: the share of the places that neighbours have.")  # fmt: skip
@click.option("--edges", default=",".join(EDGE_KINDS), show_default=True, metavar="KINDS",
              help="For sage: the kinds of edges that are followed; none, without the graph.")  # fmt: skip
@json_option
@pass_invocation
def search(invocation: Invocation, /, question: str, graph: str | None, k: int, edges: str, **given: Any) -> None:
    """Show the chunks that a question finds, and through what. No answer is read from them.

    \b
    Examples:
      clew documents search "Who lent the camera?" --graph films
      clew documents search "Who lent the camera?" --graph films --mode sage --edges names,links
      clew documents search "Who lent the camera?" --graph films --mode ket --tokens 2000
    """
    kinds = () if edges.strip() in ("", "none") else tuple(kind.strip() for kind in edges.split(","))
    as_json = given.pop("as_json")
    documents = invocation.client.graph(graph).documents
    options = {**given, "edges": kinds}
    if given["tokens"] is not None:
        found = documents.context(question, **options)
        hits: Sequence[DocumentHit] = (*found.by_entities, *found.by_keywords)
        facts = [
            *(f"entity: {each.text}" for each in found.entities),
            *(f"relation: {r.text}" for r in found.relations),
        ]
    else:
        hits, facts = documents.search(question, k, **options), []
    lines = [*facts, *(line for hit in hits for line in _lines(hit))]
    listed = [*({"fact": fact} for fact in facts), *map(_as_json, hits)]
    print_list(as_json, listed, "No chunk fits.", lines)


@click.command()
@graph_option
@click.option("--splits", type=click.IntRange(0, MOST_SPLITS), default=0, show_default=True, metavar="N",
              help="How often chunks are halved (τ).")  # fmt: skip
@click.option("--remove", is_flag=True, help="Delete it.")
@pass_invocation
def keywords(invocation: Invocation, graph: str | None, splits: int, remove: bool) -> None:
    """Build KET-RAG's keyword channel of the documents.

    It embeds every sentence, which takes about as long as indexing the documents. From then on, `clew documents add`
    keeps it up to date.

    \b
    Examples:
      clew documents keywords --graph films
      clew documents keywords --graph films --splits 3
    """
    documents = invocation.client.graph(graph).documents
    if remove:
        removed = documents.remove_keywords()
        echo("The keyword channel is deleted." if removed else "There is no keyword channel.", err=True)
        return
    made = documents.build_keywords(splits)
    parts, terms = counted(len(made.chunks), "sub-chunk"), counted(len(made.keyword_vectors), "keyword")
    echo(f"The keyword channel has {terms} and {parts}.")


def _lines(hit: DocumentHit) -> Iterator[str]:
    chunk = hit.chunk
    place = f", {chunk.place}" if chunk.place else ""
    scores = ", ".join(f"{name} {score:.3f}" for name, score in hit.channels.items())
    yield f"[{chunk.title}{place}] {chunk.id}" + (f" ({scores})" if scores else "")
    if hit.via is not None:
        yield f"  beside {hit.via.target.id}: {hit.via.words()}"
    text = " ".join(chunk.text.split())
    yield f"  {text[:_SHOWN]}{'…' if len(text) > _SHOWN else ''}"


def _as_json(hit: DocumentHit) -> dict[str, Any]:
    found = {**asdict(hit.chunk), "score": hit.score, "channels": hit.channels}
    return found if hit.via is None else {**found, "via": hit.via.to_json()}
