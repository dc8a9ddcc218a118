"""The nodes that a plan returns as a ranked list, with the nodes that the expansion adds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from clew.agents.evidence import plain
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.tools.graph.entity import Entity

if TYPE_CHECKING:
    from clew.tools.queries.plans.plan import PlanStepResult, RankedNode

K = 20
"""Number of nodes returned if the strategy was named; the next best nodes fill up a shorter answer."""
MOST_NODES = 200
"""Maximum number of nodes in a plan's own answer."""
_SHOWN = 20


def ranked_answers(
    nodes: Sequence[RankedNode],
    following: Sequence[RankedNode],
    edges: bool,
    question: str,
    context: Context,
    span: Span,
) -> list[RankedNode]:
    """The nodes that answer the question.

    If the strategy was named, the nodes of the expansion and the next best ones (`following`) come after them. `edges`
    says whether the plan followed relationships.
    """
    own = _non_increasing(list(nodes)[:MOST_NODES])
    if context.strategies is None or "plan" not in context.strategies:
        return own
    found: dict[str, RankedNode] = {}
    for each in (*own, *_expanded(own, edges, question, context, span), *following):
        found.setdefault(each.entity.id, each)
    return _non_increasing(list(found.values())[: max(K, len(own))])


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
