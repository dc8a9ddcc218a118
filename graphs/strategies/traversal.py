"""traversal: a model explores the graph from the linked entities, relation by relation (ByoKG-RAG Algorithm 1).

It takes two model calls per hop, and reserves the calls that other roles still need.
"""

from __future__ import annotations

from clew.agents.traversal import CALLS, Round, Traversal, TraversalAgent
from clew.graphs.context import Context
from clew.graphs.model_calls import model_of
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.graphs.steps import StepResult, spoken
from clew.graphs.strategies.findings import StrategyFindings
from clew.graphs.strategies.queries import chain_query, follow
from clew.graphs.strategies.ranking import first_candidates
from clew.graphs.strategies.strategy import Strategy, Turn
from clew.graphs.trace_records import attempt_record
from clew.tools.errors import QueryFailed
from clew.tools.graph.entity import Entity
from clew.tools.graph.neighbourhood import Neighbourhood, Step
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.paths.follow_paths import NoChain, readings
from clew.tools.queries.space.query import Query

LEFT_FOR_OTHERS = 2
"""Model calls reserved: one for another reading, one for the answer."""
MOST_KEPT = 150
"""Maximum number of triplets as evidence."""
MOST_ATTEMPTS = 3
CONFIDENCE = 0.4
"""Confidence of the nodes after the last hop: the model explored them, but did not name them as answers."""
_BETWEEN, _BESIDE = 0.6, 0.4
"""Scores of triplets between explored entities, and of other triplets."""


def traversal(state: StrategyInput, context: Context, span: Span) -> StepResult:
    model = model_of("traversal", context, span)
    if model is None:
        return StepResult({}, "No model to explore with")
    entities = first_candidates(state["mentions"]) or first_candidates(state["drafts"])
    if not entities or context.run.deadline.passed:
        return StepResult({}, "No entity to explore from")
    calls = context.budget.max_model_calls - len(context.run.ledger.entries) - LEFT_FOR_OTHERS
    around = Neighbourhood(context.tools.store, context.tools.schema)
    agent = TraversalAgent(model, around, context.tools.embedder, context.limits, lambda: context.run.deadline.passed)
    found = agent.walk(state["question"], entities, calls=min(CALLS, calls))
    for number, each in enumerate(found.rounds, start=1):
        span.event("hop", number=number, **_round_record(each))
    span.event("end", why=found.ended, finished=found.finished, triplets=len(found.triplets))
    result = StrategyFindings("traversal", state["iteration"])
    result.scored(_scored(found))
    _follow_last_hop(found, result, context, span)
    title = f"Explored {spoken(len(found.rounds), 'hop')}, found {spoken(len(found.triplets), 'triplet')}"
    lines = [_line(each) for each in found.rounds] + [f"Ended: {found.ended}"]
    return StepResult(result.update("evidence", "attempts"), title, lines)


def _scored(found: Traversal) -> list[tuple[Triplet, float]]:
    """The triplets between explored entities first, then the latest."""
    scored = [
        (t, _BETWEEN if t.head in found.explored and t.tail in found.explored else _BESIDE)
        for t in reversed(found.triplets)
    ]
    return sorted(scored, key=lambda pair: -pair[1])[:MOST_KEPT]


def _follow_last_hop(found: Traversal, result: StrategyFindings, context: Context, span: Span) -> None:
    """Keep all answers of the last hop's relations from its frontier."""
    for step in found.rounds[-1].selected[:MOST_ATTEMPTS] if found.rounds else ():
        queries = _queries(found.rounds[-1].frontier, step, context)
        if not queries or context.run.deadline.passed:
            continue
        try:
            attempt = follow(result, queries, len(result.attempts), CONFIDENCE, context)
        except QueryFailed as error:
            span.event("failed", cypher=error.cypher, message=error.message)
            continue
        if attempt["answers"]:
            attempt["by_model"] = found.rounds[-1].by_model
            result.keep(attempt, len(result.attempts))
            span.event("followed", **attempt_record(attempt))


def _queries(frontier: tuple[Entity, ...], step: Step, context: Context) -> list[Query]:
    """A query for every entity of the frontier whose label has the relation."""
    queries = []
    for entity in frontier:
        found = readings([(step.relation, step.forward)], entity.label, context.tools.schema)
        if not isinstance(found, NoChain) and found[0][0].forward == step.forward:
            queries.append(chain_query(entity, found[0]))
    return queries


def _round_record(each: Round) -> dict[str, object]:
    return {
        "frontier": [entity.name for entity in each.frontier],
        "offered": list(each.offered),
        "selected": [("" if step.forward else "^") + step.relation for step in each.selected],
        "notes": list(each.notes),
    }


def _line(each: Round) -> str:
    names = ", ".join(entity.name for entity in each.frontier[:3]) + (", …" if len(each.frontier) > 3 else "")
    relations = ", ".join(dict.fromkeys(step.relation for step in each.selected)) or "nothing"
    return f"From {names}: {relations}" + (f" ({'; '.join(each.notes)})" if each.notes else "")


def _has_model(context: Context) -> bool:
    models = context.tools.models
    return models is not None and models.of("traversal", seconds=0.0, cancelled=context.run.cancelled) is not None


STRATEGY = Strategy(
    name="traversal",
    run=traversal,
    does="Lets the model explore the graph from the entities, relation by relation",
    source="ByoKG-RAG, Algorithm 1",
    needs="a linked entity, and a model for the role `traversal`",
    with_model=Turn.LAST,
    is_ready=_has_model,
)
