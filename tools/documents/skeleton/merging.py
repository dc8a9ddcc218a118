"""Merges what many chunks say into one graph (KET-RAG, Algorithm 1): the same name, or the same entity of the knowledge
graph, is one entity, and the same words between the same two entities are one relation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b

from clew.tools.documents.chunk_graph.names import folded
from clew.tools.documents.skeleton.files import OWN, SkeletonEntity, SkeletonRelation
from clew.tools.documents.store.extractions import Extraction, NamedEntity
from clew.tools.graph.entity import Entity
from clew.tools.linking.normalise import fold, without_article

DESCRIPTIONS, LONGEST_DESCRIPTION = 5, 800
"""Maximum number of descriptions that are joined, and of their characters; the first one is always included."""

NodeOf = Callable[[str, NamedEntity], Entity | None]
"""Maps the id of a chunk and an entity in it to the node of the knowledge graph."""


@dataclass(slots=True)
class _Gathered:
    """The statements about one entity or relation."""

    written: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    descriptions: dict[str, str] = field(default_factory=dict)
    """Descriptions by folded text."""
    chunks: dict[int, None] = field(default_factory=dict)
    weight: int = 0
    node: Entity | None = None

    def describe(self, text: str) -> None:
        if text and len(self.descriptions) < DESCRIPTIONS:
            self.descriptions.setdefault(fold(text), text)

    def description(self) -> str:
        joined = ""
        for text in self.descriptions.values():
            if joined and len(joined) + 1 + len(text) > LONGEST_DESCRIPTION:
                break
            joined = f"{joined} {text}" if joined else text
        return joined


class Merger:
    """Add the extractions of chunks in a fixed order; the result is the same for the same ones in the same order."""

    def __init__(self, node_of: NodeOf | None = None) -> None:
        self._node_of = node_of or (lambda _, __: None)
        self._entities: dict[str, _Gathered] = {}
        self._relations: dict[tuple[str, str, str], _Gathered] = {}

    def add(self, number: int, chunk: str, extraction: Extraction) -> None:
        """Add the extraction of the chunk with that id; `number` stands for the chunk in the result."""
        keys: dict[str, str] = {}
        for each in extraction.entities:
            node = self._node_of(chunk, each)
            key = keys[spelling(each.name)] = node.id if node else OWN + spelling(each.name)
            found = self._entities.setdefault(key, _Gathered(node=node))
            found.written[each.name] += 1
            found.types.update([each.type] if each.type else [])
            found.describe(each.description)
            found.chunks[number] = None
        for relation in extraction.relations:
            head, tail = keys.get(spelling(relation.head)), keys.get(spelling(relation.tail))
            if head is None or tail is None or head == tail:
                continue
            stated = self._relations.setdefault((head, folded(relation.words), tail), _Gathered())
            stated.written[relation.words] += 1
            stated.describe(relation.description)
            stated.chunks[number] = None
            stated.weight += 1

    def merged(self) -> tuple[list[SkeletonEntity], list[SkeletonRelation]]:
        places = {key: place for place, key in enumerate(self._entities)}
        entities = [_entity(key, found) for key, found in self._entities.items()]
        relations = [
            SkeletonRelation(
                places[head],
                _first(stated.written),
                places[tail],
                stated.description(),
                stated.weight,
                _numbers(stated),
            )
            for (head, _, tail), stated in self._relations.items()
        ]
        return entities, relations


def spelling(name: str) -> str:
    """The normalised spelling: without case, accents, signs and a leading article."""
    return without_article(fold(name))


def own_id(key: str) -> str:
    """The id of an entity of the documents that is no node of the graph."""
    return OWN + blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _entity(key: str, found: _Gathered) -> SkeletonEntity:
    names = tuple(name for name, _ in found.written.most_common())
    if found.node is not None:
        id, name, kind = found.node.id, found.node.name, found.node.label
    else:
        id, name, kind = own_id(key), names[0], _first(found.types)
    return SkeletonEntity(id, name, kind, found.description(), names, _numbers(found))


def _first(counted: Counter[str]) -> str:
    return counted.most_common(1)[0][0] if counted else ""


def _numbers(found: _Gathered) -> tuple[int, ...]:
    return tuple(sorted(found.chunks))
