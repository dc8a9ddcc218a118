"""Running the queries of a strategy: for every member of a group, along chains of relations, with the triplets that
support the answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from clew.agents.evidence import AnswerRef, Attempt, answer_ref
from clew.graphs.context import Context
from clew.graphs.state import StrategyInput
from clew.graphs.strategies.findings import StrategyFindings
from clew.graphs.strategies.ranking import anchors_of, for_members
from clew.tools.graph.entity import Entity
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.space.query import Chain, Hop, Query
from clew.tools.queries.space.words import words


@dataclass(frozen=True, slots=True)
class QueryRows:
    """The merged results of several queries."""

    answers: list[AnswerRef]
    """In the order of the queries; the support of shared rows is summed."""
    cypher: str
    """Of the first query, with its parameters."""
    parameters: dict[str, Any]
    anchors: list[Entity]
    truncated: bool
    ms: float

    def attempt(
        self, found: StrategyFindings, words: str, confidence: float, rank: int, *, by_support: bool
    ) -> Attempt:
        """The rows as an attempt, in the order of the database or by support."""
        return found.attempt(
            words,
            sorted(self.answers, key=lambda row: -row["support"]) if by_support else self.answers,
            confidence,
            rank=rank,
            cypher=self.cypher,
            parameters=self.parameters,
            anchors=self.anchors,
            truncated=self.truncated,
            ms=self.ms,
        )


def run_all(
    queries: Iterable[Query], context: Context, *, rows: int | None = None, at_least_one: bool = False
) -> QueryRows:
    """Run the queries in turn until the deadline.

    Args:
        rows: The maximum number of rows of each query; None for the limit of the run.
        at_least_one: Whether the first query runs even after the deadline.
    """
    answers: dict[tuple[str | None, str], AnswerRef] = {}
    anchors: dict[str, Entity] = {}
    text, parameters, truncated, ms = "", None, False, 0.0
    for query in queries:
        if context.run.deadline.passed and (text or not at_least_one):
            truncated = True
            break
        result = context.tools.space.execute(query, context.limits(rows))
        anchors |= {anchor.id: anchor for anchor in anchors_of(query)}
        text, parameters = text or result.cypher, parameters or result.parameters
        truncated, ms = truncated or result.truncated, ms + result.ms
        for row in result.rows:
            support = answers[row.id, row.name]["support"] if (row.id, row.name) in answers else 0
            answers[row.id, row.name] = answer_ref(row, support + row.support)
    return QueryRows(list(answers.values()), text, parameters or {}, list(anchors.values()), truncated, ms)


_CHAIN_ANSWERS = 10
_CHAIN_TRIPLETS = 20


def follow(
    found: StrategyFindings,
    queries: Sequence[Query],
    rank: int,
    confidence: float,
    context: Context,
    rows: int | None = None,
) -> Attempt:
    """Run one query, or the same query for every member of a group, as one attempt. `rows` as for `run_all`."""
    result = run_all(queries, context, rows=rows, at_least_one=True)
    return result.attempt(found, words(queries[0]), round(confidence, 4), rank, by_support=len(queries) > 1)


def chain_triplets(queries: Sequence[Query], attempt: Attempt, context: Context) -> Iterator[Triplet]:
    """The triplets along the chains to the first answers, up to a limit."""
    ids = [answer["id"] for answer in attempt["answers"] if answer["id"] is not None][:_CHAIN_ANSWERS]
    for query in queries:
        if context.run.deadline.passed:
            break
        yield from context.tools.space.evidence(query, ids, _CHAIN_TRIPLETS)


def chain_query(anchor: Entity, hops: tuple[Hop, ...]) -> Query:
    return Query((Chain(anchor, hops),))


ANSWERS = 25
"""Number of answers, best first, whose triplets are fetched."""
TRIPLETS = 60
_ORDERED_ANSWERS = 3
_COMPARED = 10


def supporting(query: Query, attempt: Attempt, state: StrategyInput, context: Context) -> Iterator[Triplet]:
    """The triplets on the paths to the best answers; a property that is an answer becomes a triplet with its value."""
    for member in for_members(query, state):
        if context.run.deadline.passed:
            break
        yield from _supporting(member, attempt, context)


def _supporting(query: Query, attempt: Attempt, context: Context) -> Iterator[Triplet]:
    ids = [answer["id"] for answer in attempt["answers"] if answer["id"] is not None][:ANSWERS]
    yield from context.tools.space.evidence(query, ids, TRIPLETS)
    if query.returns == "property" and not any(chain.hops for chain in query.chains):
        for anchor in anchors_of(query):
            for answer in attempt["answers"][:ANSWERS]:
                yield Triplet.of_value(anchor, query.property_name or "", answer["name"])
    if query.order is not None:
        for answer in attempt["answers"][:_ORDERED_ANSWERS]:
            if answer["id"] is not None:
                yield from _compared_values(
                    Entity(answer["id"], answer["name"], answer["label"]), query.order.by, context
                )


def _compared_values(entity: Entity, by: str | Hop, context: Context) -> Iterator[Triplet]:
    """What a superlative compared: the relationships or the property of an answer."""
    if isinstance(by, Hop):
        yield from context.tools.space.evidence(Query((Chain(entity, (by,)),)), [], _COMPARED)
        return
    values = context.tools.space.execute(
        Query((Chain(entity, ()),), returns="property", property_name=by), context.limits(1)
    )
    for row in values.rows:
        yield Triplet.of_value(entity, by, row.name)
