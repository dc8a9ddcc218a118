"""HNSW indexes of a graph's texts in Chroma: one collection for each label that is too large to be searched exactly.

Vectors are known by the hash of their text, so that an index survives a rebuild. A build adds what is new before the
new text index is published and takes away what is gone afterwards: whoever reads meanwhile finds the texts of both, and
ignores those that are not in the version at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from clew.tools.embedding import Vectors

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

_BATCH = 1000
_HNSW = {"space": "cosine", "max_neighbors": 32, "ef_construction": 128, "ef_search": 256}

Hashes = npt.NDArray[np.uint64]


class Nearest:
    """The HNSW indexes of a text index; opened when first asked."""

    def __init__(self, folder: Path, row_hashes: Hashes, labels: frozenset[str]) -> None:
        self._folder = folder
        self._row_hashes = row_hashes
        self._labels = labels
        self._lock = Lock()
        self._collections: dict[str, Collection | None] = {}
        self._order: npt.NDArray[np.intp] | None = None

    def rows(self, label: str, vector: Vectors, k: int) -> npt.NDArray[np.int64] | None:
        """About the `k` nearest vectors of a label, as rows; None where it has no index."""
        collection = self._collection(label)
        if collection is None:
            return None
        found = collection.query(query_embeddings=vector[None, :], n_results=k, include=[])
        hashes = np.array([int(id, 16) for id in found["ids"][0]], np.uint64)
        if self._order is None:
            self._order = np.argsort(self._row_hashes, kind="stable")
        sorted_hashes = self._row_hashes[self._order]
        places = np.minimum(np.searchsorted(sorted_hashes, hashes), len(sorted_hashes) - 1)
        rows: npt.NDArray[np.int64] = self._order[places[sorted_hashes[places] == hashes]].astype(np.int64)
        return rows

    def _collection(self, label: str) -> Collection | None:
        if label not in self._labels:
            return None
        with self._lock:
            if label not in self._collections:
                named = {each.name: each for each in _client(self._folder).list_collections()}
                self._collections[label] = named.get(_name(label))
            return self._collections[label]


def add(
    folder: Path, label: str, hashes: Hashes, vectors: Callable[[slice], Vectors], done: Callable[[int], None]
) -> None:
    """Put the vectors of a label into its index, those that are not there yet. `vectors` gives rows of `hashes`."""
    collection = _client(folder).get_or_create_collection(
        _name(label), configuration={"hnsw": _HNSW}, embedding_function=None
    )
    for part in _slices(len(hashes)):
        ids = [f"{hashed:016x}" for hashed in hashes[part].tolist()]
        known = set(collection.get(ids=ids, include=[])["ids"])
        new = [i for i, id in enumerate(ids) if id not in known]
        if new:
            collection.add(ids=[ids[i] for i in new], embeddings=vectors(part)[new])
        done(part.stop)


def take_away(folder: Path, kept: dict[str, Hashes]) -> None:
    """Remove from every index the texts that are not kept, and the indexes of labels that are not."""
    if not (folder / "chroma.sqlite3").exists():
        return
    client = _client(folder)
    names = {_name(label): label for label in kept}
    for collection in client.list_collections():
        if collection.name not in names:
            client.delete_collection(collection.name)
            continue
        wanted = {f"{hashed:016x}" for hashed in kept[names[collection.name]].tolist()}
        if collection.count() == len(wanted):
            continue
        gone = [id for id in collection.get(include=[])["ids"] if id not in wanted]
        for part in _slices(len(gone)):
            collection.delete(ids=gone[part])


def _client(folder: Path) -> Any:
    import chromadb  # takes a second
    from chromadb.config import Settings

    return chromadb.PersistentClient(str(folder), Settings(anonymized_telemetry=False))


def _name(label: str) -> str:
    """Chroma's names are short and ASCII."""
    return "label-" + blake2b(label.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _slices(count: int) -> Iterator[slice]:
    for start in range(0, count, _BATCH):
        yield slice(start, min(start + _BATCH, count))
