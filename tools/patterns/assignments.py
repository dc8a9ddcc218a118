"""The subgraphs of an assignment: whether there is one, the first ones, and their number."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from clew.tools.graph.snapshot.snapshot import NodeArray, Snapshot
from clew.tools.patterns.node_sets import Clock, OutOfTime, linked, reversed_mask
from clew.tools.patterns.pattern import Pattern
from clew.tools.patterns.plan import FIRST, FIXED, FREE, KNOWN, LABELS, LAST, Plan
from clew.tools.patterns.sources import Sources

_COUNTED = 20_000
"""Maximum number of lookups for counting ties, and before the sets of an assignment are made consistent."""
_SLICE = 200_000
"""Lookups before the clock is first read; some milliseconds."""
_GROWTH = 8
"""Factor by which the lookup budget grows from one search for an assignment to the next, while time remains."""
_MANY = 1 << 62
_NOTHING = np.empty(0, np.int32)


@dataclass(frozen=True, slots=True)
class Assignment:
    """Bindings of the known nodes (-1: unknown), relations of the edges (-1: any), and sets for the unknown nodes.

    A set is sorted and contains every possible binding of its unknown node; None does not limit it.
    """

    bound: Sequence[int]
    relations: Sequence[int]
    sets: Sequence[NodeArray | None]


class Subgraph(NamedTuple):
    """Bindings by pattern node and triples (head, relation, tail) by pattern edge."""

    nodes: tuple[int, ...]
    triples: tuple[tuple[int, int, int], ...]


class Constraints:
    """The constraints common to all assignments of a pattern, in the form that the compiled search takes."""

    def __init__(
        self, snapshot: Snapshot, pattern: Pattern, sources: Sources, plan: Plan, meeting: int, clock: Clock
    ) -> None:
        self.snapshot, self.pattern, self.plan, self.meeting, self.clock = snapshot, pattern, plan, meeting, clock
        self.undecided = False
        """Whether an assignment was abandoned at the deadline."""
        self.allowed: dict[int, npt.NDArray[np.bool_]] = {}
        for position, labels in sources.labels.items():
            self.allowed[position] = np.zeros(len(snapshot.labels), np.bool_)
            self.allowed[position][list(labels)] = True
        self._rows = {position: row for row, position in enumerate(self.allowed)}
        self._table = np.ones((max(len(self.allowed), 1), len(snapshot.labels)), np.bool_)
        for position, row in self._rows.items():
            self._table[row] = self.allowed[position]
        self._steps = np.array([[s.source, s.target, -1, s.mask, s.source == s.target] for s in plan.steps], np.int64)
        self._binds = np.full((len(pattern.nodes), 5), -1, np.int64)
        self._binds[:, KNOWN] = [node.known for node in pattern.nodes]
        for position, row in self._rows.items():
            self._binds[position, LABELS] = row
        self._no_entries = np.empty((0, len(plan.steps)), np.int64)
        self._edges = [step.edge for step in plan.steps]

    def fits(self, position: int, node: int) -> bool:
        """Whether a pattern node may be bound to a node of this label."""
        labels = self.allowed.get(position)
        return labels is None or bool(labels[self.snapshot.node_labels[node]])

    def admissible(self, position: int, nodes: NodeArray, bound: Sequence[int]) -> NodeArray:
        """The `nodes` (sorted) that have the label of a pattern node and are not bound to a known node, unless
        nodes may meet."""
        labels = self.allowed.get(position)
        if labels is not None:
            nodes = nodes[labels[self.snapshot.node_labels[nodes]]]
        for taken in bound if self.meeting != FREE else ():
            if taken >= 0:
                place = int(np.searchsorted(nodes, taken))
                if place < len(nodes) and nodes[place] == taken:
                    nodes = np.delete(nodes, place)
        return nodes

    def subgraphs(self, assignment: Assignment, most: int) -> tuple[list[Subgraph], int, bool]:
        """The first `most` subgraphs, their number, and whether that number is exact.

        None if there are none, or at the deadline (`undecided`). Counting stops after a limited number of lookups.
        """
        nodes = np.empty((most, len(self.pattern.nodes)), np.int64)
        entries = np.empty((most, len(self._edges)), np.int64)
        found, left = self._search(assignment, [], _COUNTED, _MANY, nodes, entries)
        if left <= 0 and found < most:
            found, left = self._searched_longer(assignment, most, nodes, entries)
        return [self._subgraph(nodes[i], entries[i]) for i in range(min(found, most))], found, left > 0

    def _searched_longer(
        self, assignment: Assignment, most: int, nodes: npt.NDArray[np.int64], entries: npt.NDArray[np.int64]
    ) -> tuple[int, int]:
        """Repeat `_search` with growing budgets until the first `most` subgraphs are found or time runs out."""
        found, left = 0, 0
        try:
            sets = self.consistent(assignment)
        except OutOfTime:
            self.undecided = True
            return found, left
        for budget in self._budgets():
            found, left = self._search(assignment, sets, budget, _MANY, nodes, entries)
            if left > 0 or found >= most:
                return found, left
        self.undecided = True
        return found, left

    def with_subgraph(self, assignment: Assignment, asked: int, candidates: NodeArray) -> tuple[NodeArray, bool]:
        """The candidates for the node `asked` (the root of the plan) that belong to a subgraph, and whether all were
        decided."""
        sets = list(assignment.sets)
        sets[asked] = candidates
        most = len(candidates)
        nodes = np.empty((most, len(self.pattern.nodes)), np.int64)
        found = 0
        for budget in self._budgets():
            found, left = self._search(assignment, sets, budget, most, nodes, self._no_entries, one_each=True)
            if left > 0 or found == most:
                return nodes[:found, asked].astype(np.int32), True
        return nodes[:found, asked].astype(np.int32), False

    def _budgets(self) -> Iterator[int]:
        """The lookup budgets of successive searches, each larger than the one before, within the remaining time."""
        budget, until = _SLICE, self.clock.until
        while not self.clock.late:
            started = time.monotonic()
            yield budget
            longer = budget * _GROWTH
            if until is not None:
                now = time.monotonic()
                longer = min(longer, int(budget / max(now - started, 1e-6) * (until - now)))
                if longer <= budget:
                    return
            budget = longer

    def consistent(self, assignment: Assignment) -> list[NodeArray | None]:
        """The sets of the unknown nodes, narrowed along every edge once in each direction."""
        sets = list(assignment.sets)
        for position, node in enumerate(assignment.bound):
            if node >= 0:
                sets[position] = np.array([node], np.int32)
        for step in [*self.plan.steps, *reversed(self.plan.steps), *self.plan.steps]:
            relation = assignment.relations[step.edge]
            self.semijoin(sets, step.source, relation, step.mask, step.target)
            self.semijoin(sets, step.target, relation, reversed_mask(step.mask), step.source)
        return sets

    def semijoin(self, sets: list[NodeArray | None], node: int, relation: int, mask: int, by: int) -> bool:
        """Narrow a node's set to what a step joins with the set of `by`; True if it became smaller."""
        nodes, others = sets[node], sets[by]
        if nodes is None or others is None or node == by:
            return False
        hit = linked(self.snapshot, nodes, relation, mask, others, self.clock)
        if hit.all():
            return False
        sets[node] = nodes[hit]
        return True

    def _search(
        self,
        assignment: Assignment,
        sets: Sequence[NodeArray | None],
        budget: int,
        most: int,
        nodes: npt.NDArray[np.int64],
        entries: npt.NDArray[np.int64],
        one_each: bool = False,
    ) -> tuple[int, int]:
        from clew.tools.patterns.backtracking import (
            find_subgraphs,  # most patterns are small, and need nothing compiled
        )

        snapshot = self.snapshot
        steps, binds, domains = self._tables(assignment, sets)
        found, left = find_subgraphs(
            snapshot.starts, snapshot.reldirs, snapshot.neighbours, snapshot.node_labels, self.plan.root, steps,
            binds, domains, self._table, self.meeting, one_each, budget, most, nodes, entries,
        )  # fmt: skip
        return int(found), int(left)

    def _tables(self, assignment: Assignment, sets: Sequence[NodeArray | None]) -> tuple[Any, Any, NodeArray]:
        steps = self._steps.copy()
        steps[:, 2] = [assignment.relations[edge] for edge in self._edges]
        binds = self._binds.copy()
        binds[:, FIXED] = assignment.bound
        if not sets:
            return steps, binds, _NOTHING
        parts: list[NodeArray] = []
        length = 0
        for position, nodes in enumerate(sets):
            if nodes is not None and assignment.bound[position] < 0:
                binds[position, FIRST], binds[position, LAST] = length, length + len(nodes)
                length += len(nodes)
                parts.append(nodes)
        return steps, binds, np.concatenate(parts) if parts else _NOTHING

    def _subgraph(self, nodes: npt.NDArray[np.int64], entries: npt.NDArray[np.int64]) -> Subgraph:
        bindings = tuple(nodes.tolist())
        triples: dict[int, tuple[int, int, int]] = {}
        for step, entry in zip(self.plan.steps, entries.tolist(), strict=True):
            reldir, other, node = int(self.snapshot.reldirs[entry]), int(self.snapshot.neighbours[entry]), bindings
            here = node[step.source]
            triples[step.edge] = (other, reldir >> 1, here) if reldir & 1 else (here, reldir >> 1, other)
        return Subgraph(bindings, tuple(triples[edge] for edge in range(len(triples))))
