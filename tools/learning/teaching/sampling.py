"""Random queries with answers from a graph's query space, for which questions can be written."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from clew.tools.errors import QueryFailed
from clew.tools.graph.entity import Entity
from clew.tools.graph.store.graph_store import Limits
from clew.tools.linking.index import EntityIndex
from clew.tools.queries.space.query import Chain, Hop, Query
from clew.tools.queries.space.space import QuerySpace
from clew.tools.queries.space.words import words

MOST_ANSWERS = 50
"""Maximum number of answers of a query, so that people can check them."""
LENGTHS = (1, 1, 1, 2, 2, 3)
"""Possible numbers of hops."""
PATIENCE = 60
"""Consecutive draws without a query after which sampling ends."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """A query from one entity in words, with all its answers."""

    entity: Entity
    words: str
    answers: tuple[str, ...]


def sampled_queries(space: QuerySpace, index: EntityIndex, seed: int = 0) -> Iterator[Sampled]:
    """Distinct random queries, endless while there are more; frequently drawn relations become less likely."""
    chance = random.Random(seed)
    used: dict[str, int] = {}
    seen: set[str] = set()
    idle = 0
    while len(index) and idle < PATIENCE:
        idle += 1
        entity = index.entity(chance.randrange(len(index)))
        hops = _walk(space, entity, chance, used) if entity.name else ()
        if not hops:
            continue
        query = Query((Chain(entity, hops),))
        if query.key() in seen:
            continue
        seen.add(query.key())
        try:
            found = space.execute(query, Limits(max_rows=MOST_ANSWERS + 1))
        except QueryFailed:
            continue
        names = tuple(dict.fromkeys(row.name for row in found.rows if row.id != entity.id and row.name))
        if names and len(names) <= MOST_ANSWERS:
            for hop in hops:
                used[hop.key()] = used.get(hop.key(), 0) + 1
            idle = 0
            yield Sampled(entity, words(query), names)


def _walk(space: QuerySpace, entity: Entity, chance: random.Random, used: dict[str, int]) -> tuple[Hop, ...]:
    """Some hops from the entity to existing nodes; less used relations are more likely."""
    moves = space.moves
    path: tuple[Hop, ...] = ()
    steps = [step for step in space.first_steps(entity) if step < len(moves.hops)]
    for _ in range(chance.choice(LENGTHS)):
        fresh = [s for s in steps if not (path and _returns(path[-1], moves.hops[s]))]
        weights = [1 / (1 + used.get(moves.hops[s].key(), 0)) for s in fresh]
        if not fresh:
            break
        step = chance.choices(fresh, weights)[0]
        longer = (*path, moves.hops[step])
        if space.supported(entity, [longer]) == [None]:
            break
        path = longer
        steps = [s for s in moves.starting_at(moves.hops[step].target) if s < len(moves.hops)]
    return path


def _returns(before: Hop, hop: Hop) -> bool:
    return before.relation == hop.relation and before.forward != hop.forward
