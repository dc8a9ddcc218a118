"""An aggregation as Cypher. Names are quoted, values travel as parameters.

A join may lead to one node in many ways; every number is over different nodes (or relationships), so that an average
price is not weighted by how often a product was ordered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Relation, Schema
from clew.tools.queries.aggregation.joining import Joined, join
from clew.tools.queries.aggregation.question import (
    Aggregation,
    Condition,
    Having,
    Measure,
    PropertyRef,
    measure_words,
)
from clew.tools.queries.plans.predicates import condition, kind_of

TIES = 25
"""Rows fetched where one is asked for, to see whether others are as high."""


@dataclass(frozen=True, slots=True)
class Rendered:
    cypher: str
    parameters: dict[str, Any]
    columns: tuple[str, ...]
    """What stands in the result, for people: the asked label, the measure, the properties."""
    guesses: int = 0


def render(reading: Aggregation, schema: Schema, terms: NodeTerms) -> Rendered | None:
    """None where the graph has no way between what the question speaks of."""
    every = {each.label for each in reading.entity_filters if each.every}
    labels = [reading.asked] if reading.asked else []
    labels += sorted(label for label in reading.labels - {reading.asked} if label not in every)
    joined = join(schema, labels, sorted(reading.types), reading.relations)
    if joined is None:
        return None
    return _Renderer(reading, schema, terms, joined).written()


@dataclass(slots=True)
class _Renderer:
    reading: Aggregation
    schema: Schema
    terms: NodeTerms
    joined: Joined
    parameters: dict[str, Any] = field(default_factory=dict)
    guesses: int = 0

    def written(self) -> Rendered | None:
        self.parameters |= self.terms.parameters
        self.guesses = self.joined.guesses
        where = [*map(self._condition, self.reading.conditions), *self._entities(), *self._absent()]
        if None in where:
            return None
        lines = [f"MATCH {self._pattern()}"]
        if where:
            lines.append("WHERE " + " AND ".join(str(each) for each in where))
        lines += self._result()
        return Rendered("\n".join(lines), self.parameters, tuple(self._columns()), self.guesses)

    # ---- what is matched -------------------------------------------------------------------------------------------

    def _node(self, label: str) -> str:
        return f"n{self.joined.labels.index(label)}"

    def _edge(self, kind: str) -> str:
        return f"r{next(i for i, relation in enumerate(self.joined.relations) if relation.type == kind)}"

    def _of(self, owned: PropertyRef) -> str:
        return self._edge(owned.owner) if owned.of_relation else self._node(owned.owner)

    def _pattern(self) -> str:
        seen: set[str] = set()

        def node(label: str) -> str:
            known = label in seen
            seen.add(label)
            return f"({self._node(label)})" if known else self.terms.node(self._node(label), label)

        edges = [
            f"{node(each.source)}-[r{i}:{quoted(each.type)}]->{node(each.target)}"
            for i, each in enumerate(self.joined.relations)
        ]
        return ", ".join(edges) if edges else node(self.joined.labels[0])

    def _parameter(self, value: Any) -> str:
        name = f"p{len(self.parameters)}"
        self.parameters[name] = value
        return name

    def _condition(self, each: Condition) -> str:
        variable = self._of(each.owned)
        own = f"{variable}.{quoted(each.owned.name)}"
        if each.predicate is not None:
            predicates = (each.predicate, *each.alternatives)
            parts = [condition(p, variable, self._parameter(p.value)) for p in predicates]
            joint = " AND " if each.predicate.comparison == "<>" else " OR "
            return parts[0] if len(parts) == 1 else f"({joint.join(parts)})"
        if each.test in ("IS NULL", "IS NOT NULL"):
            text = each.owned.column.type == "STRING"
            if each.test == "IS NULL":
                return f"({own} IS NULL OR {own} = '')" if text else f"{own} IS NULL"
            return f"({own} IS NOT NULL AND {own} <> '')" if text else f"{own} IS NOT NULL"
        return f"toLower(toString({own})) {each.test} toLower(${self._parameter(each.value)})"

    def _entities(self) -> list[str | None]:
        found: list[str | None] = []
        for each in self.reading.entity_filters:
            if each.every:
                found += [self._exists(each.label, self._parameter(entity.id)) for entity in each.entities]
            else:
                parameter = self._parameter([entity.id for entity in each.entities])
                found.append(f"{self.terms.id(self._node(each.label))} IN ${parameter}")
        return found

    def _absent(self) -> list[str | None]:
        found = [self._exists(label, None) for label in self.reading.absent]
        return [None if each is None else f"NOT {each}" for each in found]

    def _exists(self, label: str, parameter: str | None) -> str | None:
        """That the asked node is related to some node of a label, or to one entity of it."""
        if self.reading.asked is None:
            return None
        way = join(self.schema, [self.reading.asked, label], (), self.reading.relations)
        if way is None or not way.relations:
            return None
        self.guesses += way.guesses
        names = {self.reading.asked: self._node(self.reading.asked)}
        parts = [self._step(each, names) for each in way.relations]
        where = f" WHERE {self.terms.id(names[label])} = ${parameter}" if parameter else ""
        return f"EXISTS {{ MATCH {', '.join(parts)}{where} }}"

    def _step(self, relation: Relation, names: dict[str, str]) -> str:
        ends = []
        for label in (relation.source, relation.target):
            if label in names:
                ends.append(f"({names[label]})")
            else:
                names[label] = f"e{len(names)}"
                ends.append(self.terms.node(names[label], label))
        return f"{ends[0]}-[:{quoted(relation.type)}]->{ends[1]}"

    # ---- what is returned ------------------------------------------------------------------------------------------

    def _result(self) -> list[str]:
        reading = self.reading
        if reading.group is not None and reading.measure is not None:
            return self._grouped(f"{self._of(reading.group)}.{quoted(reading.group.name)}", reading.measure)
        if reading.asked is None:
            assert reading.measure is not None
            return self._number(reading.measure)
        return self._listed(self._node(reading.asked))

    def _number(self, measure: Measure) -> list[str]:
        variable = self._measured(measure)
        return [f"WITH DISTINCT {variable}", f"RETURN {self._aggregate(measure, variable)} AS value"]

    def _grouped(self, by: str, measure: Measure) -> list[str]:
        variable = self._measured(measure)
        return [
            f"WITH DISTINCT {by} AS name, {variable}",
            f"WITH name, {self._aggregate(measure, variable)} AS value",
            "WHERE name IS NOT NULL",
            "RETURN name, value",
            f"ORDER BY value {self._way}, name",
            *self._limit(),
        ]

    def _listed(self, asked: str) -> list[str]:
        reading, measure = self.reading, self._measure
        lines = self._having(asked, reading.having) if reading.having is not None else []
        if measure is not None:
            variable = self._measured(measure)
            lines.append(f"WITH DISTINCT {asked}, {variable}")
            lines.append(f"WITH {asked}, {self._aggregate(measure, variable)} AS value")
        elif isinstance(reading.order, PropertyRef):
            lines += self._by_property(asked, reading.order)
        valued = measure is not None or reading.order is not None
        columns = [f"{self.terms.id(asked)} AS id", f"{self.terms.name(asked)} AS name", *(["value"] if valued else [])]
        columns += [f"{self._of(ref)}.{quoted(ref.name)} AS s{i}" for i, ref in enumerate(self._shown)]
        lines.append(f"RETURN DISTINCT {', '.join(columns)}")
        if valued:
            lines.append(f"ORDER BY value {self._way}, name")
        return [*lines, *self._limit()]

    def _having(self, asked: str, having: Having) -> list[str]:
        """Count what a group must have, and keep what is needed afterwards."""
        held, parameter = self._measured(having.measure), self._parameter(having.value)
        kept = [self._measured(self._measure)] if self._measure is not None else []
        kept += [self._of(ref) for ref in self._far]
        kept += [self._of(self.reading.order)] if isinstance(self.reading.order, PropertyRef) else []
        kept = [each for each in dict.fromkeys(kept) if each != asked]
        return [
            f"WITH {asked}, count(DISTINCT {held}) AS held"
            + "".join(f", collect(DISTINCT {each}) AS all_{each}" for each in kept),
            f"WHERE held {having.comparison} ${parameter}",
            *(f"UNWIND all_{each} AS {each}" for each in kept),
        ]

    def _by_property(self, asked: str, owned: PropertyRef) -> list[str]:
        variable, value = self._of(owned), self._number_of(owned)
        if variable == asked:
            return [f"WITH DISTINCT {asked}, {value} AS value", "WHERE value IS NOT NULL"]
        best = "max" if self.reading.descending else "min"
        return [f"WITH {asked}, {best}({value}) AS value", "WHERE value IS NOT NULL"]

    @property
    def _measure(self) -> Measure | None:
        """The number that a row has."""
        return self.reading.order if isinstance(self.reading.order, Measure) else self.reading.measure

    @property
    def _far(self) -> list[PropertyRef]:
        """Shown properties of others than the asked nodes."""
        return [ref for ref in self.reading.shown if ref.of_relation or ref.owner != self.reading.asked]

    @property
    def _shown(self) -> list[PropertyRef]:
        """The properties that are columns: those of other nodes only where a row has no number."""
        own = [ref for ref in self.reading.shown if not ref.of_relation and ref.owner == self.reading.asked]
        return [*own, *(self._far if self._measure is None and self.reading.order is None else [])]

    def _measured(self, measure: Measure) -> str:
        if isinstance(measure.of, PropertyRef):
            return self._of(measure.of)
        return self._edge(measure.of) if measure.of_relation else self._node(measure.of)

    def _aggregate(self, measure: Measure, variable: str) -> str:
        if isinstance(measure.of, PropertyRef):
            return f"{measure.function}({self._number_of(measure.of)})"
        return f"count({variable})"

    def _number_of(self, owned: PropertyRef) -> str:
        own = f"{self._of(owned)}.{quoted(owned.name)}"
        return f"toFloat({own})" if kind_of(owned.column, 1) == "written number" else own

    @property
    def _way(self) -> str:
        return "DESC" if self.reading.descending else "ASC"

    def _limit(self) -> list[str]:
        limit = self.reading.limit
        if limit is None:
            return []
        return [f"LIMIT {max(limit, TIES) if self.reading.ties else limit}"]

    def _columns(self) -> list[str]:
        reading = self.reading
        number = [measure_words(self._measure)] if self._measure is not None else []
        if isinstance(reading.order, PropertyRef):
            number = [reading.order.name]
        first = reading.group.name if reading.group else reading.asked
        return [first, *number, *(ref.name for ref in self._shown)] if first else number


def cut(rows: Sequence[Mapping[str, Any]], reading: Aggregation) -> list[Mapping[str, Any]]:
    """Of rows in order, those asked for; where one is asked for, all that are as high."""
    if reading.limit is None or not reading.ties or len(rows) <= reading.limit or "value" not in rows[0]:
        return list(rows[: reading.limit])
    least = rows[reading.limit - 1]["value"]
    return [row for i, row in enumerate(rows) if i < reading.limit or row["value"] == least]
