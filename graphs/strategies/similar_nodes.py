"""Which nodes are most like a named one: those of its label that share most with it.

Two nodes share what each of them has the same relation with. A shared node counts 1 / log2(2 + d), where d is the
number of its relationships, so that what few share counts most (after Adamic and Adar 2003).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping

from clew.agents.answering.explanation import listed
from clew.agents.evidence import AnswerRef, Attempt
from clew.graphs.context import Context
from clew.graphs.strategies.findings import StrategyFindings
from clew.tools.graph.entity import Entity
from clew.tools.graph.neighbourhood import Neighbourhood, Step
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.surroundings.asked import Asked
from clew.tools.queries.surroundings.queries import neighbours_query

MOST_SIMILAR = 5
"""Nodes that answer."""
_EACH = 200
"""Relationships of one type and direction that are followed from each node."""
_HUB = 2000
"""What has more relationships says little of those that share it."""
_NAMED = 3

Shared = Mapping[Entity, list[Triplet]]


def similar_nodes(asked: Asked, found: StrategyFindings, context: Context) -> Attempt | None:
    """The nodes that share most with the named one, and what they share; None where none shares anything."""
    node = asked.named[0][0]
    shared = _shared(node, context)
    scores = {each: sum(_weight(t, each, context) for t in triplets) for each, triplets in shared.items()}
    best = sorted(scores, key=lambda each: (-scores[each], each.name))[:MOST_SIMILAR]
    if not best:
        return None
    answers = [_answer(each, shared[each]) for each in best]
    query = neighbours_query(context.tools.store.terms, node, ())
    words = f"Nodes that share most with {node.name}"
    attempt = found.attempt(words, answers, 1.0, cypher=query.cypher, parameters=query.parameters, anchors=[node])
    attempt["note"] = "What two nodes share counts the more, the fewer relationships it has."
    found.support(attempt, (triplet for each in best for triplet in shared[each][:_NAMED]))
    return attempt


def _shared(node: Entity, context: Context) -> Shared:
    """The nodes of the same label that have a relation in common with a node, with the triplets of what they share."""
    around, limits = Neighbourhood(context.tools.store, context.tools.schema), context.limits()
    own = around.expand([node], around.steps([node], limits), _EACH, limits).triplets
    by_step: dict[Step, list[Entity]] = defaultdict(list)
    for triplet in own:
        forward = triplet.head.id == node.id
        other = triplet.tail if forward else triplet.head
        if context.tools.index.degree(other.id) <= _HUB:
            by_step[Step(triplet.relation, not forward)].append(other)
    found: dict[Entity, list[Triplet]] = defaultdict(list)
    for step, others in by_step.items():
        for triplet in around.expand(others, [step], _EACH, limits).triplets:
            like = triplet.tail if step.forward else triplet.head
            if like.label == node.label and like.id != node.id:
                found[like].append(triplet)
    return found


def _weight(triplet: Triplet, node: Entity, context: Context) -> float:
    shared = triplet.tail if triplet.head == node else triplet.head
    return 1 / math.log2(2 + context.tools.index.degree(shared.id))


def _answer(node: Entity, triplets: list[Triplet]) -> AnswerRef:
    names = list(dict.fromkeys((t.tail if t.head == node else t.head).name for t in triplets))
    return {
        "id": node.id,
        "name": node.name,
        "label": node.label,
        "support": len(names),
        "detail": f"also {listed(names[:_NAMED], len(names))}",
    }
