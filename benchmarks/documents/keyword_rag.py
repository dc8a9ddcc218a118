"""Keyword-RAG: keywords stand for entities, and the texts that have them for what is known of those (KET-RAG, 5.2).

The baseline that the skeleton is compared with. Every term of the texts is a keyword. Its vector is the mean of the
vectors of the sentences that have it, not normalised: a word of many contexts has a short one and stays behind. A
question takes the nearest keywords until the texts that have them hold CANDIDATES times the tokens that are asked for,
and of those texts the nearest.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from clew.tools.arrays.columns import Column, StringColumns, mapped
from clew.tools.arrays.index_files import Advance, IndexFiles, Stage, silent
from clew.tools.arrays.strings import Strings, hash_text
from clew.tools.documents.chunk import Chunk
from clew.tools.embedding import Embedder
from clew.tools.embedding.text_vectors import TextVectors, VectorManifest, distinct_texts, vectors_of
from clew.tools.embedding.token_budget import counter
from clew.tools.text_search.bm25 import Postings, PostingsWriter
from clew.tools.text_search.sentences import sentences
from clew.tools.text_search.words import terms

CANDIDATES = 2
"""As much text as this times what is asked for is considered."""
_VECTORS = "texts"
_TERMS_AT_ONCE = 4096

Vectors = npt.NDArray[np.float32]
Positions = npt.NDArray[np.int64]

FILES = IndexFiles(VectorManifest, "keywords", "keyword index", 2)


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that a question found."""

    text: str
    chunk: int
    """The number of its chunk, in the order in which the chunks were given."""
    cosine: float
    tokens: int


@dataclass(frozen=True, slots=True)
class KeywordIndex:
    """s passages (the chunks that are not empty), t terms; memory-mapped."""

    manifest: VectorManifest
    texts: Strings
    chunks: npt.NDArray[np.int32]
    """Of each passage its chunk: shape (s,)."""
    tokens: npt.NDArray[np.int32]
    vectors: Vectors
    """Of the passages, rows of length 1: shape (s, d)."""
    postings: Postings
    keyword_vectors: npt.NDArray[np.float16]
    """Of the terms in the order of the postings: shape (t, d)."""

    @classmethod
    def build(
        cls, chunks: Iterable[Chunk], directory: Path, version: str, embedder: Embedder, stage: Stage = silent
    ) -> KeywordIndex:
        """The index of `chunks` in `directory`; one of the same version is opened as it is."""
        return FILES.open_or_build(
            directory,
            version,
            lambda: cls.open(directory),
            lambda folder: _fill(chunks, directory, folder, embedder, stage),
        )

    @classmethod
    def open(cls, directory: Path) -> KeywordIndex:
        """Raises BadInput if there is none, or a damaged one."""

        def load(manifest: VectorManifest, folder: Path) -> KeywordIndex:
            return cls(
                manifest,
                Strings.load(folder, "texts"),
                mapped(folder, "chunks"),
                mapped(folder, "tokens"),
                vectors_of(folder, _VECTORS, manifest.dimension)[mapped(folder, "passage_rows")],
                Postings.open(folder),
                mapped(folder, "keyword_vectors").reshape(-1, manifest.dimension),
            )

        return FILES.open(directory, load)

    @property
    def version(self) -> str:
        return self.manifest.version

    def nearest(self, vector: Vectors, max_tokens: int) -> list[Passage]:
        """The passages for a question's vector that fit into `max_tokens` together, nearest first."""
        candidates = self._candidates(vector, CANDIDATES * max_tokens)
        cosines = self.vectors[candidates] @ vector
        order = np.argsort(-cosines, kind="stable")
        used = np.cumsum(self.tokens[candidates[order]])
        order = order[: int(np.searchsorted(used, max_tokens, side="right"))]
        return [
            Passage(self.texts[place], int(self.chunks[place]), round(float(cosine), 6), int(self.tokens[place]))
            for place, cosine in zip(candidates[order].tolist(), cosines[order].tolist(), strict=True)
        ]

    def _candidates(self, vector: Vectors, tokens: int) -> Positions:
        """The passages of the nearest keywords, of each the nearest first, until they hold as many tokens."""
        likeness = self.keyword_vectors @ vector.astype(np.float16)
        seen = np.zeros(len(self.chunks), bool)
        held = 0
        for term in np.argsort(-likeness, kind="stable").tolist():
            has = self.postings.chunks[self.postings.starts[term] : self.postings.starts[term + 1]]
            new = has[~seen[has]]
            new = new[np.argsort(-(self.vectors[new] @ vector), kind="stable")]
            total = held + np.cumsum(self.tokens[new])
            new = new[: int(np.searchsorted(total, tokens)) + 1]
            seen[new] = True
            held += int(self.tokens[new].sum())
            if held >= tokens:
                break
        return np.flatnonzero(seen)


def _fill(chunks: Iterable[Chunk], directory: Path, folder: Path, embedder: Embedder, stage: Stage) -> dict[str, Any]:
    with stage("Reading sentences", "chunks", None) as advance:
        said, passages = _read(chunks, folder, advance)
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
    return {"dimension": embedder.dimension}


def _read(chunks: Iterable[Chunk], folder: Path, advance: Advance) -> tuple[list[str], list[int]]:
    """Write the passages and their postings. Each passage and its sentences, and the places of the passages."""
    count = counter()
    said: list[str] = []
    passages: list[int] = []
    with (
        StringColumns(folder, "texts") as texts,
        Column(folder, "chunks", np.int32) as owners,
        Column(folder, "tokens", np.int32) as tokens,
        PostingsWriter(folder) as postings,
    ):
        for number, chunk in enumerate(chunks):
            if chunk.text.strip():
                passages.append(len(said))
                said.append(chunk.text)
                texts.append([chunk.text])
                owners.append(np.array([number], np.int32))
                tokens.append(np.array([count(chunk.text)], np.int32))
                postings.add([terms(chunk.text)])
            said += [chunk.text[first:last] for first, last in sentences(chunk.text)]
            advance(number + 1)
    return said, passages


def _write_keywords(
    folder: Path, texts: list[str], of_sentences: npt.NDArray[np.int32], dimension: int, advance: Advance
) -> None:
    """`keyword_vectors`: of every term the mean of the vectors of the sentences that have it."""
    known = mapped(folder, "terms")
    keyword, sentence = array("i"), array("i")
    for place in of_sentences.tolist():
        hashes = np.array([hash_text(term) for term in set(terms(texts[place]))], np.uint64)
        found = np.searchsorted(known, hashes)
        found = found[known[np.minimum(found, len(known) - 1)] == hashes] if len(known) else found
        keyword.extend(found.tolist())
        sentence.extend([place] * len(found))
    entries = (np.ones(len(keyword), np.float32), (np.array(keyword, np.int32), np.array(sentence, np.int32)))
    held = sparse.csr_matrix(entries, shape=(len(known), len(texts)))
    counts = np.maximum(np.diff(held.indptr), 1)[:, None]
    vectors = vectors_of(folder, _VECTORS, dimension)
    with Column(folder, "keyword_vectors", np.float16) as column:
        for begun in range(0, len(known), _TERMS_AT_ONCE):
            part = slice(begun, begun + _TERMS_AT_ONCE)
            column.append((np.asarray(held[part] @ vectors) / counts[part]).astype(np.float16).ravel())
            advance(min(begun + _TERMS_AT_ONCE, len(known)))
