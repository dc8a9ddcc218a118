"""What is compared: each gives the positions of chunks for a question, best first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from clew.tools.documents.chunk_graph.expansion import hard_split, reasons_of
from clew.tools.documents.chunk_graph.graph import LIKENESS, ChunkGraph, Reason, best, soft
from clew.tools.documents.index.channels import (
    RANK_CONSTANT,
    SPREADING,
    WEIGHTS,
    Channel,
    Scored,
    reciprocal_ranks,
    stretched,
)
from clew.tools.documents.index.index import DEFAULT
from clew.tools.documents.search_options import EDGE_KINDS, SearchOptions

Ranked = npt.NDArray[np.int64]
System = Callable[[Scored, int], Ranked]
"""A question's scores and how many chunks are wanted."""

NAMED = Reason.NAMES_TITLE | Reason.TITLE_NAMED


def of_channels(*channels: Channel) -> System:
    return lambda scored, k: best(scored.joined(channels), k)


def by_sums(*channels: Channel) -> System:
    """Sums of scores alone, then the spread."""

    def found(scored: Scored, k: int) -> Ranked:
        parts = [np.float32(WEIGHTS[name]) * stretched(scored.channel(name)) for name in channels]
        return best(soft(stretched(np.sum(parts, axis=0)), scored.graph, SPREADING), k)

    return found


def by_ranks(*channels: Channel) -> System:
    """Reciprocal ranks alone (Cormack et al. 2009), then the spread."""

    def found(scored: Scored, k: int) -> Ranked:
        ranks = reciprocal_ranks([scored.channel(name) for name in channels], RANK_CONSTANT)
        return best(soft(stretched(ranks), scored.graph, SPREADING), k)

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
        "SAGE hard split, all edges": split(graph, reasons_of(EDGE_KINDS)),
        "SAGE hard split, name and title edges": split(graph, NAMED),
        "hard split of the default, name and title edges": split(graph, NAMED, DEFAULT),
        "soft spread, all edges": softly(graph, reasons_of(EDGE_KINDS)),
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
    joined: tuple[Channel, ...] = ("second-question", "two-hop", "walk")
    found["default with dense for second-question"] = of_channels("dense", "two-hop", "walk", "spread")
    found["default by sums"] = by_sums(*joined)
    found["default by reciprocal ranks"] = by_ranks(*joined)
    return found
