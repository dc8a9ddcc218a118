"""Following chains of relations: a chain as an attempt with all its answers, and the triplets along it."""

from __future__ import annotations

from collections.abc import Sequence

from clew.agents.evidence import Attempt, Evidence
from clew.graphs.context import Context
from clew.graphs.state import StrategyInput, merge_evidence
from clew.graphs.strategies.running import run_all, told_by
from clew.tools.graph.entity import Entity
from clew.tools.queries.space.query import Chain, Hop, Query
from clew.tools.queries.space.words import words

_ANSWERS_SUPPORTED = 10
_TRIPLETS = 20


def follow(
    queries: Sequence[Query], rank: int, confidence: float, state: StrategyInput, context: Context, rows: int | None
) -> Attempt:
    """One query, or the same for every member of a group, as an attempt; rows that several members share are added
    up. `rows` are those of one query at most, None for the run's own limit."""
    found = run_all(queries, context, rows=rows, at_least_one=True)
    several = len(queries) > 1
    return {
        "strategy": "paths",
        "iteration": state["iteration"],
        "rank": rank,
        "words": words(queries[0]),
        "cypher": found.cypher,
        "parameters": found.parameters,
        "confidence": round(confidence, 4),
        "anchors": found.anchors,
        "answers": sorted(found.answers, key=lambda row: -row["support"]) if several else found.answers,
        "truncated": found.truncated,
        "ms": found.ms,
    }


def along(queries: Sequence[Query], attempt: Attempt, context: Context) -> dict[str, Evidence]:
    """The triplets on the way to the first answers, a bounded number of them."""
    ids = [answer["id"] for answer in attempt["answers"] if answer["id"] is not None][:_ANSWERS_SUPPORTED]
    evidence: dict[str, Evidence] = {}
    for query in queries:
        if context.run.deadline.passed:
            break
        for triplet in context.tools.space.evidence(query, ids, _TRIPLETS):
            evidence = merge_evidence(evidence, told_by(attempt, triplet))
    return evidence


def chain_query(anchor: Entity, hops: tuple[Hop, ...]) -> Query:
    return Query((Chain(anchor, hops),))
