"""Links extracted entities to nodes of the knowledge graph: by the known mentions of their chunks, or else by an equal
name or alias. If several nodes fit, the one whose label is the extracted type; none in doubt. The graph is only read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clew.tools.documents.chunk_graph.names import folded
from clew.tools.documents.skeleton.merging import spelling
from clew.tools.documents.store.extractions import NamedEntity
from clew.tools.documents.store.records import ChunkMention
from clew.tools.graph.entity import Entity
from clew.tools.linking.index import EntityIndex
from clew.tools.linking.normalise import compact, fold

LEAST_SCORE = 0.96
"""Matchers of equal spellings; similar names do not count."""


class GraphNames:
    """The names of a knowledge graph, and what chunks mention of it."""

    def __init__(self, index: EntityIndex, mentions: Iterable[ChunkMention] = ()) -> None:
        self._index = index
        self._mentioned: dict[tuple[str, str], str | None] = {}
        """By chunk and spelling, the node; None if it is ambiguous."""
        for each in mentions:
            key = (each.chunk, spelling(each.surface))
            if self._mentioned.setdefault(key, each.node) != each.node:
                self._mentioned[key] = None
        self._known: dict[tuple[str, str], Entity | None] = {}

    def node_of(self, chunk: str, named: NamedEntity) -> Entity | None:
        """The node for an entity in a chunk."""
        mentioned = self._mentioned.get((chunk, spelling(named.name)))
        if mentioned is not None and (node := self._index.get(mentioned)) is not None:
            return node
        key = (named.name, folded(named.type))
        if key not in self._known:
            self._known[key] = self._by_name(named)
        return self._known[key]

    def _by_name(self, named: NamedEntity) -> Entity | None:
        if not any(map(str.isalpha, named.name)):
            return None  # "1976" is a year and no film.
        keys = self._index.keys_spelled([compact(fold(named.name))])[0]
        candidates = [each for each in self._index.spelled(named.name, keys) if each.score >= LEAST_SCORE]
        if named.name.islower():
            candidates = [each for each in candidates if each.matched.islower()]
        best = [each.entity for each in candidates if each.score >= candidates[0].score - 1e-6]
        return best[0] if len(best) == 1 else _of_type([each.entity for each in candidates], named.type)


def _of_type(nodes: Sequence[Entity], type: str) -> Entity | None:
    """The only node with such a label."""
    fitting = [node for node in nodes if type and folded(node.label) == folded(type)]
    return fitting[0] if len(fitting) == 1 else None
