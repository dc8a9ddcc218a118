"""The order in which a pattern's edges are matched: from the cheapest start, the most selective edge next.

Cost is expected work: of a start node its candidates times their degree, of an edge the neighbours it leads to. Edges
between nodes that are bound already come first, then edges to known nodes, and edges that only lead to an UNKNOWN end
come last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tools.gsd.kernels import BOTH, reversed_mask
from tools.gsd.pattern import Pattern, PatternEdge
from tools.gsd.snapshot import Snapshot
from tools.gsd.sources import Feed, Sources

_SAMPLED = 8
_LAZY_COUNT = 64
"""Candidates that a source is taken to give when it does not say how many it has."""


@dataclass(frozen=True, slots=True)
class Step:
    """One edge, taken from a bound node `source` to `target`, which is bound by it where `opens`."""

    edge: int
    source: int
    target: int
    mask: int
    """Directions seen from the source: 1 head to tail, 2 tail to head, 3 either."""
    opens: bool
    narrows: tuple[tuple[int, int, int, int], ...]
    """After the step, (node, edge, mask, by): keep of an unknown node's set what `edge` joins with the set of `by`."""


@dataclass(frozen=True, slots=True)
class Plan:
    root: int
    steps: tuple[Step, ...]


def ordered(pattern: Pattern, sources: Sources, snapshot: Snapshot, feeds: Mapping[int, Feed]) -> Plan:
    """The plan for matching."""
    return plan_from(_start(pattern, sources, snapshot, feeds), pattern, sources, snapshot)


def plan_from(root: int, pattern: Pattern, sources: Sources, snapshot: Snapshot) -> Plan:
    """The plan that starts at the node `root`."""
    bound, left = {root}, set(range(len(pattern.edges)))
    taken: list[tuple[int, int, int, int, bool]] = []
    while left:
        choices = [
            (
                (0, 0.0) if target in bound else _cost(pattern, sources, snapshot, edge, source, target),
                edge,
                source,
                target,
            )
            for edge in left
            for source, target in _ways(pattern.edges[edge])
            if source in bound
        ]
        _, edge, source, target = min(choices)
        taken.append((edge, source, target, mask_from(pattern.edges[edge], source), target not in bound))
        bound.add(target)
        left.remove(edge)
    return Plan(root, tuple(_with_narrowing(pattern, root, taken)))


def mask_from(edge: PatternEdge, source: int) -> int:
    """The directions in which `edge` may be taken from its end `source`."""
    if not edge.directed:
        return BOTH
    return 1 if edge.head == source else 2


def _ways(edge: PatternEdge) -> list[tuple[int, int]]:
    return [(edge.head, edge.tail), (edge.tail, edge.head)]


def _start(pattern: Pattern, sources: Sources, snapshot: Snapshot, feeds: Mapping[int, Feed]) -> int:
    """The known node with the least candidates times degree; the unknown node with the fewest nodes if none is."""

    def work(position: int) -> float:
        feed = feeds[position]
        feed.fetch(0)
        sample = feed.ids[:_SAMPLED]
        degrees = sum(snapshot.degree(i) for i in sample) / max(len(sample), 1)
        return (len(feed.ids) if feed.ended else _LAZY_COUNT) * (degrees + 1)

    if feeds:
        return min(feeds, key=work) if len(feeds) > 1 else next(iter(feeds))
    sizes = snapshot.label_sizes

    def population(position: int) -> int:
        labels = sources.labels.get(position)
        return len(snapshot) if labels is None else int(sum(sizes[label] for label in labels))

    return min(range(len(pattern.nodes)), key=population)


def _cost(
    pattern: Pattern, sources: Sources, snapshot: Snapshot, edge: int, source: int, target: int
) -> tuple[int, float]:
    relations = sources.relations.get(edge)
    relation = relations.ids[0] if relations is not None and len(relations) else -1
    fan = snapshot.fan(relation, mask_from(pattern.edges[edge], source))
    if pattern.nodes[target].known:
        return 1, fan
    leads_on = sum(target in (e.head, e.tail) for e in pattern.edges) > 1
    return (2 if leads_on else 3), fan


def _with_narrowing(pattern: Pattern, root: int, taken: list[tuple[int, int, int, int, bool]]) -> list[Step]:
    """Steps with the sets that each makes smaller: upwards, as far as a later step starts from there."""
    parents = {target: (source, edge, mask) for edge, source, target, mask, opens in taken if opens}
    steps = []
    for i, (edge, source, target, mask, opens) in enumerate(taken):
        later = {node for _, a, b, _, _ in taken[i + 1 :] for node in (a, b)}
        chain = [] if source == target else [(source, edge, mask, target)]
        if not opens and source != target:
            chain.append((target, edge, reversed_mask(mask), source))
        narrows: list[tuple[int, int, int, int]] = []
        for link in chain:
            narrows += _upwards(pattern, parents, link, later)
        steps.append(Step(edge, source, target, mask, opens, tuple(narrows)))
    return steps


def _upwards(
    pattern: Pattern,
    parents: Mapping[int, tuple[int, int, int]],
    link: tuple[int, int, int, int],
    later: set[int],
) -> list[tuple[int, int, int, int]]:
    """The link and those above it, up to the topmost unknown node that a later step needs."""
    links = [link]
    while links[-1][0] in parents and not pattern.nodes[links[-1][0]].known:
        below = links[-1][0]
        parent, edge, mask = parents[below]
        links.append((parent, edge, mask, below))
    while links and (pattern.nodes[links[-1][0]].known or links[-1][0] not in later):
        links.pop()
    return links
