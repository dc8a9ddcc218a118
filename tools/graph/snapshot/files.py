"""A graph snapshot on disk: arrays in a folder, and `snapshot.json`, which says which folder is current."""

from __future__ import annotations

from dataclasses import dataclass

from clew.tools.arrays.published import PublishedFiles

FORMAT = 2
_REBUILD = "Build the snapshot again."


@dataclass(frozen=True, slots=True)
class Manifest:
    """What `snapshot.json` holds."""

    format: int
    version: str
    """Of the graph, as the caller gave it."""
    folder: str
    relations: list[str]
    labels: list[str]


FILES = PublishedFiles(Manifest, "graph snapshot", "snapshot.json", FORMAT, _REBUILD, _REBUILD)
