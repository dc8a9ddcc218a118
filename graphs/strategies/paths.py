"""paths: follow the relation chains of the ranked queries, and join the linked entities by their shortest paths.

Source: ByoKG-RAG section 3.3, path retrieval: follow-paths and shortest paths.
"""

from __future__ import annotations

from itertools import combinations

from agents.findings import Attempt, Evidence, entity_of, entity_ref, evidence_of, plain
from graphs.context import Context
from graphs.recorder import Span
from graphs.state import StrategyInput, merge_evidence
from graphs.steps import Done, spoken
from graphs.strategies.ranking import ranked_queries
from tools.linking.entity import Entity
from tools.paths import shortest_paths
from tools.query_space.query import Chain, Query, RankedQuery
from tools.query_space.render import words

MOST_CHAINS = 5
MOST_PAIRS = 3
MAX_HOPS = 3
_ROWS = 50
_ANSWERS_SUPPORTED = 10
_TRIPLETS = 20
_FOLLOWED = 0.5
"""Confidence of the best chain's answers; a chain is only a part of what its query asks."""


def paths(state: StrategyInput, context: Context, span: Span) -> Done:
    attempts: dict[str, Attempt] = {}
    evidence: dict[str, Evidence] = {}
    for rank, (chain, weight) in enumerate(_chains(ranked_queries(state, context))):
        if context.deadline.passed:
            break
        attempt = _follow(chain, rank, weight, state, context)
        attempts[f"paths/{state['iteration']}/{rank}"] = attempt
        span.event("followed", **{**attempt, "answers": attempt["answers"][:20], "rows": len(attempt["answers"])})
        evidence = merge_evidence(evidence, _along(chain, attempt, state, context))
    joined = 0
    for source, target in _pairs(state):
        if context.deadline.passed:
            break
        found = shortest_paths(context.store, source, target, MAX_HOPS, context.limits(_ROWS))
        span.event("shortest", source=source.name, target=target.name, paths=len(found))
        joined += len(found)
        for path in found:
            for triplet in path.triplets:
                evidence = merge_evidence(evidence, evidence_of(triplet, _FOLLOWED, "paths", state["iteration"]))
    title = f"Followed {spoken(len(attempts), 'chain')}, found {spoken(joined, 'shortest path')}"
    return Done({"attempts": attempts, "evidence": evidence}, title, [a["words"] for a in attempts.values()])


def _chains(ranked: list[RankedQuery]) -> list[tuple[Chain, float]]:
    """The distinct chains that start from an entity, with the share of the best score that their query has."""
    best = max(abs(ranked[0].score), 1e-9) if ranked else 1.0
    chains: dict[str, tuple[Chain, float]] = {}
    for candidate in ranked:
        for chain in candidate.query.chains:
            if isinstance(chain.anchor, Entity) and chain.hops:
                weight = max(0.0, 1 - (ranked[0].score - candidate.score) / best)
                chains.setdefault(chain.key(), (chain, weight))
    return list(chains.values())[:MOST_CHAINS]


def _follow(chain: Chain, rank: int, weight: float, state: StrategyInput, context: Context) -> Attempt:
    query = Query((chain,))
    answers = context.space.execute(query, context.limits(_ROWS))
    assert isinstance(chain.anchor, Entity)
    return {
        "strategy": "paths",
        "iteration": state["iteration"],
        "rank": rank,
        "words": words(query),
        "cypher": answers.cypher,
        "parameters": plain(answers.parameters),
        "confidence": round(_FOLLOWED * weight, 4),
        "anchors": [entity_ref(chain.anchor)],
        "answers": [
            {"id": row.id, "name": str(row.name), "label": row.label, "support": row.support} for row in answers.rows
        ],
        "truncated": answers.truncated,
        "ms": round(answers.ms, 3),
    }


def _along(chain: Chain, attempt: Attempt, state: StrategyInput, context: Context) -> dict[str, Evidence]:
    ids = [answer["id"] for answer in attempt["answers"] if answer["id"] is not None][:_ANSWERS_SUPPORTED]
    evidence: dict[str, Evidence] = {}
    for triplet in context.space.evidence(Query((chain,)), ids, _TRIPLETS):
        item = evidence_of(
            triplet, attempt["confidence"], "paths", state["iteration"], attempt["cypher"], attempt["parameters"]
        )
        evidence = merge_evidence(evidence, item)
    return evidence


def _pairs(state: StrategyInput) -> list[tuple[Entity, Entity]]:
    """The first candidates of any two mentions."""
    tops = [entity_of(mention["candidates"][0]) for mention in state["mentions"] if mention["candidates"]]
    return [(a, b) for a, b in combinations(dict.fromkeys(tops), 2)][:MOST_PAIRS]
