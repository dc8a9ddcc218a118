"""What such a question asks, in the schema's terms.

Text-to-SQL's usual parts of a query (SELECT, WHERE, GROUP BY, HAVING, ORDER BY, LIMIT; Zhong et al. 2017, Yu et al.
2018) over a graph: labels stand for tables, relationships for joins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Property
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.space.query import Comparison

Function = Literal["count", "avg", "sum", "min", "max"]
Test = Literal["IS NULL", "IS NOT NULL", "STARTS WITH", "ENDS WITH"]
"""What a predicate does not say."""


@dataclass(frozen=True, slots=True)
class Owned:
    """A property of a label's nodes, or of a type's relationships."""

    column: Property
    of_relation: bool = False

    @property
    def owner(self) -> str:
        return self.column.label

    @property
    def name(self) -> str:
        return self.column.name


@dataclass(frozen=True, slots=True)
class Measure:
    """A number worked out over many: of a label's nodes, of a type's relationships, or of a property's values."""

    function: Function
    of: str | Owned
    of_relation: bool = False
    """Whether `of` names a relationship type."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold for a property; `alternatives` are further values of which one may hold as well."""

    owned: Owned
    predicate: Predicate | None = None
    test: Test | None = None
    value: str = ""
    """Of a test that takes one."""
    alternatives: tuple[Predicate, ...] = ()


@dataclass(frozen=True, slots=True)
class Among:
    """Some node of a label is one of these entities; with `every`, each of them is such a node's."""

    label: str
    entities: tuple[Entity, ...]
    every: bool = False


@dataclass(frozen=True, slots=True)
class Having:
    """How many of something a group must have."""

    measure: Measure
    comparison: Comparison
    value: float


@dataclass(frozen=True, slots=True)
class Aggregation:
    """One reading of a question."""

    asked: str | None
    """The label of the nodes that are listed, or that a number is given for each of; None for one number alone."""
    measure: Measure | None = None
    """The number that is asked for; for each `group` or each asked node where there is one."""
    group: Owned | None = None
    """A property for each value of which the number is given."""
    order: Measure | Owned | None = None
    descending: bool = True
    limit: int | None = None
    ties: bool = False
    """Whether those that are as high as the last of `limit` belong to the answer."""
    conditions: tuple[Condition, ...] = ()
    among: tuple[Among, ...] = ()
    absent: tuple[str, ...] = ()
    """Labels that the asked nodes are not related to."""
    having: Having | None = None
    shown: tuple[Owned, ...] = ()
    """Properties that are asked for beside, or instead of, the nodes' names."""
    values_only: bool = False
    """Whether the first of these is the answer, and not the nodes."""
    joined: frozenset[str] = frozenset()
    """Further labels to some node of which the others must be related."""
    relations: frozenset[str] = frozenset()
    """Relationship types that the question speaks of."""
    unexplained: tuple[str, ...] = ()
    """Words of the question that the reading makes nothing of."""
    guesses: int = 0
    """Choices between equals that it rests on."""

    @property
    def asks_more_than_names(self) -> bool:
        """Whether there is anything in it but nodes, names and relationships, which other strategies read better."""
        return bool(self.measure or self.order or self.limit or self.conditions or self.absent or self.having) or any(
            each.every for each in self.among
        )

    @property
    def labels(self) -> frozenset[str]:
        """All labels whose nodes it speaks of, but the absent."""
        found = {self.asked} if self.asked else set()
        found |= {each.label for each in self.among} | self.joined
        owned = [*(c.owned for c in self.conditions), *self.shown, *([self.group] if self.group else [])]
        for measure in (self.measure, self.order, self.having.measure if self.having else None):
            if isinstance(measure, Owned):
                owned.append(measure)
            elif measure is not None and isinstance(measure.of, Owned):
                owned.append(measure.of)
            elif measure is not None and not measure.of_relation:
                found.add(str(measure.of))
        return frozenset(found | {each.owner for each in owned if not each.of_relation})

    @property
    def types(self) -> frozenset[str]:
        """Relationship types whose properties or number it speaks of."""
        owned = [*(c.owned for c in self.conditions), *self.shown, *([self.group] if self.group else [])]
        found: set[str] = set()
        for measure in (self.measure, self.order, self.having.measure if self.having else None):
            if isinstance(measure, Owned):
                owned.append(measure)
            elif measure is not None and isinstance(measure.of, Owned):
                owned.append(measure.of)
            elif measure is not None and measure.of_relation:
                found.add(str(measure.of))
        return frozenset(found | {each.owner for each in owned if each.of_relation})
