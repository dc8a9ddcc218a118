"""Retrieval from documents through two channels under one token limit λ (KET-RAG, Algorithm 4).

The entity channel has the share θ of the tokens: entities that the question finds, their relations, and the chunks that
state them. The keyword channel, the document index's own search, has the rest. Only whole items are shown, none twice;
what one channel leaves goes to the other. θ = 0 and θ = 1 are one channel alone, which then has all tokens to itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from clew.tools.documents.chunk import Chunk
from clew.tools.documents.index.channels import Channel
from clew.tools.documents.index.index import DEFAULT, DocumentHit, DocumentIndex, K
from clew.tools.documents.skeleton.files import SkeletonEntity, SkeletonRelation
from clew.tools.documents.skeleton.skeleton import Around, Skeleton
from clew.tools.embedding.token_budget import counter
from clew.tools.errors import BadInput

THETA = 0.4
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
    """A document index, and the skeleton of the same documents."""

    index: DocumentIndex
    skeleton: Skeleton

    def context(
        self,
        question: str,
        max_tokens: int,
        theta: float = THETA,
        channels: Sequence[Channel] = DEFAULT,
        also: Iterable[str] = (),
    ) -> TwoChannelContext:
        """Within `max_tokens`; `also` are ids of entities that the question is about besides those it names, `channels`
        those of the keyword channel. Raises BadInput for a θ that is no share."""
        _check(theta)
        around = self._around(question, also) if theta > 0 else _NOTHING
        filling = _Filling(self, max_tokens)
        filling.take(around, int(theta * max_tokens))
        if theta < 1:
            hits = self.index.search(question, MOST_CHUNKS, channels) if max_tokens > 0 else []
            filling.take_keywords(hits)
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
        where the first of them has it. Raises BadInput for a θ that is no share."""
        _check(theta)
        if theta == 0:
            return self.index.search(question, k, channels)
        k = max(0, k)
        by_entities = list(self.hits(self._around(question, also).chunks[:k]))
        by_keywords = self.index.search(question, k, channels) if theta < 1 else []
        return in_turns(by_entities, by_keywords, theta)[:k]

    def stated(self, place: int) -> StatedRelation:
        """The relation of that place."""
        relation = self.skeleton.relation(place)
        sources = tuple(hit.chunk for hit in self.hits(relation.chunks))
        return StatedRelation(
            self.skeleton.entity(relation.head), relation, self.skeleton.entity(relation.tail), sources
        )

    def hits(self, numbers: Sequence[int]) -> Iterator[DocumentHit]:
        """The skeleton's chunks of these numbers, in their order, as far as the index has them."""
        ids = [self.skeleton.chunk_ids[number] for number in numbers]
        store = self.index.sources.store
        positions = store.positions(ids).tolist() if ids else []
        return (DocumentHit(store[place], 0.0, {}, place) for place in positions if place >= 0)

    def _around(self, question: str, also: Iterable[str]) -> Around:
        if not question.strip():
            return _NOTHING
        return self.skeleton.around(question, self.index.embedder.embed([question])[0], also)


def in_turns(by_entities: Sequence[DocumentHit], by_keywords: Sequence[DocumentHit], theta: float) -> list[DocumentHit]:
    """All hits, each once. Of the first n, where both have enough, θ · n are the next of `by_entities`, rounded."""
    waiting = (iter(by_entities), iter(by_keywords))
    found: dict[int, DocumentHit] = {}
    taken = 0
    while True:
        first = 0 if taken < int(theta * (len(found) + 1) + 0.5) else 1
        for turn in (first, 1 - first):
            hit = next((each for each in waiting[turn] if each.position not in found), None)
            if hit is not None:
                found[hit.position] = hit
                taken += turn == 0
                break
        else:
            return list(found.values())


_NOTHING = Around((), (), ())


class _Filling:
    """Accounting of tokens."""

    def __init__(self, channels: TwoChannels, max_tokens: int) -> None:
        self._of = channels
        self._left = max(0, max_tokens)
        self._count = counter()
        self._entities: dict[int, SkeletonEntity] = {}
        self._relations: dict[int, StatedRelation] = {}
        self._by_entities: dict[int, DocumentHit] = {}
        self._by_keywords: dict[int, DocumentHit] = {}
        self._used = 0

    def take(self, around: Around, share: int, facts: float = FACTS_SHARE) -> None:
        """Entities, relations and chunks of the entity channel until it has `share` tokens more; of entities and
        relations, which may have `facts` of them, those that fit, of chunks those before the first that does not."""
        begun, share = self._used, min(share, self._left)
        for place in around.entities:
            entity = self._of.skeleton.entity(place)
            most = begun + int(share * facts * ENTITIES_SHARE)
            if place not in self._entities and self._takes(entity.text, most):
                self._entities[place] = entity
        for place in around.relations:
            stated = self._of.stated(place) if place not in self._relations else None
            if stated is not None and stated.sources and self._takes(stated.text, begun + int(share * facts)):
                self._relations[place] = stated
        for hit in self._of.hits(around.chunks[:MOST_CHUNKS]):
            if hit.position not in self._shown and not self._takes_chunk(hit, begun + share, self._by_entities):
                break

    def take_keywords(self, hits: Iterable[DocumentHit]) -> None:
        """Chunks of the keyword channel before the first that does not fit."""
        for hit in hits:
            if hit.position not in self._shown and not self._takes_chunk(
                hit, self._used + self._left, self._by_keywords
            ):
                break

    def context(self) -> TwoChannelContext:
        facts = (tuple(self._entities.values()), tuple(self._relations.values()))
        return TwoChannelContext(
            *facts, tuple(self._by_entities.values()), tuple(self._by_keywords.values()), self._used
        )

    @property
    def _shown(self) -> set[int]:
        return self._by_entities.keys() | self._by_keywords.keys()

    def _takes_chunk(self, hit: DocumentHit, most: int, into: dict[int, DocumentHit]) -> bool:
        fits = self._takes_tokens(int(self._of.index.sources.store.tokens[hit.position]), most)
        if fits:
            into[hit.position] = hit
        return fits

    def _takes(self, text: str, most: int) -> bool:
        return self._takes_tokens(self._count(text), most)

    def _takes_tokens(self, cost: int, most: int) -> bool:
        """Take that many tokens if they fit below `most` in all; returns whether they did."""
        if cost > self._left or self._used + cost > most:
            return False
        self._used, self._left = self._used + cost, self._left - cost
        return True


def _check(theta: float) -> None:
    if not 0 <= theta <= 1:
        raise BadInput(f"A share of {theta:g} for the entity channel cannot be.", "θ is a number from 0 to 1.")
