"""Importing graphs from files: formats, labels, names, and writing that can be interrupted and repeated."""

from __future__ import annotations

from clew.tools.ingest.importing import ImportInterrupted, ImportOptions, clear, is_unfinished, load
from clew.tools.ingest.labels_file import read_labels
from clew.tools.ingest.report import ImportReport, Progress

__all__ = [
    "ImportInterrupted",
    "ImportOptions",
    "ImportReport",
    "Progress",
    "clear",
    "is_unfinished",
    "load",
    "read_labels",
]
