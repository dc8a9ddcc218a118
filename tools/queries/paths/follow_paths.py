"""Relation paths as a linker's model writes them, read as chains of hops that the schema allows.

A path names relations, and maybe their directions. From which end it was meant, and which way a relation runs, the
schema decides by the labels on the way. Source: ByoKG-RAG section 3.3, Equation 5.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Schema
from clew.tools.queries.space.query import Hop

MOST_READINGS = 8
"""Of one path from one label; every relation that runs both ways between the labels at hand doubles them."""
LONGEST = 5
"""Relations of a path; longer ones are not followed."""

PathStep = tuple[str, bool | None]
"""A relation, and whether it is followed in its direction; None where that was not said."""
_Ends = Mapping[tuple[str, bool], Mapping[str, Mapping[str, int]]]


@dataclass(frozen=True, slots=True)
class NoChain:
    """Why no chain fits."""

    reached: int
    """Relations of the path that fit before one did not."""
    relation: str
    """The one that did not."""


def readings(path: Sequence[PathStep], label: str, schema: Schema) -> list[tuple[Hop, ...]] | NoChain:
    """The chains that a path can mean from a node of a label, MOST_READINGS at most.

    A direction that was said is taken where the labels allow it, else the other one; one that was not said is taken
    both ways where both are possible, forward first. Every label on the way has to have the next relation.
    """
    ends = _ends(schema)
    open_: list[tuple[tuple[Hop, ...], frozenset[str]]] = [((), frozenset({label}))]
    for place, (said, forward) in enumerate(path[:LONGEST]):
        relation = _known(said, schema)
        following = []
        for hops, labels in open_:
            for way in _ways(forward):
                reached = _reached(ends.get((relation, way), {}), labels)
                if reached:
                    main = max(reached, key=lambda each: (reached[each], each))
                    following.append(((*hops, Hop(relation, way, main)), frozenset(reached)))
                    if forward is not None:
                        break
        if not following:
            return NoChain(place, said)
        open_ = following[:MOST_READINGS]
    return [hops for hops, _ in open_] if len(path) <= LONGEST else NoChain(LONGEST, path[LONGEST][0])


def backwards(path: Sequence[PathStep]) -> list[PathStep]:
    """The path from its other end: models often write it from the answer's side."""
    return [(relation, None if forward is None else not forward) for relation, forward in reversed(path)]


def path_words(path: Sequence[PathStep]) -> str:
    """ "directed_by → ^starring": a relation that is followed against its direction has a caret."""
    return " → ".join(("^" if forward is False else "") + relation for relation, forward in path)


def _ways(forward: bool | None) -> tuple[bool, bool]:
    """The directions to try, the likelier first."""
    return (True, False) if forward in (True, None) else (False, True)


def _known(said: str, schema: Schema) -> str:
    """The schema's relation of that name, or of the same words; the name itself where there is none."""
    types = dict.fromkeys(relation.type for relation in schema.relations)
    if said in types:
        return said
    words = identifier_words(said)
    return next((kind for kind in types if words and identifier_words(kind) == words), said)


def _reached(targets: Mapping[str, Mapping[str, int]], labels: frozenset[str]) -> dict[str, int]:
    """Labels at the far end with their counts."""
    found: dict[str, int] = defaultdict(int)
    for label in labels:
        for target, count in targets.get(label, {}).items():
            found[target] += count
    return dict(found)


def _ends(schema: Schema) -> _Ends:
    """By relation and direction: the label that it starts from, to the labels that it leads to with their counts."""
    found: dict[tuple[str, bool], dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for relation in schema.relations:
        found[relation.type, True][relation.source][relation.target] = relation.count
        found[relation.type, False][relation.target][relation.source] = relation.count
    return found
