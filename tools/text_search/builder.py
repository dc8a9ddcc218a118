"""Writes a text index's arrays from a stream of nodes.

Memory: the ids' table, a few numbers for each chunk, and one part of the postings; texts and vectors pass through
files.
"""

from __future__ import annotations

import secrets
import shutil
from array import array
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import Column, StringColumns, batches, mapped
from clew.tools.arrays.id_table import IdTable
from clew.tools.arrays.index_files import Stage
from clew.tools.arrays.strings import Strings, grouped, hash_text
from clew.tools.embedding import Embedder, hnsw
from clew.tools.embedding.text_vectors import NO_TEXT, Hashes, TextVectors, distinct_texts, vectors_of
from clew.tools.errors import BadInput
from clew.tools.text_search.arrays import EXACT_UP_TO, FILES, REST, REST_EXACT_UP_TO, VECTORS, TextManifest
from clew.tools.text_search.bm25 import PostingsWriter
from clew.tools.text_search.sentences import chunks
from clew.tools.text_search.source import TextNode
from clew.tools.text_search.words import terms

_HNSW = "hnsw-{}"
_NODES = 4096


class TextBuilder:
    """One build in a directory."""

    def __init__(self, directory: Path, embedder: Embedder, stage: Stage) -> None:
        self._directory = directory
        self._embedder = embedder
        self._stage = stage
        self._searched: dict[str, Hashes] = {}
        """By label with an HNSW index, the hashes of the texts in it."""

    def fill(self, nodes: Iterable[TextNode], folder: Path) -> dict[str, Any]:
        """Write the arrays into `folder`, and the HNSW indexes beside it; the fields of the manifest."""
        with self._stage("Reading texts", "nodes", None) as advance:
            reader = _NodeReader()
            hashes = reader.read(nodes, folder, advance)
        IdTable.write(folder, "node")
        rows, distinct, first = distinct_texts(hashes)
        np.save(folder / "chunk_rows.npy", rows)
        starts, order = grouped(rows[rows >= 0], len(distinct))
        np.save(folder / "row_starts.npy", starts)
        np.save(folder / "row_chunks.npy", np.flatnonzero(rows >= 0)[order].astype(np.int32))
        vectors = TextVectors(FILES, self._directory, [VECTORS], self._embedder)
        texts = Strings.load(folder, "chunks")
        vectors.embed("Embedding texts", distinct, lambda row: texts[int(first[row])], self._stage)
        vectors.write(folder, VECTORS, distinct)
        hnsw_folder = self._hnsw_folder()
        self._index_large_labels(self._directory / hnsw_folder, folder, distinct, list(reader.labels))
        return {
            "labels": list(reader.labels),
            "properties": list(reader.properties),
            "text_properties": {label: sorted(found) for label, found in reader.text_properties.items()},
            "dimension": self._embedder.dimension if len(distinct) else 0,
            "embedder": self._embedder.name,
            "hnsw": hnsw_folder,
            "searched": list(self._searched),
        }

    def remove_outdated(self, manifest: TextManifest) -> None:
        """Remove from the HNSW indexes what the published index does not have."""
        for left in self._directory.glob(_HNSW.format("*")):
            if left.name != manifest.hnsw:
                shutil.rmtree(left, ignore_errors=True)
        hnsw.remove_others(self._directory / manifest.hnsw, self._searched)

    def _hnsw_folder(self) -> str:
        """The folder of the HNSW indexes that is there and has this embedder's vectors, or the name of a new one."""
        try:
            known = FILES.read(self._directory)
            if known.embedder == self._embedder.name and (self._directory / known.hnsw).is_dir():
                return known.hnsw
        except BadInput:
            pass  # There is no index yet.
        return _HNSW.format(secrets.token_hex(4))

    def _index_large_labels(self, hnsw_folder: Path, folder: Path, distinct: Hashes, labels: list[str]) -> None:
        """Write HNSW indexes of the labels with more than EXACT_UP_TO texts, and one of all other labels if they have
        more than REST_EXACT_UP_TO together."""
        rows, owners = mapped(folder, "chunk_rows"), mapped(folder, "chunk_nodes")
        of_chunk = mapped(folder, "node_labels")[owners]
        large: dict[str, npt.NDArray[np.int64]] = {}
        for number, label in enumerate(labels):
            found = np.unique(rows[(of_chunk == number) & (rows >= 0)]).astype(np.int64)
            if len(found) > EXACT_UP_TO:
                large[label] = found
        others = ~np.isin(of_chunk, [number for number, label in enumerate(labels) if label in large])
        if len(rest := np.unique(rows[others & (rows >= 0)]).astype(np.int64)) > REST_EXACT_UP_TO:
            large[REST] = rest
        self._searched = {label: distinct[found] for label, found in large.items()}
        if not large:
            return
        vectors = vectors_of(folder, VECTORS, self._embedder.dimension)
        with self._stage("Indexing vectors", "texts", sum(map(len, large.values()))) as advance:
            done = 0
            for label, found in large.items():
                for added in hnsw.add_label(hnsw_folder, label, distinct[found], vectors, found):
                    done += added
                    advance(done)


class _NodeReader:
    """Writes nodes and chunks as they come."""

    def __init__(self) -> None:
        self.labels: dict[str, int] = {}
        self.properties: dict[str, int] = {"name": 0}
        self.text_properties: dict[str, set[str]] = {}

    def read(self, nodes: Iterable[TextNode], folder: Path, advance: Callable[[int], None]) -> Hashes:
        """By chunk the hash of what is embedded for it, or NO_TEXT: shape (c,)."""
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
                cut = [self._chunks(node) for node in batch]
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
        return np.array(hashes, np.uint64)

    def _chunks(self, node: TextNode) -> list[tuple[str, str]]:
        """A node's chunks with their properties, its name first."""
        found = [("name", node.name)] if node.name.strip() else []
        for name, text in node.texts:
            self.properties.setdefault(name, len(self.properties))
            self.text_properties.setdefault(node.label, set()).add(name)
            found += [(name, piece) for piece in chunks(text)]
        return found
