"""The text index of a graph, its similar nodes and the expansion over both, each made when first asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING

from clew.tools.text_search.expansion.expansion import Expansion

if TYPE_CHECKING:
    from clew.tools.graph.snapshot.snapshot import Snapshot
    from clew.tools.text_search.expansion.similar import SimilarNodes
    from clew.tools.text_search.index import TextIndex


class GraphTexts:
    """Thread-safe: what two threads ask for at once is made once."""

    def __init__(
        self,
        index: Callable[[], TextIndex],
        similar: Callable[[TextIndex], SimilarNodes],
        snapshot: Callable[[], Snapshot],
        at_hand: Callable[[], bool],
    ) -> None:
        self._make_index = index
        self._make_similar = similar
        self._make_snapshot = snapshot
        self._is_at_hand = at_hand
        self._lock = RLock()

    @property
    def at_hand(self) -> bool:
        """Whether the texts can be searched without minutes of indexing first."""
        with self._lock:
            return self._at_hand

    @property
    def index(self) -> TextIndex:
        with self._lock:
            return self._index

    @property
    def similar(self) -> SimilarNodes:
        with self._lock:
            return self._similar

    @property
    def expansion(self) -> Expansion:
        with self._lock:
            return self._expansion

    @cached_property
    def _at_hand(self) -> bool:
        return self._is_at_hand()

    @cached_property
    def _index(self) -> TextIndex:
        return self._make_index()

    @cached_property
    def _similar(self) -> SimilarNodes:
        return self._make_similar(self._index)

    @cached_property
    def _expansion(self) -> Expansion:
        return Expansion(self._index, lambda: self.similar, self._make_snapshot)
