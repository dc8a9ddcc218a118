"""triplets: the triplets around the linked entities whose meaning is closest to the question.

Source: ByoKG-RAG appendix A.1: cos(question, head) + cos(question, relation) + cos(question, tail).
"""

from __future__ import annotations

from collections.abc import Iterator

from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.graphs.steps import StepResult, spoken
from clew.graphs.strategies.findings import StrategyFindings
from clew.graphs.strategies.strategy import Strategy, Turn
from clew.tools.graph.entity import Candidate
from clew.tools.graph.triplets import score_triplets

KEPT = 10
HOPS = 1
MOST_SCORED = 150
"""Maximum number of triplets per hop that are scored. A hub has thousands, and embedding a new name takes 10 ms."""


def triplets(state: StrategyInput, context: Context, span: Span) -> StepResult:
    entities = list(dict.fromkeys(candidate.entity for candidate in _starts(state)))
    if not entities or context.run.deadline.passed:
        return StepResult({}, "No entity to look around")
    scored = score_triplets(
        state["question"], entities, context.tools.store, context.tools.embedder, hops=HOPS, k=KEPT, most=MOST_SCORED
    )
    span.event("around", entities=[[e.name, e.label] for e in entities], hops=HOPS, most=MOST_SCORED)
    span.event("triplets", scored=[[t.head.name, t.relation, t.tail.name, round(score, 4)] for t, score in scored])
    found = StrategyFindings("triplets", state["iteration"])
    found.scored((triplet, round(max(score, 0.0) / 3, 4)) for triplet, score in scored)  # the sum of three cosines
    lines = [f"{t.head.name} — {t.relation_words()} → {t.tail.name} {score:.2f}" for t, score in scored]
    return StepResult(found.update("evidence"), f"Kept {spoken(len(scored), 'triplet')} of those around", lines)


def _starts(state: StrategyInput) -> Iterator[Candidate]:
    """The linked entities, and the best candidate of every draft answer (both as in Algorithm 2)."""
    for mention in state["mentions"]:
        yield from mention.candidates
    for draft in state["drafts"] if state["artifacts"] is not None else ():
        yield from draft.candidates[:1]


STRATEGY = Strategy(
    name="triplets",
    run=triplets,
    does="Scores the triplets around the entities by their nearness to the question",
    source="ByoKG-RAG A.1",
    needs="a linked entity",
    with_model=Turn.UNSURE,
    by_meaning=True,
)
