"""From a stream of chunks to a document index's arrays.

Memory: the ids' table, a few numbers for each chunk, one part of the postings or edges, one block of cosines; texts and
vectors pass through files. Vectors are taken from the index that is there, then from the journal of a build that was
interrupted; the rest are embedded. Everything else is worked out anew: it takes seconds where embedding takes minutes.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import filelock
import numpy as np

from clew.tools.arrays import id_table
from clew.tools.arrays.columns import Column, StringColumns, mapped
from clew.tools.arrays.published import published_name
from clew.tools.arrays.strings import Strings
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.chunk_graph import graph as chunk_graph
from clew.tools.documents.chunk_graph.names import bare, spellings
from clew.tools.documents.index.edges import edges
from clew.tools.documents.index.files import FILES, FORMAT, Manifest
from clew.tools.documents.index.store import (
    METADATA,
    METADATA_FIELDS,
    PASSAGES,
    ChunkStore,
    metadata_of,
    searched_text,
    to_line,
    vectors,
)
from clew.tools.documents.keyword_graph import graph as keyword_graph
from clew.tools.documents.keyword_graph.graph import KeywordGraph
from clew.tools.embedding import Embedder
from clew.tools.embedding.token_budget import counter
from clew.tools.embedding.vector_journal import Hashes, Journal, embed_missing, not_in, write_vectors
from clew.tools.errors import BadInput
from clew.tools.linking.index_builder import hash_text
from clew.tools.text_search.bm25 import Postings, PostingsWriter
from clew.tools.text_search.words import terms

if TYPE_CHECKING:
    Stage = Callable[[str, str, int | None], AbstractContextManager[Callable[[int], None]]]

JOURNAL = "embedded-{}-{}.vectors"
"""By what is embedded, and the number of dimensions."""
_LOCK = "documents.lock"
_CHUNKS = 1024


def build(
    chunks: Iterable[Chunk], directory: Path, version: str, embedder: Embedder, stage: Stage | None = None
) -> None:
    """Write and publish an index. One builder works in a directory at a time."""
    directory.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(directory / _LOCK):
        if _is_current(directory, version, embedder):
            return
        FILES.remove_interrupted(directory)
        with FILES.building(directory) as folder:
            _fill(chunks, directory, folder, version, embedder, stage or _silent)
        for journal in directory.glob(JOURNAL.format("*", "*")):
            journal.unlink()


def _fill(
    chunks: Iterable[Chunk], directory: Path, folder: Path, version: str, embedder: Embedder, stage: Stage
) -> None:
    with stage("Reading chunks", "chunks", None) as advance:
        passages, metadata = _read(chunks, folder, advance)
    _write_ids(folder)
    store = ChunkStore.open(folder)
    with stage("Joining keywords", "chunks", len(store)) as advance:
        words, names = Postings.open(folder), Postings.open(folder / "names")
        keyword_graph.write(folder, names, words, len(store))
        advance(len(store))
    _write_rows(folder, PASSAGES, passages, lambda i: searched_text(store[i]), directory, embedder, stage)
    _write_rows(folder, METADATA, metadata, lambda i: metadata_of(store[i // METADATA_FIELDS])[i % METADATA_FIELDS],
                directory, embedder, stage)  # fmt: skip
    with stage("Joining chunks", "edges", None) as advance:
        chunk_graph.write(
            folder, len(store), _counted(edges(folder, store, KeywordGraph.open(folder), embedder.dimension), advance)
        )
    dimension = embedder.dimension if len(store) else 0
    tokens = int(store.tokens.sum())
    FILES.publish(directory, folder, Manifest(FORMAT, version, published_name(folder), dimension, len(store), tokens))


def _silent(_: str, __: str, ___: int | None) -> AbstractContextManager[Callable[[int], None]]:
    return nullcontext(lambda _: None)


def _is_current(directory: Path, version: str, embedder: Embedder) -> bool:
    """Whether an index of this version is there, and whole."""
    from clew.tools.documents.index.index import DocumentIndex

    try:
        return DocumentIndex.open(directory, embedder).version == version
    except BadInput:
        return False


# ---- reading --------------------------------------------------------------------------------------------------------


def _read(chunks: Iterable[Chunk], folder: Path, advance: Callable[[int], None]) -> tuple[Hashes, Hashes]:
    """Write the chunks and the postings of their words and names. The hashes of what is embedded: of each chunk's
    text, shape (n,), and of its metadata, shape (n · METADATA_FIELDS,), 0 for what is empty."""
    passages, metadata = array("Q"), array("Q")
    (folder / "names").mkdir()
    count = counter()
    with (
        StringColumns(folder, "ids") as ids,
        StringColumns(folder, "lines") as lines,
        Column(folder, "tokens", np.int32) as tokens,
        Column(folder, "chunk_lengths", np.int32) as lengths,
        Column(folder / "names", "chunk_lengths", np.int32) as named,
        PostingsWriter(folder) as postings,
        PostingsWriter(folder / "names") as names,
    ):
        for batch in _batches(chunks):
            for position, chunk in enumerate(batch, start=tokens.length):
                names.add(position, names_of(chunk))
            texts = [searched_text(chunk) for chunk in batch]
            words = [terms(text) for text in texts]
            for position, counted in enumerate(words, start=tokens.length):
                postings.add(position, counted)
            lengths.append(np.fromiter(map(len, words), np.int32, len(words)))
            named.append(np.ones(len(words), np.int32))
            passages.extend(map(hash_text, texts))
            metadata.extend(hash_text(text) if text else 0 for chunk in batch for text in metadata_of(chunk))
            ids.append([chunk.id for chunk in batch])
            lines.append([to_line(chunk) for chunk in batch])
            tokens.append(np.array([count(chunk.text) for chunk in batch], np.int32))
            advance(tokens.length)
        postings.finish()
        names.finish()
    return np.array(passages, np.uint64), np.array(metadata, np.uint64)


def names_of(chunk: Chunk) -> list[str]:
    """The names of a chunk in every spelling, folded, each once; its title is one."""
    told = [bare(chunk.title), *chunk.entities]
    return list(dict.fromkeys(each for name in told for each in spellings(name)))


def _batches(chunks: Iterable[Chunk]) -> Iterator[list[Chunk]]:
    source = iter(chunks)
    while batch := list(islice(source, _CHUNKS)):
        yield batch


def _write_ids(folder: Path) -> None:
    text, ends = mapped(folder, "ids.text"), mapped(folder, "ids.ends")
    slots, twice = id_table.table(text, ends)
    if twice >= 0:
        raise BadInput(f"The chunk id {Strings(text, ends)[twice]!r} occurs twice.", "Every chunk needs its own id.")
    np.save(folder / "ids.slots.npy", slots)


# ---- vectors --------------------------------------------------------------------------------------------------------


def _write_rows(
    folder: Path, name: str, hashes: Hashes, text_of: Callable[[int], str], directory: Path, embedder: Embedder,
    stage: Stage,
) -> None:  # fmt: skip
    """`{name}_rows` (the vector of each text, -1 for an empty one), `{name}_hashes` and `{name}_vectors`, one of each
    for every different text in the order of their first."""
    filled = np.flatnonzero(hashes)
    distinct, first, inverse = np.unique(hashes[filled], return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    rows = np.full(len(hashes), -1, np.int32)
    rows[filled] = place[inverse]
    distinct, first = distinct[order], filled[first[order]]
    np.save(folder / f"{name}_rows.npy", rows)
    np.save(folder / f"{name}_hashes.npy", distinct)
    published = _published(directory, name, embedder)
    dimension = embedder.dimension
    with Journal(directory / JOURNAL.format(name, dimension), dimension) as journal:
        wanted = not_in(distinct, [*published, journal.read()])
        with stage(f"Embedding {name}", "texts", len(wanted)) as advance:
            embed_missing(distinct, wanted, lambda row: text_of(int(first[row])), journal, embedder, advance)
        write_vectors(folder, f"{name}_vectors", distinct, [*published, journal.read()], dimension)


def _published(directory: Path, name: str, embedder: Embedder) -> Sequence[Any]:
    """Hashes and vectors of the index that is there, if it is of as many dimensions."""
    try:
        manifest = FILES.read(directory)
        if manifest.dimension != embedder.dimension:
            return []
        folder = directory / manifest.folder
        return [{"hash": mapped(folder, f"{name}_hashes"), "vector": vectors(folder, name, manifest.dimension)}]
    except (BadInput, OSError, ValueError):
        return []


def _counted(
    found: Iterable[tuple[chunk_graph.Reason, Any]], advance: Callable[[int], None]
) -> Iterator[tuple[chunk_graph.Reason, Any]]:
    edges_so_far = 0
    for reason, pairs in found:
        edges_so_far += len(pairs.left)
        advance(edges_so_far)
        yield reason, pairs
