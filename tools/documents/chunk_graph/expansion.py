"""SAGE's expansion of a search: k seeds, and the k' of their neighbours that fit the question best (section 2.2 B).

Which kinds of edges are followed is a choice: of similar contents, topics, titles or columns, of shared names, from a
name to the document with that title, or to the next part of a document.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clew.tools.documents.chunk_graph.graph import ChunkGraph, Reason, Scores, best
from clew.tools.documents.search_options import EdgeKind, check_edges

_REASONS: dict[EdgeKind, Reason] = {
    "content": Reason.CONTENT,
    "topic": Reason.TOPIC,
    "title": Reason.TITLE,
    "column": Reason.COLUMNS,
    "names": Reason.SHARED_NAMES,
    "links": Reason.NAMES_TITLE | Reason.TITLE_NAMED,
    "parent": Reason.PARENT,
}


class Split(NamedTuple):
    """The chunks of a hard split, as positions."""

    seeds: npt.NDArray[np.int64]
    """The best chunks, best first: shape (up to k,)."""
    neighbours: npt.NDArray[np.int64]
    """Of the chunks beside the seeds, the best, best first: shape (up to k',)."""


def reasons_of(kinds: Iterable[EdgeKind]) -> Reason:
    """The reasons of edges of these kinds. Raises BadInput for an unknown kind."""
    wanted = list(kinds)
    check_edges(wanted)
    return reduce(or_, (_REASONS[kind] for kind in wanted), Reason(0))


def hard_split(scores: Scores, graph: ChunkGraph, k: int, k_more: int, reasons: Reason) -> Split:
    """The k chunks of the greatest scores, and the `k_more` best chunks with an edge to one of them.

    Args:
        scores: Of every chunk for a question, not negative; 0 for what does not fit at all.
        graph: Of the same chunks.
        k: The number of seeds.
        k_more: The number of neighbours (k').
        reasons: Edges for any of these are followed.

    Returns:
        Seeds and neighbours; no chunk is both. There are fewer of each where there are no more.
    """
    seeds = best(scores, k)
    if not reasons or k_more <= 0 or not len(seeds):
        return Split(seeds, np.zeros(0, np.int64))
    around = np.unique(np.concatenate([graph.around(seed, reasons) for seed in seeds.tolist()]))
    others = np.setdiff1d(around, seeds).astype(np.int64)
    return Split(seeds, others[np.argsort(-scores[others], kind="stable")[:k_more]])
