"""Retrieval from documents through two channels under one token limit λ (KET-RAG, Algorithm 4).

The entity channel has the share θ of the tokens: entities that the question finds, their relations, and the chunks that
state them. The keyword channel has the rest: KET-RAG's own (`keyword_graph.keyword_index`) or the document index's
search. With KET-RAG's own, both channels show its sub-chunks. Only whole items are shown, none twice; what one channel
leaves goes to the other. θ = 0 and θ = 1 are one channel alone, which then has all tokens to itself. Without a skeleton
there is the keyword channel only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from clew.tools.documents.chunk import Chunk
from clew.tools.documents.index.channels import Channel
from clew.tools.documents.index.index import DEFAULT, DocumentHit, DocumentIndex, K
from clew.tools.documents.keyword_graph.keyword_index import KeywordIndex, Passage
from clew.tools.documents.search_options import THETA, check_theta
from clew.tools.documents.skeleton.files import SkeletonEntity, SkeletonRelation
from clew.tools.documents.skeleton.skeleton import Skeleton, SkeletonNeighbourhood
from clew.tools.embedding import query_vectors
from clew.tools.embedding.token_budget import counter

FACTS_SHARE, ENTITIES_SHARE = 0.5, 0.4
"""The share of the entity channel's tokens for entities and relations together, and of these for entities."""
MOST_CHUNKS = 1000
"""Number of chunks of each channel."""


@dataclass(frozen=True, slots=True)
class StatedRelation:
    """A relation of the skeleton with its sources."""

    head: SkeletonEntity
    relation: SkeletonRelation
    tail: SkeletonEntity
    sources: tuple[Chunk, ...]
    """The chunks that state it."""

    @property
    def text(self) -> str:
        return self.relation.text(self.head.name, self.tail.name)


@dataclass(frozen=True, slots=True)
class TwoChannelContext:
    """The context for a question."""

    entities: tuple[SkeletonEntity, ...]
    relations: tuple[StatedRelation, ...]
    by_entities: tuple[DocumentHit, ...]
    """Chunks of the entity channel."""
    by_keywords: tuple[DocumentHit, ...]
    tokens: int
    """The tokens of all texts, as `clew.tools.embedding.token_budget` counts each."""

    @property
    def texts(self) -> list[str]:
        """Everything as texts, in the order in which it is shown."""
        facts = [*(entity.text for entity in self.entities), *(relation.text for relation in self.relations)]
        return [*facts, *(hit.chunk.text for hit in (*self.by_entities, *self.by_keywords))]


@dataclass(frozen=True, slots=True)
class TwoChannels:
    """A document index, and the skeleton of the same documents if there is one."""

    index: DocumentIndex
    skeleton: Skeleton | None
    keywords: KeywordIndex | None = None
    """KET-RAG's keyword channel over the same chunks; None for the index's own search."""

    def context(
        self,
        question: str,
        max_tokens: int,
        theta: float = THETA,
        channels: Sequence[Channel] = DEFAULT,
        also: Iterable[str] = (),
    ) -> TwoChannelContext:
        """The context for a question.

        Args:
            question: As it was asked.
            max_tokens: The limit λ.
            theta: The entity channel's share θ, 0 to 1.
            channels: Of the keyword channel where it is the index's own search.
            also: Ids of entities that the question is about besides those it names.

        Raises:
            BadInput: θ is not a share.
        """
        check_theta(theta)
        around = self._around(question, also) if theta > 0 else _NOTHING
        filling = _Filling(self, max_tokens)
        filling.take(around, int(theta * max_tokens))
        if theta < 1 and filling.left > 0:
            filling.take_keywords(self._within(question, filling.left, channels))
        filling.take(around, max_tokens, facts=1.0)
        return filling.context()

    def search(
        self,
        question: str,
        k: int = K,
        theta: float = THETA,
        channels: Sequence[Channel] = DEFAULT,
        also: Iterable[str] = (),
    ) -> list[DocumentHit]:
        """The k best chunks of both channels, θ of them of the entity channel, in turns; a chunk that both find comes
        where the first of them has it. Raises BadInput for a θ that is not a share."""
        check_theta(theta)
        k = max(0, k)
        around = self._around(question, also) if theta > 0 else _NOTHING
        by_entities = list(islice(self.entity_hits(around), k))
        by_keywords = self._best(question, k, channels) if theta < 1 else []
        return in_turns(by_entities, by_keywords, theta)[:k]

    def stated(self, place: int) -> StatedRelation:
        """The relation of that place."""
        assert self.skeleton is not None
        relation = self.skeleton.relation(place)
        sources = tuple(hit.chunk for hit in self._hits(relation.chunks))
        return StatedRelation(
            self.skeleton.entity(relation.head), relation, self.skeleton.entity(relation.tail), sources
        )

    def entity_hits(self, around: SkeletonNeighbourhood) -> Iterator[DocumentHit]:
        """The chunks of the entity channel in their order; of sub-chunks, those that have its names, the one with most
        of them first."""
        hits = self._hits(around.chunks[:MOST_CHUNKS])
        if self.keywords is None or self.skeleton is None:
            yield from hits
            return
        ends = (end for place in around.relations for end in self.skeleton.ends[place].tolist())
        names = {
            name.casefold()
            for place in dict.fromkeys([*around.entities, *ends])
            for name in self.skeleton.entity(place).names
        }
        for hit in hits:
            parts = self.keywords.parts(hit.position)
            named = {part.part: sum(name in part.text.casefold() for name in names) for part in parts}
            naming = sorted((part for part in parts if named[part.part]), key=lambda part: -named[part.part])
            yield from (self._hit(part) for part in naming or parts)

    def _hits(self, numbers: Sequence[int]) -> Iterator[DocumentHit]:
        """The skeleton's chunks of these numbers, in their order, as far as the index has them."""
        assert self.skeleton is not None or not numbers
        ids = [self.skeleton.chunk_ids[number] for number in numbers] if self.skeleton else []
        store = self.index.sources.store
        positions = store.positions(ids).tolist() if ids else []
        return (DocumentHit(store[place], 0.0, {}, place) for place in positions if place >= 0)

    def _within(self, question: str, max_tokens: int, channels: Sequence[Channel]) -> list[DocumentHit]:
        """The chunks of the keyword channel, best first; at least those that fit into `max_tokens`."""
        if self.keywords is None:
            return self.index.search(question, MOST_CHUNKS, channels)
        return [self._hit(part) for part in self.keywords.nearest(self._vector(question), max_tokens)]

    def _best(self, question: str, k: int, channels: Sequence[Channel]) -> list[DocumentHit]:
        if self.keywords is None:
            return self.index.search(question, k, channels)
        return [self._hit(part) for part in self.keywords.best(self._vector(question), k)]

    def _hit(self, part: Passage) -> DocumentHit:
        chunk = part.of(self.index.sources.store[part.chunk])
        return DocumentHit(chunk, part.cosine, {"keywords": part.cosine} if part.cosine else {}, part.chunk)

    def _around(self, question: str, also: Iterable[str]) -> SkeletonNeighbourhood:
        if self.skeleton is None or not question.strip():
            return _NOTHING
        return self.skeleton.around(question, self._vector(question), also)

    def _vector(self, question: str) -> npt.NDArray[np.float32]:
        found: npt.NDArray[np.float32] = query_vectors(self.index.embedder, [question])[0]
        return found


def in_turns(by_entities: Sequence[DocumentHit], by_keywords: Sequence[DocumentHit], theta: float) -> list[DocumentHit]:
    """All hits, each once. Of the first n, where both have enough, θ · n are the next of `by_entities`, rounded."""
    waiting = (iter(by_entities), iter(by_keywords))
    found: dict[str, DocumentHit] = {}
    taken = 0
    while True:
        first = 0 if taken < int(theta * (len(found) + 1) + 0.5) else 1
        for turn in (first, 1 - first):
            hit = next((each for each in waiting[turn] if each.chunk.id not in found), None)
            if hit is not None:
                found[hit.chunk.id] = hit
                taken += turn == 0
                break
        else:
            return list(found.values())


_NOTHING = SkeletonNeighbourhood((), (), ())


class _Filling:
    """Accounting of tokens."""

    def __init__(self, channels: TwoChannels, max_tokens: int) -> None:
        self._of = channels
        self.left = max(0, max_tokens)
        self._count = counter()
        self._entities: dict[int, SkeletonEntity] = {}
        self._relations: dict[int, StatedRelation] = {}
        self._by_entities: dict[str, DocumentHit] = {}
        self._by_keywords: dict[str, DocumentHit] = {}
        self._used = 0

    def take(self, around: SkeletonNeighbourhood, share: int, facts: float = FACTS_SHARE) -> None:
        """Entities, relations and chunks of the entity channel until it has `share` tokens more; of entities and
        relations, which may have `facts` of them, those that fit, of chunks those before the first that does not."""
        skeleton = self._of.skeleton
        if skeleton is None:
            return
        begun, share = self._used, min(share, self.left)
        for place in around.entities:
            entity = skeleton.entity(place)
            most = begun + int(share * facts * ENTITIES_SHARE)
            if place not in self._entities and self._takes(entity.text, most):
                self._entities[place] = entity
        for place in around.relations:
            stated = self._of.stated(place) if place not in self._relations else None
            if stated is not None and stated.sources and self._takes(stated.text, begun + int(share * facts)):
                self._relations[place] = stated
        for hit in self._of.entity_hits(around):
            if hit.chunk.id not in self._shown and not self._takes_chunk(hit, begun + share, self._by_entities):
                break

    def take_keywords(self, hits: Iterable[DocumentHit]) -> None:
        """Chunks of the keyword channel before the first that does not fit."""
        for hit in hits:
            most = self._used + self.left
            if hit.chunk.id not in self._shown and not self._takes_chunk(hit, most, self._by_keywords):
                break

    def context(self) -> TwoChannelContext:
        facts = (tuple(self._entities.values()), tuple(self._relations.values()))
        return TwoChannelContext(
            *facts, tuple(self._by_entities.values()), tuple(self._by_keywords.values()), self._used
        )

    @property
    def _shown(self) -> set[str]:
        return self._by_entities.keys() | self._by_keywords.keys()

    def _takes_chunk(self, hit: DocumentHit, most: int, into: dict[str, DocumentHit]) -> bool:
        fits = self._takes(hit.chunk.text, most)
        if fits:
            into[hit.chunk.id] = hit
        return fits

    def _takes(self, text: str, most: int) -> bool:
        """Take a text's tokens if they fit below `most` in all; returns whether they did."""
        cost = self._count(text)
        if cost > self.left or self._used + cost > most:
            return False
        self._used, self.left = self._used + cost, self.left - cost
        return True
