"""Importing graph files into the database, with progress."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from clew.tools.errors import ClewError

if TYPE_CHECKING:
    from clew.app.container import Container
    from clew.tools.graph.store.graph_store import GraphStore
    from clew.tools.ingest import ImportOptions, ImportReport


def import_files(container: Container, graph: str, paths: Sequence[Path], options: ImportOptions) -> ImportReport:
    """Import files into a graph, which is created where it is missing, and removed again where nothing was written.

    Raises ClewError.
    """
    from clew.tools.ingest import is_unfinished, load

    database = container.database
    is_new = not database.exists(graph)
    store = database.open(graph, create=True)

    def recreate() -> GraphStore:
        database.drop(graph)
        return database.open(graph, create=True)

    try:
        report = load(store, paths, options, container.progress.task, recreate)
    except BaseException:
        if is_new:
            with suppress(ClewError):
                if not is_unfinished(store.version()):
                    container.drop(graph)
        raise
    container.forget(graph)
    return report
