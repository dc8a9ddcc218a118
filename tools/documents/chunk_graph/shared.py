"""Chunks that share names: the more they share, and the rarer it is, the stronger the edge (SAGE's entity overlap)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from clew.tools.documents.keyword_graph.graph import KeywordGraph
from clew.tools.embedding.exact import BLOCK, DEGREE, PERCENTILE, Pairs

if TYPE_CHECKING:
    from scipy import sparse

_SAMPLED_CHUNKS = 512


def sharing(graph: KeywordGraph) -> Iterator[Pairs]:
    """For each chunk the up to DEGREE others whose shared names weigh most, where that reaches the PERCENTILE of what
    chunks that share one do. The strength is the shared names' weights together."""
    names = _names(graph)
    count = names.shape[0]
    sampled = np.unique(np.linspace(0, max(0, count - 1), min(count, _SAMPLED_CHUNKS)).astype(np.int64))
    strengths = _product(names, sampled).data
    if not len(strengths):
        return
    least = float(np.percentile(strengths, PERCENTILE))
    for begun in range(0, count, BLOCK):
        found = _product(names, np.arange(begun, min(begun + BLOCK, count)))
        rows = np.repeat(np.arange(found.shape[0], dtype=np.int32), np.diff(found.indptr))
        kept = np.flatnonzero(found.data >= least * (1 - 1e-6))
        order = kept[np.lexsort((found.indices[kept], -found.data[kept], rows[kept]))]
        place = np.arange(len(order)) - np.searchsorted(rows[order], rows[order])
        order = order[place < DEGREE]
        yield Pairs(rows[order] + np.int32(begun), found.indices[order].astype(np.int32), found.data[order])


def _names(graph: KeywordGraph) -> sparse.csr_matrix:
    """The matrix of chunks by names, with the square roots of the names' weights."""
    from scipy import sparse  # takes half a second, and only builds need it

    end = int(graph.starts[len(graph.names)])
    weights = np.repeat(np.sqrt(graph.weights[: len(graph.names)]), np.diff(graph.starts[: len(graph.names) + 1]))
    shape = (len(graph.names), len(graph.chunk_starts) - 1)
    by_name = sparse.csr_matrix((weights, graph.chunks[:end], graph.starts[: len(graph.names) + 1]), shape=shape)
    return by_name.T.tocsr()


def _product(names: sparse.csr_matrix, rows: npt.NDArray[np.int64]) -> sparse.csr_matrix:
    """The weights that each row shares with every other chunk."""
    found = (names[rows] @ names.T).tocsr()
    own = np.repeat(rows, np.diff(found.indptr)) == found.indices
    found.data[own] = 0
    found.eliminate_zeros()
    return found
