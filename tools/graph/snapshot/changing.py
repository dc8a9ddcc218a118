"""The arrays of a snapshot after some nodes have changed: what `fill` writes for the whole graph, in the time of the
change and a copy of the arrays."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from clew.tools.arrays.id_table import IdTable
from clew.tools.arrays.splicing import Places, renumbered, taken
from clew.tools.arrays.strings import IntArray
from clew.tools.graph.changed_nodes import Change, EdgeRow
from clew.tools.graph.snapshot.arrays import SnapshotArrays
from clew.tools.graph.snapshot.builder import NodeArray, NodeRow, fans_of


def write(old: SnapshotArrays, change: Change[NodeRow], folder: Path) -> dict[str, list[str]] | None:
    """Write the arrays into `folder`; the names of relations and labels. Nodes keep their order, and new ones follow.
    None if a relationship leads to a node that is neither in the snapshot nor in the change."""
    ids = [row[0] for row in change.nodes]
    touched = old.nodes(sorted(change.ids))
    places = Places.of(len(old), touched[touched >= 0].tolist(), old.nodes(ids).tolist())
    taken(old.id_texts, ids, places.order).save(folder, "ids")
    taken(old.name_texts, [row[1] for row in change.nodes], places.order).save(folder, "names")
    names = list(dict.fromkeys([*old.labels, *(row[2] for row in change.nodes)]))
    given = np.array([names.index(row[2]) for row in change.nodes], np.int32)
    numbers, labels = renumbered(np.concatenate([old.node_labels, given])[places.order], names)
    np.save(folder / "labels.npy", numbers)
    table = IdTable.write(folder, "node")
    relations = list(dict.fromkeys([*old.relations, *(edge[1] for edge in change.edges)]))
    new = _new_entries(table, relations, change.edges)
    if new is None:
        return None
    entries = _with_new(_kept_entries(old, touched[touched >= 0], places.old), new)
    entries, relations = _without_gone(entries, relations)
    starts = np.zeros(len(places.order) + 1, np.int64)
    np.cumsum(np.bincount(entries[:, 0], minlength=len(places.order)), out=starts[1:])
    np.save(folder / "starts.npy", starts)
    np.save(folder / "reldirs.npy", entries[:, 1].astype(np.int32))
    np.save(folder / "neighbours.npy", entries[:, 2].astype(np.int32))
    np.save(folder / "fans.npy", fans_of(entries, 2 * len(relations)))
    return {"relations": relations, "labels": labels}


def _kept_entries(old: SnapshotArrays, touched: NodeArray, places: IntArray) -> IntArray:
    """(node, reldir, neighbour) of the relationships between nodes that were not touched, in order: shape (k, 3)."""
    is_touched = np.zeros(len(old), bool)
    is_touched[touched] = True
    owners = np.repeat(np.arange(len(old)), np.diff(old.starts))
    stays = ~(is_touched[owners] | is_touched[old.neighbours])
    return np.column_stack((places[owners[stays]], old.reldirs[stays], places[old.neighbours[stays]]))


def _new_entries(table: IdTable, relations: Sequence[str], edges: Sequence[EdgeRow]) -> IntArray | None:
    """The entries of relationships at both their ends, in order, each once; None if one has an unknown end."""
    number = {relation: 2 * i for i, relation in enumerate(relations)}
    heads = table.positions([edge[0] for edge in edges]).astype(np.int64)
    tails = table.positions([edge[2] for edge in edges]).astype(np.int64)
    if len(edges) and min(heads.min(), tails.min()) < 0:
        return None
    forward = np.array([number[edge[1]] for edge in edges], np.int64)
    entries = np.concatenate(
        [np.column_stack((heads, forward, tails)), np.column_stack((tails, forward + 1, heads))]
    ).reshape(-1, 3)
    found: IntArray = np.unique(entries, axis=0)
    return found


def _with_new(kept: IntArray, new: IntArray) -> IntArray:
    """Both in order; no entry is in both."""
    entries = np.concatenate([kept, new])
    return entries[np.lexsort(entries.T[::-1])]


def _without_gone(entries: IntArray, relations: list[str]) -> tuple[IntArray, list[str]]:
    """The entries by the numbers of the relations that are left, whose order stays."""
    there = np.zeros(len(relations), bool)
    there[np.unique(entries[:, 1] // 2)] = True
    place = np.cumsum(there) - 1
    entries[:, 1] = 2 * place[entries[:, 1] // 2] + entries[:, 1] % 2
    return entries, [relation for relation, is_there in zip(relations, there, strict=True) if is_there]
