"""The chunks of a graph's documents as nodes of its database, for people's own Cypher and for graph browsers.

    (:Chunk)-[:MENTIONS]->(an entity)      the entity's name is in the chunk
    (:Chunk)-[:SIMILAR]->(:Chunk)          alike in content, topic, title or columns
    (:Chunk)-[:SHARES_NAMES]->(:Chunk)     names in common
    (:Chunk)-[:LINKS_TO]->(:Chunk)         names the title of the other's document
    (:Chunk)-[:NEXT]->(:Chunk)             follows in the same document

They are a copy: Clew itself reads none of it. The graph keeps its version, and what questions see of it does not change
(`clew.tools.graph.node_terms`). Every edge of the chunk graph is there once. Source: SAGE, section 2.1 B.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from clew.tools.arrays.columns import batches
from clew.tools.arrays.index_files import Stage, silent
from clew.tools.cypher.quoting import quoted
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.chunk_graph.edge import joinable_columns, shared_names
from clew.tools.documents.chunk_graph.graph import LIKENESS, Reason
from clew.tools.documents.index.index import DocumentIndex
from clew.tools.documents.store.store import DocumentStore
from clew.tools.errors import BadInput
from clew.tools.graph.node_terms import CHUNK_KEY, CHUNK_LABEL, node_pattern
from clew.tools.graph.schema import label_counts, published_chunks, relation_counts
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.linking.index import EntityIndex

MENTIONS, SIMILAR, SHARES_NAMES, LINKS_TO, NEXT = RELATIONS = (
    "MENTIONS",
    "SIMILAR",
    "SHARES_NAMES",
    "LINKS_TO",
    "NEXT",
)
_ROWS = 1000
_KINDS = {Reason.CONTENT: "content", Reason.TOPIC: "topic", Reason.TITLE: "title", Reason.COLUMNS: "columns"}

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Published:
    """What was written."""

    chunks: int
    mentions: int
    edges: int
    """Relationships between chunks."""


def publish(
    store: GraphStore,
    documents: DocumentStore,
    index: DocumentIndex,
    names: EntityIndex | None,
    stage: Stage = silent,
) -> Published:
    """Write the chunks, their mentions and their edges into the graph's database, in place of an earlier copy.

    Args:
        store: The graph.
        documents: With their mentions.
        index: Of the same documents.
        names: The names of the graph, for the labels of what is mentioned; None for a graph without nodes.
        stage: Shows progress.

    Raises:
        BadInput: The graph has nodes or relationships of its own with these labels and types; nothing is changed.
    """
    _check_free(store)
    unpublish(store, stage)
    store.ensure_index(CHUNK_LABEL, CHUNK_KEY)
    chunks = index.sources.store
    sources = {document.id: document.source for document in documents.documents()}
    with stage("Writing chunks", "chunks", len(chunks)) as advance:
        rows = (_chunk_row(chunks[place], sources) for place in range(len(chunks)))
        _write(store, f"CREATE {_chunk(store, 'n', _map(_CHUNK_FIELDS))}", rows, advance)
    with stage("Writing mentions", "mentions", None) as advance:
        mentions = 0
        for label, found in _mentions(documents, names).items():
            entity = node_pattern("e", label, store.scope, properties="nodeId: row.node")
            create = f"CREATE (c)-[:{MENTIONS} {{surface: row.surface, score: row.score}}]->(e)"
            match = f"MATCH {_chunk(store, 'c', f'{CHUNK_KEY}: row.chunk')} MATCH {entity}"
            mentions += _write(store, f"{match} {create}", found, advance, mentions)
    with stage("Writing edges", "edges", len(index.sources.graph)) as advance:
        return Published(len(chunks), mentions, _write_edges(store, index, advance))


def unpublish(store: GraphStore, stage: Stage = silent) -> int:
    """Delete the chunks that were published, with their relationships; returns how many there were."""
    there = published_chunks(store)
    pattern = node_pattern("n", CHUNK_LABEL, store.scope)
    with stage("Removing chunks", "chunks", there) as advance:
        while left := published_chunks(store):
            store.write(f"MATCH {pattern} WHERE n.{CHUNK_KEY} IS NOT NULL WITH n LIMIT {_ROWS} DETACH DELETE n")
            advance(there - left)
    return there


def _check_free(store: GraphStore) -> None:
    """Raises BadInput if the graph itself uses one of the names."""
    if CHUNK_LABEL in label_counts(store):
        taken = f"nodes labelled {CHUNK_LABEL}"
    elif own := [relation for relation in RELATIONS if relation in relation_counts(store)]:
        taken = f"relationships of the type {own[0]}"
    else:
        return
    raise BadInput(
        f"{store.name} has {taken} of its own, which could not be distinguished from those of its documents.",
        "Import it with other names for these (docs/importing.md), then publish again.",
    )


_CHUNK_FIELDS = {
    CHUNK_KEY: "id", "title": "title", "text": "text", "kind": "kind", "place": "place", "topic": "topic",
    "document": "document", "source": "source", "order": "order",
}  # fmt: skip
"""The properties of a node, and the fields of its row."""


def _chunk_row(chunk: Chunk, sources: Mapping[str, str]) -> Row:
    fields = ("id", "title", "text", "kind", "place", "topic", "document", "order")
    return {**{name: getattr(chunk, name) for name in fields}, "source": sources.get(chunk.document, "")}


def _mentions(documents: DocumentStore, names: EntityIndex | None) -> dict[str, list[Row]]:
    """The mentions of entities that the graph has, by label; each chunk and entity once, by its surest mention."""
    best: dict[tuple[str, str], Row] = {}
    for each in documents.mentions() if names is not None else ():
        known = best.get((each.chunk, each.node))
        if known is None or each.score > known["score"]:
            row = {"chunk": each.chunk, "node": each.node, "surface": each.surface, "score": each.score}
            best[each.chunk, each.node] = row
    by_label: dict[str, list[Row]] = defaultdict(list)
    for (_, node), row in best.items():
        if names is not None and (entity := names.get(node)) is not None:
            by_label[entity.label].append(row)
    return by_label


def _write_edges(store: GraphStore, index: DocumentIndex, advance: Any) -> int:
    match = f"MATCH {_chunk(store, 'a', f'{CHUNK_KEY}: row.a')} MATCH {_chunk(store, 'b', f'{CHUNK_KEY}: row.b')}"
    waiting: dict[str, list[Row]] = {relation: [] for relation in RELATIONS[1:]}
    written = 0

    def flush(relation: str) -> None:
        nonlocal written
        rows, waiting[relation] = waiting[relation], []
        if rows:
            names = [name for name in rows[0] if name not in ("a", "b")]
            create = f"CREATE (a)-[:{relation} {{{_map({name: name for name in names})}}}]->(b)"
            store.write(f"UNWIND $rows AS row {match} {create}", {"rows": rows})
            written += len(rows)
            advance(written)

    for relation, row in _edge_rows(index):
        waiting[relation].append(row)
        if len(waiting[relation]) == _ROWS:
            flush(relation)
    for relation in RELATIONS[1:]:
        flush(relation)
    return written


def _edge_rows(index: DocumentIndex) -> Iterator[tuple[str, Row]]:
    """Every edge once, by the types of its relationships, with its metadata."""
    graph, chunks = index.sources.graph, index.sources.store
    for left in range(len(chunks)):
        entries = range(int(graph.starts[left]), int(graph.starts[left + 1]))
        later = [(entry, int(graph.targets[entry])) for entry in entries if graph.targets[entry] > left]
        first = chunks[left] if later else None
        for entry, right in later:
            assert first is not None
            second, reasons = chunks[right], Reason(int(graph.reasons[entry]))
            ends = {"a": first.id, "b": second.id}
            if reasons & LIKENESS:
                kinds = [name for reason, name in _KINDS.items() if reason & reasons]
                columns = [column for column, _ in joinable_columns(first, second)]
                cosine = round(float(graph.strengths[entry]), 4)
                yield SIMILAR, {**ends, "kinds": kinds, "cosine": cosine, "columns": columns}
            if reasons & Reason.SHARED_NAMES:
                yield SHARES_NAMES, {**ends, "names": list(shared_names(first, second))}
            if reasons & Reason.NAMES_TITLE:
                yield LINKS_TO, {**ends, "title": second.title}
            if reasons & Reason.TITLE_NAMED:
                yield LINKS_TO, {"a": second.id, "b": first.id, "title": first.title}
            if reasons & Reason.PARENT:
                yield NEXT, {**ends, "document": first.document}


def _write(store: GraphStore, cypher: str, rows: Iterable[Row], advance: Any, done: int = 0) -> int:
    """Run a query for rows, in batches; the number of rows."""
    count = 0
    for some in batches(rows, _ROWS):
        store.write(f"UNWIND $rows AS row {cypher}", {"rows": some})
        count += len(some)
        advance(done + count)
    return count


def _chunk(store: GraphStore, variable: str, properties: str) -> str:
    return node_pattern(variable, CHUNK_LABEL, store.scope, properties=properties)


def _map(fields: Mapping[str, str]) -> str:
    return ", ".join(f"{quoted(name)}: row.{quoted(field)}" for name, field in fields.items())
