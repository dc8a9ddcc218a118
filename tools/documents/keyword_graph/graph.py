"""The graph of chunks and keywords, and personalised PageRank on it.

Keywords are the names in the chunks, where 2 to MOST_OF_NAME chunks have one, and their other words, where 2 to
WORD_SHARE of all chunks do: rarer ones join nothing, more frequent ones join what has nothing in common. A keyword
weighs its inverse document frequency, a name twice that. A walk goes from a chunk to one of its keywords by their
weights, and from a keyword to any chunk that has it. Source: KET-RAG, sections 4.1 and 5.1 (its text-keyword bipartite
graph); the walk is HippoRAG's idea (Gutierrez et al. 2024), without a model that extracts the names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import Column, mapped
from clew.tools.arrays.compiled import compiled_on_call
from clew.tools.arrays.id_table import HashPositions
from clew.tools.arrays.strings import hash_text
from clew.tools.text_search.bm25 import Postings

MOST_OF_NAME = 200
WORD_SHARE = 0.02
NAME_WEIGHT = 2.0
DAMPING = 0.7
ITERATIONS = 8
LEAST_MASS = 1e-5
"""Minimum score of a node from which the walk continues, which keeps it near its start in a graph of any size.

Of its first twenty chunks, one in three hundred differs from the complete walk.
"""
_CHUNKS_AT_ONCE = 65_536

Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class KeywordGraph:
    """c chunks, k keywords, e edges between them."""

    names: npt.NDArray[np.uint64]
    """Hashes of the folded names that are keywords, ascending; they are the first keywords."""
    words: npt.NDArray[np.uint64]
    """Hashes of the terms that are keywords, ascending."""
    weights: Scores
    """The weight of each keyword: shape (k,)."""
    starts: npt.NDArray[np.int64]
    """The chunks of keyword i are chunks[starts[i] : starts[i + 1]]."""
    chunks: npt.NDArray[np.int32]
    chunk_starts: npt.NDArray[np.int64]
    """The keywords of chunk i are keywords[chunk_starts[i] : chunk_starts[i + 1]]."""
    keywords: npt.NDArray[np.int32]
    totals: Scores
    """The sum of each chunk's keyword weights: shape (c,)."""

    @classmethod
    def open(cls, folder: Path) -> KeywordGraph:
        fields = ("names", "words", "weights", "starts", "chunks", "chunk_starts", "keywords", "totals")
        return cls(*(mapped(folder, f"keyword_{name}") for name in fields))

    def __len__(self) -> int:
        """The number of keywords."""
        return len(self.weights)

    def named(self, folded: Sequence[str]) -> npt.NDArray[np.int64]:
        """The keywords for these names; unknown names are left out."""
        return _found(self.names, folded)

    def worded(self, terms: Sequence[str]) -> npt.NDArray[np.int64]:
        """The keywords for these terms."""
        return _found(self.words, terms) + len(self.names)

    def walk(
        self, seeds: npt.NDArray[np.int64], seed_scores: Scores, asked: npt.NDArray[np.int64],
        *, damping: float = DAMPING, iterations: int = ITERATIONS, least: float = LEAST_MASS,
    ) -> Scores:  # fmt: skip
        """Personalised PageRank of every chunk, shape (c,): half of each restart goes to the chunks `seeds` by their
        scores, half to the keywords `asked` by their weights; all to one of them where the other is empty."""
        chunks = _shares(seeds, seed_scores, len(self.chunk_starts) - 1)
        keywords = _shares(asked, self.weights[asked], len(self))
        if (both := chunks.sum() + keywords.sum()) == 0:
            return chunks.astype(np.float32)
        return _walk(
            self.weights, self.starts, self.chunks, self.chunk_starts, self.keywords, self.totals,
            chunks / both, keywords / both, damping, iterations, least,
        ).astype(np.float32)  # fmt: skip


def write(folder: Path, names: Postings, words: Postings, chunks: int) -> None:
    """Write the graph's arrays. `names` are the postings of folded names, `words` those of terms."""
    kept_names = _within(names, 2, MOST_OF_NAME)
    kept_words = _within(words, 2, max(2, int(WORD_SHARE * chunks)))
    np.save(folder / "keyword_names.npy", names.terms[kept_names])
    np.save(folder / "keyword_words.npy", words.terms[kept_words])
    counts = np.concatenate([np.diff(names.starts)[kept_names], np.diff(words.starts)[kept_words]])
    weights = np.log(1 + (chunks - counts + 0.5) / (counts + 0.5))
    weights[: len(kept_names)] *= NAME_WEIGHT
    np.save(folder / "keyword_weights.npy", weights.astype(np.float32))
    np.save(folder / "keyword_starts.npy", np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]))
    with Column(folder, "keyword_chunks", np.int32) as column:
        for postings, kept in ((names, kept_names), (words, kept_words)):
            for term in kept.tolist():
                column.append(postings.chunks[postings.starts[term] : postings.starts[term + 1]])
    _write_transposed(folder, chunks)


def _write_transposed(folder: Path, chunks: int) -> None:
    """The keywords of every chunk, ascending, some chunks at a time."""
    starts, held = mapped(folder, "keyword_starts"), mapped(folder, "keyword_chunks")
    counts = np.bincount(held, minlength=chunks)
    np.save(folder / "keyword_chunk_starts.npy", np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]))
    owners = np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))
    with Column(folder, "keyword_keywords", np.int32) as column:
        for first in range(0, chunks, _CHUNKS_AT_ONCE):
            part = np.flatnonzero((held >= first) & (held < first + _CHUNKS_AT_ONCE))
            column.append(owners[part[np.argsort(held[part], kind="stable")]])
    totals = np.bincount(held, np.repeat(mapped(folder, "keyword_weights"), np.diff(starts)), minlength=chunks)
    np.save(folder / "keyword_totals.npy", totals.astype(np.float32))


def _within(postings: Postings, least: int, most: int) -> npt.NDArray[np.int64]:
    counts = np.diff(postings.starts)
    return np.flatnonzero((counts >= least) & (counts <= most))


def _found(hashes: npt.NDArray[np.uint64], texts: Sequence[str]) -> npt.NDArray[np.int64]:
    text_hashes = np.array([hash_text(text) for text in dict.fromkeys(texts)], np.uint64)
    places = HashPositions(hashes, ascending=True).of(text_hashes)
    return places[places >= 0]


def _shares(places: npt.NDArray[np.int64], scores: Scores, size: int) -> npt.NDArray[np.float64]:
    """The scores at their places, divided by their sum."""
    shares = np.zeros(size)
    np.add.at(shares, places, np.maximum(scores, 0))
    total = shares.sum()
    return shares / total if total > 0 else shares


@compiled_on_call
def _walk(
    weights: Scores, starts: npt.NDArray[np.int64], chunks: npt.NDArray[np.int32],
    chunk_starts: npt.NDArray[np.int64], keywords: npt.NDArray[np.int32], totals: Scores,
    chunk_restart: npt.NDArray[np.float64], keyword_restart: npt.NDArray[np.float64],
    damping: float, iterations: int, least: float,
) -> npt.NDArray[np.float64]:  # fmt: skip
    """Power iteration from the restart vector; a node without edges returns its score to it."""
    at_chunks, at_keywords = chunk_restart.copy(), keyword_restart.copy()
    for _ in range(iterations):
        stuck = 0.0
        for chunk in range(len(at_chunks)):
            if chunk_starts[chunk] == chunk_starts[chunk + 1]:
                stuck += at_chunks[chunk]
        restart = 1 - damping + damping * stuck
        next_chunks, next_keywords = restart * chunk_restart, restart * keyword_restart
        for chunk in range(len(at_chunks)):
            if at_chunks[chunk] > least:
                first, last = chunk_starts[chunk], chunk_starts[chunk + 1]
                if first < last:
                    passed = damping * at_chunks[chunk] / totals[chunk]
                    for i in range(first, last):
                        next_keywords[keywords[i]] += passed * weights[keywords[i]]
        for keyword in range(len(at_keywords)):
            if at_keywords[keyword] > least:
                first, last = starts[keyword], starts[keyword + 1]
                passed = damping * at_keywords[keyword] / (last - first)
                for i in range(first, last):
                    next_chunks[chunks[i]] += passed
        at_chunks, at_keywords = next_chunks, next_keywords
    return at_chunks
