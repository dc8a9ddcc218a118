"""Complete answers: every binding of the asked node in a match's assignment, not only those of the k best subgraphs.

All bindings share the match's relations and known nodes; the unknown nodes, and the directions that the pattern leaves
free, may differ. Sets of nodes are made consistent along the edges (semijoins), which is exact for patterns without
cycles; where a cycle is, or two nodes could meet in one, each remaining binding is confirmed by a search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from clew.tools.graph.snapshot.snapshot import NodeArray, Snapshot
from clew.tools.patterns.assignments import Assignment, Constraints
from clew.tools.patterns.node_sets import Clock, OutOfTime, reach, reversed_mask
from clew.tools.patterns.pattern import Match, Pattern
from clew.tools.patterns.plan import MEETING, Distinct, Plan, plan_from
from clew.tools.patterns.sources import Candidates, Sources

_CONFIRMED = 4_096
"""Number of bindings confirmed at a time, so that no more than necessary are."""
MOST_BINDINGS = 100_000


@dataclass(frozen=True, slots=True)
class Bindings:
    """Node numbers in ascending order; `truncated` if there are, or may be, more."""

    nodes: NodeArray
    truncated: bool


def complete(
    snapshot: Snapshot,
    pattern: Pattern,
    match: Match,
    limit: int = MOST_BINDINGS,
    *,
    labels: Mapping[int, Sequence[int]] | None = None,
    distinct: Distinct = "nodes",
    deadline: float | None = None,
) -> Bindings:
    """All bindings of the node `pattern.asked` in the assignment of `match`.

    Args:
        limit: How many bindings to return at most.
        labels: As in Sources.
        distinct: As in `match`.
        deadline: A value of time.monotonic(); past it the bindings confirmed so far come back, `truncated`.
    """
    asked = pattern.asked
    assert asked is not None
    if pattern.nodes[asked].known:
        return Bindings(np.array([match.nodes[asked]], np.int32)[:limit], limit < 1)
    relations = [edge.relation for edge in match.edges]
    sources = Sources(relations={i: Candidates((r,), (0.0,)) for i, r in enumerate(relations)}, labels=labels or {})
    bound = [match.nodes[i] if node.known else -1 for i, node in enumerate(pattern.nodes)]
    known = [i for i, node in enumerate(pattern.nodes) if node.known]
    outward = plan_from(known[0] if known else asked, pattern, sources, snapshot)
    inward = plan_from(asked, pattern, sources, snapshot)
    constraints = Constraints(snapshot, pattern, sources, inward, MEETING[distinct], Clock(deadline))
    try:
        sets = _sets(constraints, outward, bound, relations)
    except OutOfTime:
        return Bindings(np.empty(0, np.int32), True)
    candidates = sets[asked]
    assert candidates is not None
    if _sets_decide(pattern, relations, sets, distinct):
        return Bindings(candidates[:limit], len(candidates) > limit)
    return _confirmed(constraints, Assignment(bound, relations, sets), asked, candidates, limit)


def _sets(
    constraints: Constraints, plan: Plan, bound: Sequence[int], relations: Sequence[int]
) -> list[NodeArray | None]:
    """For each node, its possible bindings: outwards from the root, then narrowed along all edges until nothing
    changes."""
    snapshot, count = constraints.snapshot, len(bound)
    sets: list[NodeArray | None] = [np.array([node], np.int32) if node >= 0 else None for node in bound]
    if sets[plan.root] is None:
        sets[plan.root] = constraints.admissible(plan.root, np.arange(len(snapshot), dtype=np.int32), bound)
    for step in plan.steps:
        source = sets[step.source]
        if sets[step.target] is None and source is not None:
            nodes: NodeArray = reach(snapshot, source, relations[step.edge], step.mask, constraints.clock)
            sets[step.target] = constraints.admissible(step.target, nodes, bound)
    changed = set(range(count))
    while changed:
        again: set[int] = set()
        for step in [*reversed(plan.steps), *plan.steps]:
            relation, back = relations[step.edge], reversed_mask(step.mask)
            for node, mask, by in ((step.source, step.mask, step.target), (step.target, back, step.source)):
                if by in changed | again and constraints.semijoin(sets, node, relation, mask, by):
                    again.add(node)
        changed = again
    return sets


def _sets_decide(
    pattern: Pattern, relations: Sequence[int], sets: Sequence[NodeArray | None], distinct: Distinct
) -> bool:
    """Whether every node of a consistent set belongs to a subgraph: there is no cycle, and no two unknown nodes can
    coincide, or they may."""
    if len(pattern.edges) != len(pattern.nodes) - 1:
        return False
    if distinct == "nothing" or (distinct == "edges" and len(set(relations)) == len(relations)):
        return True
    joined = {frozenset((edge.head, edge.tail)) for edge in pattern.edges}
    unknown = [i for i, node in enumerate(pattern.nodes) if not node.known]
    apart = [pair for pair in combinations(unknown, 2) if frozenset(pair) not in joined]
    return all(_disjoint(sets[one], sets[other]) for one, other in apart)


def _disjoint(one: NodeArray | None, other: NodeArray | None) -> bool:
    if one is None or other is None:
        return False
    small, large = sorted((one, other), key=len)
    if not len(large):
        return True
    places = np.searchsorted(large, small)
    return not bool((large[np.minimum(places, len(large) - 1)] == small).any())


def _confirmed(
    constraints: Constraints, assignment: Assignment, asked: int, candidates: NodeArray, limit: int
) -> Bindings:
    """The candidates that belong to a subgraph, up to `limit`."""
    kept: list[NodeArray] = []
    count = 0
    for first in range(0, len(candidates), _CONFIRMED):
        part = candidates[first : first + _CONFIRMED]
        nodes, decided = constraints.with_subgraph(assignment, asked, part)
        kept.append(nodes)
        count += len(nodes)
        if not decided or count > limit:
            return Bindings(np.concatenate(kept)[:limit], True)
    return Bindings(np.concatenate(kept) if kept else candidates[:0], False)
