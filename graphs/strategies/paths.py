"""paths: follow relation chains from the linked entities, and find the shortest paths between them.

The chains come from the linker's model, if there is one, and from the ranked queries. Shortest paths connect linked
entities with each other and with the model's draft answers. Source: ByoKG-RAG section 3.3, path retrieval.
"""

from __future__ import annotations

from itertools import combinations, product

from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.graphs.steps import StepResult, spoken
from clew.graphs.strategies.model_paths import follow_model_paths
from clew.graphs.strategies.queries import chain_triplets, follow
from clew.graphs.strategies.ranking import ranked_queries
from clew.graphs.strategies.strategy import Strategy, Turn
from clew.graphs.trace_records import attempt_record
from clew.tools.errors import QueryFailed
from clew.tools.graph.entity import Entity
from clew.tools.queries.paths.paths import Path, shortest_paths
from clew.tools.queries.space.query import Chain, Query, RankedQuery

MOST_CHAINS = 5
MOST_CHAINS_BESIDE_MODEL = 3
MOST_PAIRS = 3
MOST_DRAFT_PAIRS = 6
MAX_HOPS = 3
PATHS_PER_PAIR = 5
"""Paths of one length; without a model one is enough, because they give no answers."""
_ROWS = 50
_PATHS_SHOWN = 5
_FOLLOWED = 0.5
"""Confidence of the best chain's answers; a chain is only a part of its query."""


def paths(state: StrategyInput, context: Context, span: Span) -> StepResult:
    found = follow_model_paths(state, context, span)
    chains = _chains(ranked_queries(state, context))
    for rank, (chain, weight) in enumerate(chains if state["artifacts"] is None else chains[:MOST_CHAINS_BESIDE_MODEL]):
        if context.run.deadline.passed:
            break
        query = Query((chain,))
        attempt = follow(found, [query], rank, _FOLLOWED * weight, context, _ROWS)
        found.keep(attempt, rank)
        span.event("followed", **attempt_record(attempt))
        found.support(attempt, chain_triplets([query], attempt, context))
    joined = 0
    for source, target in _pairs(state):
        if context.run.deadline.passed:
            break
        ways = _shortest(source, target, state, context, span)
        joined += len(ways)
        found.scored((triplet, _FOLLOWED) for path in ways for triplet in path.triplets)
    title = f"Followed {spoken(len(found.attempts), 'chain')}, found {spoken(joined, 'shortest path')}"
    lines = [*(attempt["words"] for attempt in found.attempts.values()), *found.dead_ends]
    return StepResult(found.update("attempts", "evidence", "dead_ends"), title, lines)


def _chains(ranked: list[RankedQuery]) -> list[tuple[Chain, float]]:
    """The distinct chains that start from an entity, with the score of their query relative to the best."""
    best = max(abs(ranked[0].score), 1e-9) if ranked else 1.0
    chains: dict[str, tuple[Chain, float]] = {}
    for candidate in ranked:
        for chain in candidate.query.chains:
            if isinstance(chain.anchor, Entity) and chain.hops:
                weight = max(0.0, 1 - (ranked[0].score - candidate.score) / best)
                chains.setdefault(chain.key(), (chain, weight))
    return list(chains.values())[:MOST_CHAINS]


def _shortest(source: Entity, target: Entity, state: StrategyInput, context: Context, span: Span) -> list[Path]:
    limits, store = context.limits(_ROWS), context.tools.store
    relations = list(dict.fromkeys(relation.type for relation in context.tools.schema.relations))
    if state["artifacts"] is None:
        found = shortest_paths(store, source, target, MAX_HOPS, limits, relations=relations)
    else:
        try:
            most = PATHS_PER_PAIR
            found = shortest_paths(store, source, target, MAX_HOPS, limits, most=most, relations=relations)
        except QueryFailed as error:  # A slow pair must not discard the chains that were followed.
            span.event("failed", source=source.name, target=target.name, message=error.message)
            return []
    ways = [[[t.head.name, t.relation, t.tail.name] for t in path.triplets] for path in found[:_PATHS_SHOWN]]
    span.event("shortest", source=source.name, target=target.name, paths=len(found), ways=ways)
    return found


def _pairs(state: StrategyInput) -> list[tuple[Entity, Entity]]:
    """The first candidates of any two mentions, and of any mention and any draft answer."""
    tops, drafts = (
        list(dict.fromkeys(mention.candidates[0].entity for mention in mentions if mention.candidates))
        for mentions in (state["mentions"], state["drafts"] if state["artifacts"] is not None else [])
    )
    with_drafts = [(top, draft) for top, draft in product(tops, drafts) if top.id != draft.id]
    return list(combinations(tops, 2))[:MOST_PAIRS] + with_drafts[:MOST_DRAFT_PAIRS]


STRATEGY = Strategy(
    name="paths",
    run=paths,
    does="Follows the chains of the model's paths and of the ranked queries, and joins the entities "
    "by their shortest paths",
    source="ByoKG-RAG 3.3",
    needs="a linked entity",
    without_model=Turn.UNSURE,
    with_model=Turn.FIRST,
    spares_hubs=True,
    model_origin="the model's path",
)
