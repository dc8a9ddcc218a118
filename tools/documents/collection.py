"""The documents beside a graph as questions use them: what is kept, and the index and the skeleton of just that."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from threading import RLock

from clew.tools.documents.index.index import DocumentIndex
from clew.tools.documents.skeleton.kept import KeptSkeleton
from clew.tools.documents.skeleton.skeleton import Skeleton
from clew.tools.documents.store.store import DocumentStore
from clew.tools.embedding import Embedder
from clew.tools.errors import BadInput

FEW_CHUNKS = 300
"""Chunks that are indexed while a question waits."""

Stage = Callable[[str, str, int | None], AbstractContextManager[Callable[[int], None]]]


class Collection:
    """Thread-safe. Documents may come and go while it is used: every look is at those that are there now."""

    def __init__(
        self,
        store: DocumentStore,
        directory: Path,
        embedder: Embedder,
        stage: Stage,
        skeleton: KeptSkeleton | None = None,
    ) -> None:
        self.store = store
        self._skeleton = skeleton
        self._directory = directory
        self._embedder = embedder
        self._stage = stage
        self._lock = RLock()
        self._opened: DocumentIndex | None = None

    @property
    def empty(self) -> bool:
        return not self.store.version

    @property
    def at_hand(self) -> bool:
        """Whether there are documents that can be searched without minutes of indexing first."""
        version = self.store.version
        if not version:
            return False
        with self._lock:
            return self._current(version) is not None or self.store.totals().chunks <= FEW_CHUNKS

    @property
    def index(self) -> DocumentIndex:
        """Of the documents as they are; built, with progress, where it is missing or outdated."""
        with self._lock:
            if (found := self._current(self.store.version)) is not None:
                return found
            with self.store.snapshot() as (version, chunks):
                self._opened = DocumentIndex.build(chunks, self._directory, version, self._embedder, self._stage)
            return self._opened

    @property
    def skeleton(self) -> Skeleton | None:
        """Of the documents as they are; made, with progress, where it is outdated. None where none was asked for."""
        return None if self._skeleton is None else self._skeleton.of(lambda: self.index)

    def _current(self, version: str) -> DocumentIndex | None:
        if self._opened is None or self._opened.version != version:
            try:
                self._opened = DocumentIndex.open(self._directory, self._embedder)
            except BadInput:
                self._opened = None  # There is none, or an unreadable one.
        return self._opened if self._opened is not None and self._opened.version == version else None
