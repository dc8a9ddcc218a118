"""From chunks to a keyword index's arrays. Different texts are embedded once; vectors pass through files."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import filelock
import numpy as np
import numpy.typing as npt
from scipy import sparse

from clew.tools.arrays.columns import Column, StringColumns, mapped
from clew.tools.arrays.published import published_name
from clew.tools.arrays.strings import Strings
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.keyword_graph.keyword_index import FILES, FORMAT, KeywordIndex, Manifest
from clew.tools.documents.keyword_graph.sub_chunks import sub_chunks
from clew.tools.embedding import Embedder
from clew.tools.embedding.token_budget import counter
from clew.tools.embedding.vector_journal import Journal, embed_missing, not_in, write_vectors
from clew.tools.errors import BadInput
from clew.tools.linking.index_builder import hash_text
from clew.tools.text_search.bm25 import PostingsWriter
from clew.tools.text_search.sentences import sentences
from clew.tools.text_search.words import terms

if TYPE_CHECKING:
    from clew.tools.documents.keyword_graph.keyword_index import Stage

JOURNAL = "embedded-{}.vectors"
_LOCK = "keywords.lock"
_TERMS_AT_ONCE = 4096

Vectors = npt.NDArray[np.float32]


def build(
    chunks: Iterable[Chunk], directory: Path, version: str, embedder: Embedder, splits: int, stage: Stage | None = None
) -> None:
    """Write and publish an index. One builder works in a directory at a time."""
    directory.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(directory / _LOCK):
        if _is_current(directory, version, splits):
            return
        FILES.remove_interrupted(directory)
        with FILES.building(directory) as folder:
            _fill(chunks, splits, directory, folder, embedder, stage or _silent)
            manifest = Manifest(FORMAT, version, published_name(folder), embedder.dimension, splits)
            FILES.publish(directory, folder, manifest)
        for journal in directory.glob(JOURNAL.format("*")):
            journal.unlink()


def _silent(_: str, __: str, ___: int | None) -> AbstractContextManager[Callable[[int], None]]:
    return nullcontext(lambda _: None)


def _is_current(directory: Path, version: str, splits: int) -> bool:
    try:
        manifest = KeywordIndex.open(directory).manifest
    except BadInput:
        return False
    return (manifest.version, manifest.splits) == (version, splits)


def _fill(
    chunks: Iterable[Chunk], splits: int, directory: Path, folder: Path, embedder: Embedder, stage: Stage
) -> None:
    with stage("Reading sentences", "chunks", None) as advance:
        texts = _Texts(folder)
        texts.read(chunks, splits, advance)
    hashes = np.array(texts.hashes, np.uint64)
    np.save(folder / "hashes.npy", hashes)
    np.save(folder / "rows.npy", np.array(texts.parts, np.int32))
    distinct, dimension = Strings.load(folder, "distinct"), embedder.dimension
    published = _published(directory, dimension)
    with Journal(directory / JOURNAL.format(dimension), dimension) as journal:
        wanted = not_in(hashes, [*published, journal.read()])
        with stage("Embedding sentences", "texts", len(wanted)) as advance:
            embed_missing(hashes, wanted, distinct.__getitem__, journal, embedder, advance)
        write_vectors(folder, "vectors", hashes, [*published, journal.read()], dimension)
    with stage("Embedding keywords", "keywords", None) as advance:
        _write_keywords(folder, distinct, np.unique(np.array(texts.sentences, np.int32)), dimension, advance)


class _Texts:
    """Writes sub-chunks and sentences as they come; a text that occurs again is kept once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._places: dict[int, int] = {}
        self.hashes = array("Q")
        self.parts = array("i")
        """Of each sub-chunk its place among the different texts."""
        self.sentences = array("i")

    def read(self, chunks: Iterable[Chunk], splits: int, advance: Callable[[int], None]) -> None:
        count = counter()
        with (
            StringColumns(self._folder, "texts") as texts,
            StringColumns(self._folder, "distinct") as distinct,
            Column(self._folder, "chunks", np.int32) as owners,
            Column(self._folder, "tokens", np.int32) as tokens,
            Column(self._folder, "chunk_lengths", np.int32) as lengths,
            PostingsWriter(self._folder) as postings,
        ):
            for number, chunk in enumerate(chunks):
                parts = sub_chunks(chunk.text, splits)
                told = [chunk.text[first:last] for first, last in sentences(chunk.text)]
                fresh: list[str] = []
                self.parts.extend(self._place(part, fresh) for part in parts)
                self.sentences.extend(self._place(sentence, fresh) for sentence in told)
                distinct.append(fresh)
                words = [terms(part) for part in parts]
                for part, counted in enumerate(words, start=owners.length):
                    postings.add(part, counted)
                texts.append(parts)
                owners.append(np.full(len(parts), number, np.int32))
                tokens.append(np.array([count(part) for part in parts], np.int32))
                lengths.append(np.fromiter(map(len, words), np.int32, len(words)))
                advance(number + 1)
            postings.finish()

    def _place(self, text: str, fresh: list[str]) -> int:
        hashed = hash_text(text)
        place = self._places.setdefault(hashed, len(self._places))
        if place == len(self.hashes):
            self.hashes.append(hashed)
            fresh.append(text)
        return place


def _published(directory: Path, dimension: int) -> list[Any]:
    """Hashes and vectors of the index that is there, if it is of as many dimensions."""
    try:
        manifest = FILES.read(directory)
        folder = directory / manifest.folder
        vectors = mapped(folder, "vectors").reshape(-1, manifest.dimension)
        return [{"hash": mapped(folder, "hashes"), "vector": vectors}] if manifest.dimension == dimension else []
    except (BadInput, OSError, ValueError):
        return []


def _write_keywords(
    folder: Path, distinct: Strings, told: npt.NDArray[np.int32], dimension: int, advance: Callable[[int], None]
) -> None:
    """`keyword_vectors`: of every term the mean of the vectors of the sentences `told` that have it."""
    known = mapped(folder, "terms")
    keyword, sentence = array("i"), array("i")
    for place in told.tolist():
        hashes = np.array([hash_text(term) for term in set(terms(distinct[place]))], np.uint64)
        found = np.searchsorted(known, hashes)
        found = found[known[np.minimum(found, len(known) - 1)] == hashes] if len(known) else found
        keyword.extend(found.tolist())
        sentence.extend([place] * len(found))
    entries = (np.ones(len(keyword), np.float32), (np.array(keyword, np.int32), np.array(sentence, np.int32)))
    held = sparse.csr_matrix(entries, shape=(len(known), len(distinct)))
    counts = np.maximum(np.diff(held.indptr), 1)[:, None]
    vectors = mapped(folder, "vectors").reshape(-1, dimension)
    with Column(folder, "keyword_vectors", np.float16) as column:
        for begun in range(0, len(known), _TERMS_AT_ONCE):
            part = slice(begun, begun + _TERMS_AT_ONCE)
            column.append((np.asarray(held[part] @ vectors) / counts[part]).astype(np.float16).ravel())
            advance(min(begun + _TERMS_AT_ONCE, len(known)))
