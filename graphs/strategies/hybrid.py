"""hybrid: the nodes whose names and texts match the question best, by BM25 and by embeddings, and their neighbours.

It needs no linked entity and follows no relation: a baseline, and the fallback if no plan works. Source: SAGE
sections 2.2 A and B. With expansion, K - K_MORE nodes are seeds and their neighbours fill the other places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.agents.answering.confidence import of_texts
from clew.agents.evidence import Attempt, entity_row
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.graphs.steps import StepResult, spoken
from clew.graphs.strategies.findings import StrategyFindings
from clew.graphs.strategies.strategy import Strategy
from clew.graphs.strategies.texts import details_of, link_triplets, prepare_texts, text_triplet
from clew.graphs.trace_records import attempt_record
from clew.tools.graph.entity import Entity
from clew.tools.graph.triplets import Triplet
from clew.tools.text_search.expansion.expansion import K_MORE, Expanded, Seed
from clew.tools.text_search.expansion.graph_texts import GraphTexts
from clew.tools.text_search.index import TextHit

K = 20
"""Number of answers."""
WITH_EVIDENCE = 10
"""Number of answers, best first, whose texts become evidence."""
_EXCERPT_SHOWN = 160


def hybrid(state: StrategyInput, context: Context, span: Span) -> StepResult:
    if context.tools.texts is None or context.run.deadline.passed:
        return StepResult({}, "No texts to search")
    hits = context.tools.texts.index.search(state["question"], K)
    span.event("hits", found=[_record(hit) for hit in hits])
    if not hits:
        return StepResult({}, "No node's text fits")
    seeds, added = _expanded(hits, state["question"], context, context.tools.texts)
    span.event("expansion", policy=context.expansion, added=[[e.name, e.label, round(e.score, 4)] for e in added])
    found = StrategyFindings("hybrid", state["iteration"])
    attempt = _attempt(found, seeds, added, state["question"], context)
    found.keep(attempt)
    span.event("answers", **attempt_record(attempt))
    found.support(attempt, _triplets(hits, added, context.tools.texts))
    title = f"Found {spoken(len(hits), 'node')} by their texts, added {spoken(len(added), 'neighbour')}"
    lines = [f"{hit.name} ({hit.label}) {hit.score:.2f}: {hit.excerpt[:80]}" for hit in hits[:WITH_EVIDENCE]]
    return StepResult(found.update("attempts", "evidence"), title, lines)


def _record(hit: TextHit) -> list[object]:
    score, bm25, cosine = (round(value, 4) for value in (hit.score, hit.bm25, hit.cosine))
    return [hit.name, hit.label, hit.property, score, bm25, cosine, hit.excerpt[:_EXCERPT_SHOWN]]


def _expanded(
    hits: Sequence[TextHit], question: str, context: Context, texts: GraphTexts
) -> tuple[list[TextHit], list[Expanded]]:
    """The hits that remain, and the neighbours of the first hits."""
    if context.expansion == "off":
        return list(hits), []
    seeds = list(hits[: K - K_MORE])
    added = texts.expansion.expand([Seed(hit.id, hit.score) for hit in seeds], question, K_MORE, context.expansion)
    known = {node.id for node in added}
    rest = [hit for hit in hits[len(seeds) :] if hit.id not in known]
    return [*seeds, *rest[: K - len(seeds) - len(added)]], added


def _attempt(
    found: StrategyFindings, hits: Sequence[TextHit], added: Sequence[Expanded], question: str, context: Context
) -> Attempt:
    """The hits and neighbours by score; no neighbour scores more than the last seed."""
    least = hits[min(len(hits), K - K_MORE) - 1].score
    ranked = [(Entity(hit.id, hit.name, hit.label), hit.score) for hit in hits]
    ranked += [(Entity(node.id, node.name, node.label), least * node.score) for node in added]
    ranked.sort(key=lambda pair: -pair[1])
    entities = [entity for entity, _ in ranked]
    attempt = found.attempt(
        "nodes whose texts fit the question in words and meaning",
        [entity_row(entity) for entity in entities],
        of_texts(max(hit.cosine for hit in hits)),
    )
    attempt["fits"] = {entity.id: round(score, 4) for entity, score in ranked}
    attempt["searched"] = question
    if context.tools.models is not None:
        attempt["columns"], attempt["rows"] = details_of(entities, question, context)
    return attempt


def _triplets(hits: Sequence[TextHit], added: Sequence[Expanded], texts: GraphTexts) -> Iterator[Triplet]:
    """The texts of the first answers, and the relationships that led to the neighbours."""
    for hit in hits[:WITH_EVIDENCE]:
        yield from text_triplet(hit)
    for node in added[:WITH_EVIDENCE]:
        yield from link_triplets(node, texts.index)


STRATEGY = Strategy(
    name="hybrid",
    run=hybrid,
    does="Searches the names and texts of nodes by words and by meaning, and adds neighbours",
    source="SAGE 2.2",
    needs="nodes with texts, which are indexed when first used",
    explain="They are ranked by what they say; no query vouches for them.",
    prepare=prepare_texts,
    by_texts=True,
    needs_entities=False,
)
