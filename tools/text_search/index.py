"""The text index of one version of a graph: nodes by what their names and texts say.

Every node with a name is in it. A node is found by its words (BM25, Robertson and Zaragoza 2009, in `bm25`; a node is a
document) and, if its label has text, by its meaning: each sentence has a vector, and a query may have several parts,
separated by semicolons. A node is as near to a part as its nearest sentence is, and as near to the whole query as to
its parts on average (late interaction, which ColBERT has between words: Khattab and Zaharia 2020).

Scores are relative to one search. Its pool are the best nodes by BM25 and the best by cosine among those that the
search is about; `scoring` mixes the two.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.index_files import Stage, silent
from clew.tools.embedding import Embedder, query_vectors
from clew.tools.embedding.chroma import HOME
from clew.tools.embedding.hnsw import HnswIndexes
from clew.tools.embedding.vector_store import VectorPlace, VectorStore
from clew.tools.text_search import bm25, scoring
from clew.tools.text_search.arrays import EXACT_UP_TO, FILES, REST, Places, TextArrays, TextManifest, hnsw_store
from clew.tools.text_search.builder import TextBuilder, TextsSince
from clew.tools.text_search.scoring import Pool, Query
from clew.tools.text_search.source import TextNode
from clew.tools.text_search.words import terms

POOL = 200
"""Nodes that each of BM25 and cosines brings into a search's pool."""
_PARTS = re.compile(r"\s*[;\n]+\s*")


def _parts(text: str) -> list[str]:
    """What `text` asks for: its parts between semicolons and ends of lines, the empty ones left out."""
    return [part for part in _PARTS.split(text.strip()) if part]


@dataclass(frozen=True, slots=True)
class TextHit:
    """A node that a search found, and its chunk that fits best."""

    id: str
    name: str
    label: str
    score: float
    """0 to 1, comparable within one search only."""
    property: str
    """Where the chunk stands: "name" for the node's name."""
    excerpt: str
    """The chunk."""
    bm25: float = 0.0
    """The node's BM25 score, not normalised."""
    cosine: float = 0.0
    """Of the node and the query, -1 to 1; 0 if the node has no vector."""


class TextIndex(TextArrays):
    """Made by `build` or `open`; read-only; safe to share between threads."""

    def __init__(self, manifest: TextManifest, folder: Path, embedder: Embedder, store: VectorStore) -> None:
        """`store` has the HNSW indexes."""
        super().__init__(manifest, folder)
        self.embedder = embedder
        self._hnsw = HnswIndexes(store, self.row_hashes, frozenset(manifest.searched), embedder.name)
        self._of_label: dict[str, Places] = {}
        self._lock = Lock()

    @classmethod
    def build(
        cls,
        nodes: Iterable[TextNode],
        directory: Path,
        version: str,
        embedder: Embedder,
        stage: Stage = silent,
        *,
        since: TextsSince = lambda _: None,
        place: VectorPlace = HOME,
    ) -> TextIndex:
        """The index of `nodes` in `directory`; an index of the same version there is opened as it is.

        Nodes may come from a stream: they are not held. Only texts that the directory has no vector for are embedded,
        and a build that was interrupted goes on where it stopped. The new index replaces the old one in one step.
        `since` gives what has changed since the index there was built; its arrays are then changed, and `nodes` are not
        read. `place` keeps the HNSW indexes. Raises BadInput for an id that occurs twice.
        """
        builder = TextBuilder(directory, embedder, stage, place)
        return FILES.open_or_build(
            directory,
            version,
            lambda: cls.open(directory, embedder, place),
            lambda folder: builder.fill(nodes, folder, since),
            published=builder.remove_outdated,
        )

    @classmethod
    def open(cls, directory: Path, embedder: Embedder, place: VectorPlace = HOME) -> TextIndex:
        """Raises BadInput if there is no index, a damaged one, or one of another format, embedding model or place."""

        def load(manifest: TextManifest, folder: Path) -> TextIndex:
            manifest.check_embedder(embedder)
            manifest.check_place(place)
            return cls(manifest, folder, embedder, hnsw_store(place, directory, manifest.hnsw))

        return FILES.open(directory, load)

    def search(
        self,
        text: str,
        k: int = 20,
        *,
        label: str | None = None,
        properties: Sequence[str] = (),
        within: Collection[str] | None = None,
        describes: bool = False,
    ) -> list[TextHit]:
        """The `k` nodes that fit `text` best, best first; ties in the order of the index.

        Restrictions are applied before anything is ranked, so that the result is that of an index of nothing else (with
        this one's word statistics). Unknown ids, labels and properties match nothing. Cosines are exact if `properties`
        or `within` is given or the label has up to EXACT_UP_TO texts; else they are those of an HNSW search.

        Args:
            text: Its parts between semicolons are searched for each by itself.
            label: Only nodes of this label.
            properties: Only chunks of these properties ("name" is the name).
            within: Only nodes with these ids.
            describes: Whether `text` says what a node is like, in words that need not be its own. BM25 then counts by
                how much of the text a node has, and not relative to the other nodes.
        """
        if k <= 0 or not _parts(text):
            return []
        nodes, query = self._eligible(label, within), self._query(text, properties, describes)
        exact = bool(properties) or within is not None
        by_words = self.postings.of_documents(query.terms, self.node_starts, query.among)
        size = max(POOL, 4 * k)
        while True:
            pool = self._pool(query, by_words, nodes, None if exact else self._groups(label), size)
            if len(pool.nodes) >= k or size >= (len(self) if nodes is None else len(nodes)):
                break
            size *= 4
        mixed = pool.mixed()
        best = np.argsort(-mixed, kind="stable")[:k]
        return [self._hit(pool, int(place), float(mixed[place]), query) for place in best]

    def scores_at(self, text: str, positions: Places) -> npt.NDArray[np.float32]:
        """How well nodes fit `text`, 0 to 1: the mixture of `search` with all of them as the pool. They are given by
        their positions, each once; an unknown one, at -1, has 0. Shape (len(positions),)."""
        found = np.zeros(len(positions), np.float32)
        known = np.flatnonzero(positions >= 0)
        if not len(known) or not _parts(text):
            return found
        order = known[np.argsort(positions[known], kind="stable")]
        query = self._query(text)
        by_words = self.postings.of_documents(query.terms, self.node_starts)
        found[order] = scoring.pool_of(self, positions[order], by_words, query).mixed()
        return found

    def excerpts(self, text: str, id: str, k: int = 2) -> list[tuple[str, str]]:
        """The up to `k` chunks of a node that fit `text` best, as (property, chunk) in the order in which they stand
        in the node; its name is not among them."""
        position = int(self.positions([id])[0])
        if position < 0:
            return []
        chunks = self.chunks_of(position)
        chunks = chunks[self.chunk_properties[chunks] != self.property_number("name")]
        best = np.sort(np.argsort(-scoring.chunk_scores(self, chunks, self._query(text)), kind="stable")[:k])
        return [(self.property_name(chunk), self.chunk_texts[int(chunk)]) for chunk in chunks[best]]

    def _query(self, text: str, properties: Sequence[str] = (), describes: bool = False) -> Query:
        parts = _parts(text)
        vectors = query_vectors(self.embedder, parts) if parts and not self.empty else None
        numbers = [self.property_number(name) for name in properties]
        words = terms(text)
        return Query(
            words,
            vectors,
            np.isin(self.chunk_properties, numbers) if properties else None,
            self.postings.greatest(words, self.node_starts) if describes else None,
        )

    def _eligible(self, label: str | None, within: Collection[str] | None) -> Places | None:
        """The nodes that fit both restrictions, ascending; None for all of them."""
        if within is None:
            return None if label is None else self._all_of(label)
        positions = self.positions(list(within))
        nodes = np.unique(positions[positions >= 0])
        return nodes if label is None else nodes[self.has_label(nodes, label)]

    def _all_of(self, label: str) -> Places:
        with self._lock:
            if label not in self._of_label:
                everything = np.arange(len(self), dtype=np.int32)
                self._of_label[label] = everything[self.has_label(everything, label)]
            return self._of_label[label]

    def _groups(self, label: str | None) -> list[str]:
        """The labels whose nearest nodes are searched one by one."""
        return [label] if label is not None else list({*self.manifest.searched, REST})

    def _pool(
        self,
        query: Query,
        by_words: npt.NDArray[np.float32],
        nodes: Places | None,
        labels: list[str] | None,
        size: int,
    ) -> Pool:
        """The `size` best nodes by BM25 and the `size` best by cosine. Large labels are searched by HNSW; if `labels`
        is None, every cosine is computed."""
        matched = np.flatnonzero(by_words).astype(np.int32) if nodes is None else nodes[by_words[nodes] > 0]
        found = [matched[scoring.greatest(by_words[matched], size)]]
        if query.vectors is not None and labels is None:
            assert nodes is not None or query.among is not None
            everything = np.arange(len(self), dtype=np.int32) if nodes is None else nodes
            found.append(self._nearest_of(everything, query, size))
        elif query.vectors is not None:
            found += [self._nearest(label, query, size) for label in labels or ()]
        return scoring.pool_of(self, np.unique(np.concatenate(found)), by_words, query)

    def _nearest(self, label: str, query: Query, size: int) -> Places:
        """Of one label the nodes with the nearest sentences to every part, by HNSW if there is an index and it pays."""
        assert query.vectors is not None
        found = []
        for vector in query.vectors:
            rows = self._hnsw.rows(label, vector, size) if size <= EXACT_UP_TO else None
            if rows is None:
                return self._nearest_of(self._all_of(label), query, size)
            found.append(self.row_chunks[bm25.ranges(self.row_starts, np.sort(rows))])
        nodes = np.unique(self.chunk_nodes[np.concatenate(found)])
        return self._nearest_of(nodes[self.has_label(nodes, label)], query, size)

    def _nearest_of(self, nodes: Places, query: Query, size: int) -> Places:
        cosines = scoring.node_cosines(self, nodes, query)
        known = np.flatnonzero(~np.isnan(cosines))
        return nodes[known[scoring.greatest(cosines[known], size)]]

    def _hit(self, pool: Pool, place: int, score: float, query: Query) -> TextHit:
        node = int(pool.nodes[place])
        chunks = self.chunks_of(node)
        if query.among is not None:
            chunks = chunks[query.among[chunks]]
        chunk = int(chunks[int(scoring.chunk_scores(self, chunks, query).argmax())])
        id, name, label = self.described(node)
        cosine = float(pool.cosines[place])
        return TextHit(
            id=id,
            name=name,
            label=label,
            score=round(score, 6),
            property=self.property_name(chunk),
            excerpt=self.chunk_texts[chunk],
            bm25=round(float(pool.bm25[place]), 4),
            cosine=0.0 if np.isnan(cosine) else round(cosine, 4),
        )
