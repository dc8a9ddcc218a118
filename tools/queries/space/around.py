"""Every path of a few hops around the entities of a question that leads somewhere, or connects them: the space that a
generator chooses from beside the ranker's queries (GraphRAFT section 4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.tools.errors import QueryFailed
from clew.tools.graph.entity import Entity, Mention
from clew.tools.queries.space.connecting import connections
from clew.tools.queries.space.query import Chain, Hop, Query
from clew.tools.queries.space.space import QuerySpace

ENTITIES = 4
CANDIDATES = 2
"""Entities of one mention."""
CHECKED_TOGETHER = 250
"""Paths of which one query asks whether they exist."""


def queries_around(space: QuerySpace, entities: Sequence[Entity]) -> Iterator[Query]:
    """Paths that connect the first entities; then paths of one hop and of two from each, and the entities' properties.

    Where the database cannot say in time which paths exist, those of that entity end there.
    """
    moves = space.moves
    yield from (each.query for each in connections(space, entities[:ENTITIES]))
    for entity in entities[:ENTITIES]:
        try:
            steps = space.first_steps(entity)
            paths = [(moves.hops[step],) for step in steps if step < len(moves.hops)]
            for step in steps:
                if step >= len(moves.hops):
                    name = moves.properties[step - len(moves.hops)].name
                    yield Query((Chain(entity, ()),), returns="property", property_name=name)
            yield from (Query((Chain(entity, path),)) for path in paths)
            longer = [(*path, hop) for path in paths for hop in _following(space, path)]
            for start in range(0, len(longer), CHECKED_TOGETHER):
                part = longer[start : start + CHECKED_TOGETHER]
                for path, way in zip(part, space.supported(entity, part), strict=True):
                    if way is not None:
                        yield Query((Chain(entity, path),), walk=way == "walk")
        except QueryFailed:
            continue


def entities_of(mentions: Sequence[Mention]) -> list[Entity]:
    """The entities around which queries are looked for, best linked first."""
    found = [c for mention in mentions for c in mention.candidates[:CANDIDATES]]
    return list(dict.fromkeys(c.entity for c in sorted(found, key=lambda c: -c.score)))


def _following(space: QuerySpace, path: tuple[Hop, ...]) -> list[Hop]:
    moves = space.moves
    return [moves.hops[step] for step in moves.starting_at(path[-1].target) if step < len(moves.hops)]
