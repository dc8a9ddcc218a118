"""The ways through a schema to where things come from and where they go."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from clew.tools.graph.schema import Schema
from clew.tools.queries.lexical import stem
from clew.tools.queries.reading.forms.form import Path, Step, turned
from clew.tools.queries.relation_names import relation_words

OTHER = {"to": "from", "from": "to"}
_LONGEST = 4
_TO_ONE = 1.05
"""Relationships of a type for each node that it may start from, up to which a node has one."""
_ENDS = {
    "from": ("from", "depart", "departure", "origin", "source", "start", "leave", "load", "send", "collect", "pickup"),
    "to": ("to", "arrive", "arrival", "destination", "target", "end", "reach", "discharge", "unload", "deliver"),
}


class Ways:
    """The ways through a schema of which each step leads to one thing, and one to where things come from or go."""

    def __init__(self, schema: Schema) -> None:
        self._labels = schema.labels
        self.single = [r for r in schema.relations if r.count <= _TO_ONE * schema.labels.get(r.source, 0)]
        self.ways = cache(self._ways)

    def _ways(self, source: str, target: str, way: str) -> Path:
        """The way of several steps that most nodes of `source` have; () if there is none, or one of a single step."""
        if self._direct(source, target, way):
            return ()
        found = [each for each in self._from(source, (), way, 1.0) if len(each[1]) > 1 and each[1][-1].target == target]
        return max(found, key=lambda each: (each[0], -len(each[1])), default=(0.0, ()))[1]

    def _from(self, label: str, before: Path, way: str, share: float) -> Iterator[tuple[float, Path]]:
        told = any(_leads(step.relation, way) for step in before)
        if told:
            yield share, before
        for relation in self.single if len(before) < _LONGEST else ():
            ends = _leads(relation.type, way)
            if relation.source != label or (ends and told) or (_leads(relation.type, OTHER[way]) and not ends):
                continue
            own = min(share, relation.count / max(1, self._labels[label]))
            yield from self._from(relation.target, (*before, Step(relation.type, True, relation.target)), way, own)

    def between(self, one: str, way: str, other: str) -> Path:
        """The shortest way from what something comes from, or goes to, to where it goes, or comes from; or ()."""
        pairs = [(label, self._any(label, one, OTHER[way]), self._any(label, other, way)) for label in self._labels]
        found = [(*turned(ahead, label), *behind) for label, ahead, behind in pairs if ahead and behind]
        return min(found, key=len, default=())

    def _any(self, label: str, target: str, way: str) -> Path:
        """A way of several steps, else of one."""
        return self.ways(label, target, way) or self._direct(label, target, way)

    def _direct(self, label: str, target: str, way: str) -> Path:
        steps = [r for r in self.single if (r.source, r.target) == (label, target) and _leads(r.type, way)]
        return (Step(steps[0].type, True, target),) if steps else ()


@cache
def _leads(relation: str, way: str) -> bool:
    """Whether a relation leads to where a thing comes from ("from"), or to where it goes ("to")."""
    return bool(set(map(stem, relation_words(relation))) & _stems(way))


@cache
def _stems(way: str) -> frozenset[str]:
    return frozenset(map(stem, _ENDS[way]))
