"""What a graph says of some nodes, in words and within a token budget: properties, the parts of their texts that fit a
question, and some of their neighbours. For models that read what was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from clew.tools.embedding.token_budget import counter
from clew.tools.graph.entity import Entity
from clew.tools.graph.identifiers import spoken
from clew.tools.graph.neighbourhood import Neighbourhood
from clew.tools.graph.schema import RESERVED, Schema
from clew.tools.graph.store.graph_store import GraphStore, Limits
from clew.tools.graph.triplets import grouped
from clew.tools.text_search.index import TextIndex

NEIGHBOURS = 3
"""Neighbours for each relationship type and direction."""
_EXCERPTS = 2
_STEPS = 24
_LONGEST_VALUE = 120
"""Maximum characters of a property that is not text."""


class NodeDetails:
    """Reads the details of nodes from one graph."""

    def __init__(self, store: GraphStore, schema: Schema, index: TextIndex | None, limits: Limits) -> None:
        """If there is no index, no texts are read."""
        self._store = store
        self._around = Neighbourhood(store, schema)
        self._index = index
        self._limits = limits

    def read(
        self, entities: Sequence[Entity], question: str, max_tokens: int, neighbours: int = NEIGHBOURS
    ) -> list[str]:
        """Of each entity one line: "price: 12.5; colour: red. description: “…”. made by → Acme"; "" where nothing fits
        or is known.

        All lines together take at most `max_tokens` tokens: each entity has an equal share, and those after it what it
        leaves. Parts are left out whole. Takes two queries a label. Raises what GraphStore.read raises.
        """
        properties = _properties(entities, self._store, self._limits)
        lines = _neighbours(entities, self._around, neighbours, self._limits) if neighbours else {}
        found: list[str] = []
        left = max_tokens
        for place, entity in enumerate(entities):
            share = left // (len(entities) - place)
            parts = [*self._own(entity, properties.get(entity.id, {}), question), *lines.get(entity.id, ())]
            found.append(_fitting([part for part in parts if part], share, counter()))
            left -= counter()(found[-1]) + 1
        return found

    def _own(self, entity: Entity, properties: Mapping[str, Any], question: str) -> list[str]:
        """The properties and texts of a node."""
        if self._index is None:
            return [_values(properties, set(), {entity.name, entity.id})]
        texts = set(self._index.text_properties.get(entity.label, ()))
        excerpts = self._index.excerpts(question, entity.id, _EXCERPTS)
        values = _values(properties, texts, {entity.name, entity.id})
        return [values, *(f"{spoken(name)}: “{piece}”" for name, piece in excerpts)]


def _fitting(parts: Sequence[str], tokens: int, count: Callable[[str], int]) -> str:
    """The parts that fit the budget, joined; longer ones are skipped."""
    kept = ""
    for part in parts:
        longer = f"{kept}. {part}" if kept else part
        if count(longer) + 1 <= tokens:
            kept = longer
    return kept


def _properties(entities: Sequence[Entity], store: GraphStore, limits: Limits) -> dict[str, dict[str, Any]]:
    terms, found = store.terms, dict[str, dict[str, Any]]()
    for label in dict.fromkeys(entity.label for entity in entities):
        ids = [entity.id for entity in entities if entity.label == label]
        cypher = f"{terms.by_ids('n', label, 'ids')} RETURN {terms.id('n')} AS id, properties(n) AS properties"
        for row in store.read(cypher, {"ids": ids, **terms.parameters}, limits).records:
            found[str(row["id"])] = dict(row["properties"] or {})
    return found


def _values(properties: Mapping[str, Any], texts: set[str], known: set[str]) -> str:
    """The values that are neither text nor `known`, by name."""
    kept = {key: _value(value) for key, value in sorted(properties.items()) if key not in RESERVED and key not in texts}
    return "; ".join(
        f"{spoken(key)}: {value}"
        for key, value in kept.items()
        if value and value not in known and len(value) <= _LONGEST_VALUE
    )


def _value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_value, value))
    return "" if value is None else " ".join(str(value).split())


def _neighbours(
    entities: Sequence[Entity], around: Neighbourhood, each: int, limits: Limits
) -> dict[str, tuple[str, ...]]:
    """By node, its relationships as lines "head → relation → tail | tail"."""
    steps = around.possible(dict.fromkeys(entity.label for entity in entities))[:_STEPS]
    triplets = around.expand(entities, steps, each, limits).triplets
    found: dict[str, tuple[str, ...]] = {}
    for entity in entities:
        own = [triplet for triplet in triplets if entity.id in (triplet.head.id, triplet.tail.id)]
        found[entity.id] = tuple(grouped(own, each))
    return found
