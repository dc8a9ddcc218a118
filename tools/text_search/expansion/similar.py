"""Similarity edges between the nodes of a graph that have text (SAGE, section 2.1 B): who says nearly the same.

A node's vector is the mean of its texts'. Each node keeps its DEGREE nearest; those count as neighbours whose cosine
reaches the 95th percentile of the cosines of random pairs, which the paper finds the best balance between noise and
reach (section 3.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import mapped
from clew.tools.arrays.index_files import Stage, silent
from clew.tools.embedding.exact import DEGREE
from clew.tools.text_search.arrays import TextArrays
from clew.tools.text_search.expansion.similar_builder import FILES, SimilarManifest, fill


@dataclass(frozen=True, slots=True)
class SimilarNodes:
    """Read-only and memory-mapped; positions are those of the text index that it was built from. r rows, one for each
    node with a vector; n nodes."""

    manifest: SimilarManifest
    nodes: npt.NDArray[np.int32]
    """By row, the node: shape (r,)."""
    rows: npt.NDArray[np.int32]
    """By node, the row, or -1: shape (n,)."""
    nearest: npt.NDArray[np.int32]
    """Rows, nearest first, -1 where there are no more: shape (r, DEGREE)."""
    cosines: npt.NDArray[np.float32]
    """Of the same shape."""

    @classmethod
    def build(cls, index: TextArrays, directory: Path, stage: Stage = silent) -> SimilarNodes:
        """The similar nodes of `index` in `directory`; if they are there already, they are opened as they are.

        Only nodes whose text has changed are compared with all others; the result is that of a build from nothing.
        A build that was interrupted goes on where it stopped.
        """
        return FILES.open_or_build(
            directory,
            index.version,
            lambda: cls.open(index, directory),
            lambda folder: fill(index, directory, folder, stage),
        )

    @classmethod
    def open(cls, index: TextArrays, directory: Path) -> SimilarNodes:
        """Raises BadInput if there are none for this text index, or damaged ones."""

        def load(manifest: SimilarManifest, folder: Path) -> SimilarNodes:
            if manifest.texts != index.manifest.folder:
                raise ValueError("it belongs to another text index")
            nodes = mapped(folder, "nodes")
            rows = np.full(len(index), -1, np.int32)
            rows[nodes] = np.arange(len(nodes), dtype=np.int32)
            nearest, cosines = (mapped(folder, name).reshape(-1, DEGREE) for name in ("nearest", "cosines"))
            return cls(manifest, nodes, rows, nearest, cosines)

        return FILES.open(directory, load)

    @property
    def version(self) -> str:
        return self.manifest.version

    def __len__(self) -> int:
        """The number of nodes that are compared."""
        return len(self.nodes)

    def around(self, position: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
        """The nodes similar to a node, nearest first, and their cosines; empty for a node without text."""
        row = int(self.rows[position]) if position >= 0 else -1
        if row < 0:
            return np.zeros(0, np.int32), np.zeros(0, np.float32)
        kept = (self.nearest[row] >= 0) & (self.cosines[row] >= self.manifest.threshold)
        return self.nodes[self.nearest[row][kept]], self.cosines[row][kept]
