"""From rows of nodes and edges to a snapshot's arrays, chunk by chunk.

Memory: the ids' table (about 20 bytes a node and the ids themselves); everything that grows with the edges passes
through files that the system may write out. Edges are spilt as (head, relation, tail), then counted, placed and sorted
node by node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import filelock
import numpy as np
import numpy.typing as npt
from numba import njit

from tools.errors import BadInput
from tools.gsd import id_table
from tools.gsd.snapshot import EdgeRow, NodeRow, Snapshot
from tools.gsd.snapshot_files import Column, mapped, publish, read_manifest, start

_ROWS = 65_536
_ENTRIES = 4_194_304
_SHORT = 48
"""Entries that are sorted by insertion; longer ranges are sorted by numpy."""
_LOCK = "snapshot.lock"
Row = TypeVar("Row")
Advance = Callable[[int], None]


def build(
    nodes: Iterable[NodeRow],
    edges: Iterable[EdgeRow],
    directory: Path,
    version: str,
    advance: Advance,
    base: Snapshot | None = None,
) -> None:
    """Write and publish a snapshot of `base` with the rows added. One builder works in a directory at a time."""
    directory.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(directory / _LOCK):
        if _is_current(directory, version):
            return
        folder = start(directory)
        labels = {label: i for i, label in enumerate(base.labels if base else ())}
        relations = {name: i for i, name in enumerate(base.relations if base else ())}
        read = _write_nodes(nodes, folder, labels, advance, base)
        spilt = _spill_edges(edges, folder, relations, advance, read, base)
        _write_adjacency(folder, spilt, len(relations))
        publish(directory, folder, version, list(relations), list(labels))


def _is_current(directory: Path, version: str) -> bool:
    try:
        return read_manifest(directory).version == version
    except BadInput:
        return False


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    source = iter(rows)
    while batch := list(islice(source, _ROWS)):
        yield batch


def _write_nodes(
    nodes: Iterable[NodeRow], folder: Path, labels: dict[str, int], advance: Advance, base: Snapshot | None
) -> int:
    """Write ids, names and labels; give the number of rows read."""
    read = 0
    with (
        Column(folder, "labels", np.int32) as label_column,
        _Texts(folder, "ids") as ids,
        _Texts(folder, "names") as names,
    ):
        if base is not None:
            label_column.append(base.node_labels)
            ids.append_joined(base.id_texts.text, base.id_texts.ends)
            names.append_joined(base.name_texts.text, base.name_texts.ends)
        for batch in _batches(nodes):
            ids.append([row[0] for row in batch])
            names.append([row[1] for row in batch])
            numbers = [labels.setdefault(row[2], len(labels)) for row in batch]
            label_column.append(np.array(numbers, np.int32))
            read += len(batch)
            advance(read)
    text, ends = mapped(folder, "ids.text"), mapped(folder, "ids.ends")
    slots, repeated = id_table.table(text, ends)
    if repeated >= 0:
        twice = bytes(text[ends[repeated] : ends[repeated + 1]]).decode("utf-8", "surrogatepass")
        raise BadInput(f"The node id {twice!r} occurs twice.", "Give every node an id of its own.")
    np.save(folder / "ids.slots.npy", slots)
    return read


class _Texts:
    """Two columns of strings: their bytes joined, and their bounds."""

    def __init__(self, folder: Path, name: str) -> None:
        self._text = Column(folder, f"{name}.text", np.uint8)
        self._ends = Column(folder, f"{name}.ends", np.int64)
        self._ends.append(np.zeros(1, np.int64))

    def append(self, texts: Sequence[str]) -> None:
        self.append_joined(*id_table.joined(texts))

    def append_joined(self, text: npt.NDArray[np.uint8], ends: npt.NDArray[np.int64]) -> None:
        self._ends.append(ends[1:] + self._text.length)
        self._text.append(text)

    def __enter__(self) -> _Texts:
        return self

    def __exit__(self, *error: Any) -> None:
        self._text.__exit__(*error)
        self._ends.__exit__(*error)


def _spill_edges(
    edges: Iterable[EdgeRow],
    folder: Path,
    relations: dict[str, int],
    advance: Advance,
    read: int,
    base: Snapshot | None,
) -> Path:
    """A file of int32 (head, relation, tail): the base's triples, then the new ones."""
    text, ends, slots = (mapped(folder, f"ids.{part}") for part in ("text", "ends", "slots"))
    path = folder / "edges.spill"
    with path.open("wb") as spill:
        if base is not None:
            for first in range(0, len(base), _ROWS):
                last = min(first + _ROWS, len(base))
                spill.write(_triples(base.starts, base.reldirs, base.neighbours, first, last).data)
        for batch in _batches(edges):
            triples = np.empty((len(batch), 3), np.int32)
            triples[:, 0] = id_table.positions(text, ends, slots, [row[0] for row in batch])
            triples[:, 1] = [relations.setdefault(row[1], len(relations)) for row in batch]
            triples[:, 2] = id_table.positions(text, ends, slots, [row[2] for row in batch])
            if triples.min() < 0:
                head, relation, tail = batch[int(np.flatnonzero(triples.min(1) < 0)[0])]
                raise BadInput(
                    f"The edge ({head!r}, {relation!r}, {tail!r}) names a node that is not in the graph.",
                    "Give all nodes before the edges between them.",
                )
            spill.write(triples.data)
            read += len(batch)
            advance(read)
    return path


def _write_adjacency(folder: Path, spilt: Path, relations: int) -> None:
    """`starts`, `reldirs`, `neighbours` and `fans` from the spilt triples, which go away."""
    count = len(mapped(folder, "labels"))
    triples: Any = (
        np.memmap(spilt, np.int32, "r").reshape(-1, 3) if spilt.stat().st_size else np.empty((0, 3), np.int32)
    )
    starts = np.zeros(count + 1, np.int64)
    for i in range(0, len(triples), _ENTRIES):
        _count(np.array(triples[i : i + _ENTRIES]), starts)
    np.cumsum(starts, out=starts)
    packed_file = folder / "packed.spill"
    packed: Any = np.asarray(
        np.memmap(packed_file, np.int64, "w+", shape=2 * len(triples)) if len(triples) else np.empty(0, np.int64)
    )
    free = starts[:-1].copy()
    for i in range(0, len(triples), _ENTRIES):
        _place(np.array(triples[i : i + _ENTRIES]), free, packed)
    del triples, free
    spilt.unlink()
    for node in np.flatnonzero(np.diff(starts) > _SHORT).tolist():
        packed[starts[node] : starts[node + 1]].sort()
    kept = int(_settle(packed, starts))
    with Column(folder, "reldirs", np.int32) as reldirs, Column(folder, "neighbours", np.int32) as neighbours:
        for i in range(0, kept, _ENTRIES):
            chunk = packed[i : min(i + _ENTRIES, kept)]
            reldirs.append((chunk >> 32).astype(np.int32))
            neighbours.append((chunk & 0x7FFFFFFF).astype(np.int32))
    del packed
    packed_file.unlink(missing_ok=True)
    np.save(folder / "starts.npy", starts)
    np.save(folder / "fans.npy", _fans(starts, mapped(folder, "reldirs"), 2 * relations))


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _count(triples: Any, starts: Any) -> None:
    for i in range(len(triples)):
        starts[triples[i, 0] + 1] += 1
        starts[triples[i, 2] + 1] += 1


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _place(triples: Any, free: Any, packed: Any) -> None:
    """Put every triple into the ranges of both its ends, as reldir · 2³² + neighbour."""
    for i in range(len(triples)):
        head, relation, tail = np.int64(triples[i, 0]), np.int64(triples[i, 1]), np.int64(triples[i, 2])
        packed[free[head]] = (2 * relation << 32) | tail
        free[head] += 1
        packed[free[tail]] = (2 * relation + 1 << 32) | head
        free[tail] += 1


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _settle(packed: Any, starts: Any) -> int:
    """Sort the short ranges, drop repeated entries, close the gaps; `starts` follows. Gives the entries left."""
    written = 0
    first = starts[0]
    for node in range(len(starts) - 1):
        last = starts[node + 1]
        if last - first <= _SHORT:
            _sort_short(packed, first, last)
        starts[node] = written
        for i in range(first, last):
            entry = packed[i]
            if written == starts[node] or entry != packed[written - 1]:
                packed[written] = entry
                written += 1
        first = last
    starts[len(starts) - 1] = written
    return written


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _sort_short(packed: Any, first: int, last: int) -> None:
    for i in range(first + 1, last):
        entry = packed[i]
        j = i
        while j > first and packed[j - 1] > entry:
            packed[j] = packed[j - 1]
            j -= 1
        packed[j] = entry


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _triples(starts: Any, reldirs: Any, neighbours: Any, first: int, last: int) -> Any:
    """The triples whose heads are the nodes [first, last): shape (k, 3), int32."""
    found = np.empty((starts[last] - starts[first], 3), np.int32)
    count = 0
    for node in range(first, last):
        for i in range(starts[node], starts[node + 1]):
            if reldirs[i] & 1 == 0:
                found[count, 0], found[count, 1], found[count, 2] = node, reldirs[i] >> 1, neighbours[i]
                count += 1
    return found[:count].copy()


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _fans(starts: Any, reldirs: Any, count: int) -> Any:
    fans = np.zeros((count, 2), np.int64)
    for node in range(len(starts) - 1):
        before = -1
        for i in range(starts[node], starts[node + 1]):
            fans[reldirs[i], 0] += 1
            if reldirs[i] != before:
                before = reldirs[i]
                fans[before, 1] += 1
    return fans
