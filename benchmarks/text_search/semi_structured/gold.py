"""What questions ask for, as hidden facts, and which nodes answer it: over facts and edges, never over texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from benchmarks.text_search.semi_structured.lexicon import Fact
from benchmarks.text_search.semi_structured.world import Node, World

Side = Literal["out", "in", "both"]
"""Of a step: along the relation, against it, or either."""
Step = tuple[str, Side]
FactKey = tuple[str, str, int]
"""Label, aspect, number."""
Operator = Literal["<", ">", ">=", "between"]
End = Literal["max", "min"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A number or date (ISO text) that a property is held against; `high` for between, both ends included."""

    property: str
    operator: Operator
    value: float | str
    high: float | str | None = None

    def holds(self, node: Node) -> bool:
        found = plain(node.properties[self.property])
        if self.operator == "between":
            return bool(self.value <= found <= self.high)
        return bool({"<": found < self.value, ">": found > self.value, ">=": found >= self.value}[self.operator])


@dataclass(frozen=True, slots=True)
class Relation:
    """Steps from the answer to the node `anchor`, or to any node that has the fact."""

    steps: tuple[Step, ...]
    anchor: str | None
    fact: FactKey | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a question asks for, as hidden facts."""

    label: str
    relations: tuple[Relation, ...] = ()
    facts: tuple[FactKey, ...] = ()
    """Those that answers have."""
    comparison: Comparison | None = None
    best: tuple[str, End] | None = None
    """The property of which answers have the most or the least, among those that meet the rest."""


class Gold:
    """Who answers what over one graph."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._having: dict[FactKey, set[str]] = {}
        for node in world.nodes.values():
            for fact in node.facts.values():
                self._having.setdefault(key(fact), set()).add(node.id)

    def answers(self, wanted: Wanted) -> list[str]:
        """Ids in order."""
        found = {node.id for node in self.world.of_label[wanted.label]}
        for relation in wanted.relations:
            found &= self.related(relation)
        for fact in wanted.facts:
            found &= self._having[fact]
        nodes = [self.world.nodes[each] for each in found]
        if wanted.comparison:
            nodes = [node for node in nodes if wanted.comparison.holds(node)]
        if wanted.best and nodes:
            name, pick = wanted.best[0], max if wanted.best[1] == "max" else min
            top = pick(plain(node.properties[name]) for node in nodes)
            nodes = [node for node in nodes if plain(node.properties[name]) == top]
        return sorted(node.id for node in nodes)

    def related(self, relation: Relation) -> set[str]:
        """The ids from which the steps lead to the anchor or to a node with the fact."""
        here = {relation.anchor} if relation.anchor else set(self._having[relation.fact or ("", "", 0)])
        for step in reversed(relation.steps):
            here = {before for node in here for before in self._beyond(str(node), step, backwards=True)}
        return {str(each) for each in here}

    def ends(self, node: str, steps: Sequence[Step]) -> list[str]:
        """The ids to which the steps lead from a node."""
        here = {node}
        for step in steps:
            here = {after for each in here for after in self._beyond(each, step, backwards=False)}
        return sorted(here - {node})

    def _beyond(self, node: str, step: Step, *, backwards: bool) -> Iterator[str]:
        relation, side = step
        if side == "both" or (side == "out") != backwards:
            yield from self.world.out[relation].get(node, ())
        if side == "both" or (side == "in") != backwards:
            yield from self.world.into[relation].get(node, ())


def key(fact: Fact) -> FactKey:
    return fact.label, fact.aspect, fact.number


def plain(value: Any) -> Any:
    """Dates as ISO text."""
    return value.isoformat() if isinstance(value, date) else value
