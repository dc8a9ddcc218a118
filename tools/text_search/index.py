"""The text index of one version of a graph: nodes by what their names and texts say.

Every node with a name is in it. A node is found by its words (BM25, Robertson and Zaragoza 2009, in `text_search.bm25`;
a node is a document) and, where its label has text, by its meaning (`embedding.nearest`): each sentence has a vector,
and what is searched for may have several parts, separated by semicolons. A node is as near to a part as its nearest
sentence is, and as near to the whole as to its parts on average (late interaction, which ColBERT has between words:
Khattab and Zaharia 2020). The two are mixed linearly, 0.6 and 0.4 (SAGE, appendix E).

Scores are relative to one search. Its pool are the best nodes by BM25 and the best by cosine among those that the
search is about. BM25 is divided by the pool's greatest; cosines are stretched so that the pool's least is 0 and its
greatest 1; a node without a vector has 0 there. Where the text describes a node, BM25 is divided by its least upper
bound for these words instead (theoretical normalisation: Bruch et al. 2023), so that a chance word in common weighs
little.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from clew.tools.arrays import id_table
from clew.tools.arrays.columns import mapped
from clew.tools.arrays.strings import Strings
from clew.tools.embedding import Embedder, Vectors
from clew.tools.embedding.nearest import Nearest
from clew.tools.text_search import bm25
from clew.tools.text_search.files import FILES, Manifest
from clew.tools.text_search.words import terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from clew.tools.text_search.source import TextNode

    Stage = Callable[[str, str, int | None], AbstractContextManager[Callable[[int], None]]]

BM25_WEIGHT, DENSE_WEIGHT = 0.6, 0.4
POOL = 200
"""Nodes that each of the two brings into a search's pool."""
EXACT_UP_TO = 5000
"""Texts of a label up to which every cosine is worked out: no slower than asking HNSW."""
REST_EXACT_UP_TO = 20_000
"""The same of all the smaller labels together, for a search of the whole graph."""
REST = ""
"""Stands for them where labels are named."""

IntArray = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]
"""Positions of nodes, or of chunks."""
_PARTS = re.compile(r"\s*[;\n]+\s*")


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
    """The node's BM25 score as it is."""
    cosine: float = 0.0
    """Of the node and what was searched for, -1 to 1; 0 where the node has no vector."""


@dataclass(frozen=True, slots=True)
class _Scored:
    """A pool: nodes with what they score."""

    nodes: Places
    bm25: npt.NDArray[np.float32]
    cosines: npt.NDArray[np.float32]
    """NaN for nodes without a vector."""
    greatest: float | None = None
    """What BM25 is divided by; None for the pool's greatest."""

    def mixed(self) -> npt.NDArray[np.float32]:
        """0.6 BM25 + 0.4 cosine, each normalised."""
        mixed = np.zeros(len(self.nodes), np.float32)
        if (most := self.greatest or float(self.bm25.max(initial=0.0))) > 0:
            mixed += BM25_WEIGHT * self.bm25 / most
        known = ~np.isnan(self.cosines)
        if known.any():
            cosines = self.cosines[known]
            least, greatest = float(cosines.min()), float(cosines.max())
            spread = (cosines - least) / (greatest - least) if greatest > least else np.ones_like(cosines)
            mixed[known] += DENSE_WEIGHT * spread
        return np.minimum(mixed, 1.0)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is searched for: its terms, and the vectors of its parts, shape (f, d), None where nothing was embedded."""

    terms: list[str]
    vectors: Vectors | None
    among: bm25.Mask | None = None
    """The chunks that count, shape (c,); None for all."""
    greatest: float | None = None
    """Of BM25, for a description."""


@dataclass(frozen=True)
class TextIndex:
    """One version of a graph's text, read-only and memory-mapped; made by `build` or `open`; shared by threads.

    n nodes, c chunks (those of one node stand together), v vectors (one for each different text).
    """

    directory: Path
    manifest: Manifest
    embedder: Embedder
    ids: Strings
    id_slots: npt.NDArray[np.int32]
    names: Strings
    node_labels: npt.NDArray[np.int32]
    """By node, the position in `labels`: shape (n,)."""
    node_starts: IntArray
    """A node's chunks are [node_starts[i], node_starts[i + 1]): shape (n + 1,)."""
    chunk_nodes: npt.NDArray[np.int32]
    chunk_properties: npt.NDArray[np.int32]
    """By chunk, the position in `manifest.properties`: shape (c,)."""
    chunk_rows: npt.NDArray[np.int32]
    """By chunk its vector, or -1: shape (c,)."""
    chunk_texts: Strings
    vectors: Vectors
    """Shape (v, d), rows of length 1."""
    row_starts: IntArray
    row_chunks: Places
    """The chunks of vector r are row_chunks[row_starts[r] : row_starts[r + 1]]."""
    postings: bm25.Postings
    nearest: Nearest
    _of_label: dict[str, Places] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    @classmethod
    def build(
        cls,
        nodes: Iterable[TextNode],
        directory: Path,
        version: str,
        embedder: Embedder,
        stage: Stage | None = None,
    ) -> TextIndex:
        """Index `nodes` into `directory`, and open the result; an index of the same version there is opened as it is.

        Nodes may come from a stream: they are not held. Vectors are kept by what their text says, so only texts that
        the directory has no vector for are embedded, and a build that was interrupted goes on where it stopped. The
        new index replaces the old one in one step. `stage(what, unit, total)` shows progress. Raises BadInput for an
        id that occurs twice.
        """
        from clew.tools.text_search.builder import build  # most runs build nothing

        build(nodes, directory, version, embedder, stage)
        return cls.open(directory, embedder)

    @classmethod
    def open(cls, directory: Path, embedder: Embedder) -> TextIndex:
        """Raises BadInput where there is no index, a damaged one, or one of another format."""
        manifest = FILES.read(directory)
        if manifest.dimension not in (0, embedder.dimension):
            raise FILES.damaged(directory, ValueError("its vectors are another model's"))
        folder = directory / manifest.folder

        def strings(name: str) -> Strings:
            return Strings(mapped(folder, f"{name}.text"), mapped(folder, f"{name}.ends"))

        try:
            return cls(
                directory=directory,
                manifest=manifest,
                embedder=embedder,
                ids=strings("ids"),
                id_slots=mapped(folder, "ids.slots"),
                names=strings("names"),
                node_labels=mapped(folder, "node_labels"),
                node_starts=mapped(folder, "node_starts"),
                chunk_nodes=mapped(folder, "chunk_nodes"),
                chunk_properties=mapped(folder, "chunk_properties"),
                chunk_rows=mapped(folder, "chunk_rows"),
                chunk_texts=strings("chunks"),
                vectors=mapped(folder, "vectors").reshape(-1, max(1, manifest.dimension)),
                row_starts=mapped(folder, "row_starts"),
                row_chunks=mapped(folder, "row_chunks"),
                postings=bm25.Postings.open(folder),
                nearest=Nearest(directory / manifest.hnsw, mapped(folder, "row_hashes"), frozenset(manifest.searched)),
            )
        except (OSError, ValueError, EOFError) as error:
            raise FILES.damaged(directory, error) from error

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self.node_labels)

    @property
    def version(self) -> str:
        return self.manifest.version

    @property
    def empty(self) -> bool:
        """True where no node has more text than a short name. Names can then be searched by their words; nothing was
        embedded."""
        return len(self.vectors) == 0

    @property
    def labels(self) -> Sequence[str]:
        return self.manifest.labels

    @property
    def text_properties(self) -> dict[str, list[str]]:
        """By label, the properties that are indexed beside the name; labels without one are left out."""
        return self.manifest.text_properties

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

        Parts of `text` between semicolons are searched for each by itself. `describes` says that `text` is what a node
        is like, in words that need not be its own: BM25 then counts by how much of it a node has, and not against the
        other nodes. `label` restricts the nodes to a label,
        `within` to those with these ids, `properties` the search to chunks of these properties ("name" is the name).
        All three are applied before anything is ranked, so that the result is that of an index of nothing else (with
        this one's word statistics). Unknown ids, labels and properties match nothing. Cosines are exact where
        `properties` or `within` is given or the label has up to EXACT_UP_TO texts; else they are those of an HNSW
        search.
        """
        if k <= 0 or not text.strip():
            return []
        nodes, wanted = self._eligible(label, within), self._wanted(text, properties, describes)
        exact = bool(properties) or within is not None
        by_words = self.postings.of_documents(wanted.terms, self.node_starts, wanted.among)
        size = max(POOL, 4 * k)
        while True:
            pool = self._pool(wanted, by_words, nodes, None if exact else self._groups(label), size)
            if len(pool.nodes) >= k or size >= (len(self) if nodes is None else len(nodes)):
                break
            size *= 4
        mixed = pool.mixed()
        best = np.argsort(-mixed, kind="stable")[:k]
        return [self._hit(pool, int(place), float(mixed[place]), wanted) for place in best]

    def scores(self, text: str, ids: Sequence[str]) -> dict[str, float]:
        """How well each of these nodes fits `text`, 0 to 1: the mixture of `search` with all of them as the pool. A
        node that is not in the index has 0."""
        distinct = list(dict.fromkeys(ids))
        return dict(zip(distinct, self.scores_at(text, self.positions(distinct)).tolist(), strict=True))

    def scores_at(self, text: str, positions: npt.NDArray[np.int32]) -> npt.NDArray[np.float32]:
        """As `scores` for distinct nodes by their positions, -1 for one that is not there: shape (len(positions),)."""
        found = np.zeros(len(positions), np.float32)
        known = np.flatnonzero(positions >= 0)
        if not len(known) or not text.strip():
            return found
        order = known[np.argsort(positions[known], kind="stable")]
        wanted = self._wanted(text)
        by_words = self.postings.of_documents(wanted.terms, self.node_starts)
        found[order] = self._scored(positions[order], by_words, wanted).mixed()
        return found

    def excerpts(self, text: str, id: str, k: int = 2) -> list[tuple[str, str]]:
        """The up to `k` chunks of a node that fit `text` best, as (property, chunk) in the order in which they stand
        in the node; its name is not among them."""
        position = int(self.positions([id])[0])
        if position < 0:
            return []
        chunks = np.arange(self.node_starts[position], self.node_starts[position + 1], dtype=np.int32)
        chunks = chunks[self.chunk_properties[chunks] != self._property("name")]
        best = np.sort(np.argsort(-self._chunk_scores(chunks, self._wanted(text)), kind="stable")[:k])
        return [(self._property_name(chunk), self.chunk_texts[int(chunk)]) for chunk in chunks[best]]

    def positions(self, ids: Sequence[str]) -> npt.NDArray[np.int32]:
        """The nodes with these ids, -1 where there is none: shape (len(ids),)."""
        return id_table.positions(self.ids.text, self.ids.ends, self.id_slots, ids)

    def described(self, position: int) -> tuple[str, str, str]:
        """A node's id, name and label."""
        return self.ids[position], self.names[position], self.labels[int(self.node_labels[position])]

    # ---- what a search is about ------------------------------------------------------------------------------------

    def _wanted(self, text: str, properties: Sequence[str] = (), describes: bool = False) -> _Wanted:
        parts = [part for part in _PARTS.split(text.strip()) if part] or [text]
        vectors = None if self.empty else self.embedder.embed(parts)
        among = np.isin(self.chunk_properties, [self._property(name) for name in properties]) if properties else None
        words = terms(text)
        return _Wanted(words, vectors, among, self.postings.greatest(words, self.node_starts) if describes else None)

    def _eligible(self, label: str | None, within: Collection[str] | None) -> Places | None:
        """The nodes that fit both restrictions, ascending; None for all of them."""
        if within is None:
            return None if label is None else self._all_of(label)
        positions = self.positions(list(within))
        nodes = np.unique(positions[positions >= 0])
        return nodes if label is None else nodes[self._labelled(nodes, label)]

    def _all_of(self, label: str) -> Places:
        with self._lock:
            if label not in self._of_label:
                everything = np.arange(len(self), dtype=np.int32)
                self._of_label[label] = everything[self._labelled(everything, label)]
            return self._of_label[label]

    def _labelled(self, nodes: Places, label: str) -> npt.NDArray[np.bool_]:
        labels = [each for each in self.labels if each not in self.manifest.searched] if label == REST else [label]
        numbers = [number for number, each in enumerate(self.labels) if each in labels]
        return np.isin(self.node_labels[nodes], numbers)

    def _groups(self, label: str | None) -> list[str]:
        """The labels whose nearest are looked for one by one."""
        return [label] if label is not None else list({*self.manifest.searched, REST})

    # ---- pools -----------------------------------------------------------------------------------------------------

    def _pool(
        self,
        wanted: _Wanted,
        by_words: npt.NDArray[np.float32],
        nodes: Places | None,
        labels: list[str] | None,
        size: int,
    ) -> _Scored:
        """The `size` best nodes by BM25 and the `size` best by cosine; `labels` are asked by HNSW where they are large,
        and None works every cosine out."""
        matched = np.flatnonzero(by_words).astype(np.int32) if nodes is None else nodes[by_words[nodes] > 0]
        pool = [matched[_top(by_words[matched], size)]]
        if wanted.vectors is not None and labels is None:
            assert nodes is not None or wanted.among is not None
            everything = np.arange(len(self), dtype=np.int32) if nodes is None else nodes
            pool.append(self._nearest_of(everything, wanted, size))
        elif wanted.vectors is not None:
            pool += [self._nearest(label, wanted, size) for label in labels or ()]
        return self._scored(np.unique(np.concatenate(pool)), by_words, wanted)

    def _nearest(self, label: str, wanted: _Wanted, size: int) -> Places:
        """Of one label, by HNSW where that is there and pays: the nodes of the nearest sentences to every part."""
        assert wanted.vectors is not None
        found = []
        for vector in wanted.vectors:
            rows = self.nearest.rows(label, vector, size) if size <= EXACT_UP_TO else None
            if rows is None:
                return self._nearest_of(self._all_of(label), wanted, size)
            found.append(self.row_chunks[bm25.ranges(self.row_starts, np.sort(rows))])
        nodes = np.unique(self.chunk_nodes[np.concatenate(found)])
        return self._nearest_of(nodes[self._labelled(nodes, label)], wanted, size)

    def _nearest_of(self, nodes: Places, wanted: _Wanted, size: int) -> Places:
        cosines = self._cosines(nodes, wanted)
        known = np.flatnonzero(~np.isnan(cosines))
        return nodes[known[_top(cosines[known], size)]]

    def _scored(self, nodes: Places, by_words: npt.NDArray[np.float32], wanted: _Wanted) -> _Scored:
        return _Scored(nodes, by_words[nodes], self._cosines(nodes, wanted), wanted.greatest)

    def _cosines(self, nodes: Places, wanted: _Wanted) -> npt.NDArray[np.float32]:
        """How near each node is to the parts on average, by its nearest sentence to each: shape (len(nodes),), NaN
        without a vector. `nodes` are ascending."""
        found = np.full(len(nodes), np.nan, np.float32)
        if wanted.vectors is None or not len(nodes):
            return found
        chunks = bm25.ranges(self.node_starts, nodes)
        counted = self.chunk_rows[chunks] >= 0
        if wanted.among is not None:
            counted &= wanted.among[chunks]
        chunks = chunks[counted]
        if len(chunks):
            owners, first = np.unique(self.chunk_nodes[chunks], return_index=True)
            near = bm25.cosines(self.vectors, self.chunk_rows[chunks], wanted.vectors)
            found[np.searchsorted(nodes, owners)] = np.maximum.reduceat(near, first, axis=0).mean(axis=1)
        return found

    # ---- what is told ----------------------------------------------------------------------------------------------

    def _hit(self, pool: _Scored, place: int, score: float, wanted: _Wanted) -> TextHit:
        node = int(pool.nodes[place])
        chunks = np.arange(self.node_starts[node], self.node_starts[node + 1], dtype=np.int32)
        if wanted.among is not None:
            chunks = chunks[wanted.among[chunks]]
        chunk = int(chunks[int(self._chunk_scores(chunks, wanted).argmax())])
        id, name, label = self.described(node)
        cosine = float(pool.cosines[place])
        return TextHit(
            id=id,
            name=name,
            label=label,
            score=round(score, 6),
            property=self._property_name(chunk),
            excerpt=self.chunk_texts[chunk],
            bm25=round(float(pool.bm25[place]), 4),
            cosine=0.0 if np.isnan(cosine) else round(cosine, 4),
        )

    def _chunk_scores(self, chunks: Places, wanted: _Wanted) -> npt.NDArray[np.float32]:
        """How well chunks of one node fit, against each other: shape (len(chunks),)."""
        by_words = self.postings.of_chunks(wanted.terms, chunks)
        scores = BM25_WEIGHT * by_words / max(float(by_words.max(initial=0.0)), 1e-9)
        known = np.flatnonzero(self.chunk_rows[chunks] >= 0)
        if wanted.vectors is not None and len(known):
            near = bm25.cosines(self.vectors, self.chunk_rows[chunks[known]], wanted.vectors)
            scores[known] += DENSE_WEIGHT * near.max(axis=1)
        return scores

    def _property(self, name: str) -> int:
        return self.manifest.properties.index(name) if name in self.manifest.properties else -1

    def _property_name(self, chunk: Any) -> str:
        return self.manifest.properties[int(self.chunk_properties[chunk])]


def _top(scores: npt.NDArray[np.float32], size: int) -> npt.NDArray[np.intp]:
    """The places of the `size` greatest scores, ascending; of equal ones the first."""
    if len(scores) <= size:
        return np.arange(len(scores))
    least = np.partition(scores, len(scores) - size)[len(scores) - size]
    above = np.flatnonzero(scores > least)
    return np.sort(np.concatenate([above, np.flatnonzero(scores == least)[: size - len(above)]]))
