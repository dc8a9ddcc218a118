"""How many ways lead to each answer: the walks through the graph that are as an assignment of a pattern says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from clew.tools.graph.snapshot.snapshot import Snapshot
from clew.tools.patterns.node_sets import Clock, OutOfTime, reversed_mask, walks_to
from clew.tools.patterns.pattern import Match, Pattern
from clew.tools.patterns.plan import Distinct, Step, plan_from
from clew.tools.patterns.sources import Candidates, Sources

Counts = npt.NDArray[np.float64]


def walks(
    snapshot: Snapshot,
    pattern: Pattern,
    match: Match,
    labels: Mapping[int, Sequence[int]],
    *,
    distinct: Distinct = "edges",
    deadline: float | None = None,
) -> Counts:
    """For each node of the graph the number of walks that end at it as the asked node: shape (nodes,).

    They share the relations and the known nodes of `match`. Edges of the pattern that close a cycle are left out. Past
    the deadline (of time.monotonic()) every number is 0.

    Args:
        labels: As in Sources.
        distinct: "nothing" counts the walks, too, that go back along the edge on which they came.
    """
    assert pattern.asked is not None
    relations = [edge.relation for edge in match.edges]
    sources = Sources(relations={i: Candidates((r,), (0.0,)) for i, r in enumerate(relations)}, labels=labels)
    branches = [_Branch(_alone(snapshot, pattern, match, place, labels)) for place in range(len(pattern.nodes))]
    clock = Clock(deadline)
    try:
        for step in reversed(plan_from(pattern.asked, pattern, sources, snapshot).steps):
            if not step.opens:
                continue
            below, relation = branches[step.target], relations[step.edge]
            come = walks_to(snapshot, below.weights(), relation, step.mask, clock)
            if distinct != "nothing":
                come = np.maximum(come - _back(snapshot, branches, relations, step, clock), 0)
            branches[step.source].come.append((step, below.weights(), come))
    except OutOfTime:
        return np.zeros(len(snapshot))
    return branches[pattern.asked].weights()


def _back(
    snapshot: Snapshot, branches: Sequence[_Branch], relations: Sequence[int], step: Step, clock: Clock
) -> Counts:
    """By end the walks that a step takes back along the edge on which they came. Exact for up to three edges."""
    below, found = branches[step.target], np.zeros(len(snapshot))
    for number, (earlier, start, _) in enumerate(below.come):
        if not _turns(earlier, step, relations):
            continue
        rest = below.weights(without=number)
        found += start * walks_to(snapshot, rest, relations[step.edge], step.mask, clock)
        further = branches[earlier.target]
        for place, (first, begun, _) in enumerate(further.come):  # These were left out before: to and fro, and to.
            if _turns(first, earlier, relations):
                again = walks_to(snapshot, begun * rest, relations[step.edge], step.mask, clock)
                found -= further.weights(without=place) * again
    return found


def _turns(earlier: Step, later: Step, relations: Sequence[int]) -> bool:
    """Whether a step and the one that follows it to the asked node can take one edge there and back."""
    return relations[earlier.edge] == relations[later.edge] and earlier.mask == reversed_mask(later.mask)


@dataclass(slots=True)
class _Branch:
    """The part of a pattern below one of its nodes."""

    alone: Counts
    """1 for each node of the graph that it may be, whatever its edges."""
    come: list[tuple[Step, Counts, Counts]] = field(default_factory=list)
    """Of each edge that leads down: the walks that end at its other end, and those that it brings here."""

    def weights(self, without: int | None = None) -> Counts:
        """The number of walks that end at each node, leaving out one of the edges."""
        found = self.alone
        for number, (_, _, come) in enumerate(self.come):
            if number != without:
                found = found * come
        return found


def _alone(
    snapshot: Snapshot, pattern: Pattern, match: Match, place: int, labels: Mapping[int, Sequence[int]]
) -> Counts:
    """1 for each node that a node of the pattern may be, whatever its edges."""
    if pattern.nodes[place].known:
        found = np.zeros(len(snapshot))
        found[match.nodes[place]] = 1
        return found
    if place in labels:
        return np.isin(snapshot.node_labels, list(labels[place])).astype(np.float64)
    return np.ones(len(snapshot))
