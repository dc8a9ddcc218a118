"""A skeleton on disk: its manifest `skeleton.json`, and its entities and relations, a line each."""

from __future__ import annotations

import json
from dataclasses import dataclass

from clew.tools.arrays.index_files import IndexFiles
from clew.tools.embedding.text_vectors import VectorManifest

OWN = "skeleton:"
"""Before the ids of entities that are not in the knowledge graph."""
ENTITIES, RELATIONS = "entity", "relation"
"""The names of the vectors on disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkeletonManifest(VectorManifest):
    """What `skeleton.json` holds. Its version is that of the documents, of what was extracted from them, and of the
    names they were linked with."""

    by: str
    """"rules" or "model"."""
    chunks: int
    """Those that it was made from."""
    entities: int
    relations: int
    linked: int
    """Entities that are entities of the knowledge graph."""


FILES = IndexFiles(SkeletonManifest, "skeleton", "document skeleton", 1)


@dataclass(frozen=True, slots=True)
class SkeletonEntity:
    """An entity of the core chunks."""

    id: str
    """The node's, if it is an entity of the knowledge graph."""
    name: str
    """The node's, else the spelling that is most frequent."""
    type: str
    """The node's label, else the type that is given most often; "" if none is."""
    description: str
    names: tuple[str, ...]
    """Its spellings, the most frequent first."""
    chunks: tuple[int, ...]
    """The numbers of the chunks that have it, ascending."""

    @property
    def linked(self) -> bool:
        """Whether it is an entity of the knowledge graph."""
        return not self.id.startswith(OWN)

    @property
    def text(self) -> str:
        """As it is shown, and its beginning embedded: "Ana Ruiz (person): Bought the mill at Dorn."."""
        named = f"{self.name} ({self.type})" if self.type else self.name
        return f"{named}: {self.description}" if self.description else named

    def to_line(self) -> str:
        fields = [self.id, self.name, self.type, self.description, self.names, self.chunks]
        return json.dumps(fields, ensure_ascii=False)

    @classmethod
    def of_line(cls, line: str) -> SkeletonEntity:
        id, name, kind, description, names, chunks = json.loads(line)
        return cls(id, name, kind, description, tuple(names), tuple(chunks))


@dataclass(frozen=True, slots=True)
class SkeletonRelation:
    """Two entities, by their places among the entities, and how they are related."""

    head: int
    words: str
    tail: int
    description: str
    weight: int
    """How often it is stated."""
    chunks: tuple[int, ...]
    """The numbers of the chunks that state it, ascending."""

    def text(self, head: str, tail: str) -> str:
        """As it is shown: "Ana Ruiz bought the mill at Dorn: In 1871, to put in an engine."."""
        stated = f"{head} {self.words} {tail}"
        return f"{stated}: {self.description}" if self.description else stated

    def to_line(self) -> str:
        fields = [self.head, self.words, self.tail, self.description, self.weight, self.chunks]
        return json.dumps(fields, ensure_ascii=False)

    @classmethod
    def of_line(cls, line: str) -> SkeletonRelation:
        head, words, tail, description, weight, chunks = json.loads(line)
        return cls(head, words, tail, description, weight, tuple(chunks))


def id_key(id: str) -> str:
    """What stands for an id among the spellings, none of which is so."""
    return f"\0{id}"
