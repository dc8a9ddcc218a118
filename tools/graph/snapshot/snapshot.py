"""A graph as flat arrays for matching: memory-mapped, one version of the graph, neighbours in both directions.

Nodes are positions (int32) in the order in which they were given. The neighbours of node x are the entries
[starts[x], starts[x + 1]) of `reldirs` and `neighbours`, sorted by (reldir, neighbour): a reldir is 2 · relation,
plus 1 where x is the tail. A triple is kept once, so two relations between two nodes are two entries.

Files of a snapshot folder: `starts`, `reldirs`, `neighbours`; `labels` (int32 per node); `ids.text`, `ids.ends`,
`ids.slots`; `names.text`, `names.ends`; `fans` (per reldir its entries and the nodes that have one), all `.npy`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from clew.tools.arrays.columns import mapped
from clew.tools.arrays.id_table import IdTable
from clew.tools.arrays.index_files import IndexFiles, Manifest, Stage, silent
from clew.tools.arrays.strings import IntArray, Strings
from clew.tools.graph.changed_nodes import Since, unknown
from clew.tools.graph.snapshot import changing
from clew.tools.graph.snapshot.arrays import SnapshotArrays
from clew.tools.graph.snapshot.builder import EdgeRow as EdgeRow
from clew.tools.graph.snapshot.builder import NodeArray as NodeArray
from clew.tools.graph.snapshot.builder import NodeRow as NodeRow
from clew.tools.graph.snapshot.builder import fill


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotManifest(Manifest):
    """What `snapshot.json` holds."""

    relations: list[str]
    labels: list[str]


FILES = IndexFiles(SnapshotManifest, "snapshot", "graph snapshot", 2)


@dataclass(frozen=True, kw_only=True)
class Snapshot(SnapshotArrays):
    """One version of a graph, read-only; made by `build` or `open`; safe to share between threads."""

    directory: Path
    version: str
    fans: IntArray
    """Per reldir: entries, and nodes with at least one: shape (2 · relations, 2)."""

    @classmethod
    def build(
        cls,
        nodes: Iterable[NodeRow],
        edges: Iterable[EdgeRow],
        directory: Path,
        version: str,
        stage: Stage = silent,
        total: int | None = None,
        *,
        since: Since[NodeRow] = unknown,
    ) -> Snapshot:
        """The snapshot of a graph in `directory`; one of the same version there is opened as it is.

        The new snapshot replaces an old one in one step; a build that was interrupted is started again. Raises BadInput
        for an id that occurs twice and for an edge to an unknown node.

        Args:
            nodes: Is read to its end before `edges`.
            total: The number of rows of both, for progress.
            since: Gives what has changed since the snapshot there was made; its arrays are then changed, and `nodes`
                and `edges` are not read.
        """

        def changed_arrays(folder: Path) -> dict[str, list[str]] | None:
            if FILES.earlier(directory) is None:
                return None
            old = cls.open(directory)
            change = since(old.version, len(old))
            return None if change is None else changing.write(old, change, folder)

        def fill_with_progress(folder: Path) -> dict[str, list[str]]:
            if (fields := changed_arrays(folder)) is not None:
                return fields
            with stage("Reading the graph for patterns", "nodes and relationships", total) as advance:
                return fill(nodes, edges, folder, advance)

        return FILES.open_or_build(directory, version, lambda: cls.open(directory), fill_with_progress)

    @classmethod
    def open(cls, directory: Path) -> Snapshot:
        """Raises BadInput if there is no snapshot, a damaged one, or one of another format."""

        def load(manifest: SnapshotManifest, folder: Path) -> Snapshot:
            return cls(
                directory=directory,
                version=manifest.version,
                relations=tuple(manifest.relations),
                labels=tuple(manifest.labels),
                starts=mapped(folder, "starts"),
                reldirs=mapped(folder, "reldirs"),
                neighbours=mapped(folder, "neighbours"),
                node_labels=mapped(folder, "labels"),
                fans=mapped(folder, "fans").reshape(-1, 2),
                id_table=IdTable.open(folder),
                name_texts=Strings.load(folder, "names"),
            )

        return FILES.open(directory, load)

    @property
    def edges(self) -> int:
        """The number of triples."""
        return len(self.neighbours) // 2

    def degree(self, node: int) -> int:
        """The number of neighbours, by all relations in both directions."""
        return int(self.starts[node + 1]) - int(self.starts[node])

    def id(self, node: int) -> str:
        return self.id_table[node]

    def name(self, node: int) -> str:
        return self.name_texts[node]

    def label(self, node: int) -> str:
        return self.labels[int(self.node_labels[node])]

    def node(self, id: str) -> int | None:
        """The position of the node with that id."""
        found = int(self.nodes([id])[0])
        return found if found >= 0 else None

    @cached_property
    def start_view(self) -> memoryview:
        """`starts` for look-ups one by one, which a view answers sooner than an array."""
        return memoryview(self.starts.data)

    @cached_property
    def reldir_view(self) -> memoryview:
        return memoryview(self.reldirs.data)

    @cached_property
    def neighbour_view(self) -> memoryview:
        return memoryview(self.neighbours.data)

    @cached_property
    def label_view(self) -> memoryview:
        return memoryview(self.node_labels.data)

    @cached_property
    def label_sizes(self) -> IntArray:
        """Nodes per label: shape (labels,)."""
        return np.bincount(self.node_labels, minlength=len(self.labels)).astype(np.int64)

    def fan(self, relation: int, mask: int) -> float:
        """The mean number of neighbours along `relation` of a node that has one; of -1 the mean degree.

        `mask` is 1 for head to tail, 2 for tail to head, 3 for both.
        """
        if relation < 0:
            return len(self.neighbours) / max(len(self), 1) * (1.0 if mask == 3 else 0.5)
        forward, backward = self._mean_fans[2 * relation : 2 * relation + 2]
        return (forward if mask & 1 else 0.0) + (backward if mask & 2 else 0.0)

    @cached_property
    def _mean_fans(self) -> list[float]:
        means: list[float] = (self.fans[:, 0] / np.maximum(self.fans[:, 1], 1)).tolist()
        return means
