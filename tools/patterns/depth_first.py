"""The k best matches where few edges are to be looked at: depth-first branch and bound over single nodes.

Most questions touch some dozen edges. For these the paper's way (Algorithm 1 with the bound of section 5.2) costs less
than to set up the search over sets, and it needs nothing compiled. It gives up after LOOKUPS entries, and then
`clew.tools.patterns.search` does what it would have done anyway.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from math import inf

from clew.tools.patterns.node_sets import BOTH
from clew.tools.patterns.plan import APART, FREE, MatchTask
from clew.tools.patterns.sources import CandidateStream

LOOKUPS = 256
"""Number of entries read before this search gives up; some tenths of a millisecond."""
_EPSILON = 1e-9
"""Tolerance for sums of the same distances in different orders."""

Triple = tuple[int, int, int]
_NONE: Triple = (-1, -1, -1)
Kept = tuple[float, int, tuple[int, ...], tuple[Triple, ...]]
"""Distance, order of discovery, nodes and triples: of a subgraph, or of the first subgraph of an assignment."""


class TooManyLookups(Exception):
    """The search would have to read too many entries."""


class DepthFirstSearch:
    """One search for the `k` best subgraphs or assignments; `best` raises TooManyLookups where it gives up.

    `meeting` is APART, TRAIL (unknown nodes may meet, but no edge is taken twice) or FREE.
    """

    def __init__(self, task: MatchTask, k: int, meeting: int, subgraphs: bool) -> None:
        self.task, self.k, self.meeting, self.subgraphs = task, k, meeting, subgraphs
        self.bound = inf
        """The smallest possible distance of a match that was not kept."""
        self.left = LOOKUPS
        snapshot, pattern, sources = task.snapshot, task.pattern, task.sources
        self._starts, self._reldirs = snapshot.start_view, snapshot.reldir_view
        self._neighbours = snapshot.neighbour_view
        self._steps, self._rest, self._labels = task.plan.steps, task.rest, sources.labels
        self._known = [node.text is not None for node in pattern.nodes]
        self._nodes = [-1] * len(pattern.nodes)
        self._triples = [_NONE] * len(pattern.edges)
        self._costs = {i: dict(zip(r.ids, r.distances, strict=True)) for i, r in sources.relations.items()}
        self._candidates: dict[int, dict[int, float]] = {}
        self._kept: list[Kept] = []
        """The matches, sorted by distance."""
        self._ties: dict[object, int] = {}
        """The subgraphs of each assignment."""
        self._stop = inf
        """The distance above which matches are discarded."""

    @property
    def looked(self) -> int:
        """The number of entries read."""
        return LOOKUPS - self.left

    def best(self) -> list[Kept]:
        """The k best matches, nearest first."""
        streams, root = self.task.streams, self.task.plan.root
        if root not in streams:
            raise TooManyLookups  # no known node to start from
        for position, stream in streams.items():
            if position != root:
                if not stream.ended:
                    raise TooManyLookups  # candidates that have not been given
                self._candidates[position] = dict(zip(stream.ids, stream.distances, strict=True))
        self._from_root(root, streams[root])
        if len(self._kept) > self.k:
            self.bound = min(self.bound, self._kept[self.k][0])
        return self._kept[: self.k]

    def ties(self, nodes: tuple[int, ...], triples: tuple[Triple, ...]) -> int:
        """The number of subgraphs of the assignment of a kept one, itself included; 1 when searching for single
        subgraphs."""
        return 1 if self.subgraphs else self._ties[self._assignment(nodes, triples)]

    def _from_root(self, root: int, stream: CandidateStream) -> None:
        position, rest = 0, self._rest[0]
        while True:
            distance = stream.distances[position] if position < len(stream.ids) else stream.floor(position)
            if distance is None:
                return
            if distance + rest > self._stop:
                self.bound = min(self.bound, distance + rest)
                return
            if position == len(stream.ids):
                if not stream.fetch(position):
                    return
                continue
            node = stream.ids[position]
            if root not in self._labels or self._labelled(root, node):
                self._nodes[root] = node
                self._extend(0, distance)
            position += 1

    def _extend(self, depth: int, distance: float) -> None:
        """Match the step `depth` in every way within the bound, and then all later steps."""
        edge, source, target, mask, opens = self._steps[depth]
        nodes, triples, node = self._nodes, self._triples, self._nodes[source]
        ahead = distance + self._rest[depth + 1] + (self.task.least[target] if opens else 0.0)
        for cost, entry in self._entries(edge, node, mask):
            if cost + ahead > self._stop:
                self.bound = min(self.bound, cost + ahead)
                return
            other, reldir = self._neighbours[entry], self._reldirs[entry]
            triple = (other, reldir >> 1, node) if reldir & 1 else (node, reldir >> 1, other)
            used = self.meeting != FREE and triple in triples
            if used or (other == node) != (source == target) or (other == node and reldir & 1):
                continue
            farther = distance + cost
            if opens:
                added = self._bound(target, other)
                if added is None:
                    continue
                nodes[target] = other
                farther += added
            elif nodes[target] != other:
                continue
            triples[edge] = triple
            if depth + 1 == len(self._steps):
                self._keep(farther)
            else:
                self._extend(depth + 1, farther)
            triples[edge] = _NONE
            if opens:
                nodes[target] = -1

    def _entries(self, edge: int, node: int, mask: int) -> list[tuple[float, int]]:
        """The node's entries that may match the pattern's edge, nearest relations first."""
        first, last = self._starts[node], self._starts[node + 1]
        self.left -= last - first
        if self.left < 0:
            raise TooManyLookups
        costs = self._costs.get(edge)
        reldirs: Iterable[tuple[int, int]] = enumerate(self._reldirs[first:last].tolist(), first)
        if mask != BOTH:
            reldirs = ((entry, reldir) for entry, reldir in reldirs if reldir & 1 == mask - 1)
        if costs is None:
            return [(0.0, entry) for entry, _ in reldirs]
        entries = [(costs[reldir >> 1], entry) for entry, reldir in reldirs if reldir >> 1 in costs]
        entries.sort()
        return entries

    def _bound(self, position: int, node: int) -> float | None:
        """The distance of binding a pattern's node to `node`; None if it is not allowed."""
        known = self._known[position]
        if self.meeting != FREE and node in self._nodes:
            if self.meeting == APART or known:
                return None
            if any(other == node and self._known[i] for i, other in enumerate(self._nodes)):
                return None
        if position in self._labels and not self._labelled(position, node):
            return None
        return self._candidates[position].get(node) if known else 0.0

    def _labelled(self, position: int, node: int) -> bool:
        return self.task.snapshot.label_view[node] in self._labels[position]

    def _keep(self, distance: float) -> None:
        nodes, triples = tuple(self._nodes), tuple(self._triples)
        if not self.subgraphs:
            assignment = self._assignment(nodes, triples)
            ties = self._ties[assignment] = self._ties.get(assignment, 0) + 1
            if ties > 1:
                return
        insort(self._kept, (distance, len(self._kept), nodes, triples))
        if len(self._kept) >= self.k:
            # Equal sums may differ by rounding. Further subgraphs of a kept assignment are wanted: they are counted.
            self._stop = self._kept[self.k - 1][0] + (-_EPSILON if self.subgraphs else _EPSILON)

    def _assignment(self, nodes: tuple[int, ...], triples: tuple[Triple, ...]) -> object:
        """The key that the subgraphs of one assignment share."""
        known = tuple([node for node, is_known in zip(nodes, self._known, strict=True) if is_known])
        return known, tuple([relation for _, relation, _ in triples])
