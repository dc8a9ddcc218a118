"""The relations and properties that single nodes have, asked of the database in one query for the nodes of a label."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.entity import Entity
from clew.tools.graph.schema import Schema
from clew.tools.graph.store.graph_store import GraphStore

EntityStep = tuple[str, bool, str]
"""A relationship type, whether it is taken forward, and the label that it leads to."""
_MOST_CACHED = 20_000


class EntitySteps:
    """Which of the steps of the schema single nodes have; no neighbour is enumerated. Thread-safe."""

    def __init__(self, store: GraphStore, schema: Schema) -> None:
        self._store, self._terms = store, store.terms
        self._possible: dict[str, list[EntityStep]] = defaultdict(list)
        for relation in schema.relations:
            self._possible[relation.source].append((relation.type, True, relation.target))
            self._possible[relation.target].append((relation.type, False, relation.source))
        self._known: dict[Entity, frozenset[EntityStep]] = {}

    def of(self, entities: Iterable[Entity]) -> Mapping[Entity, frozenset[EntityStep]]:
        """The steps of each entity. Raises what GraphStore.read raises."""
        wanted = list(dict.fromkeys(entities))
        if len(self._known) > _MOST_CACHED:
            self._known = {}
        known, open_ = self._known, defaultdict[str, list[Entity]](list)
        for entity in wanted:
            if entity not in known:
                open_[entity.label].append(entity)
        for label, unknown in open_.items():
            known.update(self._asked(label, unknown))
        return {entity: known.get(entity, frozenset()) for entity in wanted}

    def _asked(self, label: str, entities: list[Entity]) -> dict[Entity, frozenset[EntityStep]]:
        possible = self._possible.get(label, [])
        if not possible:
            return dict.fromkeys(entities, frozenset())
        columns = [f"{self._exists(step)} AS s{i}" for i, step in enumerate(possible)]
        clause = self._terms.by_ids("a", label, "ids")
        rows = self._store.read(
            f"{clause}\nRETURN {self._terms.id('a')} AS id, {', '.join(columns)}",
            {"ids": [entity.id for entity in entities], **self._terms.parameters},
        ).records
        found = {str(row["id"]): frozenset(s for i, s in enumerate(possible) if row[f"s{i}"]) for row in rows}
        return {entity: found.get(entity.id, frozenset()) for entity in entities}

    def _exists(self, step: EntityStep) -> str:
        relation, forward, target = step
        arrow = f"-[:{quoted(relation)}]->" if forward else f"<-[:{quoted(relation)}]-"
        return f"EXISTS {{ (a){arrow}{self._terms.node('', target)} }}"
