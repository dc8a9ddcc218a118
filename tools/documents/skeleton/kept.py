"""The skeleton beside the documents of a graph: made of what was extracted from their chunks, and made anew when
documents come or go, more is extracted, or the knowledge graph's names change. That asks no model and costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from clew.tools.documents.skeleton.builder import Stage, build, opened
from clew.tools.documents.skeleton.linking import GraphNames
from clew.tools.documents.skeleton.merging import NodeOf
from clew.tools.documents.skeleton.skeleton import Skeleton
from clew.tools.documents.skeleton.statements import extracted
from clew.tools.documents.store.extraction import Extraction
from clew.tools.documents.store.extractions import Made
from clew.tools.documents.store.store import DocumentStore
from clew.tools.embedding import Embedder
from clew.tools.linking.index import EntityIndex

if TYPE_CHECKING:
    from clew.tools.documents.index.index import DocumentIndex

RULES = 1
"""Counted up when the same extractions come to give another skeleton."""


class KeptSkeleton:
    """Thread-safe."""

    def __init__(
        self,
        store: DocumentStore,
        directory: Path,
        embedder: Embedder,
        stage: Stage,
        names: Callable[[], EntityIndex | None] = lambda: None,
    ) -> None:
        """`names` gives the names of the knowledge graph, None where it has none."""
        self._store = store
        self._directory = directory
        self._embedder = embedder
        self._stage = stage
        self._names = names
        self._lock = RLock()
        self._opened: Skeleton | None = None

    @property
    def made(self) -> Made | None:
        """How it is made; None where there is none."""
        return self._store.extractions.made

    def of(self, index: Callable[[], DocumentIndex]) -> Skeleton | None:
        """As it is now; made, with progress, where it is missing or outdated. None where none was asked for. `index` is
        that of the documents as they are, and needed only where rules make it."""
        made = self.made
        if made is None:
            return None
        with self._lock:
            version = self._version(made)
            if self._opened is None or self._opened.manifest.version != version:
                self._opened = opened(self._directory, version, self._embedder) or self._build(made, version, index)
            return self._opened

    def _build(self, made: Made, version: str, index: Callable[[], DocumentIndex]) -> Skeleton:
        if made.by == "rules":
            found = self._by_rules(made.beta, index())
            chunks = None
        else:
            found, chunks = self._store.extractions.stream(), list(self._store.extractions.asked())
        return build(found, self._directory, version, made.by, self._embedder, self._stage, self._node_of(chunks))

    def _by_rules(self, beta: float, index: DocumentIndex) -> Iterator[tuple[str, Extraction]]:
        from clew.tools.documents.index.core import core

        for position in sorted(core(index, beta).tolist()):
            chunk = index.sources.store[position]
            yield chunk.id, extracted(chunk)

    def _node_of(self, chunks: Sequence[str] | None) -> NodeOf | None:
        """By what these chunks, or all, mention."""
        names = self._names()
        return None if names is None else GraphNames(names, self._store.mentions(chunks)).node_of

    def _version(self, made: Made) -> str:
        """Names what the skeleton depends on."""
        decided = made.beta if made.by == "rules" else self._store.extractions.version
        told = "\n".join([str(RULES), self._store.version, made.by, str(decided), *self._store.linked])
        return blake2b(told.encode(), digest_size=12).hexdigest()
