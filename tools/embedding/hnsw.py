"""HNSW indexes in Chroma: those of a graph's texts, one collection for each label that is too large for exact search.

Vectors are known by the hash of their text, so that an index survives a rebuild. A build adds what is new before the
new text index is published and removes what is gone afterwards. Readers in between find the texts of both versions and
ignore those that are not in theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.id_table import HashPositions
from clew.tools.embedding import Vectors
from clew.tools.sqlite_files import opened

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

_BATCH = 1000
_HNSW = {"space": "cosine", "max_neighbors": 32, "ef_construction": 128, "ef_search": 256}

Hashes = npt.NDArray[np.uint64]


class HnswIndexes:
    """The HNSW indexes of a text index; each is opened when it is first searched."""

    def __init__(self, folder: Path, row_hashes: Hashes, labels: frozenset[str]) -> None:
        self._folder = folder
        self._row_hashes = row_hashes
        self._labels = labels
        self._lock = Lock()
        self._collections: dict[str, Collection | None] = {}

    def rows(self, label: str, vector: Vectors, k: int) -> npt.NDArray[np.int64] | None:
        """About the `k` nearest vectors of a label, as rows; None if it has no index."""
        collection = self._collection(label)
        if collection is None:
            return None
        found = collection.query(query_embeddings=vector[None, :], n_results=k, include=[])
        hashes = np.array([int(id, 16) for id in found["ids"][0]], np.uint64)
        rows = self._positions.of(hashes)
        return rows[rows >= 0]

    @cached_property
    def _positions(self) -> HashPositions:
        return HashPositions(self._row_hashes)

    def _collection(self, label: str) -> Collection | None:
        if label not in self._labels:
            return None
        with self._lock:
            if label not in self._collections:
                self._collections[label] = find_collection(open_client(self._folder), _name(label))
            return self._collections[label]


def add_label(folder: Path, label: str, hashes: Hashes, vectors: Vectors, rows: npt.NDArray[np.int64]) -> Iterator[int]:
    """Add the vectors of a label, which are some rows of `vectors`, to its index if it does not have them yet; the
    numbers of rows that were done. `hashes` are those of the rows."""
    collection = open_client(folder).get_or_create_collection(
        _name(label), configuration={"hnsw": _HNSW}, embedding_function=None
    )
    for part in _slices(len(hashes)):
        found = vectors[rows[part]]
        add_missing(collection, list(map(_id, hashes[part].tolist())), found.__getitem__)
        yield part.stop - part.start


def remove_others(folder: Path, kept: dict[str, Hashes]) -> None:
    """Remove from every index the texts that are not kept, and the indexes of labels that are not."""
    if not (folder / "chroma.sqlite3").exists():
        return
    client = open_client(folder)
    names = {_name(label): label for label in kept}
    for collection in client.list_collections():
        if collection.name not in names:
            client.delete_collection(collection.name)
            continue
        wanted = set(map(_id, kept[names[collection.name]].tolist()))
        if collection.count() == len(wanted):
            continue
        gone = [id for id in collection.get(include=[])["ids"] if id not in wanted]
        for part in _slices(len(gone)):
            collection.delete(ids=gone[part])


def open_client(folder: Path) -> Any:
    """Chroma's client for the collections in a folder."""
    import chromadb  # takes a second
    from chromadb.config import Settings

    if (file := folder / "chroma.sqlite3").exists():
        opened(file, lambda connection: connection.execute("SELECT count(*) FROM sqlite_master")).close()
    return chromadb.PersistentClient(str(folder), Settings(anonymized_telemetry=False))


def find_collection(client: Any, name: str) -> Collection | None:
    """The collection of that name; None if there is none."""
    return next((each for each in client.list_collections() if each.name == name), None)


def add_missing(collection: Collection, ids: Sequence[str], vectors: Callable[[list[int]], Vectors]) -> None:
    """Add the ids that a collection does not have; `vectors` gives those of the ids at some places."""
    known = set(collection.get(ids=list(ids), include=[])["ids"])
    new = [place for place, id in enumerate(ids) if id not in known]
    if new:
        collection.add(ids=[ids[place] for place in new], embeddings=vectors(new))


def _id(hashed: int) -> str:
    return f"{hashed:016x}"


def _name(label: str) -> str:
    """Chroma's names are short and ASCII."""
    return "label-" + blake2b(label.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _slices(count: int) -> Iterator[slice]:
    for start in range(0, count, _BATCH):
        yield slice(start, min(start + _BATCH, count))
