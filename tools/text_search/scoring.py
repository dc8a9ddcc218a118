"""How well nodes and chunks fit a query: BM25 and cosines, mixed 0.6 to 0.4 (SAGE, appendix E).

BM25 is divided by the pool's greatest score. Cosines are stretched so that the pool's least is 0 and its greatest 1; a
node without a vector has 0 there. For a query that describes a node, BM25 is divided by its least upper bound for the
query's words instead (theoretical normalisation: Bruch et al. 2023), so that a chance word in common weighs little.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clew.tools.embedding import Vectors
from clew.tools.text_search import bm25
from clew.tools.text_search.arrays import Places, TextArrays

BM25_WEIGHT, DENSE_WEIGHT = 0.6, 0.4

Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Query:
    """A search query."""

    terms: list[str]
    vectors: Vectors | None
    """Of its f parts: shape (f, d); None if nothing was embedded."""
    among: bm25.Mask | None = None
    """The chunks to search: shape (c,); None for all."""
    bound: float | None = None
    """The least upper bound of BM25, for a description."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Nodes with their scores."""

    nodes: Places
    bm25: Scores
    cosines: Scores
    """NaN for nodes without a vector."""
    bound: float | None = None
    """The divisor of BM25; None for the pool's greatest score."""

    def mixed(self) -> Scores:
        """0.6 BM25 + 0.4 cosine, each normalised."""
        mixed = np.zeros(len(self.nodes), np.float32)
        if (most := self.bound or float(self.bm25.max(initial=0.0))) > 0:
            mixed += BM25_WEIGHT * self.bm25 / most
        known = ~np.isnan(self.cosines)
        if known.any():
            cosines = self.cosines[known]
            least, greatest = float(cosines.min()), float(cosines.max())
            spread = (cosines - least) / (greatest - least) if greatest > least else np.ones_like(cosines)
            mixed[known] += DENSE_WEIGHT * spread
        return np.minimum(mixed, 1.0)


def pool_of(arrays: TextArrays, nodes: Places, by_words: Scores, query: Query) -> Pool:
    """These nodes, ascending, as a pool. `by_words` has the BM25 of every node."""
    return Pool(nodes, by_words[nodes], node_cosines(arrays, nodes, query), query.bound)


def node_cosines(arrays: TextArrays, nodes: Places, query: Query) -> Scores:
    """How near each node is to the query's parts on average, by its nearest sentence to each: shape (len(nodes),), NaN
    without a vector. `nodes` are ascending."""
    found = np.full(len(nodes), np.nan, np.float32)
    if query.vectors is None or not len(nodes):
        return found
    chunks = bm25.ranges(arrays.node_starts, nodes)
    counted = arrays.chunk_rows[chunks] >= 0
    if query.among is not None:
        counted &= query.among[chunks]
    chunks = chunks[counted]
    if len(chunks):
        owners, first = np.unique(arrays.chunk_nodes[chunks], return_index=True)
        near = bm25.cosines(arrays.vectors, arrays.chunk_rows[chunks], query.vectors)
        found[np.searchsorted(nodes, owners)] = np.maximum.reduceat(near, first, axis=0).mean(axis=1)
    return found


def chunk_scores(arrays: TextArrays, chunks: Places, query: Query) -> Scores:
    """How well chunks of one node fit, relative to each other: shape (len(chunks),)."""
    by_words = arrays.postings.of_chunks(query.terms, chunks)
    scores = BM25_WEIGHT * by_words / max(float(by_words.max(initial=0.0)), 1e-9)
    known = np.flatnonzero(arrays.chunk_rows[chunks] >= 0)
    if query.vectors is not None and len(known):
        near = bm25.cosines(arrays.vectors, arrays.chunk_rows[chunks[known]], query.vectors)
        scores[known] += DENSE_WEIGHT * near.max(axis=1)
    return scores


def greatest(scores: Scores, size: int) -> npt.NDArray[np.intp]:
    """The places of the `size` greatest scores, ascending; of equal ones the first."""
    if len(scores) <= size:
        return np.arange(len(scores))
    least = np.partition(scores, len(scores) - size)[len(scores) - size]
    above = np.flatnonzero(scores > least)
    return np.sort(np.concatenate([above, np.flatnonzero(scores == least)[: size - len(above)]]))
