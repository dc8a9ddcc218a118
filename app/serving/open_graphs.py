"""The graphs of a server: opened once, and again when their contents have changed."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from clew.app.progress import Task, TrackedProgress
from clew.tools.errors import ClewError, UnknownGraph

if TYPE_CHECKING:
    from clew.app.api.client import Client
    from clew.graphs.context import Context

_RECHECK_SECONDS = 2.0
"""After which the database is asked again whether a graph has changed."""


@dataclass(slots=True)
class _Opened:
    lock: Lock = field(default_factory=Lock)
    context: Context | None = None
    version: str = ""
    looked: float = float("-inf")


@dataclass
class OpenGraphs:
    """The contexts of a client's graphs. Safe for several threads: one of them opens a graph, and the others wait."""

    client: Client
    clock: Callable[[], float] = time.monotonic
    failed: dict[str, str] = field(default_factory=dict)
    """Graphs that could not be opened, and why."""
    being_opened: str | None = None
    _graphs: dict[str, _Opened] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)
    _opening: Lock = field(default_factory=Lock)
    _progress: TrackedProgress = field(init=False)

    def __post_init__(self) -> None:
        container = self.client.container
        self._progress = container.progress = TrackedProgress(container.progress)
        self.client.context_source = self.context

    def context(self, name: str) -> Context:
        """The context of a graph as it was at most _RECHECK_SECONDS ago. Raises UnknownGraph, and what opening
        raises."""
        with self._lock:
            opened = self._graphs.setdefault(name, _Opened())
        with opened.lock:
            try:
                return self._current(name, opened)
            except UnknownGraph:
                with self._lock:
                    self._graphs.pop(name, None)
                self.client.container.forget(name)
                raise

    def _current(self, name: str, opened: _Opened) -> Context:
        now = self.clock()
        if opened.context is not None and now - opened.looked < _RECHECK_SECONDS:
            return opened.context
        container = self.client.container
        version = container.store(name).version()
        if opened.context is None or opened.version != version:
            container.forget(name)
            with self._opening:  # Parts that graphs share are made once.
                self.being_opened = name
                try:
                    opened.context = container.context(name)
                finally:
                    self.being_opened = None
                _exempt_from_collection()
            opened.version = version
            self.failed.pop(name, None)
        opened.looked = now
        return opened.context

    def open_all(self, names: list[str] | None = None) -> None:
        """Open these graphs, or all; `failed` gets those that cannot be opened."""
        for name in [graph.name for graph in self.client.graphs()] if names is None else names:
            try:
                self.context(name)
            except ClewError as error:
                self.failed[name] = error.message

    def opening(self, name: str) -> Task | None:
        """The progress of opening a graph; None if it is not being opened."""
        if name != self.being_opened:
            return None
        return self._progress.current or Task("Opening", "graphs", None)

    @property
    def open_now(self) -> list[str]:
        with self._lock:
            return sorted(name for name, opened in self._graphs.items() if opened.context is not None)


def _exempt_from_collection() -> None:
    """Keep the garbage collector from walking over open graphs again and again, while all threads wait (0.4 s at a time
    for 40,000 nodes). Graphs that are no longer used are collected first. What a question allocates is freed with it:
    looking for cycles at every 700th object takes 4 % of a question's time, so the threshold is higher."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
