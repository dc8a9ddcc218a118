"""The relations and properties that single nodes have, asked of the database in one query for the nodes of a label."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from threading import Lock

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import node_pattern
from clew.tools.graph.schema import Property, Schema
from clew.tools.graph.store.graph_store import GraphStore

EntityStep = tuple[str, bool, str]
"""A relationship type, whether it is taken forward, and the label that it leads to."""
MOST_COUNTED = 100
_MOST_CACHED = 20_000


@dataclass(frozen=True, slots=True)
class Owned:
    """What one node has."""

    steps: Mapping[EntityStep, int] = field(default_factory=dict)
    """The steps that it has, each with the number of relationships, counted up to `MOST_COUNTED`."""
    properties: frozenset[str] = frozenset()


class EntitySteps:
    """Which of the steps and properties of the schema single nodes have, and how often. Thread-safe."""

    def __init__(self, store: GraphStore, schema: Schema, properties: Iterable[Property] = ()) -> None:
        """`properties` are those that are asked for."""
        self._store, self._terms = store, store.terms
        self._steps: dict[str, list[EntityStep]] = defaultdict(list)
        for relation in schema.relations:
            self._steps[relation.source].append((relation.type, True, relation.target))
            self._steps[relation.target].append((relation.type, False, relation.source))
        self._properties: dict[str, list[str]] = defaultdict(list)
        for owned in properties:
            self._properties[owned.label].append(owned.name)
        self._known: dict[Entity, Owned] = {}
        self._lock = Lock()  # Strategies ask for the same nodes at once; the second one waits for the answer.

    def of(self, entities: Iterable[Entity]) -> Mapping[Entity, Owned]:
        """What each entity has. Raises what GraphStore.read raises."""
        wanted = list(dict.fromkeys(entities))
        with self._lock:
            if len(self._known) > _MOST_CACHED:
                self._known = {}
            known, open_ = self._known, defaultdict[str, list[Entity]](list)
            for entity in wanted:
                if entity not in known:
                    open_[entity.label].append(entity)
            for label, unknown in open_.items():
                known.update(self._asked(label, unknown))
        return {entity: known.get(entity, Owned()) for entity in wanted}

    def _asked(self, label: str, entities: list[Entity]) -> dict[Entity, Owned]:
        steps, names = list(dict.fromkeys(self._steps.get(label, ()))), self._properties.get(label, [])
        columns = [f"{self._number(step)} AS s{i}" for i, step in enumerate(steps)]
        columns += [f"a.{quoted(name)} IS NOT NULL AS p{i}" for i, name in enumerate(names)]
        if not columns:
            return {}
        rows = self._store.read(
            f"{self._terms.by_ids('a', label, 'ids')}\nRETURN {self._terms.id('a')} AS id, {', '.join(columns)}",
            {"ids": [entity.id for entity in entities], **self._terms.parameters},
        ).records
        found = {
            str(row["id"]): Owned(
                {step: int(row[f"s{i}"]) for i, step in enumerate(steps) if row[f"s{i}"]},
                frozenset(name for i, name in enumerate(names) if row[f"p{i}"]),
            )
            for row in rows
        }
        return {entity: found.get(entity.id, Owned()) for entity in entities}

    def _number(self, step: EntityStep) -> str:
        relation, forward, target = step
        arrow = f"-[:{quoted(relation)}]->" if forward else f"<-[:{quoted(relation)}]-"
        return f"COUNT {{ MATCH (a){arrow}{node_pattern('b', target)} RETURN b LIMIT {MOST_COUNTED} }}"
