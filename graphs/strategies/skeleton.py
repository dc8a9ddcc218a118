"""What a model wrote down of the documents, as evidence: the relations around a question's entities, each with the
passages that it comes from (KET-RAG, section 5.2). A skeleton by rules is not used: what it tells the passages say."""

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
"""By how much evidence falls from one relation to the next; the first is worth less than the first passage."""
SURE = 0.9
"""Of what a mention must be to be what the question is about."""


def by_skeleton(
    state: StrategyInput, bridge: Sequence[Entity], context: Context, kept: Collection, span: Span
) -> TwoChannelContext | None:
    """The entity channel's share of the context; None without a skeleton by a model."""
    made = kept.store.extractions.settings
    if made is None or made.by != "model":
        return None
    try:
        skeleton = kept.skeleton
    except ClewError as error:
        span.event("skeleton", failed=error.message)
        return None
    if skeleton is None:
        return None
    meant = [m["candidates"][0] for m in state["mentions"] if m["candidates"]]
    about = [*(entity.id for entity in bridge), *(each["id"] for each in meant if each["score"] >= SURE)]
    share = int(context.budget.max_tokens * THETA)
    return TwoChannels(kept.index, skeleton).context(state["question"], share, theta=1.0, also=about)


def relation_evidence(stated: StatedRelation, place: int, iteration: int) -> dict[str, Evidence]:
    """A relation as one item of evidence, with where it stands."""
    source = "; ".join(dict.fromkeys(map(citation, stated.sources)))
    triplet = Triplet(
        _entity(stated.head),
        stated.relation.words,
        _entity(stated.tail),
        {"description": stated.relation.description, "source": source},
    )
    chunks = {"chunks": [chunk.id for chunk in stated.sources]}
    return evidence_of(triplet, max(0.0, SURE - _RELATION_SHARE * place), "documents", iteration, "", chunks)


def citation(chunk: Chunk) -> str:
    return f"{chunk.title}, {chunk.place}" if chunk.place else chunk.title


def _entity(entity: SkeletonEntity) -> Entity:
    return Entity(entity.id, entity.name, entity.type)
