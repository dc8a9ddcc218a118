"""One hop around several entities: the relations that they have, and the triplets along some of them.

Every query is bounded per entity, relation and direction. So a hub costs no more than any other node, and its frequent
relations do not hide its rare ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Schema
from clew.tools.graph.store.graph_store import GraphStore, Limits
from clew.tools.graph.triplets import Triplet

ROWS = 3000
"""The largest number of triplets of one expansion of one label."""
_TESTED_STEPS = 150
"""Up to this number of steps that the schema allows a label, each is tested; with more, the types of a node's first
relationships are read."""
_READ_RELATIONSHIPS = 1000
_PER_QUERY = 25
"""Steps in one query."""


class Step(NamedTuple):
    """A relationship type, followed in its direction or against it."""

    relation: str
    forward: bool

    def pattern(self, start: str, relationship: str, end: str) -> str:
        """In Cypher, between two node variables."""
        kind = f"[{relationship}:{quoted(self.relation)}]"
        return f"({start})-{kind}->({end})" if self.forward else f"({start})<-{kind}-({end})"


@dataclass(frozen=True, slots=True)
class Expansion:
    """The triplets of one hop."""

    triplets: tuple[Triplet, ...]
    cut: tuple[tuple[Entity, Step], ...]
    """The entities and steps with possibly more triplets than were fetched."""


class Neighbourhood:
    """One hop around the nodes of one graph. Raises what GraphStore.read raises."""

    def __init__(self, store: GraphStore, schema: Schema) -> None:
        self._store = store
        self._terms = store.terms
        self._schema = schema

    def possible(self, labels: Iterable[str]) -> list[Step]:
        """The steps that the schema allows nodes of these labels, the most frequent relations first."""
        known, found = set(labels), dict[Step, None]()
        for relation in self._schema.relations:
            found |= {Step(relation.type, True): None} if relation.source in known else {}
            found |= {Step(relation.type, False): None} if relation.target in known else {}
        return list(found)

    def beyond_labels(self, labels: Iterable[str]) -> set[str]:
        """The labels that the schema allows one hop away."""
        known = set(labels)
        ends = {relation.target for relation in self._schema.relations if relation.source in known}
        return ends | {relation.source for relation in self._schema.relations if relation.target in known}

    def steps(self, entities: Sequence[Entity], limits: Limits) -> list[Step]:
        """The steps that at least one of the entities has, in the order of `possible`."""
        found: set[Step] = set()
        for label, group in _by_label(entities).items():
            possible = self.possible([label])
            if len(possible) > _TESTED_STEPS:
                found |= self._first_types(label, group, limits)
                continue
            for asked in _parts(possible):
                columns = [f"EXISTS {{ {step.pattern('a', '', '')} }} AS s{i}" for i, step in enumerate(asked)]
                rows = self._ask(f"RETURN {', '.join(columns)}", label, group, limits)
                found |= {step for i, step in enumerate(asked) if any(row[f"s{i}"] for row in rows)}
        return [step for step in self.possible(entity.label for entity in entities) if step in found]

    def expand(self, entities: Sequence[Entity], steps: Sequence[Step], each: int, limits: Limits) -> Expansion:
        """The triplets of the entities along the steps, `each` at most per entity and step, ROWS in all per label;
        no triplet twice."""
        triplets: dict[Triplet, None] = {}
        cut: list[tuple[Entity, Step]] = []
        for label, group in _by_label(entities).items():
            allowed = set(self.possible([label]))
            taken = [step for step in dict.fromkeys(steps) if step in allowed]
            most = max(1, min(each, ROWS // max(1, len(group) * len(taken))))
            known = {entity.id: entity for entity in group}
            for asked in _parts(taken):
                counts: dict[tuple[Entity, Step], int] = {}
                for row in self._expanded(label, group, asked, most, limits):
                    entity, step = known[str(row["anchor"])], asked[row["step"]]
                    counts[entity, step] = counts.get((entity, step), 0) + 1
                    triplets[Triplet.of_row(entity, step.relation, row, outgoing=step.forward)] = None
                cut += [pair for pair, count in counts.items() if count >= most]
        return Expansion(tuple(triplets), tuple(cut))

    def beyond(self, entities: Sequence[Entity], neighbours: int, relationships: int, limits: Limits) -> set[str]:
        """The types of relationships around the entities' neighbours, from a bounded sample.

        Args:
            entities: the nodes.
            neighbours: the largest number of nodes around each entity.
            relationships: the largest number of relationships of those.
            limits: of each query.
        """
        found: set[str] = set()
        for label, group in _by_label(entities).items():
            for entity in group:
                around = (
                    f"MATCH (a)--(n) WHERE {self._terms.own('n')} WITH DISTINCT n LIMIT {int(neighbours)} "
                    f"MATCH (n)-[s]-(m) WHERE {self._terms.own('m')} WITH s LIMIT {int(relationships)} "
                    "RETURN DISTINCT type(s) AS relation"
                )
                found |= {str(row["relation"]) for row in self._ask(around, label, [entity], limits)}
        return found

    def _first_types(self, label: str, group: Sequence[Entity], limits: Limits) -> set[Step]:
        found = set()
        for forward, pattern in ((True, "(a)-[r]->(n)"), (False, "(a)<-[r]-(n)")):
            matched = f"MATCH {pattern} WHERE {self._terms.own('n')}"
            inner = f"CALL {{ WITH a {matched} RETURN type(r) AS relation LIMIT {_READ_RELATIONSHIPS} }}"
            rows = self._ask(f"{inner} RETURN DISTINCT relation", label, group, limits)
            found |= {Step(str(row["relation"]), forward) for row in rows}
        return found

    def _expanded(
        self, label: str, group: Sequence[Entity], steps: Sequence[Step], each: int, limits: Limits
    ) -> Iterator[dict[str, Any]]:
        terms = self._terms
        columns = (
            f"{terms.id('a')} AS anchor, {terms.id('other')} AS id, {terms.name('other')} AS name, "
            f"{terms.label('other')} AS label, properties(r) AS properties"
        )
        parts = []
        for number, step in enumerate(steps):
            inner = f"CALL {{ WITH a MATCH {step.pattern('a', 'r', 'other')} RETURN r, other LIMIT {int(each)} }}"
            parts.append(f"{terms.by_ids('a', label, 'ids')} {inner} RETURN {number} AS step, {columns}")
        parameters = {"ids": [entity.id for entity in group], **terms.parameters}
        wide = replace(limits, max_rows=ROWS + 1)
        yield from self._store.read("\nUNION ALL\n".join(parts), parameters, wide).records if parts else ()

    def _ask(self, rest: str, label: str, group: Sequence[Entity], limits: Limits) -> list[dict[str, Any]]:
        cypher = f"{self._terms.by_ids('a', label, 'ids')} {rest}"
        parameters = {"ids": [entity.id for entity in group], **self._terms.parameters}
        return self._store.read(cypher, parameters, replace(limits, max_rows=ROWS)).records


def _by_label(entities: Iterable[Entity]) -> dict[str, list[Entity]]:
    """Without repeats."""
    groups: dict[str, list[Entity]] = {}
    for entity in dict.fromkeys(entities):
        groups.setdefault(entity.label, []).append(entity)
    return groups


def _parts(steps: Sequence[Step]) -> Iterator[Sequence[Step]]:
    for start in range(0, len(steps), _PER_QUERY):
        yield steps[start : start + _PER_QUERY]
