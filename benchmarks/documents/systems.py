"""What is compared: each gives the positions of chunks for a question, best first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from clew.tools.documents.chunk_graph.expansion import EVERY, hard_split
from clew.tools.documents.chunk_graph.graph import LIKENESS, ChunkGraph, Reason, best, soft
from clew.tools.documents.index.channels import Channel, Scored, Scores
from clew.tools.documents.index.index import DEFAULT
from clew.tools.documents.search_options import SearchOptions

Ranked = npt.NDArray[np.int64]
System = Callable[[Scored, int], Ranked]
"""A question's scores and how many chunks are wanted."""

NAMED = Reason.NAMES_TITLE | Reason.TITLE_NAMED


def of_channels(*channels: Channel) -> System:
    return lambda scored, k: best(scored.joined(channels), k)


def by_ranks(*channels: Channel) -> System:
    """Reciprocal-rank fusion instead of sums."""
    return lambda scored, k: best(fused([scored.channel(channel) for channel in channels]), k)


def fused(rankings: Sequence[Scores], k: int = 60) -> Scores:
    """Reciprocal-rank fusion (Cormack et al. 2009): the sum of 1 / (k + rank), ranks from 1, of equal scores in the
    order of the chunks; a score of 0 has no rank. Shape (n,)."""
    found = np.zeros(len(rankings[0]), np.float32)
    for scores in rankings:
        order = np.argsort(-scores, kind="stable")
        order = order[scores[order] > 0]
        found[order] += np.float32(1) / (np.float32(k) + np.arange(1, len(order) + 1, dtype=np.float32))
    return found


def softly(graph: ChunkGraph, reasons: Reason) -> System:
    return lambda scored, k: best(soft(scored.hybrid, graph, reasons), k)


def split(graph: ChunkGraph, reasons: Reason, channels: Sequence[Channel] = ("hybrid",)) -> System:
    """SAGE as in the paper: half seeds, half neighbours."""

    def found(scored: Scored, k: int) -> Ranked:
        seeds, more = SearchOptions().shared(k)
        return np.concatenate(hard_split(scored.joined(channels), graph, seeds, more, reasons))

    return found


BASELINES: dict[str, System] = {
    "BM25": of_channels("lexical"),
    "dense": of_channels("dense"),
    "hybrid 0.6 / 0.4": of_channels("hybrid"),
}


def sage(graph: ChunkGraph) -> dict[str, System]:
    """The chunk graph, by the edges that are followed."""
    return {
        "SAGE hard split, all edges": split(graph, EVERY),
        "SAGE hard split, name and title edges": split(graph, NAMED),
        "hard split of the default, name and title edges": split(graph, NAMED, DEFAULT),
        "soft spread, all edges": softly(graph, EVERY),
        "soft spread, likeness edges": softly(graph, LIKENESS),
        "soft spread, shared names": softly(graph, Reason.SHARED_NAMES),
        "soft spread, name and title edges": softly(graph, NAMED),
        "soft spread, name and title edges of tables": softly(graph, Reason.CELL),
    }


def ablations(channels: Sequence[Channel] = DEFAULT) -> dict[str, System]:
    """The default, each of its channels alone, and it without each."""
    found = {f"default: {' + '.join(channels)}": of_channels(*channels)}
    for channel in channels:
        found[f"{channel} alone"] = of_channels(channel)
    for channel in channels:
        found[f"default without {channel}"] = of_channels(*(each for each in channels if each != channel))
    found["two-hop + walk by reciprocal ranks"] = by_ranks("two-hop", "walk")
    found["dense + two-hop + walk by reciprocal ranks"] = by_ranks("dense", "two-hop", "walk")
    return found
