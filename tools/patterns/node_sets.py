"""Set operations over a snapshot's adjacency.

A step from a node is limited to a relation (-1: any) and a mask of directions: 1 follows head to tail, 2 tail to
head, 3 both. Node sets are sorted int32 arrays. A loop (an edge from a node to itself) is never stepped along.

Sets of some nodes are looked up one by one, which costs less than the set-up of numpy; larger ones as arrays, a piece
at a time, with a look at the clock before each piece: no hub is so large that a deadline would be missed by much.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.strings import IntArray
from clew.tools.graph.snapshot.snapshot import NodeArray, Snapshot

BoolArray = npt.NDArray[np.bool_]

ANY = -1
BOTH = 3
_FEW = 16
"""Maximum number of nodes that are looked up individually."""
_SCANNED = 64
"""Number of entries of one node up to which they are read in sequence instead of by bisection."""
_PIECE = 131_072
"""Entries between two readings of the clock; a larger result is collected in a bitmap of all nodes, not sorted."""
_NODES = 32_768
"""Nodes whose entries are looked up between two readings of the clock."""
_CHEAPER = 128
"""Number of entries that can be read in the time of finding one node's entries."""
_PAIRS = 4_096
"""Maximum number of node pairs that are looked up individually, if their entries are many more."""
_SURVEYED = 4_194_304
"""Number of entries above which `relations_of` gives up and treats every relation as present."""


class OutOfTime(Exception):
    """The deadline passed during an operation."""


class Clock:
    """A deadline; `until` is a value of time.monotonic(), or None for no limit."""

    __slots__ = ("until",)

    def __init__(self, until: float | None = None) -> None:
        self.until = until

    @property
    def late(self) -> bool:
        return self.until is not None and time.monotonic() >= self.until

    def check(self) -> None:
        if self.late:
            raise OutOfTime


def reversed_mask(mask: int) -> int:
    """The directions seen from the other end."""
    return (mask >> 1) | ((mask & 1) << 1)


def reach(snapshot: Snapshot, nodes: NodeArray, relation: int, mask: int, clock: Clock) -> NodeArray:
    """The nodes one step away from any of `nodes`: sorted, int32. Raises OutOfTime."""
    lows, highs = _segments(snapshot, nodes, relation, mask, clock)
    total = int((highs - lows).sum())
    if len(nodes) == 1 and relation >= 0 and total <= _PIECE:
        found = snapshot.neighbours[lows[0] : highs[0]]
        found = found[found != nodes[0]]
        return found if mask != BOTH else _sorted_once(found)
    if total > _PIECE:
        mark = np.zeros(len(snapshot), np.bool_)
        for owners, entries in _pieces(lows, highs, clock):
            found = snapshot.neighbours[entries]
            mark[found[_steps(snapshot, nodes[owners], found, entries, relation, mask)]] = True
        return np.flatnonzero(mark).astype(np.int32)
    for owners, entries in _pieces(lows, highs, clock):
        found = snapshot.neighbours[entries]
        return _sorted_once(found[_steps(snapshot, nodes[owners], found, entries, relation, mask)])
    return np.empty(0, np.int32)


def walks_to(
    snapshot: Snapshot, weights: npt.NDArray[np.float64], relation: int, mask: int, clock: Clock
) -> npt.NDArray[np.float64]:
    """The sum of the weights of the nodes that are one step away from each node, once for each step: of both arrays the
    shape is (nodes,). Raises OutOfTime."""
    nodes = np.flatnonzero(weights).astype(np.int32)
    found = np.zeros(len(snapshot))
    lows, highs = _segments(snapshot, nodes, relation, reversed_mask(mask), clock)
    for owners, entries in _pieces(lows, highs, clock):
        ends = snapshot.neighbours[entries]
        keep = _steps(snapshot, nodes[owners], ends, entries, relation, reversed_mask(mask))
        found += np.bincount(ends[keep], weights[nodes[owners[keep]]], len(snapshot))
    return found


def linked(
    snapshot: Snapshot, nodes: NodeArray, relation: int, mask: int, others: NodeArray, clock: Clock
) -> BoolArray:
    """Per node, whether a step leads to one of `others` (sorted): shape (len(nodes),). Raises OutOfTime.

    Pair by pair where there are few pairs; else from whichever side has fewer entries.
    """
    pairs, opposite = len(nodes) * len(others), reversed_mask(mask)
    if relation >= 0 and pairs <= _FEW:
        return _paired(snapshot, nodes, relation, mask, others)
    back: int | None = None
    if len(others) < len(nodes):
        back = int((snapshot.starts[others + 1] - snapshot.starts[others]).sum())
        if back > _CHEAPER * len(nodes):
            back = _entries(snapshot, others, relation, opposite, clock)
        if back <= _CHEAPER * len(nodes):
            return _among(nodes, reach(snapshot, others, relation, opposite, clock))
    lows, highs = _segments(snapshot, nodes, relation, mask, clock)
    forth = int((highs - lows).sum())
    if back is None and forth > _PIECE:
        back = _entries(snapshot, others, relation, opposite, clock)
    if back is not None and relation >= 0 and pairs <= _PAIRS and pairs * 16 < min(back, forth):
        return _paired(snapshot, nodes, relation, mask, others)
    if back is not None and back < forth:
        return _among(nodes, reach(snapshot, others, relation, opposite, clock))
    hit = np.zeros(len(nodes), np.bool_)
    for owners, entries in _pieces(lows, highs, clock):
        found = snapshot.neighbours[entries]
        good = _among(found, others) & _steps(snapshot, nodes[owners], found, entries, relation, mask)
        hit[owners[good]] = True
    return hit


def relations_of(snapshot: Snapshot, nodes: NodeArray, mask: int, among: Sequence[int], clock: Clock) -> list[int]:
    """The positions in `among` (relations) along which some of `nodes` has a step. Raises OutOfTime.

    Exact unless the nodes have very many entries between them; then everything counts as present.
    """
    present: set[int] = set()
    if len(nodes) <= _FEW:
        for node in nodes.tolist():
            present.update(relation for relation, _, _ in runs(snapshot, node, mask))
    else:
        lows, highs = _segments(snapshot, nodes, ANY, BOTH, clock)
        if int((highs - lows).sum()) > _SURVEYED:
            return list(range(len(among)))
        there = np.zeros(2 * len(snapshot.relations), np.bool_)
        for _, entries in _pieces(lows, highs, clock):
            there[snapshot.reldirs[entries]] = True
        present.update(reldir >> 1 for reldir in np.flatnonzero(there).tolist() if mask & (1 + (reldir & 1)))
    return [position for position, relation in enumerate(among) if relation in present]


def runs(snapshot: Snapshot, node: int, mask: int) -> list[tuple[int, int, int]]:
    """(relation, first entry, last) of the entries of a node that lie together, both directions as one where the mask
    takes both. From some entries on it leaps from run to run, so that a hub costs no more than its relations."""
    at, last = snapshot.start_view[node], snapshot.start_view[node + 1]
    reldirs = snapshot.reldir_view
    joined = 1 if mask == BOTH else 0
    found: list[tuple[int, int, int]] = []
    if last - at <= _SCANNED:
        before = -1
        for entry, reldir in enumerate([*reldirs[at:last].tolist(), -1], at):
            if reldir | joined != before:
                if before >= 0:
                    found.append((before >> 1, at, entry))
                before, at = reldir | joined, entry
    while at < last:
        reldir = reldirs[at] | joined
        end = bisect_left(reldirs, reldir + 1, at + 1, last)
        found.append((reldir >> 1, at, end))
        at = end
    return found if joined else [run for run in found if reldirs[run[1]] & 1 == mask - 1]


def _entries(snapshot: Snapshot, nodes: NodeArray, relation: int, mask: int, clock: Clock) -> int:
    """The number of entries of the nodes for a step."""
    lows, highs = _segments(snapshot, nodes, relation, mask, clock)
    return int((highs - lows).sum())


def _segments(
    snapshot: Snapshot, nodes: NodeArray, relation: int, mask: int, clock: Clock
) -> tuple[IntArray, IntArray]:
    """For each node the entries for a step: exactly those of a relation, or those of ANY in both directions."""
    lows, highs = snapshot.starts[nodes], snapshot.starts[nodes + 1]
    if relation < 0:
        return lows, highs
    first, beyond = 2 * relation + (mask == 2), 2 * relation + (1 if mask == 1 else 2)
    if len(nodes) <= _FEW:
        reldirs = snapshot.reldir_view
        for i, (low, high) in enumerate(zip(lows.tolist(), highs.tolist(), strict=True)):
            lows[i] = low = bisect_left(reldirs, first, low, high)
            highs[i] = bisect_left(reldirs, beyond, low, high)
        return lows, highs
    for i in range(0, len(nodes), _NODES):
        clock.check()
        part = slice(i, i + _NODES)
        lows[part] = _lower(snapshot.reldirs, lows[part], highs[part], first)
        highs[part] = _lower(snapshot.reldirs, lows[part], highs[part], beyond)
    return lows, highs


def _lower(values: NodeArray, lows: IntArray, highs: IntArray, wanted: int) -> IntArray:
    """For each range the first position with a value of at least `wanted`; the values of each are sorted."""
    lows, highs = lows.copy(), highs.copy()
    for _ in range(int((highs - lows).max(initial=0)).bit_length()):
        middles = (lows + highs) >> 1
        below = (lows < highs) & (values[np.minimum(middles, len(values) - 1)] < wanted)
        lows, highs = np.where(below, middles + 1, lows), np.where(below, highs, middles)
    return lows


def _pieces(lows: IntArray, highs: IntArray, clock: Clock) -> Iterator[tuple[IntArray, IntArray]]:
    """The entries of all ranges in batches, with the position of each entry's range."""
    lengths = highs - lows
    ends = np.cumsum(lengths)
    shifts = lows - ends + lengths
    total = int(ends[-1]) if len(ends) else 0
    if 0 < total <= _PIECE:
        owners = np.repeat(np.arange(len(lengths)), lengths)
        yield owners, np.arange(total) + shifts[owners]
        return
    for first in range(0, total, _PIECE):
        clock.check()
        last = min(first + _PIECE, total)
        a, b = np.searchsorted(ends, (first, last - 1), "right").tolist()
        counts = np.diff(np.minimum(ends[a : b + 1], last), prepend=first)
        owners = np.repeat(np.arange(a, b + 1), counts)
        yield owners, np.arange(first, last) + shifts[owners]


def _steps(
    snapshot: Snapshot, owners: NodeArray, found: NodeArray, entries: IntArray, relation: int, mask: int
) -> BoolArray:
    """Which entries are steps: no loops, and for ANY in one direction only that direction."""
    keep: BoolArray = found != owners
    if relation < 0 and mask != BOTH:
        keep &= (snapshot.reldirs[entries] & 1) == mask - 1
    return keep


def _sorted_once(found: NodeArray) -> NodeArray:
    found.sort()
    if len(found) > 1:
        keep = np.ones(len(found), np.bool_)
        np.not_equal(found[1:], found[:-1], out=keep[1:])
        found = found[keep]
    return found


def _among(nodes: NodeArray, others: NodeArray) -> BoolArray:
    """For each node whether it is one of `others`, which are sorted."""
    if not len(others):
        return np.zeros(len(nodes), np.bool_)
    places = np.minimum(np.searchsorted(others, nodes), len(others) - 1)
    hit: BoolArray = others[places] == nodes
    return hit


def _paired(snapshot: Snapshot, nodes: NodeArray, relation: int, mask: int, others: NodeArray) -> BoolArray:
    hit = np.zeros(len(nodes), np.bool_)
    reldirs, neighbours, starts = snapshot.reldir_view, snapshot.neighbour_view, snapshot.start_view
    wanted = others.tolist()
    for i, node in enumerate(nodes.tolist()):
        for way in (1, 2):
            if not mask & way:
                continue
            low = bisect_left(reldirs, 2 * relation + way - 1, starts[node], starts[node + 1])
            high = bisect_left(reldirs, 2 * relation + way, low, starts[node + 1])
            for other in wanted:
                at = bisect_left(neighbours, other, low, high)
                if at < high and neighbours[at] == other and other != node:
                    hit[i] = True
    return hit
