"""Importing graphs from files.

In: files of a known format (`formats/`) and the store of a graph. Out: nodes with labels, ids and names, relationships,
and an `ImportReport`. An import is checked as a whole before it writes, can be interrupted and continued, and changes
nothing when it is repeated.
"""

from __future__ import annotations

from clew.tools.ingest.checking import ImportOptions
from clew.tools.ingest.importing import ImportInterrupted, load
from clew.tools.ingest.journal import ImportRunning
from clew.tools.ingest.labels import read_labels
from clew.tools.ingest.report import ImportReport
from clew.tools.ingest.target import clear
from clew.tools.ingest.versions import is_unfinished

__all__ = [
    "ImportInterrupted",
    "ImportOptions",
    "ImportReport",
    "ImportRunning",
    "clear",
    "is_unfinished",
    "load",
    "read_labels",
]
