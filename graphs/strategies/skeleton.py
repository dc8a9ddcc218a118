"""The relations that were extracted from the documents, as evidence: those around the question's entities, each with
its source passages (KET-RAG, section 5.2). A skeleton by rules serves `ket` only, because it adds nothing to the
passages that the other ways of searching find."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from clew.agents.evidence import Evidence, evidence_of
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput, merge_evidence
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.searching import DocumentSearch
from clew.tools.documents.skeleton.files import SkeletonEntity
from clew.tools.documents.skeleton.retrieval import StatedRelation, TwoChannelContext
from clew.tools.errors import ClewError
from clew.tools.graph.entity import Entity
from clew.tools.graph.triplets import Triplet

MOST_RELATIONS = 20
_RELATION_SHARE = 0.02
"""Decrease of the evidence score from one relation to the next; the first scores less than the first passage."""
SURE = 0.9
"""Minimum link score of an entity that the question is about."""


def skeleton_context(
    question: str, about: Sequence[str], context: Context, search: DocumentSearch, span: Span
) -> TwoChannelContext | None:
    """What both channels show for `ket`, else what the entity channel shows; None where neither has anything.

    Args:
        question: The question.
        about: Ids of entities that it is about.
        context: Of the run, whose token limit is λ unless the options set one.
        search: The documents and how they are searched.
        span: Records a skeleton that cannot be used.
    """
    collection, limit = search.collection, context.budget.max_tokens
    try:
        if search.options.mode == "ket":
            return search.context(question, limit, about)
        settings = collection.store.extractions.settings
        if search.options.mode != "mix" or settings is None or settings.by != "model" or collection.skeleton is None:
            return None
        share = int(limit * search.options.theta)
        return search.two_channels().context(question, share, theta=1.0, also=about)
    except ClewError as error:
        span.event("skeleton", failed=error.message)
        return None


def asked_about(state: StrategyInput, bridge: Sequence[Entity]) -> list[str]:
    """The ids of the entities that the question is about: those that the graph gives for it, and those that it names
    surely."""
    linked = [m.candidates[0] for m in state["mentions"] if m.candidates]
    return [*(entity.id for entity in bridge), *(each.entity.id for each in linked if each.score >= SURE)]


def skeleton_evidence(found: TwoChannelContext, iteration: int, *, entities: bool) -> dict[str, Evidence]:
    """The relations as evidence, each with its sources, and with `entities` what the documents say of the entities."""
    items = [_relation_evidence(each, place, iteration) for place, each in enumerate(found.relations[:MOST_RELATIONS])]
    described = [entity for entity in found.entities if entity.description] if entities else []
    for place, entity in enumerate(described):
        triplet = Triplet.of_value(_entity(entity), "described as", entity.description)
        items.append(evidence_of(triplet, max(0.0, SURE - _RELATION_SHARE * place), "documents", iteration))
    return reduce(merge_evidence, items, {})


def _relation_evidence(extracted: StatedRelation, place: int, iteration: int) -> dict[str, Evidence]:
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
