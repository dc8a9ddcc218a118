"""HNSW indexes of an index's texts in a vector store: one collection for each label that is too large for exact search.

Vectors are known by the hash of their text, so that an index survives a rebuild. A build adds what is new before the
new text index is published and removes what is gone afterwards. Readers in between find the texts of both versions and
ignore those that are not in theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from hashlib import blake2b
from threading import Lock

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.id_table import HashPositions
from clew.tools.embedding.bert import Vectors
from clew.tools.embedding.vector_store import VectorCollection, VectorStore
from clew.tools.errors import StoreUnavailable
from clew.tools.notices import notify

_BATCH = 1000

Hashes = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.int64]


class HnswIndexes:
    """The HNSW indexes of an index; each is opened when it is first searched."""

    def __init__(self, store: VectorStore, row_hashes: Hashes, labels: frozenset[str], embedder: str) -> None:
        """`embedder` is the name of the one that made the vectors."""
        self._store = store
        self._row_hashes = row_hashes
        self._labels = labels
        self._embedder = embedder
        self._lock = Lock()
        self._collections: dict[str, VectorCollection | None] = {}

    def rows(self, label: str, vector: Vectors, k: int) -> Rows | None:
        """About the `k` nearest vectors of a label, as rows; None if it has no index, or its store does not answer."""
        try:
            collection = self._collection(label)
            if collection is None:
                return None
            found = collection.nearest(vector, k)
        except StoreUnavailable as error:
            notify(f"Texts are searched without their index: {error.message}")
            return None
        rows = self._positions.of(np.array([int(near.id, 16) for near in found], np.uint64))
        return rows[rows >= 0]

    @cached_property
    def _positions(self) -> HashPositions:
        return HashPositions(self._row_hashes)

    def _collection(self, label: str) -> VectorCollection | None:
        if label not in self._labels:
            return None
        with self._lock:
            if label not in self._collections:
                found = self._store.find(_name(label))
                self._collections[label] = found if found is None or _is_of(found, self._embedder) else None
            return self._collections[label]


class HnswBuilder:
    """Changes the HNSW indexes of a store."""

    def __init__(self, store: VectorStore, embedder: str) -> None:
        self._store = store
        self._embedder = embedder

    def add(
        self, label: str, hashes: Hashes, vectors: Vectors, rows: Rows, text_of: Callable[[int], str] | None
    ) -> Iterator[int]:
        """Add the vectors of a label, which are some rows of `vectors`, to its index if it does not have them yet; the
        numbers of rows that were done. `hashes` are those of the rows; `text_of` gives what is stored as their text."""
        collection = self._of_embedder(label) or self._store.create(
            _name(label), {"label": label, "embedder": self._embedder}, vectors.shape[1]
        )
        for part in _slices(len(hashes)):
            ids = list(map(_id, hashes[part].tolist()))
            known = collection.ids(ids)
            if new := [place for place, id in enumerate(ids) if id not in known]:
                found = rows[part][new]
                texts = [text_of(row) for row in found.tolist()] if text_of else None
                collection.add([ids[place] for place in new], vectors[found], texts)
            yield part.stop - part.start

    def _of_embedder(self, label: str) -> VectorCollection | None:
        """The index of a label, if it has vectors of this embedder; that of another is deleted."""
        found = self._store.find(_name(label))
        if found is None or _is_of(found, self._embedder):
            return found
        self._store.delete(_name(label))
        return None

    def remove_others(self, kept: dict[str, Hashes]) -> None:
        """Remove from every index the texts that are not kept, and the indexes of labels that are not."""
        names = {_name(label): label for label in kept}
        for name in self._store.names():
            if name not in names:
                self._store.delete(name)
                continue
            collection = self._store.find(name)
            wanted = set(map(_id, kept[names[name]].tolist()))
            if collection is None or collection.count() == len(wanted):
                continue
            gone = sorted(collection.ids() - wanted)
            for part in _slices(len(gone)):
                collection.remove(gone[part])


def _is_of(collection: VectorCollection, embedder: str) -> bool:
    """Whether an embedder made the vectors. Those of a folder from before this was noted are of its only embedder."""
    return collection.facts.get("embedder", embedder) == embedder


def _id(hashed: int) -> str:
    return f"{hashed:016x}"


def _name(label: str) -> str:
    """Chroma's names are short and ASCII."""
    return "label-" + blake2b(label.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _slices(count: int) -> Iterator[slice]:
    for start in range(0, count, _BATCH):
        yield slice(start, min(start + _BATCH, count))
