"""documents: the passages and table rows that match the question, with citations.

The graph's answer widens the search: "where did the director of X grow up?" also searches for the director's name, and
passages that mention it come first. If a model has extracted a skeleton from the documents, its relations are evidence
too, with their source passages. `Context.document_search` says how passages are searched: all channels together (the
default), as SAGE does, or as KET-RAG does. Sources: SAGE sections 2.2 and 3.3, KET-RAG section 5.2, in
tools/documents/searching.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clew.agents.evidence import PASSAGE, Attempt
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput, merge_evidence
from clew.graphs.steps import StepResult, spoken
from clew.graphs.strategies.bridge import bridge_of
from clew.graphs.strategies.findings import StrategyFindings
from clew.graphs.strategies.passage_answers import passage_answers
from clew.graphs.strategies.skeleton import (
    MOST_RELATIONS,
    asked_about,
    citation,
    skeleton_context,
    skeleton_evidence,
)
from clew.graphs.strategies.strategy import Strategy, Turn
from clew.graphs.trace_records import attempt_record
from clew.tools.answer_spans.corpus import Corpus
from clew.tools.answer_spans.expected_answer import expected_answer
from clew.tools.answer_spans.question import Beside
from clew.tools.answer_spans.reading import passages_of
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.index.index import DocumentHit
from clew.tools.documents.searching import DocumentSearch
from clew.tools.documents.skeleton.retrieval import TwoChannelContext, in_turns
from clew.tools.graph.entity import Entity
from clew.tools.graph.triplets import Triplet

K = 10
"""Number of passages."""
_RANK_CONSTANT = 60
"""Constant of reciprocal rank fusion."""
_RANK_PENALTY = 0.05
"""Decrease of the evidence score from one passage to the next."""


def documents(state: StrategyInput, context: Context, span: Span) -> StepResult:
    collection = context.tools.documents
    if collection is None or not collection.is_ready or context.run.deadline.passed:
        return StepResult({}, "No documents to search")
    search = DocumentSearch(collection, context.document_search)
    if not search.is_ready:
        build = f"clew documents keywords --graph {context.tools.store.name}"
        return StepResult({}, f"The keyword channel of the documents is not built: {build}")
    bridging = bridge_of(state, context)
    bridge = bridging.entities
    around = skeleton_context(state["question"], asked_about(state, bridge), context, search, span)
    hits = _search(state["question"], bridge, search, around, context)
    relations = around.relations if around else ()
    span.event(
        "passages",
        bridge=[entity.name for entity in bridge],
        mode=search.options.mode,
        found=[[citation(h.chunk), round(h.score, 4), _found_by(h), h.chunk.text[:200]] for h in hits],
        relations=[[relation.text, *map(citation, relation.sources)] for relation in relations],
    )
    if not hits:
        return StepResult({}, "No passage speaks of it")
    found = StrategyFindings("documents", state["iteration"])
    chunks = [hit.chunk for hit in hits]
    attempt = _attempt(found, chunks, bridging.beside, state["question"], context, span)
    found.keep(attempt)
    span.event("answers", **attempt_record(attempt))
    shown = _shown(chunks, attempt, bridge, state["question"], context)
    penalty = min(_RANK_PENALTY, 1 / max(1, len(shown)))
    for place, chunk in enumerate(shown):
        found.support(attempt, [_triplet(chunk)], 1 - penalty * place)
    if around:
        told = skeleton_evidence(around, state["iteration"], entities=search.options.mode == "ket")
        found.evidence = merge_evidence(found.evidence, told)
    title = _title(hits, bridge, around)
    return StepResult(found.update("attempts", "evidence"), title, [_line(hit) for hit in hits])


def _title(hits: Sequence[DocumentHit], bridge: Sequence[Entity], around: TwoChannelContext | None) -> str:
    beside = f", also for {', '.join(entity.name for entity in bridge)}" if bridge else ""
    related = (
        f" and {spoken(min(MOST_RELATIONS, len(around.relations)), 'relation')}" if around and around.relations else ""
    )
    return f"Found {spoken(len(hits), 'passage')}{related}{beside}"


def _search(
    question: str,
    bridge: Sequence[Entity],
    search: DocumentSearch,
    around: TwoChannelContext | None,
    context: Context,
) -> list[DocumentHit]:
    """The best passages.

    With `ket`, those of both channels, as many as fit into the tokens for a model, else K. Otherwise, with a bridge,
    the rankings of the question alone, of the question with the bridge's names, and of the passages that mention them
    are fused; with a skeleton, the source passages of its relations alternate with them.
    """
    if search.options.mode == "ket":
        both = in_turns(around.by_entities, around.by_keywords, search.theta) if around else []
        return both if context.tools.models is not None else both[:K]
    expand = context.expansion == "edge" or (context.expansion != "off" and not bridge)
    hits = search.hits(question, K, expand=expand)
    if bridge:
        wider = search.hits(f"{question} {', '.join(entity.name for entity in bridge)}", K, expand=expand)
        mentioning = {mention.chunk for mention in search.collection.store.mentioning([each.id for each in bridge])}
        fused: dict[str, float] = {}  # by reciprocal ranks (Cormack et al. 2009)
        for ranked in (hits, wider, [hit for hit in wider if hit.chunk.id in mentioning]):
            for rank, hit in enumerate(ranked, start=1):
                fused[hit.chunk.id] = fused.get(hit.chunk.id, 0.0) + 1 / (_RANK_CONSTANT + rank)
        by_id = {hit.chunk.id: hit for hit in (*hits, *wider)}
        hits = sorted(by_id.values(), key=lambda hit: -fused[hit.chunk.id])[:K]
    return hits if around is None else in_turns(around.by_entities, hits, search.theta)[:K]


def _attempt(
    found: StrategyFindings, chunks: Sequence[Chunk], beside: Beside, question: str, context: Context, span: Span
) -> Attempt:
    """Without a model, what the passages answer; a model reads the passages themselves."""
    if context.tools.models is not None:
        return found.attempt("passages that speak of it", [], 0.0)
    answered = passage_answers(question, chunks, beside, context, span)
    attempt = found.attempt(answered.words, answered.answers, answered.confidence)
    if answered.note:
        attempt["note"] = answered.note
    return attempt


def _shown(
    chunks: Sequence[Chunk], attempt: Attempt, bridge: Sequence[Entity], question: str, context: Context
) -> list[Chunk]:
    """The passages that become evidence: those of the answers first, and of the others those that have the names of
    the question, or what the graph gives for them. A model is shown all."""
    collection = context.tools.documents
    if context.tools.models is not None or collection is None:
        return list(chunks)
    cited = {answer["passage"]["id"] if "passage" in answer else answer["id"] for answer in attempt["answers"]}
    beside, asked = Beside(tuple(entity.name for entity in bridge)), expected_answer(question)
    speaking_of_it = {
        passage.chunk.id
        for passage in passages_of(chunks, asked, Corpus.of(collection.index))
        if all(beside.has(name, passage) for name in asked.names)
    }
    kept = [chunk for chunk in chunks if chunk.id in cited | speaking_of_it]
    return sorted(kept, key=lambda chunk: chunk.id not in cited)


def _triplet(chunk: Chunk) -> Triplet:
    document = Entity(chunk.document, chunk.title, "document")
    return Triplet(document, chunk.place or "text", Entity(chunk.id, chunk.text, PASSAGE))


def _line(hit: DocumentHit) -> str:
    beside = f" (beside {citation(hit.via.target)}: {', '.join(hit.via.reasons)})" if hit.via else ""
    return f"{citation(hit.chunk)}{beside}: {hit.chunk.text[:120]}"


def _found_by(hit: DocumentHit) -> dict[str, Any]:
    """The scores of the channels, and of a neighbour the edge to its seed."""
    via = hit.via
    if via is None:
        return dict(hit.channels)
    edge = {"seed": citation(via.target), "reasons": via.reasons, "strength": via.strength, "names": via.shared_names}
    return {**hit.channels, "edge": edge}


STRATEGY = Strategy(
    name="documents",
    run=documents,
    does="Finds passages of the documents beside the graph, with what the graph answers as further search words, and "
    "the names, numbers, dates or lines in them that answer",
    source="SAGE 3.3; KET-RAG 5.2",
    needs="documents that are indexed, or few",
    without_model=Turn.UNSURE,
    with_model=Turn.UNSURE,
    complete_answers=True,
    explain="These are the nearest sentences of documents; nothing vouches that they answer.",
    is_ready=lambda context: context.tools.has_documents,
    needs_entities=False,
    needs_graph=False,
)
