"""The retrieval strategies, one a file: each turns a reading of the question into attempts and evidence.

In: the question with its linked entities (`StrategyInput`), and the run's context.
Out: attempts (queries with their answers) and evidence (triplets), which `gather` merges.
To add one, write a module here with a `STRATEGY` and name it in `STRATEGIES`; everything else derives from that.
"""

from __future__ import annotations

from collections.abc import Iterable

from clew.tools.errors import BadInput

STRATEGIES = (
    "cypher",
    "paths",
    "triplets",
    "rerank",
    "pattern",
    "traversal",
    "hybrid",
    "plan",
    "read",
    "surroundings",
    "overview",
    "documents",
)
"""Modules of this package, each named like its strategy, in the order in which strategies are sent out."""


def checked_strategies(names: Iterable[str] | None) -> tuple[str, ...] | None:
    """Each name once; None for None. Raises BadInput if one is not a strategy, or none is named."""
    if names is None:
        return None
    given = tuple(dict.fromkeys(names))
    unknown = [name for name in given if name not in STRATEGIES]
    if unknown or not given:
        raise BadInput(f"Unknown strategies: {', '.join(unknown) or 'none'}.", f"There are {', '.join(STRATEGIES)}.")
    return given
