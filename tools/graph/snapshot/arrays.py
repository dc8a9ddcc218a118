"""The arrays of one version of a graph, as a snapshot has them and a change of it reads them."""

from __future__ import annotations

from dataclasses import dataclass

from clew.tools.arrays.id_table import IdTable
from clew.tools.arrays.strings import IntArray, Strings
from clew.tools.graph.snapshot.builder import NodeArray


@dataclass(frozen=True, kw_only=True)
class SnapshotArrays:
    """Nodes by position with their labels, ids and names, and their neighbours."""

    relations: tuple[str, ...]
    labels: tuple[str, ...]
    starts: IntArray
    reldirs: NodeArray
    neighbours: NodeArray
    node_labels: NodeArray
    id_table: IdTable
    name_texts: Strings
    """All names, by position."""

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self.starts) - 1

    def nodes(self, ids: list[str]) -> NodeArray:
        """The positions of these ids, -1 where there is none: shape (len(ids),)."""
        return self.id_table.positions(ids)

    @property
    def id_texts(self) -> Strings:
        """All ids, by position."""
        return self.id_table.strings
