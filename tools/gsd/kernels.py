"""Set operations over a snapshot's adjacency, compiled.

A step from a node is limited to a relation (-1: any) and a mask of directions: 1 follows head to tail, 2 tail to
head, 3 both. Node sets are sorted int32 arrays. A loop (an edge from a node to itself) is never stepped along.
The first use compiles; the result is kept on disk.
"""

from __future__ import annotations

from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt
from numba import njit

NodeArray = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]

ANY = -1
BOTH = 3
_MARKED = 262_144
"""Entries above which a result is collected in a bitmap of all nodes rather than sorted."""
_SURVEYED = 100_000
"""Look-ups after which `relations_of` gives up and takes every relation for present."""


class Adjacency(Protocol):
    """The arrays of a snapshot that steps are taken over."""

    @property
    def starts(self) -> npt.NDArray[np.int64]: ...
    @property
    def reldirs(self) -> NodeArray: ...
    @property
    def neighbours(self) -> NodeArray: ...


def reversed_mask(mask: int) -> int:
    """The directions seen from the other end."""
    return (mask >> 1) | ((mask & 1) << 1)


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def lower(values: Any, low: int, high: int, wanted: int) -> int:
    """The first position in values[low:high], sorted, that is not below `wanted`."""
    while low < high:
        middle = (low + high) >> 1
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def segment(starts: Any, reldirs: Any, node: int, relation: int, mask: int) -> tuple[int, int]:
    """The entries of `node` that a step may take: for a relation exactly those, for ANY in both directions."""
    first, last = starts[node], starts[node + 1]
    if relation < 0:
        return first, last
    low = lower(reldirs, first, last, 2 * relation + (1 if mask == 2 else 0))
    return low, lower(reldirs, low, last, 2 * relation + (1 if mask == 1 else 2))


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _wrong_way(reldir: int, relation: int, mask: int) -> bool:
    """Whether an entry of a segment must be left out: only ANY in one direction mixes directions."""
    return relation < 0 and mask != 3 and (reldir & 1) != mask - 1


def reach(snapshot: Adjacency, nodes: NodeArray, relation: int, mask: int) -> NodeArray:
    """The nodes one step away from any of `nodes`: sorted, int32."""
    starts, reldirs, neighbours = snapshot.starts, snapshot.reldirs, snapshot.neighbours
    total = _steps(starts, reldirs, nodes, relation, mask)
    if total > _MARKED:
        mark = _marked(starts, reldirs, neighbours, nodes, relation, mask)
        return np.flatnonzero(mark).astype(np.int32)
    found: NodeArray = _gathered(starts, reldirs, neighbours, nodes, relation, mask, total)
    if len(nodes) == 1 and relation >= 0 and mask != BOTH:
        return found
    found.sort()  # numpy's, which is faster than a compiled one and costs no compilation
    return found[: _unique(found)]


def linked(snapshot: Adjacency, nodes: NodeArray, relation: int, mask: int, others: NodeArray) -> BoolArray:
    """Per node, whether a step leads to one of `others` (sorted): shape (len(nodes),).

    Walks from whichever side is cheaper: every node's entries, or all that `others` reach back.
    """
    if len(others) * 8 < len(nodes):
        back = reach(snapshot, others, relation, reversed_mask(mask))
        if not len(back):
            return np.zeros(len(nodes), np.bool_)
        places = np.minimum(np.searchsorted(back, nodes), len(back) - 1)
        hit: BoolArray = back[places] == nodes
        return hit
    starts, reldirs, neighbours = snapshot.starts, snapshot.reldirs, snapshot.neighbours
    return cast(BoolArray, _linked(starts, reldirs, neighbours, nodes, relation, mask, others))


def relations_of(
    snapshot: Adjacency, nodes: NodeArray, mask: int, count: int, among: npt.NDArray[np.int64]
) -> list[int]:
    """The positions in `among` (relations, of `count` in all) along which some of `nodes` has a step.

    Exact unless the nodes have very many relations between them; then everything counts as present.
    """
    return cast(list[int], _present(snapshot.starts, snapshot.reldirs, nodes, mask, count, among).tolist())


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _steps(starts: Any, reldirs: Any, nodes: Any, relation: int, mask: int) -> int:
    total = 0
    for node in nodes:
        low, high = segment(starts, reldirs, node, relation, mask)
        total += high - low
    return total


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _gathered(starts: Any, reldirs: Any, neighbours: Any, nodes: Any, relation: int, mask: int, total: int) -> Any:
    found = np.empty(total, np.int32)
    count = 0
    for node in nodes:
        low, high = segment(starts, reldirs, node, relation, mask)
        for i in range(low, high):
            if neighbours[i] != node and not _wrong_way(reldirs[i], relation, mask):
                found[count] = neighbours[i]
                count += 1
    return found[:count]


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _unique(found: Any) -> int:
    """Move the distinct values of a sorted array to its front; gives their number."""
    kept = 0
    for i in range(len(found)):
        if i == 0 or found[i] != found[i - 1]:
            found[kept] = found[i]
            kept += 1
    return kept


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _marked(starts: Any, reldirs: Any, neighbours: Any, nodes: Any, relation: int, mask: int) -> Any:
    mark = np.zeros(len(starts) - 1, np.bool_)
    for node in nodes:
        low, high = segment(starts, reldirs, node, relation, mask)
        for i in range(low, high):
            if neighbours[i] != node and not _wrong_way(reldirs[i], relation, mask):
                mark[neighbours[i]] = True
    return mark


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _linked(starts: Any, reldirs: Any, neighbours: Any, nodes: Any, relation: int, mask: int, others: Any) -> Any:
    hit = np.zeros(len(nodes), np.bool_)
    for i in range(len(nodes)):
        low, high = segment(starts, reldirs, nodes[i], relation, mask)
        if relation >= 0 and mask != 3 and (high - low) > 8 * len(others):
            hit[i] = _contains_any(neighbours, low, high, others, nodes[i])
            continue
        for j in range(low, high):
            other = neighbours[j]
            if other == nodes[i] or _wrong_way(reldirs[j], relation, mask):
                continue
            at = lower(others, 0, len(others), other)
            if at < len(others) and others[at] == other:
                hit[i] = True
                break
    return hit


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _contains_any(neighbours: Any, low: int, high: int, others: Any, node: int) -> bool:
    """Whether the sorted entries [low, high) hold one of the few `others`, `node` itself apart."""
    for other in others:
        low = lower(neighbours, low, high, other)
        if low < high and neighbours[low] == other and other != node:
            return True
    return False


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _present(starts: Any, reldirs: Any, nodes: Any, mask: int, count: int, among: Any) -> Any:
    found = np.zeros(count, np.bool_)
    looked = 0
    for node in nodes:
        at, last = starts[node], starts[node + 1]
        while at < last:
            reldir = reldirs[at]
            if mask & (1 + (reldir & 1)):
                found[reldir >> 1] = True
            at = _past(reldirs, at, last, reldir)
            looked += 1
        if looked > _SURVEYED:
            for relation in among:
                found[relation] = True
            break
    positions = np.empty(len(among), np.int64)
    kept = 0
    for i in range(len(among)):
        if found[among[i]]:
            positions[kept] = i
            kept += 1
    return positions[:kept]


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _past(reldirs: Any, at: int, last: int, reldir: int) -> int:
    """The first entry after those of `reldir`, by steps that double: short runs are the rule."""
    stride = 1
    while at + stride < last and reldirs[at + stride] == reldir:
        at += stride
        stride *= 2
    return lower(reldirs, at, min(at + stride, last), reldir + 1)
