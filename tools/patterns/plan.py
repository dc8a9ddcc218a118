"""The order in which a pattern's edges are matched: from the cheapest start, the most selective edge next.

Cost is expected work: of a start node its candidates times their degree, of an edge the neighbours it leads to. Edges
between nodes that are bound already come first, then edges to known nodes, and edges that only lead to an UNKNOWN end
come last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from clew.tools.graph.snapshot.snapshot import Snapshot
from clew.tools.patterns.node_sets import BOTH, reversed_mask
from clew.tools.patterns.pattern import Pattern, PatternEdge
from clew.tools.patterns.sources import CandidateStream, Sources

FIXED, LABELS, FIRST, LAST, KNOWN = range(5)
"""Columns of the table of bindings for `clew.tools.patterns.backtracking`."""
Distinct = Literal["nodes", "edges", "nothing"]
"""What a match must not use twice."""
APART, TRAIL, FREE = range(3)
MEETING: Mapping[Distinct, int] = {"nodes": APART, "edges": TRAIL, "nothing": FREE}
"""The same as a number, for `clew.tools.patterns.backtracking`."""
_SAMPLED = 8
_LAZY_COUNT = 64
"""Assumed number of candidates of a source of unknown size."""


class Step(NamedTuple):
    """One edge from a bound node `source` to `target`; `opens` says that the step binds the target."""

    edge: int
    source: int
    target: int
    mask: int
    """Directions as seen from the source: 1 head to tail, 2 tail to head, 3 either."""
    opens: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """The order in which a pattern is matched: its root, then an edge a step."""

    root: int
    steps: tuple[Step, ...]


Semijoin = tuple[int, int, int, int]
"""(node, edge, mask, by): narrow the set of an unknown node to what `edge` joins with the set of `by`."""


@dataclass(frozen=True, slots=True)
class MatchTask:
    """A pattern with its candidates in one graph, and the order and the bound to match it by."""

    snapshot: Snapshot
    pattern: Pattern
    sources: Sources
    streams: Mapping[int, CandidateStream]
    plan: Plan
    least: list[float]
    """For each node, its smallest possible distance; 0 for an UNKNOWN one."""
    rest: list[float]
    """For each step, the smallest distance of it and all later steps, the root before the first."""


def prepare(snapshot: Snapshot, pattern: Pattern, sources: Sources) -> MatchTask | None:
    """The task; None if a known node or relation has no candidate."""
    least = [0.0] * len(pattern.nodes)
    streams = {i: CandidateStream(source, len(snapshot)) for i, source in sources.nodes.items()}
    for position, stream in streams.items():
        if not stream.fetch(0):
            return None
        least[position] = stream.distances[0]
    if not all(len(ranked) for ranked in sources.relations.values()):
        return None
    plan = plan_from(_start(pattern, sources, snapshot, streams), pattern, sources, snapshot)
    total = 0.0
    rest = [0.0]
    for step in reversed(plan.steps):
        ranked = sources.relations.get(step.edge)
        total += (ranked.distances[0] if ranked is not None else 0.0) + (least[step.target] if step.opens else 0.0)
        rest.append(total)
    rest.reverse()
    return MatchTask(snapshot, pattern, sources, streams, plan, least, rest)


def plan_from(root: int, pattern: Pattern, sources: Sources, snapshot: Snapshot) -> Plan:
    """The plan that starts at the node `root`."""
    bound, left = {root}, list(range(len(pattern.edges)))
    steps: list[Step] = []
    while left:
        ways = [
            (edge, source, target) for edge in left for source, target in _ways(pattern.edges[edge]) if source in bound
        ]
        if len(ways) > 1:
            ways = [min(ways, key=lambda way: (_cost(pattern, sources, snapshot, bound, *way), way))]
        edge, source, target = ways[0]
        steps.append(Step(edge, source, target, mask_from(pattern.edges[edge], source), target not in bound))
        bound.add(target)
        left.remove(edge)
    return Plan(root, tuple(steps))


def mask_from(edge: PatternEdge, source: int) -> int:
    """The directions in which `edge` may be taken from its end `source`."""
    if not edge.directed:
        return BOTH
    return 1 if edge.head == source else 2


def _ways(edge: PatternEdge) -> list[tuple[int, int]]:
    return [(edge.head, edge.tail), (edge.tail, edge.head)]


def _start(pattern: Pattern, sources: Sources, snapshot: Snapshot, streams: Mapping[int, CandidateStream]) -> int:
    """The known node with the smallest product of candidates and degree, or else the unknown node with the fewest
    nodes."""

    def work(position: int) -> float:
        stream = streams[position]
        sample = stream.ids[:_SAMPLED]
        degrees = sum(snapshot.degree(i) for i in sample) / len(sample)
        return (len(stream.ids) if stream.ended else _LAZY_COUNT) * (degrees + 1)

    if streams:
        return min(streams, key=work) if len(streams) > 1 else next(iter(streams))
    sizes = snapshot.label_sizes

    def population(position: int) -> int:
        labels = sources.labels.get(position)
        return len(snapshot) if labels is None else int(sum(sizes[label] for label in labels))

    return min(range(len(pattern.nodes)), key=population)


def _cost(
    pattern: Pattern, sources: Sources, snapshot: Snapshot, bound: set[int], edge: int, source: int, target: int
) -> tuple[int, float]:
    """The kind of the edge, and the number of neighbours that it leads to."""
    if target in bound:
        return 0, 0.0
    relations = sources.relations.get(edge)
    relation = relations.ids[0] if relations is not None and len(relations) else -1
    fan = snapshot.fan(relation, mask_from(pattern.edges[edge], source))
    if pattern.nodes[target].known:
        return 1, fan
    leads_on = sum(target in (e.head, e.tail) for e in pattern.edges) > 1
    return (2 if leads_on else 3), fan


def semijoins(pattern: Pattern, plan: Plan) -> list[list[Semijoin]]:
    """For each step, the sets that it narrows: upwards, as far as a later step starts from there."""
    parents = {step.target: step for step in plan.steps if step.opens}
    found = []
    for i, step in enumerate(plan.steps):
        later = {node for after in plan.steps[i + 1 :] for node in (after.source, after.target)}
        links: list[Semijoin] = []
        if step.source != step.target:
            links += _upwards(pattern, parents, (step.source, step.edge, step.mask, step.target), later)
            if not step.opens:
                back = (step.target, step.edge, reversed_mask(step.mask), step.source)
                links += _upwards(pattern, parents, back, later)
        found.append(links)
    return found


def _upwards(pattern: Pattern, parents: Mapping[int, Step], link: Semijoin, later: set[int]) -> list[Semijoin]:
    """The link and those above it, up to the topmost unknown node that a later step needs."""
    links = [link]
    while links[-1][0] in parents and not pattern.nodes[links[-1][0]].known:
        step = parents[links[-1][0]]
        links.append((step.source, step.edge, step.mask, step.target))
    while links and (pattern.nodes[links[-1][0]].known or links[-1][0] not in later):
        links.pop()
    return links
