"""The text index of a graph, its similar nodes and the expansion over both, each made when it is first used."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import TypeVar

from clew.tools.graph.snapshot.snapshot import Snapshot
from clew.tools.text_search.expansion.expansion import Expansion
from clew.tools.text_search.expansion.similar import SimilarNodes
from clew.tools.text_search.index import TextIndex

T = TypeVar("T")


class GraphTexts:
    """Thread-safe: what several threads use at once is made once."""

    def __init__(
        self,
        index: Callable[[], TextIndex],
        similar: Callable[[TextIndex], SimilarNodes],
        snapshot: Callable[[], Snapshot],
        is_ready: Callable[[], bool],
    ) -> None:
        lock = RLock()
        self._is_ready = _once(is_ready, lock)
        self._index = _once(index, lock)
        self._similar = _once(lambda: similar(self.index), lock)
        self._expansion = _once(lambda: Expansion(self.index, self._similar, snapshot), lock)

    @property
    def is_ready(self) -> bool:
        """Whether the texts can be searched without minutes of indexing first."""
        return self._is_ready()

    @property
    def index(self) -> TextIndex:
        return self._index()

    @property
    def expansion(self) -> Expansion:
        return self._expansion()


def _once(make: Callable[[], T], lock: RLock) -> Callable[[], T]:
    """Calls `make` when it is first called, and returns that result ever after."""
    made: list[T] = []

    def get() -> T:
        with lock:
            if not made:
                made.append(make())
            return made[0]

    return get
