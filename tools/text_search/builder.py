"""From a stream of nodes to a text index's arrays.

Memory: the ids' table, a few numbers for each chunk, and one part of the postings; texts and vectors pass through
files. Vectors are taken from the index that is there, then from the journal of a build that was interrupted, and the
rest are embedded in batches, each of which is in the journal before the next begins.
"""

from __future__ import annotations

import secrets
import shutil
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import filelock
import numpy as np
import numpy.typing as npt

from clew.tools.arrays import id_table
from clew.tools.arrays.columns import Column, StringColumns, mapped
from clew.tools.arrays.published import published_name
from clew.tools.arrays.strings import Strings, grouped
from clew.tools.embedding import Embedder, Vectors, nearest
from clew.tools.embedding.vector_journal import Hashes, Journal, embed_missing, not_in, write_vectors
from clew.tools.errors import BadInput
from clew.tools.linking.index_builder import hash_text
from clew.tools.text_search.bm25 import PostingsWriter
from clew.tools.text_search.chunks import chunks
from clew.tools.text_search.files import FILES, FORMAT, Manifest
from clew.tools.text_search.index import EXACT_UP_TO, REST, REST_EXACT_UP_TO, TextIndex
from clew.tools.text_search.words import terms

if TYPE_CHECKING:
    from clew.tools.text_search.index import Stage
    from clew.tools.text_search.source import TextNode

JOURNAL = "embedded-{}.vectors"
"""By the number of dimensions."""
_HNSW = "hnsw-{}"
_LOCK = "text.lock"
_NODES = 4096
_NO_VECTOR = 0
"""The hash of chunks that get none; a text whose hash it is would get none either (one in 10^19)."""

T = TypeVar("T")


def build(
    nodes: Iterable[TextNode], directory: Path, version: str, embedder: Embedder, stage: Stage | None = None
) -> None:
    """Write and publish an index. One builder works in a directory at a time."""
    directory.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(directory / _LOCK):
        if _is_current(directory, version, embedder):
            return
        FILES.remove_interrupted(directory)
        with FILES.building(directory) as folder:
            searched = _fill(nodes, directory, folder, version, embedder, stage or _silent)
        for journal in directory.glob(JOURNAL.format("*")):
            journal.unlink()
        hnsw = FILES.read(directory).hnsw
        for left in directory.glob(_HNSW.format("*")):
            if left.name != hnsw:
                shutil.rmtree(left, ignore_errors=True)
        nearest.take_away(directory / hnsw, searched)


def _fill(
    nodes: Iterable[TextNode], directory: Path, folder: Path, version: str, embedder: Embedder, stage: Stage
) -> dict[str, Hashes]:
    """Write an index into `folder` and publish it; the hashes of what its HNSW indexes hold."""
    with stage("Reading texts", "nodes", None) as advance:
        read = _Read(folder, advance)
        hashes = read.all(nodes)
    _write_ids(folder)
    distinct, first = _write_rows(folder, hashes)
    dimension = embedder.dimension if len(distinct) else 0
    hnsw = _hnsw(directory)
    with Journal(directory / JOURNAL.format(dimension), dimension) as journal:
        _write_vectors(directory, folder, journal, distinct, first, embedder, stage)
    searched = _write_nearest(directory / hnsw, folder, distinct, read.labels, stage)
    manifest = Manifest(
        format=FORMAT,
        version=version,
        folder=published_name(folder),
        labels=list(read.labels),
        properties=list(read.properties),
        text_properties={label: sorted(found) for label, found in read.text_properties.items()},
        dimension=dimension,
        hnsw=hnsw,
        searched=list(searched),
    )
    FILES.publish(directory, folder, manifest)
    return searched


def _silent(_: str, __: str, ___: int | None) -> AbstractContextManager[Callable[[int], None]]:
    return nullcontext(lambda _: None)


def _hnsw(directory: Path) -> str:
    """The folder of the HNSW indexes that is there, or the name of a new one."""
    try:
        known = FILES.read(directory).hnsw
        if (directory / known).is_dir():
            return known
    except BadInput:
        pass  # There is no index yet.
    return _HNSW.format(secrets.token_hex(4))


def _is_current(directory: Path, version: str, embedder: Embedder) -> bool:
    """Whether an index of this version is there, and whole."""
    try:
        return TextIndex.open(directory, embedder).version == version
    except BadInput:
        return False


# ---- reading --------------------------------------------------------------------------------------------------------


class _Read:
    """Writes nodes and chunks as they come."""

    def __init__(self, folder: Path, advance: Callable[[int], None]) -> None:
        self.labels: dict[str, int] = {}
        self.properties: dict[str, int] = {"name": 0}
        self.text_properties: dict[str, set[str]] = {}
        self._folder = folder
        self._advance = advance
        self._hashes = array("Q")

    def all(self, nodes: Iterable[TextNode]) -> Hashes:
        """By chunk the hash of what is embedded for it, or _NO_VECTOR: shape (c,)."""
        folder = self._folder
        with (
            StringColumns(folder, "ids") as ids,
            StringColumns(folder, "names") as names,
            StringColumns(folder, "chunks") as pieces,
            Column(folder, "node_labels", np.int32) as labels,
            Column(folder, "node_starts", np.int64) as starts,
            Column(folder, "chunk_nodes", np.int32) as owners,
            Column(folder, "chunk_properties", np.int32) as properties,
            Column(folder, "chunk_lengths", np.int32) as lengths,
            PostingsWriter(folder) as postings,
        ):
            starts.append(np.zeros(1, np.int64))
            for batch in _batches(nodes, _NODES):
                first = labels.length
                ids.append([node.id for node in batch])
                names.append([node.name for node in batch])
                labels.append(
                    np.array([self.labels.setdefault(node.label, len(self.labels)) for node in batch], np.int32)
                )
                cut = [self._chunks(node) for node in batch]
                counts = np.fromiter(map(len, cut), np.int64, len(cut))
                starts.append(owners.length + np.cumsum(counts))
                told = [(name, piece, node) for node, found in zip(batch, cut, strict=True) for name, piece in found]
                words = [terms(piece) for _, piece, _ in told]
                for chunk, counted in enumerate(words, start=owners.length):
                    postings.add(chunk, counted)
                owners.append(np.repeat(np.arange(first, first + len(batch)), counts))
                properties.append(np.array([self.properties[name] for name, _, _ in told], np.int32))
                lengths.append(np.fromiter(map(len, words), np.int32, len(words)))
                pieces.append([piece for _, piece, _ in told])
                self._hashes.extend(hash_text(piece) if node.rich else _NO_VECTOR for _, piece, node in told)
                self._advance(labels.length)
            postings.finish()
        return np.array(self._hashes, np.uint64)

    def _chunks(self, node: TextNode) -> list[tuple[str, str]]:
        """A node's chunks with their properties, its name first."""
        found = [("name", node.name)] if node.name.strip() else []
        for name, text in node.texts:
            self.properties.setdefault(name, len(self.properties))
            self.text_properties.setdefault(node.label, set()).add(name)
            found += [(name, piece) for piece in chunks(text)]
        return found


def _write_ids(folder: Path) -> None:
    text, ends = mapped(folder, "ids.text"), mapped(folder, "ids.ends")
    slots, twice = id_table.table(text, ends)
    if twice >= 0:
        raise BadInput(f"The id {Strings(text, ends)[twice]!r} occurs twice.", "Every node needs an id of its own.")
    np.save(folder / "ids.slots.npy", slots)


def _batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    source = iter(items)
    while batch := list(islice(source, size)):
        yield batch


# ---- vectors --------------------------------------------------------------------------------------------------------


def _write_rows(folder: Path, hashes: Hashes) -> tuple[Hashes, npt.NDArray[np.int64]]:
    """One vector for each different text, in the order of their first chunks: their hashes, and those chunks."""
    with_vector = np.flatnonzero(hashes != _NO_VECTOR)
    distinct, first, inverse = np.unique(hashes[with_vector], return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    rows = np.full(len(hashes), -1, np.int32)
    rows[with_vector] = place[inverse]
    starts, sorted_chunks = grouped(rows[with_vector], len(distinct))
    np.save(folder / "chunk_rows.npy", rows)
    np.save(folder / "row_hashes.npy", distinct[order])
    np.save(folder / "row_starts.npy", starts)
    np.save(folder / "row_chunks.npy", with_vector[sorted_chunks].astype(np.int32))
    return distinct[order], with_vector[first[order]].astype(np.int64)


def _write_vectors(
    directory: Path,
    folder: Path,
    journal: Journal,
    distinct: Hashes,
    first: npt.NDArray[np.int64],
    embedder: Embedder,
    stage: Stage,
) -> None:
    """`vectors`, row after row."""
    published = _published(directory, embedder)
    wanted = not_in(distinct, [*published, journal.read()])
    if len(wanted):
        with stage("Embedding texts", "texts", len(wanted)) as advance:
            pieces = Strings(mapped(folder, "chunks.text"), mapped(folder, "chunks.ends"))
            embed_missing(distinct, wanted, lambda row: pieces[int(first[row])], journal, embedder, advance)
    write_vectors(folder, "vectors", distinct, [*published, journal.read()], embedder.dimension)


def _published(directory: Path, embedder: Embedder) -> list[Any]:
    """Hashes and vectors of the index that is there, if it is of as many dimensions."""
    try:
        manifest = FILES.read(directory)
        if manifest.dimension != embedder.dimension:
            return []
        vectors = mapped(directory / manifest.folder, "vectors").reshape(-1, manifest.dimension)
        return [{"hash": mapped(directory / manifest.folder, "row_hashes"), "vector": vectors}]
    except (BadInput, OSError, ValueError):
        return []


def _write_nearest(
    hnsw: Path, folder: Path, distinct: Hashes, labels: Iterable[str], stage: Stage
) -> dict[str, Hashes]:
    """HNSW indexes of the labels with more than EXACT_UP_TO texts, and one of all other labels where they have many
    more together: the hashes in each."""
    rows, owners = mapped(folder, "chunk_rows"), mapped(folder, "chunk_nodes")
    of_chunk = mapped(folder, "node_labels")[owners]
    vectors = mapped(folder, "vectors").reshape(len(distinct), -1) if len(distinct) else np.zeros((0, 1), np.float32)
    large: dict[str, npt.NDArray[np.int64]] = {}
    for number, label in enumerate(labels):
        found = np.unique(rows[(of_chunk == number) & (rows >= 0)]).astype(np.int64)
        if len(found) > EXACT_UP_TO:
            large[label] = found
    others = rows[~np.isin(of_chunk, [number for number, label in enumerate(labels) if label in large]) & (rows >= 0)]
    if len(rest := np.unique(others).astype(np.int64)) > REST_EXACT_UP_TO:
        large[REST] = rest
    if large:
        with stage("Indexing vectors", "texts", sum(map(len, large.values()))) as advance:
            before = 0
            for label, found in large.items():
                _add(hnsw, label, distinct, vectors, found, before, advance)
                before += len(found)
    return {label: distinct[found] for label, found in large.items()}


def _add(
    hnsw: Path,
    label: str,
    distinct: Hashes,
    vectors: Vectors,
    found: npt.NDArray[np.int64],
    before: int,
    advance: Callable[[int], None],
) -> None:
    nearest.add(hnsw, label, distinct[found], lambda part: vectors[found[part]], lambda done: advance(before + done))
