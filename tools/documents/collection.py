"""Access to the documents beside a graph for questions: the store, and the current index and skeleton."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from threading import RLock

from clew.tools.arrays.index_files import Stage, current
from clew.tools.documents.index.index import DocumentIndex
from clew.tools.documents.keyword_graph.keyword_index import KeywordIndex, keyword_version
from clew.tools.documents.skeleton.linking import GraphNames
from clew.tools.documents.skeleton.merging import NodeOf
from clew.tools.documents.skeleton.skeleton import Skeleton
from clew.tools.documents.skeleton.statements import extracted
from clew.tools.documents.store.extractions import Extraction, SkeletonSettings
from clew.tools.documents.store.store import DocumentStore
from clew.tools.embedding import Embedder
from clew.tools.embedding.chroma import HOME
from clew.tools.embedding.known_vectors import KnownVectors
from clew.tools.embedding.vector_store import VectorPlace
from clew.tools.errors import BadInput
from clew.tools.linking.index import EntityIndex

FEW_CHUNKS = 300
"""Maximum number of chunks that are indexed while a question waits."""
RULES = 1
"""Increased when equal extractions give a different skeleton."""


class Collection:
    """Thread-safe. Documents may come and go while it is used: every access is to those that are there now.

    The skeleton is made of what was extracted from the chunks. It is rebuilt when documents come or go, more is
    extracted, or the names of the knowledge graph change; that calls no model and costs nothing.
    """

    def __init__(
        self,
        store: DocumentStore,
        directory: Path,
        embedder: Embedder,
        stage: Stage,
        names: Callable[[], EntityIndex | None] = lambda: None,
        place: VectorPlace = HOME,
    ) -> None:
        """`directory` holds the folders of the index and of the skeleton. `names` gives the names of the knowledge
        graph, None if it has none. `place` keeps the vectors of the chunks."""
        self.store = store
        self._index_directory = directory / "document-index"
        self._skeleton_directory = directory / "document-skeleton"
        self._keyword_directory = directory / "document-keywords"
        self._embedder = embedder
        self._stage = stage
        self._names = names
        self._place = place
        self._lock = RLock()
        self._index: DocumentIndex | None = None
        self._skeleton: Skeleton | None = None
        self._keywords: KeywordIndex | None = None

    @property
    def empty(self) -> bool:
        return not self.store.version

    @property
    def is_ready(self) -> bool:
        """Whether there are documents that can be searched without minutes of indexing first."""
        version = self.store.version
        if not version:
            return False
        with self._lock:
            return self._current_index(version) is not None or self.store.totals().chunks <= FEW_CHUNKS

    @property
    def index(self) -> DocumentIndex:
        """The index of the present documents; built, with progress, if it is missing or outdated."""
        with self._lock:
            found = self._current_index(self.store.version)
            if found is None:
                with self.store.snapshot() as (version, chunks):
                    found = DocumentIndex.build(
                        chunks, self._index_directory, version, self._embedder, self._stage, self._place
                    )
                self._index = found
            return found

    def has_keywords(self, splits: int = 0) -> bool:
        """Whether `keywords` opens at once: the keyword channel is built, or the documents are few."""
        with self._lock:
            if self.store.totals().chunks <= FEW_CHUNKS:
                return True
            return self._current_keywords(self.store.version, splits) is not None

    @property
    def keyword_splits(self) -> int | None:
        """How often chunks are halved in the keyword channel that was built last; None if there is none."""
        try:
            return KeywordIndex.open(self._keyword_directory, self._embedder).splits
        except BadInput:
            return None

    def keywords(self, splits: int = 0) -> KeywordIndex:
        """KET-RAG's keyword channel of the present documents; built, with progress, if it is missing or outdated.

        Building it embeds every sentence, which takes about as long as the index itself.

        Args:
            splits: How often each chunk is halved (τ).
        """
        with self._lock:
            index = self.index
            found = self._current_keywords(index.version, splits)
            if found is None:
                sources = index.sources
                embedder = KnownVectors(self._embedder, sources.hashes, sources.vectors)
                found = self._keywords = KeywordIndex.build(
                    sources.store, self._keyword_directory, index.version, embedder, self._stage, splits
                )
            return found

    def remove_keywords(self) -> bool:
        """Delete the keyword channel; returns whether there was one."""
        with self._lock:
            self._keywords = None
            there = self._keyword_directory.exists()
            shutil.rmtree(self._keyword_directory, ignore_errors=True)
            return there

    @property
    def skeleton(self) -> Skeleton | None:
        """The skeleton of the present documents; made, with progress, if it is missing or outdated. None if nobody
        asked for one."""
        made, version = self.store.extractions.settings, self.skeleton_version
        if made is None or version is None:
            return None
        with self._lock:
            if self._skeleton is None or self._skeleton.version != version:
                found = current(lambda: Skeleton.open(self._skeleton_directory, self._embedder), version)
                self._skeleton = found or self._make_skeleton(made, version)
            return self._skeleton

    def _current_keywords(self, version: str, splits: int) -> KeywordIndex | None:
        wanted = keyword_version(version, splits)
        if self._keywords is None or self._keywords.version != wanted:
            self._keywords = current(lambda: KeywordIndex.open(self._keyword_directory, self._embedder), wanted)
        return self._keywords

    @property
    def skeleton_version(self) -> str | None:
        """The version that a skeleton of the present documents has; None if nobody asked for one."""
        made = self.store.extractions.settings
        return None if made is None else self._skeleton_version(made)

    def _current_index(self, version: str) -> DocumentIndex | None:
        if self._index is None or self._index.version != version:
            self._index = current(
                lambda: DocumentIndex.open(self._index_directory, self._embedder, self._place), version
            )
        return self._index

    def _make_skeleton(self, made: SkeletonSettings, version: str) -> Skeleton:
        chunks = None if made.by == "rules" else list(self.store.extractions.keys())
        found = self._extracted_by_rules(made) if chunks is None else self.store.extractions.stream()
        node_of = self._node_of(chunks)
        return Skeleton.build(found, self._skeleton_directory, version, made.by, self._embedder, self._stage, node_of)

    def _extracted_by_rules(self, made: SkeletonSettings) -> Iterator[tuple[str, Extraction]]:
        index = self.index
        for position in sorted(index.core(made.beta, made.core).tolist()):
            chunk = index.sources.store[position]
            yield chunk.id, extracted(chunk)

    def _node_of(self, chunks: Sequence[str] | None) -> NodeOf | None:
        """The links of entities to nodes by the mentions of these chunks, or of all chunks."""
        names = self._names()
        return None if names is None else GraphNames(names, self.store.mentions(chunks)).node_of

    def _skeleton_version(self, made: SkeletonSettings) -> str:
        """Identifies everything that the skeleton depends on."""
        extraction = f"{made.beta} {made.core}" if made.by == "rules" else self.store.extractions.version
        parts = [str(RULES), self.store.version, made.by, str(extraction), *self.store.linked]
        return blake2b("\n".join(parts).encode(), digest_size=12).hexdigest()
