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
class PropertyRef:
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
    of: str | PropertyRef
    of_relation: bool = False
    """Whether `of` names a relationship type."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold for a property; `alternatives` are further values of which one may hold as well."""

    owned: PropertyRef
    predicate: Predicate | None = None
    test: Test | None = None
    value: str = ""
    """Of a test that takes one."""
    alternatives: tuple[Predicate, ...] = ()


@dataclass(frozen=True, slots=True)
class EntityFilter:
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
    group: PropertyRef | None = None
    """A property for each value of which the number is given."""
    order: Measure | PropertyRef | None = None
    descending: bool = True
    limit: int | None = None
    ties: bool = False
    """Whether those that are as high as the last of `limit` belong to the answer."""
    conditions: tuple[Condition, ...] = ()
    entity_filters: tuple[EntityFilter, ...] = ()
    absent: tuple[str, ...] = ()
    """Labels that the asked nodes are not related to."""
    having: Having | None = None
    shown: tuple[PropertyRef, ...] = ()
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
            each.every for each in self.entity_filters
        )

    @property
    def labels(self) -> frozenset[str]:
        """All labels whose nodes it speaks of, except the absent ones."""
        found = {self.asked} if self.asked else set()
        return frozenset(
            found | {each.label for each in self.entity_filters} | self.joined | self._owners(of_relation=False)
        )

    @property
    def types(self) -> frozenset[str]:
        """Relationship types whose properties or number it speaks of."""
        return frozenset(self._owners(of_relation=True))

    def _owners(self, *, of_relation: bool) -> set[str]:
        """The labels, or the relationship types, that are counted or whose properties are used."""
        measures = (self.measure, self.order, self.having.measure if self.having else None)
        used = [each.of if isinstance(each, Measure) else each for each in measures if each is not None]
        refs = [*(c.owned for c in self.conditions), *self.shown, *([self.group] if self.group else [])]
        refs += [each for each in used if isinstance(each, PropertyRef)]
        counted = [m for m in measures if isinstance(m, Measure) and isinstance(m.of, str)]
        found = {each.owner for each in refs if each.of_relation == of_relation}
        return found | {str(each.of) for each in counted if each.of_relation == of_relation}


def measure_words(measure: Measure) -> str:
    """A number in words: "number of Order", "average unitPrice"."""
    names = {"count": "number of", "avg": "average", "sum": "total", "min": "least", "max": "greatest"}
    of = measure.of.name if isinstance(measure.of, PropertyRef) else measure.of
    return f"{names[measure.function]} {of}"


def words(reading: Aggregation) -> str:
    """The whole reading in words."""
    parts = [reading.asked or (reading.group.name if reading.group else "")]
    if reading.measure is not None:
        parts = [
            f"{measure_words(reading.measure)} for each {parts[0]}" if parts[0] else measure_words(reading.measure)
        ]
    parts += [_condition_words(each) for each in reading.conditions]
    parts += [_entity_words(each) for each in reading.entity_filters]
    parts += [f"with {label}" for label in sorted(reading.joined)]
    parts += [f"without {label}" for label in reading.absent]
    if reading.having is not None:
        having = reading.having
        parts.append(f"{measure_words(having.measure)} {having.comparison} {having.value:g}")
    if reading.order is not None and reading.order != reading.measure:
        by = measure_words(reading.order) if isinstance(reading.order, Measure) else reading.order.name
        parts.append(f"{'highest' if reading.descending else 'lowest'} {by} first")
    if reading.limit is not None:
        parts.append(f"the first {reading.limit}")
    if reading.shown:
        parts.append("with " + " and ".join(owned.name for owned in reading.shown))
    return ", ".join(parts)


def _condition_words(each: Condition) -> str:
    if each.predicate is None:
        return f"{each.owned.name} {each.test}{' ' + each.value if each.value else ''}"
    values = " or ".join(str(p.value) for p in (each.predicate, *each.alternatives))
    return f"{each.owned.name} {each.predicate.comparison} {values}"


def _entity_words(each: EntityFilter) -> str:
    return f"{each.label} {(' and ' if each.every else ' or ').join(entity.name for entity in each.entities)}"
