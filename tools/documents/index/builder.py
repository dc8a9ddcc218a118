"""Writes a document index's arrays from a stream of chunks.

Memory: the ids' table, a few numbers for each chunk, one part of the postings or edges, and one block of cosines; texts
and vectors pass through files. All but the vectors is computed anew by every build: it takes seconds where embedding
takes minutes.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from clew.tools.arrays.columns import Column, StringColumns, batches, mapped
from clew.tools.arrays.id_table import IdTable
from clew.tools.arrays.index_files import Advance, IndexFiles, Stage
from clew.tools.arrays.strings import hash_text
from clew.tools.documents.chunk import Chunk, searched_text
from clew.tools.documents.chunk_graph import graph as chunk_graph
from clew.tools.documents.chunk_graph.names import bare, spellings
from clew.tools.documents.index.edges import edges
from clew.tools.documents.index.store import (
    METADATA,
    METADATA_FIELDS,
    PASSAGES,
    ChunkStore,
    metadata_of,
    to_line,
)
from clew.tools.documents.keyword_graph import graph as keyword_graph
from clew.tools.documents.keyword_graph.graph import KeywordGraph
from clew.tools.embedding import Embedder
from clew.tools.embedding.chroma import HOME
from clew.tools.embedding.hnsw import HnswBuilder
from clew.tools.embedding.text_vectors import NO_TEXT, Hashes, TextVectors, VectorManifest, distinct_texts, vectors_of
from clew.tools.embedding.token_budget import counter
from clew.tools.embedding.vector_store import VectorPlace, VectorStore
from clew.tools.text_search.bm25 import Postings, PostingsWriter
from clew.tools.text_search.words import terms

_CHUNKS = 1024
CHUNKS = "chunks"
"""The label of the chunks in a vector store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentManifest(VectorManifest):
    """What `documents.json` holds."""

    chunks: int
    tokens: int
    """Of all chunks together, as `clew.tools.embedding.token_budget` counts."""
    vectors: str = ""
    """The address of the vector store that has those of the chunks too; "" for none."""

    def check_place(self, place: VectorPlace) -> None:
        """Raises ValueError if the vectors are kept in another place."""
        if self.vectors != place.address:
            raise ValueError(f"its vectors are in {self.vectors or 'the home'}, not in {place.address or 'the home'}")


FILES = IndexFiles(DocumentManifest, "documents", "document index", 2)


def fill(
    chunks: Iterable[Chunk],
    directory: Path,
    folder: Path,
    embedder: Embedder,
    stage: Stage,
    place: VectorPlace = HOME,
) -> dict[str, Any]:
    """Write the arrays of an index into `folder`; the fields of its manifest."""
    with stage("Reading chunks", "chunks", None) as advance:
        passages, metadata = _read(chunks, folder, advance)
    IdTable.write(folder, "chunk")
    store = ChunkStore.open(folder)
    with stage("Joining keywords", "chunks", len(store)) as advance:
        words, names = Postings.open(folder), Postings.open(folder / "names")
        keyword_graph.write(folder, names, words, len(store))
        advance(len(store))
    vectors = TextVectors(FILES, directory, [PASSAGES, METADATA], embedder)

    def embed(name: str, hashes: Hashes, text_of: Callable[[int], str]) -> None:
        rows, distinct, first = distinct_texts(hashes)
        np.save(folder / f"{name}_rows.npy", rows)
        vectors.embed(f"Embedding {name}", distinct, lambda row: text_of(int(first[row])), stage)
        vectors.write(folder, name, distinct)

    embed(PASSAGES, passages, lambda i: searched_text(store[i]))
    embed(METADATA, metadata, lambda i: metadata_of(store[i // METADATA_FIELDS])[i % METADATA_FIELDS])
    with stage("Joining chunks", "edges", None) as advance:
        found = edges(folder, store, KeywordGraph.open(folder), embedder.dimension)
        chunk_graph.write(folder, len(store), _counted(found, advance))
    if place.address:
        _store_vectors(place.store(directory), folder, store, embedder, stage)
    dimension = embedder.dimension if len(store) else 0
    counts = {"chunks": len(store), "tokens": int(store.tokens.sum())}
    return {"dimension": dimension, "embedder": embedder.name, "vectors": place.address, **counts}


def _store_vectors(vectors: VectorStore, folder: Path, store: ChunkStore, embedder: Embedder, stage: Stage) -> None:
    """Add the vectors of the chunks to a vector store, with the texts that they are of."""
    rows, hashes = mapped(folder, f"{PASSAGES}_rows"), mapped(folder, f"{PASSAGES}_hashes")
    chunks = np.unique(rows, return_index=True)[1][-len(hashes) :]  # By row the first chunk; -1 comes first.
    held, every = vectors_of(folder, PASSAGES, embedder.dimension), np.arange(len(hashes))
    with stage("Storing vectors", "texts", len(hashes)) as advance:
        done, added = 0, HnswBuilder(vectors, embedder.name)
        for number in added.add(CHUNKS, hashes, held, every, lambda row: searched_text(store[int(chunks[row])])):
            advance(done := done + number)


def remove_outdated(vectors: VectorStore, directory: Path, embedder: Embedder) -> None:
    """Remove from a vector store the vectors that the published index does not have."""
    folder = directory / FILES.read(directory).folder
    HnswBuilder(vectors, embedder.name).remove_others({CHUNKS: mapped(folder, f"{PASSAGES}_hashes")})


def _read(chunks: Iterable[Chunk], folder: Path, advance: Advance) -> tuple[Hashes, Hashes]:
    """Write the chunks and the postings of their words and names. The hashes of what is embedded: of each chunk's
    text, shape (n,), and of its metadata, shape (n · METADATA_FIELDS,), NO_TEXT for what is empty."""
    passages, metadata = array("Q"), array("Q")
    (folder / "names").mkdir()
    count = counter()
    with (
        StringColumns(folder, "ids") as ids,
        StringColumns(folder, "lines") as lines,
        Column(folder, "tokens", np.int32) as tokens,
        PostingsWriter(folder) as postings,
        PostingsWriter(folder / "names") as names,
    ):
        for batch in batches(chunks, _CHUNKS):
            names.add([names_of(chunk) for chunk in batch])
            texts = [searched_text(chunk) for chunk in batch]
            postings.add([terms(text) for text in texts])
            passages.extend(map(hash_text, texts))
            metadata.extend(hash_text(text) if text else NO_TEXT for chunk in batch for text in metadata_of(chunk))
            ids.append([chunk.id for chunk in batch])
            lines.append([to_line(chunk) for chunk in batch])
            tokens.append(np.array([count(chunk.text) for chunk in batch], np.int32))
            advance(tokens.length)
    return np.array(passages, np.uint64), np.array(metadata, np.uint64)


def names_of(chunk: Chunk) -> list[str]:
    """The names of a chunk in every spelling, folded, each once; its title is one of them."""
    named = [bare(chunk.title), *chunk.entities]
    return list(dict.fromkeys(each for name in named for each in spellings(name)))


def _counted(
    found: Iterable[tuple[chunk_graph.Reason, Any]], advance: Advance
) -> Iterator[tuple[chunk_graph.Reason, Any]]:
    edges_so_far = 0
    for reason, pairs in found:
        edges_so_far += len(pairs.left)
        advance(edges_so_far)
        yield reason, pairs
