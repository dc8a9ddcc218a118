"""The triplets that the answers of a query rest on."""

from __future__ import annotations

from collections.abc import Iterator

from clew.agents.evidence import Attempt
from clew.graphs.context import Context
from clew.graphs.state import StrategyInput
from clew.graphs.strategies.ranking import anchors_of, for_members
from clew.tools.graph.entity import Entity
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.space.query import Chain, Hop, Query

ANSWERS = 25
"""Answers, best first, whose triplets are fetched."""
TRIPLETS = 60
_EXTREMES = 3
_COUNTED = 10


def supporting(query: Query, attempt: Attempt, state: StrategyInput, context: Context) -> Iterator[Triplet]:
    """The matched paths that end in the best answers; for what is read off a node, its value as a triplet."""
    for member in for_members(query, state):
        if context.run.deadline.passed:
            break
        yield from _triplets(member, attempt, context)


def _triplets(query: Query, attempt: Attempt, context: Context) -> Iterator[Triplet]:
    ids = [answer["id"] for answer in attempt["answers"] if answer["id"] is not None][:ANSWERS]
    yield from context.tools.space.evidence(query, ids, TRIPLETS)
    if query.returns == "property" and not any(chain.hops for chain in query.chains):
        for anchor in anchors_of(query):
            for answer in attempt["answers"][:ANSWERS]:
                yield _value(anchor, query.property_name or "", answer["name"])
    if query.order is not None:
        for answer in attempt["answers"][:_EXTREMES]:
            if answer["id"] is not None:
                yield from _measured(Entity(answer["id"], answer["name"], answer["label"]), query.order.by, context)


def _measured(entity: Entity, by: str | Hop, context: Context) -> Iterator[Triplet]:
    """What a superlative compared: an answer's relationships, or its property."""
    if isinstance(by, Hop):
        yield from context.tools.space.evidence(Query((Chain(entity, (by,)),)), [], _COUNTED)
        return
    values = context.tools.space.execute(
        Query((Chain(entity, ()),), returns="property", property_name=by), context.limits(1)
    )
    for row in values.rows:
        yield _value(entity, by, row.name)


def _value(entity: Entity, name: str, value: str) -> Triplet:
    """A property's value as a triplet; a value has no id of its own, so it is its own."""
    return Triplet(entity, name, Entity(value, value, "value"))
