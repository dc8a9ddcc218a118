"""Writes a text index's arrays from a stream of nodes.

Memory: the ids' table, a few numbers for each chunk, and one part of the postings; texts and vectors pass through
files.
"""

from __future__ import annotations

import secrets
import shutil
from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import Column, StringColumns, batches, mapped
from clew.tools.arrays.id_table import IdTable
from clew.tools.arrays.index_files import Stage
from clew.tools.arrays.strings import Strings, grouped, hash_text
from clew.tools.embedding import Embedder
from clew.tools.embedding.chroma import HOME
from clew.tools.embedding.hnsw import HnswBuilder
from clew.tools.embedding.text_vectors import NO_TEXT, Hashes, TextVectors, distinct_texts, vectors_of
from clew.tools.embedding.vector_store import VectorPlace
from clew.tools.errors import BadInput
from clew.tools.graph.changed_nodes import Change
from clew.tools.text_search import changing
from clew.tools.text_search.arrays import (
    EXACT_UP_TO,
    FILES,
    HNSW,
    REST,
    REST_EXACT_UP_TO,
    VECTORS,
    Places,
    TextArrays,
    TextManifest,
    hnsw_store,
)
from clew.tools.text_search.bm25 import PostingsWriter
from clew.tools.text_search.changing import Written
from clew.tools.text_search.source import TextNode, pieces_of
from clew.tools.text_search.words import terms

TextsSince = Callable[[TextArrays], Change[TextNode] | None]
"""From an index, what has changed until the graph's version; None where it is to be made anew."""
_NODES = 4096


class TextBuilder:
    """One build in a directory."""

    def __init__(self, directory: Path, embedder: Embedder, stage: Stage, place: VectorPlace = HOME) -> None:
        self._directory = directory
        self._embedder = embedder
        self._stage = stage
        self._place = place
        self._searched: dict[str, Hashes] = {}
        """By label with an HNSW index, the hashes of the texts in it."""

    def fill(self, nodes: Iterable[TextNode], folder: Path, since: TextsSince) -> dict[str, Any]:
        """Write the arrays into `folder`, and the HNSW indexes beside it; the fields of the manifest."""
        earlier = self._earlier()
        change = since(earlier) if earlier is not None else None
        if earlier is not None and change is not None and len(earlier.chunk_texts.text) <= changing.MOST_BYTES:
            written = changing.write(earlier, change, folder)
        else:
            with self._stage("Reading texts", "nodes", None) as advance:
                written = _NodeReader().read(nodes, folder, advance)
        IdTable.write(folder, "node")
        rows, distinct, first = distinct_texts(written.hashes)
        np.save(folder / "chunk_rows.npy", rows)
        starts, order = grouped(rows[rows >= 0], len(distinct))
        np.save(folder / "row_starts.npy", starts)
        np.save(folder / "row_chunks.npy", np.flatnonzero(rows >= 0)[order].astype(np.int32))
        vectors = TextVectors(FILES, self._directory, [VECTORS], self._embedder)
        texts = Strings.load(folder, "chunks")
        vectors.embed("Embedding texts", distinct, lambda row: texts[int(first[row])], self._stage)
        vectors.write(folder, VECTORS, distinct)
        where = self._place.address or self._hnsw_folder()
        self._index_large_labels(where, folder, distinct, written.labels, earlier)
        return {
            "labels": written.labels,
            "properties": written.properties,
            "text_properties": _text_properties(folder, written),
            "dimension": self._embedder.dimension if len(distinct) else 0,
            "embedder": self._embedder.name,
            "hnsw": where,
            "searched": list(self._searched),
        }

    def _earlier(self) -> TextArrays | None:
        """The index that is there, if it is sound and the same embedder's."""
        if (found := FILES.earlier(self._directory)) is None:
            return None
        manifest, folder = found
        same = not manifest.dimension or manifest.embedder == self._embedder.name
        return TextArrays(manifest, folder) if same else None

    def remove_outdated(self, manifest: TextManifest) -> None:
        """Remove from the HNSW indexes what the published index does not have."""
        for left in self._directory.glob(f"{HNSW}*"):
            if left.name != manifest.hnsw:
                shutil.rmtree(left, ignore_errors=True)
        self._hnsw(manifest.hnsw).remove_others(self._searched)

    def _hnsw(self, where: str) -> HnswBuilder:
        return HnswBuilder(hnsw_store(self._place, self._directory, where), self._embedder.name)

    def _hnsw_folder(self) -> str:
        """The folder of the HNSW indexes that is there and has this embedder's vectors, or the name of a new one."""
        try:
            known = FILES.read(self._directory)
            known.check_place(HOME)
            if known.embedder == self._embedder.name and (self._directory / known.hnsw).is_dir():
                return known.hnsw
        except (BadInput, ValueError):
            pass  # There is no index yet, or it is kept elsewhere.
        return HNSW + secrets.token_hex(4)

    def _index_large_labels(
        self, where: str, folder: Path, distinct: Hashes, labels: list[str], earlier: TextArrays | None
    ) -> None:
        """Write HNSW indexes of the labels with many texts; in a store beside the home, of all labels with texts."""
        rows, owners, node_labels = (mapped(folder, name) for name in ("chunk_rows", "chunk_nodes", "node_labels"))
        most = 0 if self._place.address else EXACT_UP_TO
        large = large_labels(rows, owners, node_labels, labels, most)
        self._searched = {label: distinct[found] for label, found in large.items()}
        if not large:
            return
        there = _indexed(earlier, where, most)
        added = {
            label: found[~np.isin(distinct[found], there[label])] if label in there else found
            for label, found in large.items()
        }
        vectors = vectors_of(folder, VECTORS, self._embedder.dimension)
        texts = _texts_of_rows(folder) if self._place.address else None
        builder = self._hnsw(where)
        with self._stage("Indexing vectors", "texts", sum(map(len, added.values()))) as advance:
            done = 0
            for label, found in added.items():
                for number in builder.add(label, distinct[found], vectors, found, texts):
                    done += number
                    advance(done)


def _texts_of_rows(folder: Path) -> Callable[[int], str]:
    """Gives the text of a vector, by its row."""
    texts = Strings.load(folder, "chunks")
    starts, chunks = mapped(folder, "row_starts"), mapped(folder, "row_chunks")
    return lambda row: texts[int(chunks[starts[row]])]


def large_labels(
    rows: npt.NDArray[np.int32], owners: Places, node_labels: Places, labels: Sequence[str], most: int
) -> dict[str, npt.NDArray[np.int64]]:
    """The vectors of the labels with more than `most` texts, and of all other labels, as REST, if they have more than
    REST_EXACT_UP_TO together: each has an HNSW index."""
    of_chunk = node_labels[owners]
    large: dict[str, npt.NDArray[np.int64]] = {}
    for number, label in enumerate(labels):
        found = np.unique(rows[(of_chunk == number) & (rows >= 0)]).astype(np.int64)
        if len(found) > most:
            large[label] = found
    others = ~np.isin(of_chunk, [number for number, label in enumerate(labels) if label in large])
    if len(rest := np.unique(rows[others & (rows >= 0)]).astype(np.int64)) > REST_EXACT_UP_TO:
        large[REST] = rest
    return large


def _indexed(earlier: TextArrays | None, where: str, most: int) -> dict[str, Hashes]:
    """By label the hashes of the texts that the published HNSW indexes in this place have."""
    if earlier is None or earlier.manifest.hnsw != where:
        return {}
    large = large_labels(earlier.chunk_rows, earlier.chunk_nodes, earlier.node_labels, earlier.labels, most)
    return {label: earlier.row_hashes[large[label]] for label in earlier.manifest.searched if label in large}


def _text_properties(folder: Path, written: Written) -> dict[str, list[str]]:
    """By label, the properties beside the name that its nodes have chunks of."""
    of_chunk = mapped(folder, "node_labels")[mapped(folder, "chunk_nodes")].astype(np.int64)
    pairs = np.unique(np.column_stack((of_chunk, mapped(folder, "chunk_properties"))), axis=0)
    found: dict[str, list[str]] = {}
    for label, name in pairs.tolist():
        if name:
            found.setdefault(written.labels[label], []).append(written.properties[name])
    return {label: sorted(names) for label, names in found.items()}


class _NodeReader:
    """Writes nodes and chunks as they come."""

    def __init__(self) -> None:
        self.labels: dict[str, int] = {}
        self.properties: dict[str, int] = {"name": 0}

    def read(self, nodes: Iterable[TextNode], folder: Path, advance: Callable[[int], None]) -> Written:
        hashes = array("Q")
        with (
            StringColumns(folder, "ids") as ids,
            StringColumns(folder, "names") as names,
            StringColumns(folder, "chunks") as pieces,
            Column(folder, "node_labels", np.int32) as labels,
            Column(folder, "node_starts", np.int64) as starts,
            Column(folder, "chunk_nodes", np.int32) as owners,
            Column(folder, "chunk_properties", np.int32) as properties,
            PostingsWriter(folder) as postings,
        ):
            starts.append(np.zeros(1, np.int64))
            for batch in batches(nodes, _NODES):
                first = labels.length
                ids.append([node.id for node in batch])
                names.append([node.name for node in batch])
                numbers = [self.labels.setdefault(node.label, len(self.labels)) for node in batch]
                labels.append(np.array(numbers, np.int32))
                cut = [pieces_of(node) for node in batch]
                for name, _ in chain.from_iterable(cut):
                    self.properties.setdefault(name, len(self.properties))
                counts = np.fromiter(map(len, cut), np.int64, len(cut))
                starts.append(owners.length + np.cumsum(counts))
                node_pieces = [
                    (name, piece, node) for node, found in zip(batch, cut, strict=True) for name, piece in found
                ]
                postings.add([terms(piece) for _, piece, _ in node_pieces])
                owners.append(np.repeat(np.arange(first, first + len(batch)), counts))
                properties.append(np.array([self.properties[name] for name, _, _ in node_pieces], np.int32))
                pieces.append([piece for _, piece, _ in node_pieces])
                hashes.extend(hash_text(piece) if node.rich else NO_TEXT for _, piece, node in node_pieces)
                advance(labels.length)
        return Written(list(self.labels), list(self.properties), np.array(hashes, np.uint64))
