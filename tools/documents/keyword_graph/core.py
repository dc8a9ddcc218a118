"""Selection of core chunks, which represent the rest (KET-RAG, section 5.1).

Chunks are connected to the K/2 chunks with most shared keywords and the K/2 chunks with the most similar embeddings.
The chunks of highest PageRank in this graph are the core (KET-RAG-P), or chunks that are drawn at random (KET-RAG-U).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.compiled import compiled_on_call
from clew.tools.arrays.strings import hash_text
from clew.tools.documents.keyword_graph.graph import KeywordGraph
from clew.tools.embedding.exact import BLOCK, similar_pairs

if TYPE_CHECKING:
    from scipy import sparse

K = 2
"""Number of neighbours of each chunk; the paper finds no difference up to 10."""
DAMPING = 0.85
_TOLERANCE = 1e-10
_MOST_ITERATIONS = 200

Scores = npt.NDArray[np.float64]
Positions = npt.NDArray[np.int64]


def knn_graph(keywords: KeywordGraph, vectors: npt.NDArray[np.float32], k: int = K) -> sparse.csr_matrix:
    """Chunks by chunks, 1 where one is among the other's nearest; symmetric, without loops. `vectors` has a row of
    length 1 for each chunk."""
    from scipy import sparse  # takes half a second, and only builds need it

    count = len(vectors)
    left, right = [], []
    for pairs in similar_pairs(vectors, vectors, -1.0, max(1, k // 2)):
        left.append(pairs.left)
        right.append(pairs.right)
    incidence = sparse.csr_matrix(
        (np.ones(len(keywords.keywords), np.int32), keywords.keywords, keywords.chunk_starts),
        shape=(count, len(keywords)),
    )
    for begun in range(0, count, BLOCK):
        alike_rows, alike_columns = _most_shared(incidence, begun, max(1, k // 2))
        left.append(alike_rows)
        right.append(alike_columns)
    none = np.zeros(0, np.int32)
    rows, columns = np.concatenate([none, *left, *right]), np.concatenate([none, *right, *left])
    graph = sparse.csr_matrix((np.ones(len(rows), np.int32), (rows, columns)), shape=(count, count))
    graph.data[:] = 1
    return graph


def _most_shared(
    incidence: sparse.csr_matrix, begun: int, k: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """For each chunk of a block, the k others with most shared keywords; of equals, the first."""
    shared = (incidence[begun : begun + BLOCK] @ incidence.T).tocsr()
    rows = np.repeat(np.arange(begun, begun + shared.shape[0], dtype=np.int32), np.diff(shared.indptr))
    other = rows != shared.indices
    rows, columns, counts = rows[other], shared.indices[other], shared.data[other]
    order = np.lexsort((columns, -counts, rows))
    rows, columns = rows[order], columns[order]
    kept = np.arange(len(rows)) - np.searchsorted(rows, rows) < k
    return rows[kept], columns[kept].astype(np.int32)


def pagerank(graph: sparse.csr_matrix, damping: float = DAMPING) -> Scores:
    """PageRank (Page et al. 1999) of the nodes of a symmetric graph with a uniform teleport, shape (n,), sum 1; what a
    node without neighbours holds goes to all."""
    if not graph.shape[0]:
        return np.zeros(0)
    return _pagerank(
        graph.indptr.astype(np.int64), graph.indices.astype(np.int32), damping, _TOLERANCE, _MOST_ITERATIONS
    )


@compiled_on_call
def _pagerank(
    starts: npt.NDArray[np.int64], targets: npt.NDArray[np.int32], damping: float, tolerance: float, most: int
) -> Scores:
    count = len(starts) - 1
    found = np.full(count, 1.0 / count)
    for _ in range(most):
        stuck = 0.0
        following = np.zeros(count)
        for node in range(count):
            first, last = starts[node], starts[node + 1]
            if first == last:
                stuck += found[node]
            for i in range(first, last):
                following[targets[i]] += damping * found[node] / (last - first)
        following += (1 - damping + damping * stuck) / count
        moved = np.abs(following - found).sum()
        found = following
        if moved < tolerance:
            break
    return found


def random_ranks(ids: Iterable[str]) -> Scores:
    """A number from 0 to 1 for each id, as if drawn at random, and always the same for the same id: shape (n,).

    So the core of a greater budget has that of a smaller one in it, and added chunks change the ranks of no other.
    """
    drawn = np.array([hash_text(id) for id in ids], np.uint64)
    return drawn / np.float64(2**64)


def core_chunks(ranks: Scores, budget: float) -> Positions:
    """The `budget` share of the chunks that rank highest, the highest first; of equals the first."""
    size = min(len(ranks), max(0, round(len(ranks) * budget)))
    return np.argsort(-ranks, kind="stable")[:size].astype(np.int64)
