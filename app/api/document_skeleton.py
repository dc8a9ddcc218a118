"""The skeleton of documents: entities and relations of their core chunks, which questions follow (KET-RAG)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from threading import Event
from typing import TYPE_CHECKING, Self

from clew.app.api.chunk_reading import TOKEN_BUDGET, ChunkReading
from clew.tools.documents.search_options import CORE_CHOICES as CORE_CHOICES
from clew.tools.documents.search_options import CoreChoice as CoreChoice
from clew.tools.errors import BadInput, ClewError

if TYPE_CHECKING:
    from filelock import BaseFileLock

    from clew.agents.writing.skeleton_extractor import Extracted, Extractor
    from clew.app.api.chunk_reading import ReadingEstimate
    from clew.app.container import Container
    from clew.tools.documents.chunk import Chunk
    from clew.tools.documents.collection import Collection
    from clew.tools.documents.skeleton.files import SkeletonManifest as SkeletonManifest


@dataclass
class Extracting(ChunkReading):
    """The entities and relations of the core chunks, by a model. In a `with` block, no other process pays for the same
    chunks."""

    collection: Collection
    beta: float
    core: CoreChoice
    failures: list[str] = field(default_factory=list, init=False)
    """Why calls had no reply."""
    extracted: set[str] = field(default_factory=set, init=False)
    """Ids of the chunks that were read."""
    no_model = (
        "Entities and relations are extracted by a model, and none is set.",
        "Name one: --model NAME [--base-url URL]; or make the skeleton by rules: --rules.",
    )
    _extractor: Extractor | None = field(default=None, init=False)
    _cancelled: Event = field(default_factory=Event, init=False)

    def __enter__(self) -> Self:
        """Raises ClewError if another process is extracting from the same documents."""
        import filelock

        try:
            self._lock.acquire(timeout=0)
        except filelock.Timeout:
            message = "Another command is extracting from these documents."
            raise ClewError(message, "Wait until it has ended, then run this again.") from None
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    @cached_property
    def _lock(self) -> BaseFileLock:
        import filelock

        return filelock.FileLock(self.collection.store.directory / "extracting.lock")

    @cached_property
    def _core(self) -> list[Chunk]:
        index = self.collection.index
        return [index.sources.store[position] for position in index.core(self.beta, self.core).tolist()]

    @cached_property
    def _waiting(self) -> list[Chunk]:
        from clew.agents.writing.skeleton_extractor import prompt_digest
        from clew.tools.documents.store.extractions import ExtractionKey

        digest, known = prompt_digest(), self.collection.store.extractions.keys()
        return [chunk for chunk in self._core if known.get(chunk.id) != ExtractionKey.of(chunk, digest)]

    @property
    def chunks(self) -> int:
        """The number of all chunks."""
        return len(self.collection.index)

    @property
    def core_chunks(self) -> int:
        return len(self._core)

    @property
    def waiting(self) -> int:
        """The core chunks that were not read yet."""
        return len(self._waiting)

    def estimate(self, *, every: bool = False) -> ReadingEstimate:
        """What reading the waiting chunks will take, or with `every` all chunks. Raises BadInput if no model is set."""
        from clew.agents.writing.skeleton_extractor import estimate
        from clew.tools.embedding.token_budget import counter

        index = self.collection.index
        chunks = (index.sources.store[position] for position in range(len(index))) if every else self._waiting
        return self._reader.priced(estimate(chunks, counter()))

    def run(self, tokens: int = TOKEN_BUDGET, dollars: float | None = None) -> Iterator[int]:
        """Read the waiting chunks, and use them for questions from now on. Yields how many were read, after each call.
        Call `finish` after an error or an interruption.

        Args:
            tokens: The most that calls may send and receive together.
            dollars: The most that they may cost; needs the model's price.

        Raises:
            BadInput: No model is set.
            ModelFailed: Going on makes no sense.
        """
        from clew.agents.writing.skeleton_extractor import Extractor, Limits
        from clew.tools.documents.store.extractions import SkeletonSettings
        from clew.tools.embedding.token_budget import counter

        reader = self._reader
        self.collection.store.extractions.set(SkeletonSettings("model", self.beta, self.core))
        if self._waiting:
            self._extractor = Extractor(
                reader.opened(self._cancelled), self._waiting, counter(), Limits(tokens, dollars),
                reader.spec.max_tokens, reader.price, self.client.settings.model_concurrency,
            )  # fmt: skip
            for call in self._extractor:
                self._save(call)
                yield len(self.extracted)
            self.finish()

    def finish(self) -> None:
        """Send nothing more, and wait for the calls in progress, which are paid for."""
        for call in self._extractor.finish() if self._extractor is not None else ():
            self._save(call)

    def cancel(self) -> None:
        """End the calls in progress."""
        self._cancelled.set()

    @property
    def stopped_by_budget(self) -> bool:
        """Whether the next call might have exceeded a limit."""
        return self._extractor is not None and self._extractor.stopped_by_budget

    def _save(self, call: Extracted) -> None:
        from clew.agents.writing.skeleton_extractor import prompt_digest
        from clew.tools.documents.store.extractions import ExtractionKey

        digest, asked = prompt_digest(), [chunk for chunk in call.asked if chunk.id in call.found]
        if asked:
            rows = [(chunk, ExtractionKey.of(chunk, digest), call.found[chunk.id]) for chunk in asked]
            self.collection.store.extractions.put(rows, self.model)
            self.extracted.update(call.found)
        self.usages.append(call.usage)
        if call.failure:
            self.failures.append(call.failure)


@dataclass(frozen=True, slots=True)
class DocumentSkeleton:
    """The skeleton of a graph's documents: entities and relations of their core chunks, which questions follow."""

    client: Container
    graph: str

    @property
    def _collection(self) -> Collection:
        return self.client.files(self.graph).collection()

    def _linked(self) -> Collection:
        if self._collection.empty:
            message = f"{self.graph} has no documents."
            raise BadInput(message, f"Add some: clew documents add PATH --graph {self.graph}")
        self.client.files(self.graph).linked_documents()
        return self._collection

    @property
    def extractions(self) -> int:
        """The chunks that were read for it."""
        return sum(self._collection.store.extractions.counts().values())

    @property
    def manifest(self) -> SkeletonManifest:
        """What it holds; it is built again if it has changed. Raises BadInput if there is none."""
        if (found := self._collection.skeleton) is None:
            raise self._none()
        return found.manifest

    def by_rules(self, beta: float = 0.2, core: CoreChoice = "pagerank") -> SkeletonManifest:
        """Make it by rules, without a model: coarser, and free of charge.

        Args:
            beta: The share of the chunks to read.
            core: How these are chosen.

        Raises:
            BadInput: There are no documents.
        """
        from clew.tools.documents.store.extractions import SkeletonSettings

        self._linked().store.extractions.set(SkeletonSettings("rules", beta, core))
        return self.manifest

    def extracting(self, beta: float = 0.2, core: CoreChoice = "pagerank") -> Extracting:
        """Make it with a model: see `Extracting`. Arguments and errors as for `by_rules`."""
        return Extracting(self.client, self._linked(), beta, core)

    def forget(self) -> int:
        """Delete it with everything extracted for it; returns the number of extractions. Raises BadInput if there is
        none."""
        held, store = self.extractions, self._collection.store
        if store.extractions.settings is None and not held:
            raise self._none()
        store.extractions.forget()
        shutil.rmtree(self.client.folder(self.graph) / "document-skeleton", ignore_errors=True)
        return held

    def _none(self) -> BadInput:
        message = f"{self.graph} has no skeleton of its documents."
        return BadInput(message, "Make one: clew documents skeleton --help")
