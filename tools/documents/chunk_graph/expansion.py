"""From the chunks found to those that hang on them: SAGE's hard split, and the soft spread.

The hard split shows k seeds and the k' of their neighbours that fit the question best (SAGE, section 2.2 B). The soft
spread lets a neighbour of a good seed rise among all others instead.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from clew.tools.documents.chunk_graph.graph import ChunkGraph, Reason

SPREAD, SPREADING = 0.4, 5
"""Of the score of the best adjacent seed, what a chunk gets; and the seeds that give."""
SEED_SHARE = 0.5
"""Of the places of a hard split, those for seeds."""

Scores = npt.NDArray[np.float32]


def soft(
    scores: Scores, graph: ChunkGraph, reasons: Reason | None = None, *, share: float = SPREAD, seeds: int = SPREADING
) -> Scores:
    """score(v) + share · max(score of the best `seeds` chunks that v hangs on), of every chunk: shape (n,)."""
    gift = np.zeros(len(scores), np.float32)
    for seed in best(scores, seeds).tolist():
        around = graph.around(seed, reasons)
        gift[around] = np.maximum(gift[around], scores[seed])
    return scores + np.float32(share) * gift


def hard(scores: Scores, graph: ChunkGraph, k: int, reasons: Reason | None = None) -> npt.NDArray[np.int64]:
    """The k chunks of the hard split: the best SEED_SHARE of k, then the best of what hangs on them."""
    seeds = best(scores, max(1, round(k * SEED_SHARE)))
    around = [graph.around(seed, reasons) for seed in seeds.tolist()]
    more = np.setdiff1d(np.unique(np.concatenate(around)) if around else np.zeros(0, np.int32), seeds)
    chosen = more[np.argsort(-scores[more], kind="stable")[: k - len(seeds)]]
    return np.concatenate([seeds, chosen.astype(np.int64)])


def best(scores: Scores, k: int) -> npt.NDArray[np.int64]:
    """The positions of the k greatest scores above 0, greatest first, of equal ones the first."""
    if k < len(scores):
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        places = np.flatnonzero(scores >= least)
    else:
        places = np.arange(len(scores))
    places = places[np.argsort(-scores[places], kind="stable")[:k]]
    return places[scores[places] > 0]
