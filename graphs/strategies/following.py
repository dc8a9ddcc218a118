"""Following chains of relations: a chain as an attempt with all its answers, and the triplets along it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.agents.evidence import Attempt
from clew.graphs.context import Context
from clew.graphs.strategies.found import Found
from clew.graphs.strategies.running import run_all
from clew.tools.graph.entity import Entity
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.space.query import Chain, Hop, Query
from clew.tools.queries.space.words import words

_ANSWERS_SUPPORTED = 10
_TRIPLETS = 20


def follow(
    found: Found, queries: Sequence[Query], rank: int, confidence: float, context: Context, rows: int | None = None
) -> Attempt:
    """One query, or the same for every member of a group, as an attempt; rows that several members share are added
    up. `rows` are those of one query at most, None for the run's own limit."""
    given = run_all(queries, context, rows=rows, at_least_one=True)
    return given.attempt(found, words(queries[0]), round(confidence, 4), rank, by_support=len(queries) > 1)


def along(queries: Sequence[Query], attempt: Attempt, context: Context) -> Iterator[Triplet]:
    """The triplets on the way to the first answers, a bounded number of them."""
    ids = [answer["id"] for answer in attempt["answers"] if answer["id"] is not None][:_ANSWERS_SUPPORTED]
    for query in queries:
        if context.run.deadline.passed:
            break
        yield from context.tools.space.evidence(query, ids, _TRIPLETS)


def chain_query(anchor: Entity, hops: tuple[Hop, ...]) -> Query:
    return Query((Chain(anchor, hops),))
