"""The skeleton on disk, and what of it a question finds (KET-RAG, Algorithm 2).

A question begins at the entities that it names, filled up with those nearest to it in meaning, SEEDS in all. Their
relations follow, and those of what the best of these lead to, which is where the second step of a question stands: by
their likeness to the question and the nearness of their ends to what it names. Then come the chunks that state them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import mapped
from clew.tools.arrays.index_files import Stage, silent
from clew.tools.arrays.strings import Strings, hash_text
from clew.tools.documents.skeleton.builder import fill
from clew.tools.documents.skeleton.files import (
    ENTITIES,
    FILES,
    RELATIONS,
    SkeletonEntity,
    SkeletonManifest,
    SkeletonRelation,
    id_key,
)
from clew.tools.documents.skeleton.merging import NodeOf, spelling
from clew.tools.documents.store.extractions import Extraction
from clew.tools.embedding import Embedder
from clew.tools.embedding.text_vectors import vectors_of
from clew.tools.linking.tokens import words_of

SEEDS = 10
MOST_NAMED = 5
"""Maximum number of seeds that the question names, so that words which are also names do not displace the rest."""
NEAR_SHARE = 0.5
"""Maps the cosine of an unnamed entity to its relevance; a named entity has 1."""
HANDED_ON = 0.7
"""The share of its relevance that an entity passes to related entities."""
LED_ON = 20
"""Number of the seeds' relations that are followed further."""
MOST_RELATIONS = 200
"""Maximum number of relations for a question."""
_MOST_OF_ENTITY = 500
"""Maximum number of relations of one entity that are considered."""
_LONGEST_NAME = 8
"""Maximum number of words of a name in a question."""
_TELLING = ("rare", "number", "symbol")
"""Classes of words that may be a name alone."""
Vectors = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SkeletonNeighbourhood:
    """The results for a question, best first, as positions in the skeleton."""

    entities: tuple[int, ...]
    relations: tuple[int, ...]
    chunks: tuple[int, ...]
    """Those that say the relations, in their order, then those that have most of the entities."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """e entities, r relations, c chunks; memory-mapped."""

    manifest: SkeletonManifest
    chunk_ids: Strings
    """The ids of the chunks by number."""
    entity_lines: Strings
    relation_lines: Strings
    entity_vectors: Vectors
    """Of the entities with their descriptions: shape (e, d), rows of length 1."""
    relation_vectors: Vectors
    """Of the relations with their ends: shape (r, d)."""
    starts: Places
    """The relations of entity i are relations[starts[i] : starts[i + 1]]: shape (e + 1,)."""
    relations: npt.NDArray[np.int32]
    ends: npt.NDArray[np.int32]
    """Head and tail of every relation: shape (r, 2)."""
    name_hashes: npt.NDArray[np.uint64]
    """Of the entities' spellings and ids, ascending."""
    name_entities: npt.NDArray[np.int32]

    @classmethod
    def build(
        cls,
        extractions: Iterable[tuple[str, Extraction]],
        directory: Path,
        version: str,
        by: str,
        embedder: Embedder,
        stage: Stage = silent,
        node_of: NodeOf | None = None,
    ) -> Skeleton:
        """The skeleton of (chunk id, extraction) in `directory`; one of the same version there is opened as it is.

        Texts that the skeleton there has a vector for are not embedded again, and a build that was interrupted goes on
        from its journal.
        """
        return FILES.open_or_build(
            directory,
            version,
            lambda: cls.open(directory, embedder),
            lambda folder: {"by": by, **fill(extractions, node_of, directory, folder, embedder, stage)},
        )

    @classmethod
    def open(cls, directory: Path, embedder: Embedder) -> Skeleton:
        """Raises BadInput if there is none, a damaged one, or one of another embedding model."""

        def load(manifest: SkeletonManifest, folder: Path) -> Skeleton:
            manifest.check_embedder(embedder)
            return cls(
                manifest,
                Strings.load(folder, "chunk_ids"),
                Strings.load(folder, "entities"),
                Strings.load(folder, "relations"),
                vectors_of(folder, ENTITIES, manifest.dimension),
                vectors_of(folder, RELATIONS, manifest.dimension),
                mapped(folder, "starts"),
                mapped(folder, "relations_of"),
                mapped(folder, "ends").reshape(-1, 2),
                mapped(folder, "name_hashes"),
                mapped(folder, "name_entities"),
            )

        return FILES.open(directory, load)

    @property
    def version(self) -> str:
        return self.manifest.version

    def entity(self, place: int) -> SkeletonEntity:
        return SkeletonEntity.of_line(self.entity_lines[place])

    def relation(self, place: int) -> SkeletonRelation:
        return SkeletonRelation.of_line(self.relation_lines[place])

    def around(self, question: str, vector: Vectors, also: Iterable[str] = ()) -> SkeletonNeighbourhood:
        """For a question and its vector; `also` are ids of further entities that it is about."""
        if not len(self.entity_lines):
            return SkeletonNeighbourhood((), (), ())
        seeds = self._seeds(question, vector, also)
        relations = self._relations_of_seeds(seeds, vector)
        return SkeletonNeighbourhood(tuple(seeds), tuple(relations), tuple(self._chunks(list(seeds), relations)))

    def called(self, names: Iterable[str]) -> list[int]:
        """The entities of these names, each once, in the order of the names."""
        return self._keyed(key for name in names if (key := spelling(name)))

    def of_ids(self, ids: Iterable[str]) -> list[int]:
        """The entities of these ids, those that are none left out."""
        return self._keyed(map(id_key, ids))

    def _keyed(self, keys: Iterable[str]) -> list[int]:
        hashes = np.array([hash_text(key) for key in keys], np.uint64)
        low, high = (np.searchsorted(self.name_hashes, hashes, side) for side in ("left", "right"))
        found = (self.name_entities[a:b].tolist() for a, b in zip(low.tolist(), high.tolist(), strict=True))
        return list(dict.fromkeys(place for places in found for place in places))

    def _seeds(self, question: str, vector: Vectors, also: Iterable[str]) -> dict[int, float]:
        """The entities that the question is about, with how surely, best first."""
        named = dict.fromkeys([*self.of_ids(also), *self.called(_runs(question))])
        cosines = self.entity_vectors @ vector
        seeds = dict.fromkeys(list(named)[:MOST_NAMED], 1.0)
        for place in _best(cosines, SEEDS):
            if len(seeds) < SEEDS:
                seeds.setdefault(place, NEAR_SHARE * max(0.0, float(cosines[place])))
        return seeds

    def _relations_of_seeds(self, seeds: Mapping[int, float], vector: Vectors) -> list[int]:
        """Relations of the seeds, and of what the best of them lead to, best first."""
        near = np.zeros(len(self.entity_lines), np.float32)
        near[list(seeds)] = list(seeds.values())
        first = self._of(list(seeds))
        scores = self._scores(first, near, vector)
        ends = self.ends[first[_best(scores, LED_ON)]].ravel()
        led = np.setdiff1d(ends, np.array(list(seeds), np.int32))
        second = np.setdiff1d(self._of(led.tolist()), first)
        every = np.concatenate([first, second])
        scores = np.concatenate([scores, self._scores(second, near, vector)])
        return [int(every[place]) for place in _best(scores, MOST_RELATIONS)]

    def _scores(self, relations: Places, near: Vectors, vector: Vectors) -> Vectors:
        """The likeness of relations to the question, and how near their ends are to what it is about. That is handed on
        from end to end, in `near`."""
        heads, tails = self.ends[relations].T
        before = near.copy()
        for end, other in ((heads, tails), (tails, heads)):
            np.maximum.at(near, end, np.float32(HANDED_ON) * before[other])
        found: Vectors = self.relation_vectors[relations] @ vector + (near[heads] + near[tails]) / 2
        return found

    def _of(self, entities: Sequence[int]) -> Places:
        """The relations of these entities, each once, ascending."""
        bounds = ((int(self.starts[place]), int(self.starts[place + 1])) for place in entities)
        parts = [self.relations[first : min(last, first + _MOST_OF_ENTITY)] for first, last in bounds]
        return np.unique(np.concatenate(parts)).astype(np.int64) if parts else np.zeros(0, np.int64)

    def _chunks(self, seeds: Sequence[int], relations: Sequence[int]) -> Iterator[int]:
        stating = [number for place in relations for number in self.relation(place).chunks]
        counts: dict[int, int] = {}
        for seed in seeds:
            for number in self.entity(seed).chunks:
                counts[number] = counts.get(number, 0) + 1
        yield from dict.fromkeys([*stating, *sorted(counts, key=lambda number: -counts[number])])


def _runs(question: str) -> list[str]:
    """The runs of a question's words that may be a name, the longest first: a single everyday word only where it is
    written like one ("Heat")."""
    tokens = words_of(question).tokens
    spans = [
        (first, first + size)
        for size in range(min(len(tokens), _LONGEST_NAME), 0, -1)
        for first in range(len(tokens) - size + 1)
    ]
    return [
        question[tokens[first].start : tokens[last - 1].end]
        for first, last in spans
        if any(token.kind in _TELLING or token.marked for token in tokens[first:last])
        or (last - first > 1 and any(token.kind == "ordinary" for token in tokens[first:last]))
    ]


def _best(scores: Vectors, k: int) -> list[int]:
    """The positions of the k greatest in descending order; of equals, the first."""
    found: list[int] = np.argsort(-scores, kind="stable")[:k].tolist()
    return found
