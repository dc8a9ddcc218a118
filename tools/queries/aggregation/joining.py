"""How the labels that a question speaks of are related: the smallest tree of relationships that joins them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

from clew.tools.graph.schema import Relation, Schema

MOST_HOPS = 4
"""Of one join."""
_UNNAMED = 1.0
_NAMED = 0.6
"""What a relationship costs that the question does not, or does, speak of."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A tree over labels, each of which occurs once."""

    labels: tuple[str, ...]
    relations: tuple[Relation, ...]
    guesses: int = 0
    """Relationships for which another would have done as well."""


def join(schema: Schema, labels: Sequence[str], types: Iterable[str], named: frozenset[str]) -> Joined | None:
    """The labels and the relationship types in one tree, the first label at its root; None where they are further apart
    than MOST_HOPS."""
    wanted = list(dict.fromkeys(labels))
    relations = [_of_type(schema, kind, wanted) for kind in dict.fromkeys(types)]
    if not wanted:
        wanted = [relations[0].source] if relations and relations[0] else []
    if not wanted or None in relations:
        return None
    reached, edges, guesses = [wanted[0]], list[Relation](), 0
    ends = [label for relation in relations if relation for label in (relation.source, relation.target)]
    required = {relation for relation in relations if relation}
    for label in [*ends, *wanted[1:]]:
        if label in reached:
            continue
        path = _path(schema, reached, label, named | {relation.type for relation in required}, required)
        if path is None:
            return None
        for relation in path:
            guesses += relation not in required and relation.type not in named and _rivals(schema, relation) > 0
            edges.append(relation)
            reached += [end for end in (relation.source, relation.target) if end not in reached]
    edges += [relation for relation in required if relation not in edges]
    return Joined(tuple(reached), tuple(edges), guesses)


def _of_type(schema: Schema, kind: str, labels: Sequence[str]) -> Relation | None:
    """The most usual pair of ends of a type, of the labels that are spoken of if it may be."""
    found = [relation for relation in schema.relations if relation.type == kind]
    own = [relation for relation in found if relation.source in labels or relation.target in labels]
    return max(own or found, key=lambda relation: relation.count, default=None)


def _path(
    schema: Schema, starts: Sequence[str], end: str, named: frozenset[str], required: set[Relation]
) -> list[Relation] | None:
    """Dijkstra over the schema from a tree's labels to one more."""
    turn = count()
    heap: list[tuple[float, int, str, list[Relation]]] = [(0.0, next(turn), start, []) for start in starts]
    done: set[str] = set()
    while heap:
        cost, _, label, path = heappop(heap)
        if label == end:
            return path
        if label in done or len(path) == MOST_HOPS:
            continue
        done.add(label)
        for relation in schema.relations:
            ends = {relation.source, relation.target}
            other = next(iter(ends - {label}), label)
            if label in ends and other not in done:
                dear = 0.0 if relation in required else _NAMED if relation.type in named else _UNNAMED
                heappush(heap, (cost + dear - 1e-9 * relation.count, next(turn), other, [*path, relation]))
    return None


def _rivals(schema: Schema, relation: Relation) -> int:
    """Other relationship types between the same two labels."""
    ends = {relation.source, relation.target}
    return sum(1 for each in schema.relations if each is not relation and {each.source, each.target} == ends)
