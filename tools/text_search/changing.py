"""The arrays of a text index after some nodes have changed: what `TextBuilder` writes of all nodes, in the time of the
change and a copy of the arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from clew.tools.arrays.splicing import Places, in_order, renumbered, taken
from clew.tools.arrays.strings import IntArray, hash_text
from clew.tools.embedding.text_vectors import NO_TEXT, Hashes
from clew.tools.graph.changed_nodes import Change
from clew.tools.text_search.arrays import TextArrays
from clew.tools.text_search.bm25 import Postings
from clew.tools.text_search.source import TextNode, pieces_of
from clew.tools.text_search.words import terms

MOST_BYTES = 1 << 29
"""Of texts that are copied in memory; an index of more is made anew."""


class Written(NamedTuple):
    """What the arrays do not say."""

    labels: list[str]
    properties: list[str]
    hashes: Hashes
    """By chunk the hash of what is embedded for it, or NO_TEXT."""


def write(old: TextArrays, change: Change[TextNode], folder: Path) -> Written:
    """Write the arrays of nodes, chunks and postings into `folder`. Nodes keep their order, and new ones follow."""
    ids = [node.id for node in change.nodes]
    touched = old.positions(sorted(change.ids))
    places = Places.of(len(old), touched[touched >= 0].tolist(), old.positions(ids).tolist())
    taken(old.ids.strings, ids, places.order).save(folder, "ids")
    taken(old.names, [node.name for node in change.nodes], places.order).save(folder, "names")
    names = list(dict.fromkeys([*old.labels, *(node.label for node in change.nodes)]))
    given = np.array([names.index(node.label) for node in change.nodes], np.int32)
    numbers, labels = renumbered(np.concatenate([old.node_labels, given])[places.order], names)
    np.save(folder / "node_labels.npy", numbers)
    pieces = [(number, *piece) for number, node in enumerate(change.nodes) for piece in pieces_of(node)]
    properties = list(dict.fromkeys([*old.manifest.properties, *(name for _, name, _ in pieces)]))
    order, owners = _chunk_order(old, places, [number for number, _, _ in pieces])
    texts = [piece for _, _, piece in pieces]
    taken(old.chunk_texts, texts, order).save(folder, "chunks")
    starts = np.zeros(len(places.order) + 1, np.int64)
    np.cumsum(np.bincount(owners, minlength=len(places.order)), out=starts[1:])
    np.save(folder / "node_starts.npy", starts)
    np.save(folder / "chunk_nodes.npy", owners.astype(np.int32))
    of_piece = np.array([properties.index(name) for _, name, _ in pieces], np.int32)
    np.save(folder / "chunk_properties.npy", np.concatenate([old.chunk_properties, of_piece])[order])
    _write_postings(old.postings, [terms(text) for text in texts], order, folder)
    known = np.full(len(old.chunk_rows), NO_TEXT, np.uint64)
    known[old.chunk_rows >= 0] = old.row_hashes[old.chunk_rows[old.chunk_rows >= 0]]
    rich = [change.nodes[number].rich for number, _, _ in pieces]
    new = [hash_text(text) if has_text else NO_TEXT for text, has_text in zip(texts, rich, strict=True)]
    return Written(labels, properties, np.concatenate([known, np.array(new, np.uint64)])[order])


def _chunk_order(old: TextArrays, places: Places, pieces: Sequence[int]) -> tuple[IntArray, IntArray]:
    """The order of chunks, as in `taken`, and the node of each. `pieces` are the given nodes of the new chunks."""
    stays = np.zeros(len(old), bool)
    stays[places.order[places.order < len(old)]] = True  # A node that is given again has its chunks anew.
    kept = np.flatnonzero(stays[old.chunk_nodes])
    owners = np.concatenate([places.old[old.chunk_nodes[kept]], places.given[np.array(pieces, np.int64)]])
    by_owner = np.argsort(owners, kind="stable")
    order = np.concatenate([kept, np.arange(len(pieces)) + len(old.chunk_nodes)])[by_owner]
    return order.astype(np.int64), owners[by_owner]


def _write_postings(old: Postings, words: Sequence[Sequence[str]], order: IntArray, folder: Path) -> None:
    """The postings of old chunks that stay and of new ones, whose words are given."""
    count = len(old.lengths)
    place = np.full(count + len(words), -1, np.int64)
    place[order] = np.arange(len(order))
    posted = [
        (hash_text(word), place[count + i], times)
        for i, chunk in enumerate(words)
        for word, times in Counter(chunk).items()
    ]
    new_terms = np.array([term for term, _, _ in posted], np.uint64)
    new_chunks = np.array([chunk for _, chunk, _ in posted], np.int64)
    new_counts = np.array([times for _, _, times in posted], np.int32)
    chunks = place[old.chunks]
    stays = chunks >= 0
    old_terms = np.repeat(np.arange(len(old.terms)), np.diff(old.starts))[stays]
    left = np.bincount(old_terms, minlength=len(old.terms)) > 0
    found = np.union1d(old.terms[left], new_terms)
    number = np.searchsorted(found, old.terms)
    of_terms = np.concatenate([number[old_terms], np.searchsorted(found, new_terms)])
    of_chunks = np.concatenate([chunks[stays], new_chunks])
    starts, by_term = in_order(of_terms, of_chunks, len(found))
    np.save(folder / "terms.npy", found)
    np.save(folder / "posting_starts.npy", starts)
    np.save(folder / "posting_chunks.npy", of_chunks[by_term].astype(np.int32))
    np.save(folder / "posting_counts.npy", np.concatenate([old.counts[stays], new_counts])[by_term])
    lengths = np.fromiter(map(len, words), np.int32, len(words))
    np.save(folder / "chunk_lengths.npy", np.concatenate([old.lengths, lengths])[order])
