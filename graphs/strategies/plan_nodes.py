"""The nodes that a plan returns as a ranked list, with the nodes that the expansion adds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clew.agents.evidence import plain
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.tools.graph.entity import Entity

if TYPE_CHECKING:
    from clew.tools.queries.plans.plan import Plan, PlanStepResult, Predicate, RankedNode

K = 20
"""Number of nodes returned if the strategy was named; the next best nodes fill up a shorter answer."""
MOST_NODES = 200
"""Maximum number of nodes in a plan's own answer."""
_SHOWN = 20


Meeting = Callable[[Sequence["RankedNode"], Sequence["Predicate"]], list["RankedNode"]]
"""Those of some nodes that meet conditions."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a plan found, best first."""

    nodes: Sequence[RankedNode]
    """The answers of the plan."""
    following: Sequence[RankedNode] = ()
    """The next best."""
    where: Sequence[Predicate] = ()
    """The conditions that all of them must meet."""
    unmet: bool = False
    """Whether no node meets the question's conditions, and these are found without them."""


def conditions_of(plan: Plan) -> Sequence[Predicate]:
    """The conditions on the answers of a plan."""
    return plan.by_name[plan.answer].narrowing.where


def ranked_answers(
    ranking: Ranking, edges: bool, question: str, context: Context, span: Span, meeting: Meeting
) -> list[RankedNode]:
    """The nodes that answer the question.

    If the strategy was named, the nodes of the expansion and the next best ones come after them, those that meet the
    conditions. `edges` says whether the plan followed relationships.
    """
    own = _non_increasing(list(ranking.nodes)[:MOST_NODES])
    if not own or context.strategies is None or "plan" not in context.strategies:
        return own
    known = {each.entity.id for each in own}
    beyond: dict[str, RankedNode] = {}
    for each in (*_expanded(own, edges, question, context, span), *ranking.following):
        if each.entity.id not in known:
            beyond.setdefault(each.entity.id, each)
    fitting = meeting(list(beyond.values()), ranking.where)
    if dropped := len(beyond) - len(fitting):
        span.event("beyond the conditions", dropped=dropped)
    return _non_increasing([*own, *fitting][: max(K, len(own))])


def _expanded(
    nodes: Sequence[RankedNode], edges: bool, question: str, context: Context, span: Span
) -> list[RankedNode]:
    """The nodes that SAGE's expansion adds to the best nodes, by the configured policy."""
    texts, policy = context.tools.texts, context.expansion
    if texts is None or policy == "off" or context.run.deadline.passed:
        return []
    from clew.tools.queries.plans.plan import RankedNode
    from clew.tools.text_search.expansion.expansion import K_MORE, Seed

    seeds = [Seed(each.entity.id, each.score) for each in nodes[: K - K_MORE]]
    labels = {each.entity.label for each in nodes}
    label = labels.pop() if len(labels) == 1 else None  # a plan determines the label of the answers
    found = texts.expansion.expand(seeds, question, K_MORE, policy, used_edges=edges, label=label)
    span.event("expansion", policy=policy, used_edges=edges, added=[[e.name, e.label, e.score] for e in found])
    least = min((seed.score for seed in seeds), default=0.0)
    return [RankedNode(Entity(each.id, each.name, each.label), least * each.score) for each in found]


def _non_increasing(nodes: Sequence[RankedNode]) -> list[RankedNode]:
    """The same nodes with non-increasing scores, so that the scores give the order."""
    kept: list[RankedNode] = []
    for each in nodes:
        kept.append(replace(each, score=min(each.score, kept[-1].score)) if kept else each)
    return kept


def nearest_cosine(nodes: Sequence[RankedNode]) -> float:
    """The highest cosine of the question and a node's text; 0 if no node was found by its text."""
    return max((each.hit.cosine for each in nodes if each.hit is not None), default=0.0)


def step_record(result: PlanStepResult) -> dict[str, object]:
    """A step of a plan for the trace."""
    return {
        "name": result.name,
        "nodes": [[each.entity.name, each.entity.label, round(each.score, 4)] for each in result.nodes[:_SHOWN]],
        "found": len(result.nodes) + len(result.values),
        "values": list(result.values[:_SHOWN]),
        "note": result.note,
        "cypher": result.cypher,
        "parameters": plain(dict(result.parameters)),
        "truncated": result.truncated,
        "ms": result.ms,
    }
