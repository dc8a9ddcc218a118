"""A text index on disk: its manifest `text.json` and its arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import mapped
from clew.tools.arrays.id_table import IdTable
from clew.tools.arrays.index_files import IndexFiles
from clew.tools.arrays.strings import IntArray, Strings
from clew.tools.embedding import Vectors
from clew.tools.embedding.text_vectors import VectorManifest, vectors_of
from clew.tools.embedding.vector_store import VectorPlace, VectorStore
from clew.tools.text_search.bm25 import Postings
from clew.tools.text_search.words import terms

EXACT_UP_TO = 5000
"""Texts of a label up to which every cosine is computed: no slower than asking HNSW."""
REST_EXACT_UP_TO = 20_000
"""The same of all the smaller labels together, for a search of the whole graph."""
REST = ""
"""Stands for them where labels are named."""
HNSW = "hnsw-"
"""How the names of their folders begin."""
VECTORS = "chunk"
"""The name of the chunks' vectors on disk."""

Places = npt.NDArray[np.int32]
"""Positions of nodes, or of chunks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextManifest(VectorManifest):
    """What `text.json` holds."""

    labels: list[str]
    properties: list[str]
    """The names of all indexed properties; the first is "name"."""
    text_properties: dict[str, list[str]]
    """By label, those that are indexed beside the name."""
    hnsw: str
    """The folder of the HNSW indexes, or the address of the vector store that has them. A folder outlives a build. A
    new one has a new name, since Chroma keeps what it has opened by its path for as long as a process lives."""
    searched: list[str]
    """Labels that have an HNSW index of their vectors; REST stands for all that have none of their own."""

    def check_place(self, place: VectorPlace) -> None:
        """Raises ValueError if the HNSW indexes are kept in another place."""
        kept = "" if self.hnsw.startswith(HNSW) else self.hnsw
        if kept != place.address:
            raise ValueError(f"its vectors are in {kept or 'the home'}, not in {place.address or 'the home'}")


FILES = IndexFiles(TextManifest, "text", "text index", 3)


def hnsw_store(place: VectorPlace, directory: Path, hnsw: str) -> VectorStore:
    """The store of the HNSW indexes of the text index in a directory."""
    return place.store(directory if place.address else directory / hnsw)


class TextArrays:
    """The arrays, memory-mapped. n nodes, c chunks (those of one node are adjacent), v vectors (one for each distinct
    text)."""

    def __init__(self, manifest: TextManifest, folder: Path) -> None:
        """Raises OSError, ValueError or EOFError if arrays are missing or unreadable."""
        self.folder = folder
        self.manifest = manifest
        self.ids = IdTable.open(folder)
        self.names = Strings.load(folder, "names")
        self.node_labels: Places = mapped(folder, "node_labels")
        """By node, the position in `labels`: shape (n,)."""
        self.node_starts: IntArray = mapped(folder, "node_starts")
        """A node's chunks are [node_starts[i], node_starts[i + 1]): shape (n + 1,)."""
        self.chunk_nodes: Places = mapped(folder, "chunk_nodes")
        self.chunk_properties: npt.NDArray[np.int32] = mapped(folder, "chunk_properties")
        """By chunk, the position in `manifest.properties`: shape (c,)."""
        self.chunk_rows: npt.NDArray[np.int32] = mapped(folder, "chunk_rows")
        """By chunk its vector, or -1: shape (c,)."""
        self.chunk_texts = Strings.load(folder, "chunks")
        self.row_hashes: npt.NDArray[np.uint64] = mapped(folder, f"{VECTORS}_hashes")
        """By vector the hash of its text: shape (v,)."""
        self.vectors: Vectors = vectors_of(folder, VECTORS, manifest.dimension)
        """Shape (v, d), rows of length 1."""
        self.row_starts: IntArray = mapped(folder, "row_starts")
        self.row_chunks: Places = mapped(folder, "row_chunks")
        """The chunks of vector r are row_chunks[row_starts[r] : row_starts[r + 1]]."""
        self.postings = Postings.open(folder)

    def has_word(self, word: str) -> bool:
        """Whether a folded word, in whichever form, stands in some text."""
        return all(map(self.postings.holds, terms(word)))

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self.node_labels)

    @property
    def version(self) -> str:
        return self.manifest.version

    @property
    def empty(self) -> bool:
        """True if no node has more text than a short name. Names can then be searched by their words; nothing was
        embedded."""
        return len(self.vectors) == 0

    @property
    def labels(self) -> Sequence[str]:
        return self.manifest.labels

    @property
    def rich_labels(self) -> frozenset[str]:
        """The labels with more text than a short name: their chunks have vectors."""
        labels = np.unique(self.node_labels[self.chunk_nodes[self.chunk_rows >= 0]])
        return frozenset(self.labels[label] for label in labels.tolist())

    @property
    def text_properties(self) -> dict[str, list[str]]:
        """By label, the properties that are indexed beside the name; labels without one are left out."""
        return self.manifest.text_properties

    def positions(self, ids: Sequence[str]) -> Places:
        """The nodes with these ids, -1 for an unknown id: shape (len(ids),)."""
        return self.ids.positions(ids)

    def described(self, position: int) -> tuple[str, str, str]:
        """A node's id, name and label."""
        return self.ids[position], self.names[position], self.labels[int(self.node_labels[position])]

    def has_label(self, nodes: Places, label: str) -> npt.NDArray[np.bool_]:
        """Which of the nodes have the label, or with REST a label without an HNSW index: shape (len(nodes),)."""
        labels = [each for each in self.labels if each not in self.manifest.searched] if label == REST else [label]
        numbers = [number for number, each in enumerate(self.labels) if each in labels]
        return np.isin(self.node_labels[nodes], numbers)

    def chunks_of(self, node: int) -> Places:
        return np.arange(self.node_starts[node], self.node_starts[node + 1], dtype=np.int32)

    def property_number(self, name: str) -> int:
        """As in `chunk_properties`; -1 for a property that is not indexed."""
        return self.manifest.properties.index(name) if name in self.manifest.properties else -1

    def property_name(self, chunk: Any) -> str:
        """Where a chunk stands."""
        return self.manifest.properties[int(self.chunk_properties[chunk])]
