"""KET-RAG's keyword channel: a text-keyword bipartite graph that stands for a knowledge graph (sections 5.1 and 5.2).

Its nodes are the terms of all chunks (keywords) and the sub-chunks that have them. A keyword's vector is the mean of
the vectors of the sentences that have it, not normalised: a word of many contexts has a short one and stays behind. A
question takes the nearest keywords until the sub-chunks that have them hold CANDIDATES times what is asked for, and of
those sub-chunks the nearest.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import Column, StringColumns, mapped
from clew.tools.arrays.index_files import Advance, IndexFiles, Stage, silent
from clew.tools.arrays.strings import Strings, hash_text
from clew.tools.documents.chunk import Chunk, Chunks, searched_text
from clew.tools.documents.keyword_graph.splitting import sub_chunks
from clew.tools.embedding import Embedder
from clew.tools.embedding.text_vectors import TextVectors, VectorManifest, distinct_texts, vectors_of
from clew.tools.embedding.token_budget import counter
from clew.tools.text_search.bm25 import Postings, PostingsWriter
from clew.tools.text_search.sentences import sentences
from clew.tools.text_search.words import terms

if TYPE_CHECKING:
    from scipy import sparse

CANDIDATES = 2
"""As much text as this times what is asked for is considered (KET-RAG, Algorithm 4, line 2)."""
_VECTORS = "texts"
_TERMS_AT_ONCE = 4096

Vectors = npt.NDArray[np.float32]
Positions = npt.NDArray[np.int64]

FILES = IndexFiles(VectorManifest, "keywords", "keyword index", 3)


@dataclass(frozen=True, slots=True)
class Passage:
    """A sub-chunk that a question found."""

    text: str
    chunk: int
    """The number of its chunk, in the order in which the chunks were given."""
    part: int
    """Its number among the sub-chunks of its chunk, from 1; 0 for a whole chunk."""
    cosine: float

    def of(self, chunk: Chunk) -> Chunk:
        """The sub-chunk as a chunk, with "#" and the number of the part after the id of its own."""
        return replace(chunk, id=f"{chunk.id}#{self.part}", text=self.text) if self.part else chunk


@dataclass(frozen=True, slots=True)
class KeywordIndex:
    """s sub-chunks, t terms; memory-mapped."""

    manifest: VectorManifest
    texts: Strings
    chunks: npt.NDArray[np.int32]
    """The chunk of each sub-chunk, ascending: shape (s,)."""
    tokens: npt.NDArray[np.int32]
    vectors: Vectors
    """Of the sub-chunks, rows of length 1: shape (s, d)."""
    postings: Postings
    keyword_vectors: npt.NDArray[np.float16]
    """Of the terms in the order of the postings: shape (t, d)."""

    @classmethod
    def build(
        cls,
        chunks: Chunks,
        directory: Path,
        version: str,
        embedder: Embedder,
        stage: Stage = silent,
        splits: int = 0,
    ) -> KeywordIndex:
        """The index of `chunks` in `directory`; one of the same version and `splits` is opened as it is.

        Args:
            chunks: In their order, which gives them their numbers.
            directory: Of this index alone.
            version: Identifies the chunks.
            embedder: For the sub-chunks and the sentences.
            stage: Shows progress.
            splits: How often each chunk is halved (τ).
        """
        return FILES.open_or_build(
            directory,
            keyword_version(version, splits),
            lambda: cls.open(directory, embedder),
            lambda folder: _fill(chunks, splits, directory, folder, embedder, stage),
        )

    @classmethod
    def open(cls, directory: Path, embedder: Embedder) -> KeywordIndex:
        """Raises BadInput if there is none, a damaged one, or one of another embedding model."""

        def load(manifest: VectorManifest, folder: Path) -> KeywordIndex:
            manifest.check_embedder(embedder)
            return cls(
                manifest,
                Strings.load(folder, "texts"),
                mapped(folder, "chunks"),
                mapped(folder, "tokens"),
                vectors_of(folder, _VECTORS, manifest.dimension)[mapped(folder, "passage_rows")],
                Postings.open(folder),
                mapped(folder, "keyword_vectors").reshape(-1, max(1, manifest.dimension)),
            )

        return FILES.open(directory, load)

    @property
    def version(self) -> str:
        """That of the chunks, and the number of splits."""
        return self.manifest.version

    @property
    def splits(self) -> int:
        """How often each chunk is halved (τ)."""
        return int(self.version.rpartition(" ")[2])

    def nearest(self, vector: Vectors, max_tokens: int) -> list[Passage]:
        """The sub-chunks for a question's vector that fit into `max_tokens` together, nearest first; none is cut, and
        the first that does not fit ends the list."""
        return self._nearest(vector, max_tokens, self.tokens)

    def best(self, vector: Vectors, k: int) -> list[Passage]:
        """The `k` sub-chunks for a question's vector, nearest first."""
        return self._nearest(vector, k, np.ones(len(self.chunks), np.int32))

    def parts(self, chunk: int) -> list[Passage]:
        """The sub-chunks of a chunk, in their order; their cosine is 0."""
        first, last = np.searchsorted(self.chunks, [chunk, chunk + 1]).tolist()
        return [self._passage(place, 0.0) for place in range(first, last)]

    def _nearest(self, vector: Vectors, most: int, sizes: npt.NDArray[np.int32]) -> list[Passage]:
        candidates = self._candidates(vector, CANDIDATES * most, sizes)
        cosines = self.vectors[candidates] @ vector
        order = np.argsort(-cosines, kind="stable")
        order = order[: int(np.searchsorted(np.cumsum(sizes[candidates[order]]), most, side="right"))]
        pairs = zip(candidates[order].tolist(), cosines[order].tolist(), strict=True)
        return [self._passage(place, round(float(cosine), 6)) for place, cosine in pairs]

    def _passage(self, place: int, cosine: float) -> Passage:
        chunk = int(self.chunks[place])
        first, last = np.searchsorted(self.chunks, [chunk, chunk + 1]).tolist()
        part = place - first + 1 if last - first > 1 else 0
        return Passage(self.texts[place], chunk, part, cosine)

    def _candidates(self, vector: Vectors, wanted: int, sizes: npt.NDArray[np.int32]) -> Positions:
        """The sub-chunks of the nearest keywords, of each keyword the nearest first, until their sizes reach what is
        wanted."""
        likeness = self.keyword_vectors @ vector.astype(np.float16)
        seen = np.zeros(len(self.chunks), bool)
        held = 0
        for term in np.argsort(-likeness, kind="stable").tolist():
            if held >= wanted:
                break
            has = self.postings.chunks[self.postings.starts[term] : self.postings.starts[term + 1]]
            new = has[~seen[has]]
            new = new[np.argsort(-(self.vectors[new] @ vector), kind="stable")]
            total = held + np.cumsum(sizes[new])
            new = new[: int(np.searchsorted(total, wanted)) + 1]
            seen[new] = True
            held += int(sizes[new].sum())
        return np.flatnonzero(seen)


def keyword_version(of_chunks: str, splits: int) -> str:
    """The version of an index of these chunks, halved as often."""
    return f"{of_chunks} {splits}"


def _fill(
    chunks: Chunks, splits: int, directory: Path, folder: Path, embedder: Embedder, stage: Stage
) -> dict[str, Any]:
    with stage("Reading sentences", "chunks", len(chunks)) as advance:
        said, passages = _read(chunks, splits, folder, advance)
    rows, distinct, first = distinct_texts(np.array([hash_text(text) for text in said], np.uint64))
    is_passage = np.zeros(len(said), bool)
    is_passage[passages] = True
    np.save(folder / "passage_rows.npy", rows[is_passage])
    texts = [said[place] for place in first.tolist()]
    vectors = TextVectors(FILES, directory, [_VECTORS], embedder)
    vectors.embed("Embedding sentences", distinct, texts.__getitem__, stage)
    vectors.write(folder, _VECTORS, distinct)
    with stage("Embedding keywords", "keywords", None) as advance:
        _write_keywords(folder, texts, np.unique(rows[~is_passage]), embedder.dimension, advance)
    return {"dimension": embedder.dimension, "embedder": embedder.name}


def _read(chunks: Chunks, splits: int, folder: Path, advance: Advance) -> tuple[list[str], list[int]]:
    """Write the sub-chunks and their postings. What is embedded of each chunk: its sub-chunks and its sentences; and
    the places of the sub-chunks among them."""
    count = counter()
    said: list[str] = []
    passages: list[int] = []
    with (
        StringColumns(folder, "texts") as texts,
        Column(folder, "chunks", np.int32) as owners,
        Column(folder, "tokens", np.int32) as tokens,
        PostingsWriter(folder) as postings,
    ):
        for number in range(len(chunks)):
            chunk = chunks[number]
            parts = [chunk.text[first:last] for first, last in sub_chunks(chunk, splits)] if splits else [chunk.text]
            parts = [part for part in parts if part.strip()]
            searched = [searched_text(replace(chunk, text=part)) for part in parts]
            passages.extend(range(len(said), len(said) + len(parts)))
            said += searched
            texts.append(parts)
            owners.append(np.full(len(parts), number, np.int32))
            tokens.append(np.array([count(part) for part in parts], np.int32))
            postings.add([terms(text) for text in searched])
            said += _sentences(chunk)
            advance(number + 1)
    return said, passages


def _sentences(chunk: Chunk) -> list[str]:
    """The sentences of a chunk, and its title."""
    found = [chunk.text[first:last] for first, last in sentences(chunk.text)]
    return [*found, chunk.title] if chunk.title else found


def _write_keywords(
    folder: Path, texts: Sequence[str], of_sentences: npt.NDArray[np.int32], dimension: int, advance: Advance
) -> None:
    """`keyword_vectors`: of every term the mean of the vectors of the sentences that have it."""
    known = mapped(folder, "terms")
    held = _incidence(known, texts, of_sentences)
    counts = np.maximum(np.diff(held.indptr), 1)[:, None]
    vectors = vectors_of(folder, _VECTORS, dimension)
    with Column(folder, "keyword_vectors", np.float16) as column:
        for begun in range(0, len(known), _TERMS_AT_ONCE):
            part = slice(begun, begun + _TERMS_AT_ONCE)
            column.append((np.asarray(held[part] @ vectors) / counts[part]).astype(np.float16).ravel())
            advance(min(begun + _TERMS_AT_ONCE, len(known)))


def _incidence(
    known: npt.NDArray[np.uint64], texts: Sequence[str], of_sentences: npt.NDArray[np.int32]
) -> sparse.csr_matrix:
    """Keywords by texts, 1 where a sentence has the keyword."""
    from scipy import sparse  # takes half a second, and only builds need it

    keyword, sentence = array("i"), array("i")
    for place in of_sentences.tolist():
        hashes = np.array([hash_text(term) for term in set(terms(texts[place]))], np.uint64)
        found = np.searchsorted(known, hashes)
        found = found[known[np.minimum(found, len(known) - 1)] == hashes] if len(known) else found[:0]
        keyword.extend(found.tolist())
        sentence.extend([place] * len(found))
    entries = (np.ones(len(keyword), np.float32), (np.array(keyword, np.int32), np.array(sentence, np.int32)))
    return sparse.csr_matrix(entries, shape=(len(known), len(texts)))
