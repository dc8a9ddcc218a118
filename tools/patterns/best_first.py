"""The k assignments of smallest graph semantic distance: best-first branch and bound over a snapshot.

An assignment fixes what has a distance: the bindings of the known nodes and the relation of every edge. The subgraphs
of one assignment differ only in the unknown nodes and all have the same distance, so the search does not list them. It
keeps, for each unknown node, the *set* of nodes that it may be bound to. A state's lower bound is its distance so far
plus the least distance that every unmatched element can have (SimGRAG, section 5.2). States leave the queue in order of
their bound, so a complete assignment that leaves it has the smallest distance left. Siblings enter the queue one by
one, and a source is asked for its next candidate only when the bound reaches the last distance it gave.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from clew.tools.graph.snapshot.snapshot import NodeArray
from clew.tools.patterns.assignments import Assignment, Constraints
from clew.tools.patterns.node_sets import ANY, Clock, OutOfTime, linked, reach, relations_of, reversed_mask
from clew.tools.patterns.pattern import Match, Matches
from clew.tools.patterns.plan import FREE, MatchTask, Step, semijoins
from clew.tools.patterns.sources import Candidates

Each = Literal["assignment", "subgraph"]
_EXPANDED_LATE = 64
"""Maximum number of states expanded after the deadline, and seconds for it."""
_GRACE_S = 0.02


@dataclass(slots=True)
class _State:
    """A partial assignment: `sets` is None for a node that is not bound, `bound` is -1 for unknown nodes."""

    distance: float
    sets: list[NodeArray | None]
    bound: list[int]
    relations: list[int]


_Item = tuple[float, int, int, Callable[[], None]]
_Options = list[tuple[float, int]]


class BestFirstSearch:
    """One search for the `k` assignments (or subgraphs) of smallest distance."""

    def __init__(self, task: MatchTask, k: int, clock: Clock, meeting: int, each: Each) -> None:
        self.snapshot, self.pattern, self.sources = task.snapshot, task.pattern, task.sources
        self.streams, self.plan, self.least, self.rest = task.streams, task.plan, task.least, task.rest
        self.k, self.clock, self.each = k, clock, each
        self.semijoins = semijoins(self.pattern, self.plan)
        self.constraints = Constraints(self.snapshot, self.pattern, self.sources, self.plan, meeting, clock)
        self.queue: list[_Item] = []
        self.pushed = self.expanded = 0
        self.found: list[Match] = []
        self.least_dropped = float("inf")
        """The smallest distance of a match that was found but not kept, or expanded after the deadline."""

    def run(self) -> Matches:
        self._start(self.rest[0])
        in_time = True
        while self.queue and len(self.found) < self.k and in_time:
            in_time = not self.clock.late and self._expand(heapq.heappop(self.queue))
        proven = len(self.found) >= self.k or (in_time and not self.queue)
        if not proven:
            self._collect_after_deadline()
        bound = min(self.least_dropped, self.queue[0][0] if self.queue else float("inf"))
        return Matches(tuple(self.found), proven and not self.constraints.undecided, self.expanded, bound)

    def _expand(self, item: _Item) -> bool:
        """Process a state from the queue; False if the deadline passed during it."""
        self.expanded += 1
        try:
            item[3]()
        except OutOfTime:
            self.least_dropped = min(self.least_dropped, item[0])
            return False
        return True

    def _push(self, bound: float, depth: int, expand: Callable[[], None]) -> None:
        """Add a state to the queue; of equal bounds, the deeper state comes first."""
        self.pushed += 1
        heapq.heappush(self.queue, (bound, -depth, self.pushed, expand))

    def _start(self, rest: float) -> None:
        count = len(self.pattern.nodes)
        empty = _State(0.0, [None] * count, [-1] * count, [ANY] * len(self.pattern.edges))
        root = self.plan.root
        if self.pattern.nodes[root].known:
            self._push(self.least[root] + rest, 0, lambda: self._bind_root(empty, 0))
            return
        empty.sets[root] = self.constraints.admissible(root, np.arange(len(self.snapshot), dtype=np.int32), ())
        self._push(rest, 0, lambda: self._advance(empty, 0))

    def _bind_root(self, state: _State, position: int) -> None:
        """Start from the candidate at `position`, and queue the next candidate."""
        stream, root = self.streams[self.plan.root], self.plan.root
        if not stream.fetch(position):
            return
        floor = stream.floor(position + 1)
        if floor is not None:
            self._push(floor + self.rest[0], 0, lambda: self._bind_root(state, position + 1))
        if self.constraints.fits(root, stream.ids[position]):
            child = self._bound(state, root, stream.ids[position], stream.distances[position])
            self._go_on(child, 0, child.distance + self.rest[0])

    def _go_on(self, state: _State, depth: int, bound: float) -> None:
        """Expand a state now if no state in the queue precedes it, else queue it."""
        if self.queue and bound > self.queue[0][0]:
            self._push(bound, depth, lambda: self._advance(state, depth))
        else:
            self._advance(state, depth)

    def _advance(self, state: _State, depth: int) -> None:
        """Take the step `depth` from a state."""
        if depth == len(self.plan.steps):
            self._complete(state)
            return
        step = self.plan.steps[depth]
        ranked = self.sources.relations.get(step.edge)
        if ranked is None:
            self._take(state, depth, 0.0, ANY)
            return
        options = self._options(state, step, ranked)
        if options:
            self._queue_option(state, depth, options, 0)

    def _options(self, state: _State, step: Step, ranked: Candidates) -> _Options:
        """The relation candidates with edges from the source's set, nearest first."""
        nodes = state.sets[step.source]
        assert nodes is not None
        there = relations_of(self.snapshot, nodes, step.mask, ranked.ids, self.clock)
        return [(ranked.distances[i], ranked.ids[i]) for i in there]

    def _queue_option(self, state: _State, depth: int, options: _Options, position: int) -> None:
        step = self.plan.steps[depth]
        least = self.least[step.target] if step.opens else 0.0
        bound = state.distance + options[position][0] + least + self.rest[depth + 1]
        if position == 0 and not (self.queue and bound > self.queue[0][0]):
            self._take_option(state, depth, options, 0)
        else:
            self._push(bound, depth, lambda: self._take_option(state, depth, options, position))

    def _take_option(self, state: _State, depth: int, options: _Options, position: int) -> None:
        if position + 1 < len(options):
            self._queue_option(state, depth, options, position + 1)
        self._take(state, depth, *options[position])

    def _take(self, state: _State, depth: int, distance: float, relation: int) -> None:
        """Match the step's edge by `relation`, and its target."""
        step = self.plan.steps[depth]
        child = _State(state.distance + distance, list(state.sets), state.bound, list(state.relations))
        child.relations[step.edge] = relation
        if step.opens and self.pattern.nodes[step.target].known:
            self._bind(child, depth, 0)
            return
        if step.opens and depth + 1 < len(self.plan.steps):
            nodes = self._reached(child, step, relation)
            if not len(nodes):
                return
            child.sets[step.target] = nodes
        if self._semijoined(child, depth):
            self._go_on(child, depth + 1, child.distance + self.rest[depth + 1])

    def _reached(self, state: _State, step: Step, relation: int) -> NodeArray:
        """The nodes of the right label that the step leads to, without those already bound."""
        source = state.sets[step.source]
        assert source is not None
        nodes = reach(self.snapshot, source, relation, step.mask, self.clock)
        return self.constraints.admissible(step.target, nodes, state.bound)

    def _bind(self, state: _State, depth: int, position: int) -> None:
        """Queue a state for every candidate of a known target, from `position` on, that the step reaches."""
        step = self.plan.steps[depth]
        stream = self.streams[step.target]
        base = state.distance + self.rest[depth + 1]
        if not stream.fetch(position):
            return
        end = len(stream.ids)
        for i in self._reached_candidates(state, step, stream.ids[position:end]):
            candidate = position + i
            distance = stream.distances[candidate]
            self._push(base + distance, depth, self._binding(state, depth, stream.ids[candidate], distance))
        floor = stream.floor(end)
        if floor is not None:
            self._push(base + floor, depth, lambda: self._bind(state, depth, end))

    def _binding(self, state: _State, depth: int, node: int, distance: float) -> Callable[[], None]:
        def expand() -> None:
            child = self._bound(state, self.plan.steps[depth].target, node, distance)
            if self._semijoined(child, depth):
                self._go_on(child, depth + 1, child.distance + self.rest[depth + 1])

        return expand

    def _reached_candidates(self, state: _State, step: Step, ids: Sequence[int]) -> list[int]:
        """Positions of the candidates that the step reaches and that no other node of the pattern is bound to, unless
        they may meet."""
        source = state.sets[step.source]
        assert source is not None
        candidates = np.array(ids, np.int32)
        relation, back = state.relations[step.edge], reversed_mask(step.mask)
        hit = linked(self.snapshot, candidates, relation, back, source, self.clock)
        return [
            i
            for i in np.flatnonzero(hit).tolist()
            if (self.constraints.meeting == FREE or ids[i] not in state.bound)
            and self.constraints.fits(step.target, ids[i])
        ]

    @staticmethod
    def _bound(state: _State, position: int, node: int, distance: float) -> _State:
        child = _State(state.distance + distance, list(state.sets), list(state.bound), state.relations)
        child.sets[position] = np.array([node], np.int32)
        child.bound[position] = node
        return child

    def _semijoined(self, state: _State, depth: int) -> bool:
        """Narrow the sets after a step, as far as later steps need them; False if one becomes empty."""
        step, semijoins = self.plan.steps[depth], self.semijoins[depth]
        if not step.opens and not semijoins and step.source != step.target:
            return self._joined(state, step)
        for node, edge, mask, by in semijoins:
            nodes, others = state.sets[node], state.sets[by]
            if nodes is None or others is None:
                continue
            hit = linked(self.snapshot, nodes, state.relations[edge], mask, others, self.clock)
            state.sets[node] = nodes[hit]
            if not hit.any():
                return False
        return True

    def _joined(self, state: _State, step: Step) -> bool:
        """Whether an edge between two bound nodes can exist."""
        nodes, others = state.sets[step.source], state.sets[step.target]
        if nodes is None or others is None:
            return True
        relation, mask = state.relations[step.edge], step.mask
        return bool(linked(self.snapshot, nodes, relation, mask, others, self.clock).any())

    def _complete(self, state: _State) -> None:
        """Keep a complete assignment if it has a subgraph; one match for each choice of relations of UNKNOWN edges."""
        assignment = Assignment(state.bound, state.relations, state.sets)
        if self.each == "subgraph":
            self._keep(state.distance, assignment, self.k - len(self.found))
            if len(self.found) >= self.k:
                self.least_dropped = state.distance
            return
        for choice in self._choices(assignment):
            if len(self.found) >= self.k:
                self.least_dropped = min(self.least_dropped, state.distance)
                return
            self._keep(state.distance, choice, 1)

    def _keep(self, distance: float, assignment: Assignment, most: int) -> None:
        subgraphs, ties, exact = self.constraints.subgraphs(assignment, most)
        if not subgraphs:
            if self.constraints.undecided:
                self.least_dropped = min(self.least_dropped, distance)
            return
        for subgraph in subgraphs:
            self.found.append(Match.of(self.pattern, distance, subgraph.nodes, subgraph.triples, ties, exact))

    def _choices(self, assignment: Assignment) -> Iterator[Assignment]:
        """The assignment with each choice of relations for its UNKNOWN edges that has a subgraph."""
        open_edges = [
            step for step in self.plan.steps if not self.pattern.edges[step.edge].known
            and assignment.relations[step.edge] == ANY
        ]  # fmt: skip
        if not open_edges:
            yield assignment
            return
        if not self.constraints.subgraphs(assignment, 1)[0]:
            return
        step = open_edges[0]
        nodes = assignment.sets[step.source]
        assert nodes is not None
        everything = range(len(self.snapshot.relations))
        for relation in relations_of(self.snapshot, nodes, step.mask, everything, self.clock):
            relations = list(assignment.relations)
            relations[step.edge] = relation
            yield from self._choices(Assignment(assignment.bound, relations, assignment.sets))

    def _collect_after_deadline(self) -> None:
        """After the deadline, collect matches from the deepest states for up to _GRACE_S, so that there is a result."""
        self.clock.until = time.monotonic() + _GRACE_S
        for _ in range(_EXPANDED_LATE):
            if not self.queue or len(self.found) >= self.k or self.clock.late:
                break
            deepest = min(range(len(self.queue)), key=lambda i: (self.queue[i][1], self.queue[i][0]))
            self.queue[deepest], self.queue[-1] = self.queue[-1], self.queue[deepest]
            item = self.queue.pop()
            heapq.heapify(self.queue)
            self._expand(item)
            self.least_dropped = min(self.least_dropped, item[0])
        self.found.sort(key=lambda found: found.distance)
