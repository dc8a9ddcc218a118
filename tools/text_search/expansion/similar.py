"""Similarity edges between the nodes of a graph that have text (SAGE, section 2.1 B): who says nearly the same.

A node's vector is the mean of its texts'. Each node keeps its DEGREE nearest; those count as neighbours whose cosine
reaches the 95th percentile of the cosines of random pairs, which the paper finds the best balance between noise and
reach (section 3.3).
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import mapped
from clew.tools.arrays.published import PublishedFiles
from clew.tools.text_search.index import TextIndex

if TYPE_CHECKING:
    from collections.abc import Callable

    Stage = Callable[[str, str, int | None], AbstractContextManager[Callable[[int], None]]]

DEGREE = 20
"""Similar nodes that one node keeps."""
PERCENTILE = 95.0
FORMAT = 1
_REBUILD = "Remove the folder; it is built again when it is needed."


@dataclass(frozen=True, slots=True)
class Manifest:
    """What `similar.json` holds."""

    format: int
    version: str
    """Of the graph."""
    texts: str
    """The folder of the text index whose positions the rows speak of."""
    folder: str
    threshold: float


FILES = PublishedFiles(Manifest, "file of similar nodes", "similar.json", FORMAT, _REBUILD, _REBUILD)


@dataclass(frozen=True, slots=True)
class SimilarNodes:
    """Read-only and memory-mapped; positions are those of the text index that it was built from. r rows, one for each
    node with a vector; n nodes."""

    manifest: Manifest
    nodes: npt.NDArray[np.int32]
    """By row, the node: shape (r,)."""
    rows: npt.NDArray[np.int32]
    """By node, the row, or -1: shape (n,)."""
    nearest: npt.NDArray[np.int32]
    """Rows, nearest first, -1 where there are no more: shape (r, DEGREE)."""
    cosines: npt.NDArray[np.float32]
    """Of the same shape."""

    @classmethod
    def build(cls, index: TextIndex, directory: Path, stage: Stage | None = None) -> SimilarNodes:
        """Compare the nodes of `index`, and open the result; where it is there already, it is opened as it is.

        Only nodes whose text has changed are compared with all others; the result is that of a build from nothing.
        A build that was interrupted goes on where it stopped.
        """
        from clew.tools.text_search.expansion.similar_builder import build  # most runs build nothing

        build(index, directory, stage)
        return cls.open(index, directory)

    @classmethod
    def open(cls, index: TextIndex, directory: Path) -> SimilarNodes:
        """Raises BadInput where there is none for this text index, or a damaged one."""
        manifest = FILES.read(directory)
        if manifest.texts != index.manifest.folder:
            raise FILES.damaged(directory, ValueError("it belongs to another text index"))
        folder = directory / manifest.folder
        try:
            nodes = mapped(folder, "nodes")
            rows = np.full(len(index), -1, np.int32)
            rows[nodes] = np.arange(len(nodes), dtype=np.int32)
            return cls(
                manifest,
                nodes,
                rows,
                mapped(folder, "nearest").reshape(-1, DEGREE),
                mapped(folder, "cosines").reshape(-1, DEGREE),
            )
        except (OSError, ValueError, EOFError, IndexError) as error:
            raise FILES.damaged(directory, error) from error

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
