"""Single subgraphs of an assignment, found, counted and listed by depth-first search, compiled.

An assignment fixes the bindings of the known nodes and the relations of the edges; what is left is to bind the unknown
nodes so that the mapping is one to one. With the unknown nodes limited to sets that are consistent along the edges the
search hardly ever turns back.

The search takes three tables. `steps`, int64 (edges, 5): from node, to node, relation (-1: any), mask, whether the
step is a loop. `binds`, int64 (nodes, 5): fixed binding or -1, row of `allowed` or -1, first and last position in
`domains` (-1: no limit), whether the node is known. `allowed`, bool (rows, labels).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clew.tools.arrays.compiled import compiled
from clew.tools.patterns.plan import APART, FIRST, FIXED, FREE, KNOWN, LABELS, LAST


@compiled
def find_subgraphs(
    starts: Any,
    reldirs: Any,
    neighbours: Any,
    node_labels: Any,
    root: int,
    steps: Any,
    binds: Any,
    domains: Any,
    allowed: Any,
    meeting: int,
    one_each: bool,
    budget: int,
    most: int,
    kept_nodes: Any,
    kept_entries: Any,
) -> tuple[int, int]:
    """(subgraphs found, look-ups left): at most `most`; none left means that the search was cut short.

    The first ones are written to the rows of `kept_nodes` and `kept_entries` (the adjacency entry of each step).
    `meeting`: APART maps nodes one to one; TRAIL lets unknown nodes meet, but takes no edge twice; FREE maps freely.
    `one_each`: of every binding of an unknown root only the first subgraph.
    """
    found: Any = np.int64(0)
    bound = np.empty(len(binds), np.int64)
    for i in range(len(binds)):
        bound[i] = binds[i, FIXED]
    fixed = bound[root] >= 0
    limited = binds[root, FIRST] >= 0
    first = binds[root, FIRST] if limited else 0
    last = binds[root, LAST] if limited else len(starts) - 1
    if fixed:
        first, last = 0, 1
    for i in range(first, last):
        if not fixed:
            budget -= 1
            node = np.int64(domains[i]) if limited else np.int64(i)
            if not _fits(node, root, node_labels, binds, bound, domains, allowed, meeting):
                continue
            bound[root] = node
        wanted = found + 1 if one_each else most
        found, budget = _extend_root(
            starts, reldirs, neighbours, node_labels, steps, binds, bound, domains, allowed, meeting, budget, wanted,
            found, kept_nodes, kept_entries,
        )  # fmt: skip
        if not fixed:
            bound[root] = -1
        if budget <= 0 or found >= most:
            break
    return found, max(budget, 0)


@compiled
def _extend_root(
    starts: Any,
    reldirs: Any,
    neighbours: Any,
    node_labels: Any,
    steps: Any,
    binds: Any,
    bound: Any,
    domains: Any,
    allowed: Any,
    meeting: int,
    budget: int,
    most: int,
    found: Any,
    kept_nodes: Any,
    kept_entries: Any,
) -> tuple[int, int]:
    """Depth-first search over the steps; `bound` holds the root's binding and is restored at the end."""
    count = len(steps)
    at = np.zeros(count + 1, np.int64)
    end = np.zeros(count + 1, np.int64)
    opened = np.zeros(count, np.bool_)
    level: Any = np.int64(0)
    at[0], end[0] = segment(starts, reldirs, bound[steps[0, 0]], steps[0, 2], steps[0, 3])
    while level >= 0:
        if opened[level]:
            bound[steps[level, 1]] = -1
            opened[level] = False
        entry = -1
        while at[level] < end[level] and budget > 0:
            taken, budget = _next_entry(reldirs, neighbours, steps, binds, bound, domains, level, at, end, budget)
            if taken < 0:
                break
            if meeting == FREE or _edge_free(reldirs, neighbours, steps, bound, level, at, taken):
                target = steps[level, 1]
                if bound[target] >= 0:
                    entry = taken
                    break
                if _fits(np.int64(neighbours[taken]), target, node_labels, binds, bound, domains, allowed, meeting):
                    bound[target] = neighbours[taken]
                    opened[level] = True
                    entry = taken
                    break
        if entry < 0:
            level -= 1
            if budget <= 0 and level < 0:
                break
            continue
        if level + 1 < count:
            level += 1
            at[level], end[level] = segment(starts, reldirs, bound[steps[level, 0]], steps[level, 2], steps[level, 3])
            continue
        _keep(bound, at, found, kept_nodes, kept_entries)
        found += 1
        if found >= most:
            break
    for i in range(count):
        if opened[i]:
            bound[steps[i, 1]] = -1
    return found, budget


@compiled
def _keep(bound: Any, at: Any, found: Any, kept_nodes: Any, kept_entries: Any) -> None:
    """Write subgraph number `found` to its row, if there is one."""
    if found < len(kept_nodes):
        for i in range(len(bound)):
            kept_nodes[found, i] = bound[i]
    if found < len(kept_entries):
        for i in range(kept_entries.shape[1]):
            kept_entries[found, i] = at[i] - 1


@compiled
def lower(values: Any, low: int, high: int, wanted: Any) -> int:
    """The first position in the sorted values[low:high] with a value of at least `wanted`."""
    while low < high:
        middle = (low + high) >> 1
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def segment(starts: Any, reldirs: Any, node: int, relation: int, mask: int) -> tuple[int, int]:
    """The entries of `node` for a step: those of a relation, or those of any relation (-1) in both directions."""
    first, last = starts[node], starts[node + 1]
    if relation < 0:
        return first, last
    low = lower(reldirs, first, last, 2 * relation + (1 if mask == 2 else 0))
    return low, lower(reldirs, low, last, 2 * relation + (1 if mask == 1 else 2))


@compiled
def _next_entry(
    reldirs: Any,
    neighbours: Any,
    steps: Any,
    binds: Any,
    bound: Any,
    domains: Any,
    level: Any,
    at: Any,
    end: Any,
    budget: int,
) -> tuple[int, int]:
    """The next entry of the level with an allowed target, or -1, and the remaining lookups; `at` advances past it.

    The entries of one relation and direction are sorted by neighbour, so gaps in entries and domain are skipped by
    bisection.
    """
    node, target, relation, mask = bound[steps[level, 0]], steps[level, 1], steps[level, 2], steps[level, 3]
    aim = bound[target]
    first, last = binds[target, FIRST], binds[target, LAST]
    while at[level] < end[level] and budget > 0:
        budget -= 1
        i = at[level]
        if aim >= 0 or first >= 0:
            beyond = lower(reldirs, i, end[level], np.int64(reldirs[i]) + 1)
            wanted = aim
            if aim < 0:
                first = lower(domains, binds[target, FIRST], last, np.int64(neighbours[i]))
                wanted = np.int64(domains[first]) if first < last else -1
            if wanted >= 0:
                i = lower(neighbours, i, beyond, wanted)
            if wanted < 0 or i == beyond or (aim >= 0 and neighbours[i] != aim):
                at[level] = beyond
                continue
            if neighbours[i] != wanted:
                at[level] = i
                continue
        at[level] = i + 1
        backward = reldirs[i] & 1
        if relation < 0 and mask != 3 and backward != mask - 1:
            continue
        loop = neighbours[i] == node
        if loop != (steps[level, 4] == 1) or (loop and backward == 1):
            continue
        return i, budget
    return -1, budget


@compiled
def _edge_free(reldirs: Any, neighbours: Any, steps: Any, bound: Any, level: Any, at: Any, taken: int) -> bool:
    """Whether no earlier step used the same triple."""
    node, other = bound[steps[level, 0]], neighbours[taken]
    for i in range(level):
        entry = at[i] - 1
        if reldirs[entry] >> 1 != reldirs[taken] >> 1:
            continue
        earlier = bound[steps[i, 0]]
        same_way = reldirs[entry] == reldirs[taken]
        if same_way and earlier == node and neighbours[entry] == other:
            return False
        if not same_way and earlier == other and neighbours[entry] == node:
            return False
    return True


@compiled
def _fits(
    node: Any,
    target: int,
    node_labels: Any,
    binds: Any,
    bound: Any,
    domains: Any,
    allowed: Any,
    meeting: int,
) -> bool:
    """Whether `target` may be bound to `node`: type, domain, and no other node of the pattern there."""
    row = binds[target, LABELS]
    if row >= 0 and not allowed[row, node_labels[node]]:
        return False
    first, last = binds[target, FIRST], binds[target, LAST]
    if first >= 0:
        place = lower(domains, first, last, node)
        if place == last or domains[place] != node:
            return False
    if meeting == FREE:
        return True
    for other in range(len(bound)):
        if bound[other] == node and (meeting == APART or binds[other, KNOWN] or binds[target, KNOWN]):
            return False
    return True
