"""From rows of nodes and edges to a snapshot's arrays, chunk by chunk.

Memory: the ids' table (about 20 bytes a node and the ids themselves); everything that grows with the edges passes
through files. Edges are spilt as (head, relation, tail) and counted; then both their ends are dealt to blocks of nodes
that have some million entries each, and block after block is sorted and written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import filelock
import numpy as np
import numpy.typing as npt

from clew.tools.arrays import id_table
from clew.tools.arrays.columns import Column, StringColumns, mapped
from clew.tools.arrays.published import published_name
from clew.tools.errors import BadInput
from clew.tools.graph.snapshot.files import FILES, FORMAT, Manifest
from clew.tools.graph.snapshot.snapshot import EdgeRow, IntArray, NodeArray, NodeRow

_ROWS = 65_536
_ENTRIES = 4_194_304
"""Entries of a block; a node with more is a block of its own."""
_LOCK = "snapshot.lock"
Row = TypeVar("Row")
Advance = Callable[[int], None]


def build(nodes: Iterable[NodeRow], edges: Iterable[EdgeRow], directory: Path, version: str, advance: Advance) -> None:
    """Write and publish a snapshot of the rows. One builder works in a directory at a time."""
    directory.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(directory / _LOCK):
        if _is_current(directory, version):
            return
        FILES.remove_interrupted(directory)
        with FILES.building(directory) as folder:
            labels: dict[str, int] = {}
            relations: dict[str, int] = {}
            read = _write_nodes(nodes, folder, labels, advance)
            spilt = _spill_edges(edges, folder, relations, advance, read)
            _write_adjacency(folder, spilt, 2 * len(relations))
            manifest = Manifest(FORMAT, version, published_name(folder), list(relations), list(labels))
            FILES.publish(directory, folder, manifest)


def _is_current(directory: Path, version: str) -> bool:
    try:
        return FILES.read(directory).version == version
    except BadInput:
        return False


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    source = iter(rows)
    while batch := list(islice(source, _ROWS)):
        yield batch


def _write_nodes(nodes: Iterable[NodeRow], folder: Path, labels: dict[str, int], advance: Advance) -> int:
    """Write ids, names and labels; give the number of rows read."""
    read = 0
    with (
        Column(folder, "labels", np.int32) as label_column,
        StringColumns(folder, "ids") as ids,
        StringColumns(folder, "names") as names,
    ):
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


def _spill_edges(
    edges: Iterable[EdgeRow], folder: Path, relations: dict[str, int], advance: Advance, read: int
) -> Path:
    """A file of int32 (head, relation, tail)."""
    text, ends, slots = (mapped(folder, f"ids.{part}") for part in ("text", "ends", "slots"))
    path = folder / "edges.spill"
    with path.open("wb") as spill:
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


def _write_adjacency(folder: Path, spilt: Path, reldirs: int) -> None:
    """`starts`, `reldirs`, `neighbours` and `fans` from the spilt triples, which go away."""
    count = len(mapped(folder, "labels"))
    triples = _rows(spilt, 3)
    bounds = _entry_bounds(triples, count)
    blocks = _dealt(folder, triples, bounds)
    del triples
    spilt.unlink()
    degrees = np.zeros(count, np.int64)
    fans = np.zeros((reldirs, 2), np.int64)
    with Column(folder, "reldirs", np.int32) as reldir_column, Column(folder, "neighbours", np.int32) as neighbours:
        for block in blocks:
            entries = _sorted_once(np.array(_rows(block, 3)))
            block.unlink()
            reldir_column.append(entries[:, 1])
            neighbours.append(entries[:, 2])
            first = int(entries[0, 0])
            of_block = np.bincount(entries[:, 0] - first)
            degrees[first : first + len(of_block)] += of_block
            fans += _fans(entries, reldirs)
    starts = np.zeros(count + 1, np.int64)
    np.cumsum(degrees, out=starts[1:])
    np.save(folder / "starts.npy", starts)
    np.save(folder / "fans.npy", fans)


def _rows(path: Path, width: int) -> Any:
    """A file of int32 rows, memory-mapped where it is not empty: shape (n, width)."""
    return np.memmap(path, np.int32, "r").reshape(-1, width) if path.stat().st_size else np.empty((0, width), np.int32)


def _entry_bounds(triples: NodeArray, count: int) -> IntArray:
    """Where each node's entries begin, repeated triples counted: shape (count + 1,)."""
    bounds = np.zeros(count + 1, np.int64)
    for i in range(0, len(triples), _ENTRIES):
        chunk = triples[i : i + _ENTRIES]
        for end in (0, 2):
            bounds[1:] += np.bincount(chunk[:, end], minlength=count)
    np.cumsum(bounds, out=bounds)
    return bounds


def _dealt(folder: Path, triples: NodeArray, bounds: IntArray) -> list[Path]:
    """Files of int32 (node, reldir, neighbour), two rows a triple, each of a range of nodes, in their order."""
    block_of: NodeArray = (bounds[:-1] // _ENTRIES).astype(np.int32)
    found: dict[int, Path] = {}
    for i in range(0, len(triples), _ENTRIES // 2):
        head, relation, tail = np.array(triples[i : i + _ENTRIES // 2]).T
        entries = np.concatenate(
            [np.column_stack((head, 2 * relation, tail)), np.column_stack((tail, 2 * relation + 1, head))]
        )
        blocks = block_of[entries[:, 0]]
        order = np.argsort(blocks, kind="stable")
        numbers, firsts = np.unique(blocks[order], return_index=True)
        for number, rows in zip(numbers.tolist(), np.split(order, firsts[1:]), strict=True):
            path = found.setdefault(number, folder / f"block-{number}.spill")
            with path.open("ab") as file:
                file.write(np.ascontiguousarray(entries[rows]).data)
    return [found[number] for number in sorted(found)]


def _sorted_once(entries: NodeArray) -> NodeArray:
    """The rows (node, reldir, neighbour) in order, repeated ones once."""
    entries = entries[np.lexsort(entries.T[::-1])]
    keep = np.ones(len(entries), np.bool_)
    keep[1:] = (entries[1:] != entries[:-1]).any(axis=1)
    return entries[keep]


def _fans(entries: NodeArray, reldirs: int) -> npt.NDArray[np.int64]:
    """Per reldir its entries and the nodes that have one, of whole nodes' sorted entries: shape (reldirs, 2)."""
    owns = np.ones(len(entries), np.bool_)
    owns[1:] = (entries[1:, :2] != entries[:-1, :2]).any(axis=1)
    counts = [np.bincount(column, minlength=reldirs) for column in (entries[:, 1], entries[owns, 1])]
    return np.column_stack(counts)
