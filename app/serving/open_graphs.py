"""The graphs that are ready to be asked: opened once, and anew when their contents changed."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from clew.app.progress import Task, Watched
from clew.tools.errors import ClewError, UnknownGraph

if TYPE_CHECKING:
    from clew.app.container import Container
    from clew.graphs.context import Context
    from clew.tools.graph.store.graph_store import GraphInfo

_LOOKED_AT_EVERY = 2.0
"""Seconds after which the database is asked again whether a graph has changed."""


@dataclass(slots=True)
class _Opened:
    lock: Lock = field(default_factory=Lock)
    context: Context | None = None
    version: str = ""
    looked: float = float("-inf")


@dataclass
class OpenGraphs:
    """The contexts of a container's graphs. Safe for several threads: each graph is opened by one of them, and the
    others wait."""

    container: Container
    clock: Callable[[], float] = time.monotonic
    failed: dict[str, str] = field(default_factory=dict)
    """Graphs that could not be opened, and why."""
    being_opened: str | None = None
    _graphs: dict[str, _Opened] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)
    _opening: Lock = field(default_factory=Lock)
    _progress: Watched = field(init=False)

    def __post_init__(self) -> None:
        self._progress = self.container.progress = Watched(self.container.progress)

    def context(self, name: str) -> Context:
        """Raises UnknownGraph, and what opening it raises."""
        with self._lock:
            opened = self._graphs.setdefault(name, _Opened())
        with opened.lock:
            try:
                return self._current(name, opened)
            except UnknownGraph:
                with self._lock:
                    self._graphs.pop(name, None)
                self.container.forget(name)
                raise

    def _current(self, name: str, opened: _Opened) -> Context:
        now = self.clock()
        if opened.context is not None and now - opened.looked < _LOOKED_AT_EVERY:
            return opened.context
        version = self.container.store(name).version()
        if opened.context is None or opened.version != version:
            self.container.forget(name)
            with self._opening:  # Parts that graphs share are made once.
                self.being_opened = name
                try:
                    opened.context = self.container.context(name)
                finally:
                    self.being_opened = None
                _set_apart()
            opened.version = version
            self.failed.pop(name, None)
        opened.looked = now
        return opened.context

    def names(self) -> list[str]:
        """All graphs of the database, in alphabetical order."""
        return [graph.name for graph in self.infos()]

    def infos(self) -> list[GraphInfo]:
        return sorted(self.container.database.graphs(), key=lambda graph: graph.name)

    def open_all(self, names: list[str] | None = None) -> None:
        """Open those graphs, or all; what cannot be opened is noted in `failed`."""
        for name in self.names() if names is None else names:
            try:
                self.context(name)
            except ClewError as error:
                self.failed[name] = error.message

    def opening(self, name: str) -> Task | None:
        """What is being done to open that graph; None where it is not being opened."""
        if name != self.being_opened:
            return None
        return self._progress.current or Task("Opening", "graphs", None)

    @property
    def open_now(self) -> list[str]:
        with self._lock:
            return sorted(name for name, opened in self._graphs.items() if opened.context is not None)


def _set_apart() -> None:
    """What was opened stays: the garbage collector need not walk over it again and again, all threads waiting (0.4 s at
    a time for 40,000 nodes). What was opened before and is of no use any more goes first. What a question makes, on the
    other hand, is gone with it: to look for rings in it at every 700th object costs a question 4 % of its time."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
