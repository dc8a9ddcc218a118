"""A text index on disk: arrays in a folder, and `text.json`, which says which folder is current."""

from __future__ import annotations

from dataclasses import dataclass

from clew.tools.arrays.published import PublishedFiles

FORMAT = 2
_REBUILD = "Remove the folder; it is built again when it is needed."


@dataclass(frozen=True, slots=True)
class Manifest:
    """What `text.json` holds."""

    format: int
    version: str
    """Of the graph, as the caller gave it."""
    folder: str
    labels: list[str]
    properties: list[str]
    """The names of all indexed properties; the first is "name"."""
    text_properties: dict[str, list[str]]
    """By label, those that are indexed beside the name."""
    dimension: int
    hnsw: str
    """The folder of the HNSW indexes. It outlives a build; a new one has a new name, since Chroma keeps what it has
    opened by its path for as long as a process lives."""
    searched: list[str]
    """Labels that have an HNSW index of their vectors; "" stands for all that have none of their own."""


FILES = PublishedFiles(Manifest, "text index", "text.json", FORMAT, _REBUILD, _REBUILD)
