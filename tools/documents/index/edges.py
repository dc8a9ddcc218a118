"""All edges of the chunk graph: by likeness of each pair of fields, by names and titles, and by place (SAGE, 2.1 B)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import mapped
from clew.tools.documents.chunk_graph.graph import Reason
from clew.tools.documents.chunk_graph.shared import sharing
from clew.tools.documents.chunk_graph.titles import title_links
from clew.tools.documents.index.store import (
    COLUMNS,
    METADATA,
    METADATA_FIELDS,
    PASSAGES,
    TITLE,
    TOPIC,
    ChunkStore,
)
from clew.tools.documents.keyword_graph.graph import KeywordGraph
from clew.tools.embedding.exact import Pairs, similar_pairs, threshold
from clew.tools.embedding.text_vectors import vectors_of

_AT_ONCE = 65_536

Vectors = npt.NDArray[np.float32]
Positions = npt.NDArray[np.int32]
Field = tuple[Vectors, Positions]
"""The distinct texts' vectors, with the first chunk of each."""


def edges(folder: Path, store: ChunkStore, keywords: KeywordGraph, dimension: int) -> Iterator[tuple[Reason, Pairs]]:
    """The edges with their reasons, in batches; a pair may occur for several reasons, and in both directions."""
    for reason, left, right in _likenesses(folder, store, dimension):
        least = threshold(left[0], right[0])
        for pairs in similar_pairs(left[0], right[0], least):
            yield reason, Pairs(left[1][pairs.left], right[1][pairs.right], pairs.strength)
    for pairs in sharing(keywords):
        yield Reason.SHARED_NAMES, pairs
    is_table = _tables(store)
    for pairs in title_links(store):
        yield Reason.NAMES_TITLE, pairs
        cells = is_table[pairs.left]
        yield Reason.CELL, Pairs(pairs.left[cells], pairs.right[cells], pairs.strength[cells])
    for pairs in _parents(store):
        yield Reason.PARENT, pairs


def _likenesses(folder: Path, store: ChunkStore, dimension: int) -> Iterator[tuple[Reason, Field, Field]]:
    """The pairs of fields that are compared: of texts, of tables, and of texts with tables."""
    is_table = _tables(store)
    passages, metadata = vectors_of(folder, PASSAGES, dimension), vectors_of(folder, METADATA, dimension)
    passage_rows, metadata_rows = mapped(folder, f"{PASSAGES}_rows"), mapped(folder, f"{METADATA}_rows")
    fields = metadata_rows.reshape(-1, METADATA_FIELDS)
    texts, tables = np.flatnonzero(~is_table), np.flatnonzero(is_table)
    content = _field(passages, passage_rows, texts)
    topics = _field(metadata, fields[:, TOPIC], texts)
    titles, columns = _field(metadata, fields[:, TITLE], tables), _field(metadata, fields[:, COLUMNS], tables)
    yield Reason.CONTENT, content, content
    yield Reason.TOPIC, topics, topics
    yield Reason.TITLE, titles, titles
    yield Reason.COLUMNS, columns, columns
    yield Reason.TITLE | Reason.TOPIC, titles, topics
    yield Reason.CONTENT | Reason.COLUMNS, columns, content


def _tables(store: ChunkStore) -> npt.NDArray[np.bool_]:
    return np.fromiter((store[i].kind == "table" for i in range(len(store))), bool, len(store))


def _field(found: Vectors, rows: Positions, chunks: npt.NDArray[np.int64]) -> Field:
    """Of some chunks; an edge goes to the first chunk of those that have the same text."""
    distinct, first = np.unique(rows[chunks], return_index=True)
    filled = distinct >= 0
    return found[distinct[filled]], chunks[first[filled]].astype(np.int32)


def _parents(store: ChunkStore) -> Iterator[Pairs]:
    """From every chunk to the next of its document."""
    before: dict[str, int] = {}
    left: list[int] = []
    right: list[int] = []
    for position in range(len(store)):
        document = store[position].document
        if document in before:
            left.append(before[document])
            right.append(position)
        before[document] = position
        if len(left) == _AT_ONCE or position == len(store) - 1:
            yield Pairs(np.array(left, np.int32), np.array(right, np.int32), np.zeros(len(left), np.float32))
            left, right = [], []
