"""The index of the chunks of documents and tables: one search through several channels, and a context for a model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import mapped
from clew.tools.arrays.index_files import Stage, silent
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.chunk_graph.edge import Edge, edge
from clew.tools.documents.chunk_graph.expansion import hard_split, reasons_of
from clew.tools.documents.chunk_graph.graph import ChunkGraph, best
from clew.tools.documents.index.builder import CHUNKS, FILES, DocumentManifest, fill, remove_outdated
from clew.tools.documents.index.channels import CHANNELS, Channel, Scored, Scores, Sources
from clew.tools.documents.index.store import PASSAGES, ChunkStore
from clew.tools.documents.keyword_graph.core import core_chunks, knn_graph, pagerank, random_ranks
from clew.tools.documents.keyword_graph.graph import KeywordGraph
from clew.tools.documents.search_options import EDGE_KINDS, CoreChoice, EdgeKind
from clew.tools.embedding import Embedder, query_vectors
from clew.tools.embedding.chroma import HOME
from clew.tools.embedding.hnsw import HnswIndexes
from clew.tools.embedding.text_vectors import vectors_of
from clew.tools.embedding.vector_store import VectorPlace
from clew.tools.errors import BadInput
from clew.tools.text_search.bm25 import Postings

DEFAULT: tuple[Channel, ...] = ("second-question", "two-hop", "walk", "spread")
"""Channels of a search without named channels."""
K = 20


@dataclass(frozen=True, slots=True)
class DocumentHit:
    """A chunk that a search found."""

    chunk: Chunk
    score: float
    """Comparable within one search only; the score of a single channel, or the combined score of several."""
    channels: dict[str, float]
    """The score of each channel, except the spread, which works on the combined scores."""
    position: int
    """The position in the index."""
    via: Edge | None = None
    """Of a chunk that SAGE's expansion adds, the edge to the best seed beside it."""


@dataclass(frozen=True, slots=True)
class DocumentIndex:
    """One version of a collection of documents, read-only and memory-mapped; shared by threads."""

    manifest: DocumentManifest
    embedder: Embedder
    sources: Sources

    @classmethod
    def build(
        cls,
        chunks: Iterable[Chunk],
        directory: Path,
        version: str,
        embedder: Embedder,
        stage: Stage = silent,
        place: VectorPlace = HOME,
    ) -> DocumentIndex:
        """The index of `chunks` in `directory`; an index of the same version there is opened as it is.

        Chunks may come from a stream; those of one document come together, in their order. Only texts that the
        directory has no vector for are embedded, and a build that was interrupted goes on where it stopped. The new
        index replaces the old one in one step. A `place` other than the home keeps the vectors of the chunks too, and
        finds the nearest ones. Raises BadInput for an id that occurs twice.
        """

        def published(_: DocumentManifest) -> None:
            if place.address:
                remove_outdated(place.store(directory), directory, embedder)

        return FILES.open_or_build(
            directory,
            version,
            lambda: cls.open(directory, embedder, place),
            lambda folder: fill(chunks, directory, folder, embedder, stage, place),
            published=published,
        )

    @classmethod
    def open(cls, directory: Path, embedder: Embedder, place: VectorPlace = HOME) -> DocumentIndex:
        """Raises BadInput if there is no index, a damaged one, or one of another format, embedding model or place."""

        def load(manifest: DocumentManifest, folder: Path) -> DocumentIndex:
            manifest.check_embedder(embedder)
            manifest.check_place(place)
            hashes = mapped(folder, f"{PASSAGES}_hashes")
            hnsw = HnswIndexes(place.store(directory), hashes, frozenset({CHUNKS}), embedder.name)
            sources = Sources(
                store=ChunkStore.open(folder),
                postings=Postings.open(folder),
                vectors=vectors_of(folder, PASSAGES, manifest.dimension),
                hashes=hashes,
                rows=mapped(folder, f"{PASSAGES}_rows"),
                keywords=KeywordGraph.open(folder),
                graph=ChunkGraph.open(folder),
                nearest=partial(hnsw.rows, CHUNKS) if place.address else None,
            )
            return cls(manifest, embedder, sources)

        return FILES.open(directory, load)

    def __len__(self) -> int:
        """The number of chunks."""
        return len(self.sources.store)

    @property
    def version(self) -> str:
        return self.manifest.version

    def search(self, question: str, k: int = K, channels: Sequence[Channel] = DEFAULT) -> list[DocumentHit]:
        """The `k` chunks that fit `question` best, best first; of equal ones the first in the index.

        Several channels are joined as `clew.tools.documents.index.channels.Scored.joined` says. Raises BadInput for an
        unknown channel.
        """
        for name in channels:
            if name not in CHANNELS:
                raise BadInput(f"There is no channel {name!r}.", f"The channels are {', '.join(CHANNELS)}.")
        if k <= 0 or not question.strip() or not len(self) or not channels:
            return []
        scored = self.scored(question)
        joined = scored.joined(channels)
        return [self._hit(scored, joined, place, channels) for place in best(joined, k).tolist()]

    def expanded(
        self,
        question: str,
        k: int,
        k_more: int,
        kinds: Sequence[EdgeKind] = EDGE_KINDS,
        channels: Sequence[Channel] = ("hybrid",),
    ) -> list[DocumentHit]:
        """SAGE's hard split: the `k` best chunks, then up to `k_more` of their neighbours (section 2.2, Listing 1).

        Args:
            question: The question.
            k: The number of seeds.
            k_more: The number of neighbours (k').
            kinds: Of the edges that are followed.
            channels: Rank seeds and neighbours.

        Returns:
            The seeds, best first, then the neighbours, best first, each with its edge to the best seed (`via`).

        Raises:
            BadInput: There is no such kind of edges.
        """
        reasons = reasons_of(kinds)
        if k <= 0 or not question.strip() or not len(self):
            return []
        scored = self.scored(question)
        joined = scored.joined(channels)
        graph = self.sources.graph
        seeds, more = (places.tolist() for places in hard_split(joined, graph, k, k_more, reasons))
        found = [self._hit(scored, joined, place, channels) for place in seeds]
        for place in more:
            seed = next(each for each in seeds if place in graph.around(each, reasons))
            via = self._edge(place, graph.entry(place, seed))
            found.append(replace(self._hit(scored, joined, place, channels), via=via))
        return found

    def _hit(self, scored: Scored, joined: Scores, place: int, channels: Sequence[Channel]) -> DocumentHit:
        by_channel = {name: scored.channel(name) for name in channels if name != "spread"}
        return DocumentHit(
            self.sources.store[place],
            round(float(joined[place]), 6),
            {name: round(float(scores[place]), 6) for name, scores in by_channel.items()},
            place,
        )

    def around(self, id: str, kinds: Sequence[EdgeKind] = EDGE_KINDS) -> list[Edge]:
        """The edges of a chunk in the chunk graph that are of one of these kinds; of an unknown id none."""
        position = int(self.sources.store.positions([id])[0])
        if position < 0:
            return []
        graph, reasons = self.sources.graph, int(reasons_of(kinds))
        entries = range(int(graph.starts[position]), int(graph.starts[position + 1]))
        return [self._edge(position, entry) for entry in entries if int(graph.reasons[entry]) & reasons]

    def _edge(self, position: int, entry: int) -> Edge:
        store, graph = self.sources.store, self.sources.graph
        return edge(graph, entry, store[position], store[int(graph.targets[entry])])

    def core(self, beta: float, choice: CoreChoice = "pagerank") -> npt.NDArray[np.int64]:
        """The positions of the core chunks, the best first (KET-RAG, section 5.1).

        Args:
            beta: The share of the chunks, 0 to 1.
            choice: "pagerank" for those that rank highest in the nearest-neighbour graph, or "uniform" for random ones.

        Raises:
            BadInput: `beta` is not a share.
        """
        if not 0 <= beta <= 1:
            raise BadInput(f"A share of {beta:g} of the chunks is not possible.", "β is a number from 0 to 1.")
        if choice == "uniform":
            store = self.sources.store
            return core_chunks(random_ranks(store.ids[place] for place in range(len(store))), beta)
        graph = knn_graph(self.sources.keywords, self.sources.vectors[self.sources.rows])
        return core_chunks(pagerank(graph), beta)

    def scored(self, question: str) -> Scored:
        """The channels' scores of every chunk."""
        return Scored(self.sources, question, partial(query_vectors, self.embedder))

    def context(
        self, question: str, max_tokens: int, channels: Sequence[Channel] = DEFAULT, most: int = 1000
    ) -> list[DocumentHit]:
        """The best chunks whose texts fit into `max_tokens` together, best first; none is cut, and the first that does
        not fit ends the list. At most `most`."""
        hits = self.search(question, most, channels)
        used = np.cumsum([self.sources.store.tokens[hit.position] for hit in hits]) if hits else np.zeros(0)
        return hits[: int(np.searchsorted(used, max_tokens, side="right"))]
