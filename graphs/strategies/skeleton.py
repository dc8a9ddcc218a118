"""The relations that a model extracted from the documents, as evidence: those around the question's entities, each with
its source passages (KET-RAG, section 5.2). A skeleton by rules is not used, because it adds nothing to the passages."""

from __future__ import annotations

from collections.abc import Sequence

from clew.agents.evidence import Evidence, evidence_of
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.collection import Collection
from clew.tools.documents.skeleton.files import SkeletonEntity
from clew.tools.documents.skeleton.retrieval import THETA, StatedRelation, TwoChannelContext, TwoChannels
from clew.tools.errors import ClewError
from clew.tools.graph.entity import Entity
from clew.tools.graph.triplets import Triplet

MOST_RELATIONS = 20
_RELATION_SHARE = 0.02
"""Decrease of the evidence score from one relation to the next; the first scores less than the first passage."""
SURE = 0.9
"""Minimum link score of an entity that the question is about."""


def by_skeleton(
    state: StrategyInput, bridge: Sequence[Entity], context: Context, collection: Collection, span: Span
) -> TwoChannelContext | None:
    """The context of the entity channel; None without a skeleton by a model."""
    settings = collection.store.extractions.settings
    if settings is None or settings.by != "model":
        return None
    try:
        skeleton = collection.skeleton
    except ClewError as error:
        span.event("skeleton", failed=error.message)
        return None
    if skeleton is None:
        return None
    linked = [m["candidates"][0] for m in state["mentions"] if m["candidates"]]
    about = [*(entity.id for entity in bridge), *(each["id"] for each in linked if each["score"] >= SURE)]
    share = int(context.budget.max_tokens * THETA)
    return TwoChannels(collection.index, skeleton).context(state["question"], share, theta=1.0, also=about)


def relation_evidence(extracted: StatedRelation, place: int, iteration: int) -> dict[str, Evidence]:
    """A relation as evidence, with its sources."""
    source = "; ".join(dict.fromkeys(map(citation, extracted.sources)))
    triplet = Triplet(
        _entity(extracted.head),
        extracted.relation.words,
        _entity(extracted.tail),
        {"description": extracted.relation.description, "source": source},
    )
    chunks = {"chunks": [chunk.id for chunk in extracted.sources]}
    return evidence_of(triplet, max(0.0, SURE - _RELATION_SHARE * place), "documents", iteration, "", chunks)


def citation(chunk: Chunk) -> str:
    return f"{chunk.title}, {chunk.place}" if chunk.place else chunk.title


def _entity(entity: SkeletonEntity) -> Entity:
    return Entity(entity.id, entity.name, entity.type)
