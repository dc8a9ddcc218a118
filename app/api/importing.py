"""Importing graph files into the database, with progress."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from clew.tools.errors import ClewError

if TYPE_CHECKING:
    from clew.app.container import Container
    from clew.app.progress import Progress
    from clew.tools.graph.store.graph_store import GraphStore
    from clew.tools.ingest import ImportOptions, ImportReport


def import_files(container: Container, graph: str, paths: Sequence[Path], options: ImportOptions) -> ImportReport:
    """Import files into a graph, which is created if need be.

    A graph that was created for an import which then wrote nothing is removed again. Raises ClewError.
    """
    from clew.tools.ingest import is_unfinished, load

    def recreate() -> GraphStore:
        database.drop(graph)
        return database.open(graph, create=True)

    database = container.database
    is_new = not database.exists(graph)
    store = database.open(graph, create=True)
    with ExitStack() as bars:
        try:
            report = load(store, paths, options, _TaskProgress(container.progress, bars), recreate)
        except BaseException:
            if is_new:
                with suppress(ClewError):
                    if not is_unfinished(store.version()):
                        container.drop(graph)
            raise
    store.close()
    container.forget(graph)
    return report


class _TaskProgress:
    """The import's progress as tasks of `clew.app.progress`."""

    def __init__(self, progress: Progress, bars: ExitStack) -> None:
        self._progress = progress
        self._bars = bars
        self._done = 0

    def start(self, total: int, what: str) -> None:
        unit, _, of = what.partition(" of ")
        label = f"Reading {of}" if of else f"Writing {unit}"
        self._done = 0
        self._advance = self._bars.enter_context(self._progress.task(label, unit, total))

    def advance(self, n: int) -> None:
        self._done += n
        self._advance(self._done)

    def done(self) -> None:
        self._bars.close()
