"""A document index on disk: arrays in a folder, and the manifest `documents.json`."""

from __future__ import annotations

from dataclasses import dataclass

from clew.tools.arrays.index_files import IndexFiles
from clew.tools.embedding.text_vectors import VectorManifest


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentManifest(VectorManifest):
    """What `documents.json` holds."""

    chunks: int
    tokens: int
    """Of all chunks together, as `clew.tools.embedding.token_budget` counts."""


FILES = IndexFiles(DocumentManifest, "documents", "document index", 2)
