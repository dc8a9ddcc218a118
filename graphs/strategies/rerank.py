"""rerank: choose relations, collect the triplets within two hops of the linked entities, and rerank them.

Source: ByoKG-RAG appendix A.2, the graph reranker.
"""

from __future__ import annotations

from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.graphs.steps import StepResult, spoken
from clew.graphs.strategies.findings import StrategyFindings
from clew.graphs.strategies.ranking import first_candidates
from clew.graphs.strategies.strategy import Strategy, Turn
from clew.tools.graph.neighbourhood import Neighbourhood
from clew.tools.queries.paths.cross_encoder import BiEncoder
from clew.tools.queries.paths.graph_reranker import GraphReranker

KEPT = 10
HOPS = 2
_BEST, _LEAST = 0.7, 0.3
"""Evidence scores of the first and the last triplet; a reranker's own scores only give an order."""


def rerank(state: StrategyInput, context: Context, span: Span) -> StepResult:
    entities = first_candidates([*state["mentions"], *state["drafts"]])
    if not entities or context.run.deadline.passed:
        return StepResult({}, "No entity to look around")
    reranker = GraphReranker(
        Neighbourhood(context.tools.store, context.tools.schema),
        BiEncoder(context.tools.embedder),
        context.tools.reranker,
    )
    found = reranker.best(
        state["question"], entities, context.limits, lambda: context.run.deadline.passed, hops=HOPS, k=KEPT
    )
    span.event("around", entities=[[e.name, e.label] for e in entities], hops=HOPS)
    span.event("relations", kept=list(found.relations), offered=found.offered)
    scored = [[t.head.name, t.relation, t.tail.name, round(score, 4)] for t, score in found.triplets]
    span.event("triplets", scored=scored, collected=found.collected)
    kept = StrategyFindings("rerank", state["iteration"])
    places = enumerate(triplet for triplet, _ in found.triplets)
    kept.scored((triplet, round(_BEST - (_BEST - _LEAST) * place / KEPT, 4)) for place, triplet in places)
    title = f"Kept {spoken(len(found.triplets), 'triplet')} of {found.collected}, of {len(found.relations)} relations"
    return StepResult(kept.update("evidence"), title, [f"{t.words()} {score:.2f}" for t, score in found.triplets])


STRATEGY = Strategy(
    name="rerank",
    run=rerank,
    does="Chooses relations, collects the triplets within two hops along them, and reranks those",
    source="ByoKG-RAG A.2",
    needs="a linked entity",
    with_model=Turn.UNSURE,
)
