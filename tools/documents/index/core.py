"""The core chunks of an index: the few that stand for the rest, which a model reads (KET-RAG, section 5.1)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from clew.tools.documents.index.index import DocumentIndex
from clew.tools.documents.keyword_graph.core import core_chunks, knn_graph, pagerank
from clew.tools.errors import BadInput

BETA = 0.2
"""The share of the chunks that is core, where nobody says."""


def core(index: DocumentIndex, beta: float = BETA) -> npt.NDArray[np.int64]:
    """The positions of the share `beta` of the chunks that rank highest in the nearest-neighbour graph by PageRank, the
    highest first. Raises BadInput for what is no share."""
    if not 0 <= beta <= 1:
        raise BadInput(f"A share of {beta:g} of the chunks cannot be.", "β is a number from 0 to 1.")
    sources = index.sources
    ranks = pagerank(knn_graph(sources.keywords, sources.vectors[sources.rows]))
    chosen = core_chunks(ranks, beta)
    found: npt.NDArray[np.int64] = chosen[np.argsort(-ranks[chosen], kind="stable")]
    return found
