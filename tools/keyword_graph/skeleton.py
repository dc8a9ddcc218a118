"""The knowledge graph of the core chunks, and retrieval from it (KET-RAG, Algorithms 1 and 2).

Entities and relations come from rules (`tools.keyword_graph.statements`). Names that differ in case or ending are one
entity; relations of the same two entities and words are one. An entity is embedded with what the first sentences say
of it. A question takes the SEEDS nearest entities, then their relations, those between two of them first, and then
the chunks that have most of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tools.chunk_graph.names import folded
from tools.documents.chunk import Chunk
from tools.embedding import Embedder
from tools.keyword_graph.statements import Statement, mentions, statements
from tools.token_budget import counter

SEEDS = 10
FACTS_SHARE = 0.5
"""Of the tokens, those for entities and relations; the rest is for chunks."""
DESCRIBED_BY = 3
"""Sentences that describe an entity."""

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Entity:
    """A name in the core chunks."""

    name: str
    """As it is written most often."""
    description: str
    """The first sentences that have it."""
    chunks: tuple[int, ...]
    """Those that have it, by their numbers, ascending."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Two entities and how they hang together, by their places in `Skeleton.entities`."""

    head: int
    tail: int
    words: str
    description: str
    """The first sentence that says so."""
    weight: int
    """How many sentences do."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the entity channel shows for a question."""

    entities: tuple[Entity, ...]
    relations: tuple[str, ...]
    """As sentences: "head words tail: description"."""
    chunks: tuple[int, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Skeleton:
    """e entities, r relations."""

    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]
    vectors: Vectors
    """Of the entities with their descriptions: shape (e, d), rows of length 1."""

    @classmethod
    def of(cls, chunks: Iterable[tuple[int, Chunk]], embedder: Embedder) -> Skeleton:
        """From numbered chunks; the same for the same ones in the same order."""
        written: dict[str, Counter[str]] = {}
        sentences: dict[str, dict[str, None]] = {}
        held: dict[str, set[int]] = {}
        told: dict[tuple[str, str, str], list[Statement]] = {}
        for number, chunk in chunks:
            for name, sentence in mentions(chunk):
                key = folded(name)
                written.setdefault(key, Counter())[name] += 1
                sentences.setdefault(key, {}).setdefault(sentence)
                held.setdefault(key, set()).add(number)
            for each in statements(chunk):
                told.setdefault((folded(each.head), folded(each.relation), folded(each.tail)), []).append(each)
        places = {key: place for place, key in enumerate(written)}
        entities = tuple(
            Entity(
                names.most_common(1)[0][0],
                " ".join(list(sentences[key])[:DESCRIBED_BY]),
                tuple(sorted(held[key])),
            )
            for key, names in written.items()
        )
        relations = tuple(
            Relation(places[head], places[tail], found[0].relation, found[0].sentence, len(found))
            for (head, _, tail), found in told.items()
        )
        vectors = embedder.embed([f"{entity.name}. {entity.description}" for entity in entities])
        return cls(entities, relations, vectors)

    def search(self, vector: Vectors, texts: Sequence[str], max_tokens: int) -> Found:
        """For a question's vector; `texts` are those of all chunks by number. Nothing is cut."""
        count = counter()
        seeds = np.argsort(-(self.vectors @ vector), kind="stable")[:SEEDS].tolist() if len(self.entities) else []
        left = int(max_tokens * FACTS_SHARE)
        entities, relations = [], []
        for seed in seeds:
            entity = self.entities[seed]
            if (cost := count(f"{entity.name}: {entity.description}")) <= left:
                entities.append(entity)
                left -= cost
        for relation in self._around(set(seeds)):
            line = self._line(relation)
            if (cost := count(line)) > left:
                break
            relations.append(line)
            left -= cost
        used = int(max_tokens * FACTS_SHARE) - left
        shown = []
        for number in self._adjacent(seeds):
            if used + (cost := count(texts[number])) > max_tokens:
                break
            shown.append(number)
            used += cost
        return Found(tuple(entities), tuple(relations), tuple(shown), used)

    def _around(self, seeds: set[int]) -> list[Relation]:
        """Relations of the seeds: those between two of them first, then those that more sentences tell."""
        near = [each for each in self.relations if each.head in seeds or each.tail in seeds]
        return sorted(near, key=lambda each: (-((each.head in seeds) + (each.tail in seeds)), -each.weight))

    def _line(self, relation: Relation) -> str:
        head, tail = self.entities[relation.head].name, self.entities[relation.tail].name
        return f"{head} {relation.words} {tail}: {relation.description}"

    def _adjacent(self, seeds: Sequence[int]) -> list[int]:
        """The chunks of the seeds, those with most of them first, then those of the nearest seed."""
        held: dict[int, int] = {}
        for seed in seeds:
            for number in self.entities[seed].chunks:
                held[number] = held.get(number, 0) + 1
        return sorted(held, key=lambda number: -held[number])
