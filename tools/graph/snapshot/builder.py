"""From rows of nodes and edges to a snapshot's arrays, chunk by chunk.

Memory: the ids' table (about 20 bytes a node and the ids themselves); everything that grows with the edges passes
through files. Edges are spilt as (head, relation, tail) and counted; then both their ends are dealt to blocks of nodes
that have some million entries each, and block after block is sorted and written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import Column, StringColumns, batches, mapped
from clew.tools.arrays.id_table import IdTable
from clew.tools.arrays.index_files import Advance
from clew.tools.arrays.strings import IntArray
from clew.tools.errors import BadInput
from clew.tools.graph.changed_nodes import EdgeRow as EdgeRow
from clew.tools.graph.store.graph_store import GraphStore

NodeArray = npt.NDArray[np.int32]
NodeRow = tuple[str, str, str]
"""A node's id, name and label."""
_ROWS = 65_536
_ENTRIES = 4_194_304
"""Entries of a block; a node with more is a block of its own."""


def stored_edges(store: GraphStore) -> Iterator[EdgeRow]:
    """All relationships of a graph between nodes that have an id, as (head's id, type, tail's id)."""
    terms = store.terms
    for row in store.scan(
        f"MATCH {terms.node('a')}-[r]->{terms.node('b')} "
        f"RETURN {terms.id('a')} AS head, type(r) AS relation, {terms.id('b')} AS tail"
    ):
        if row["head"] is not None and row["tail"] is not None:
            yield str(row["head"]), str(row["relation"]), str(row["tail"])


def fill(nodes: Iterable[NodeRow], edges: Iterable[EdgeRow], folder: Path, advance: Advance) -> dict[str, list[str]]:
    """Write a snapshot's arrays; the names of its relations and labels."""
    labels: dict[str, int] = {}
    relations: dict[str, int] = {}
    ids = _write_nodes(nodes, folder, labels, advance)
    spilt = _spill_edges(edges, folder, ids, relations, advance)
    _write_adjacency(folder, spilt, 2 * len(relations))
    return {"relations": list(relations), "labels": list(labels)}


def _write_nodes(nodes: Iterable[NodeRow], folder: Path, labels: dict[str, int], advance: Advance) -> IdTable:
    """Write ids, names and labels."""
    with (
        Column(folder, "labels", np.int32) as label_column,
        StringColumns(folder, "ids") as ids,
        StringColumns(folder, "names") as names,
    ):
        for batch in batches(nodes, _ROWS):
            ids.append([row[0] for row in batch])
            names.append([row[1] for row in batch])
            numbers = [labels.setdefault(row[2], len(labels)) for row in batch]
            label_column.append(np.array(numbers, np.int32))
            advance(label_column.length)
    return IdTable.write(folder, "node")


def _spill_edges(
    edges: Iterable[EdgeRow], folder: Path, ids: IdTable, relations: dict[str, int], advance: Advance
) -> Path:
    """A file of int32 (head, relation, tail)."""
    read = len(ids)
    path = folder / "edges.spill"
    with path.open("wb") as spill:
        for batch in batches(edges, _ROWS):
            triples = np.empty((len(batch), 3), np.int32)
            triples[:, 0] = ids.positions([row[0] for row in batch])
            triples[:, 1] = [relations.setdefault(row[1], len(relations)) for row in batch]
            triples[:, 2] = ids.positions([row[2] for row in batch])
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
    """`starts`, `reldirs`, `neighbours` and `fans` from the spilt triples, which are removed."""
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
            fans += fans_of(entries, reldirs)
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


def fans_of(entries: npt.NDArray[Any], reldirs: int) -> npt.NDArray[np.int64]:
    """Per reldir its entries and the nodes that have one, of whole nodes' sorted entries: shape (reldirs, 2)."""
    owns = np.ones(len(entries), np.bool_)
    owns[1:] = (entries[1:, :2] != entries[:-1, :2]).any(axis=1)
    counts = [np.bincount(column, minlength=reldirs) for column in (entries[:, 1], entries[owns, 1])]
    return np.column_stack(counts)
