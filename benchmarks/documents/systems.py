"""What is compared: each gives the positions of chunks for a question, best first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from tools.chunk_graph.expansion import best, hard, soft
from tools.chunk_graph.graph import ChunkGraph, Reason
from tools.document_search.channels import Channel, Scored, fused
from tools.document_search.index import DEFAULT

Ranked = npt.NDArray[np.int64]
System = Callable[[Scored, int], Ranked]
"""A question's scores and how many chunks are wanted."""

LIKENESS = Reason.CONTENT | Reason.TITLE | Reason.COLUMNS
NAMED = Reason.NAMES_TITLE | Reason.TITLE_NAMED
EVERY = LIKENESS | NAMED | Reason.SHARED_NAMES | Reason.PARENT


def of_channels(*channels: Channel) -> System:
    def ranked(scored: Scored, k: int) -> Ranked:
        found = [scored.channel(channel) for channel in channels]
        return best(fused(found) if len(found) > 1 else found[0], k)

    return ranked


def softly(graph: ChunkGraph, reasons: Reason) -> System:
    return lambda scored, k: best(soft(scored.hybrid, graph, reasons), k)


def split(graph: ChunkGraph, reasons: Reason) -> System:
    """SAGE as in the paper: half seeds, half neighbours."""
    return lambda scored, k: hard(scored.hybrid, graph, k, reasons)


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
        "soft spread, all edges": softly(graph, EVERY),
        "soft spread, likeness edges": softly(graph, LIKENESS),
        "soft spread, shared names": softly(graph, Reason.SHARED_NAMES),
        "soft spread, name and title edges": softly(graph, NAMED),
    }


def ablations(channels: Sequence[Channel] = DEFAULT) -> dict[str, System]:
    """The default, each of its channels alone, and it without each."""
    found = {f"default: {' + '.join(channels)}": of_channels(*channels)}
    for channel in channels:
        found[f"{channel} alone"] = of_channels(channel)
    for channel in channels:
        found[f"default without {channel}"] = of_channels(*(each for each in channels if each != channel))
    return found
