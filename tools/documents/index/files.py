"""A document index on disk: arrays in a folder, and `documents.json`, which says which folder is current."""

from __future__ import annotations

from dataclasses import dataclass

from clew.tools.arrays.published import PublishedFiles

FORMAT = 1
_REBUILD = "Remove the folder; it is built again when it is needed."


@dataclass(frozen=True, slots=True)
class Manifest:
    """What `documents.json` holds."""

    format: int
    version: str
    """Of the documents, as the caller gave it."""
    folder: str
    dimension: int
    """Of the vectors; 0 where there is no chunk."""
    chunks: int
    tokens: int
    """Of all chunks together, as `clew.tools.embedding.token_budget` counts."""


FILES = PublishedFiles(Manifest, "document index", "documents.json", FORMAT, _REBUILD, _REBUILD)
