"""The retrieval strategies, one a file: each turns a reading of the question into attempts and evidence.

In: the question with its linked entities (`StrategyInput`), and the run's context.
Out: attempts (queries with their answers) and evidence (triplets), which `gather` merges.
To add one, write a module here with a `STRATEGY` and name it in `STRATEGIES`; everything else derives from that.
"""

STRATEGIES = (
    "cypher",
    "paths",
    "triplets",
    "rerank",
    "pattern",
    "traversal",
    "hybrid",
    "plan",
    "aggregate",
    "documents",
)
"""Modules of this package, each named like its strategy, in the order in which strategies are sent out."""
