"""Search of names by embedding, in a vector store."""

from __future__ import annotations

from collections.abc import Callable

from clew.tools.arrays.strings import hash_text
from clew.tools.embedding import Embedder, query_vectors
from clew.tools.embedding.embedder import MINILM
from clew.tools.embedding.spread import embed_portions
from clew.tools.embedding.vector_store import Facts, VectorCollection, VectorStore
from clew.tools.errors import BadInput, ClewError
from clew.tools.linking.index import EntityIndex
from clew.tools.notices import notify

_COLLECTION = "names"
_BATCH = 512
_HASHED = "hashed"
"""Marks embeddings that are known by the hash of their name."""


class StoredNames:
    """The `DenseNames` of an entity index. Open it with `open_dense`."""

    def __init__(self, collection: VectorCollection, embedder: Embedder, index: EntityIndex) -> None:
        self._collection = collection
        self._embedder = embedder
        self._index = index

    def count(self) -> int:
        """The number of names that are embedded."""
        return self._collection.count()

    def nearest(self, text: str, k: int) -> list[tuple[int, float]]:
        """The `k` nearest names as (spelling position, cosine clipped to 0…1), best first. Names of another version of
        the index, which is being built or replaced, are left out."""
        try:
            found = self._collection.nearest(query_vectors(self._embedder, [text])[0], k)
        except ClewError as error:  # A server that does not answer must not end the question.
            notify(f"Names are matched by spelling only: {error.message}")
            return []
        places = ((self._index.spelling_of(near.text), near.cosine) for near in found)
        return [(place, min(1.0, max(0.0, cosine))) for place, cosine in places if place is not None]


def build_dense(
    index: EntityIndex, embedder: Embedder, store: VectorStore, progress: Callable[[int], None] | None = None
) -> StoredNames:
    """Embed every distinct name of `index` into `store`, and open the result.

    Names are known by a hash, so those of an earlier version of the index are not embedded again: new names are added
    first, then the embeddings become this version's, then names that are gone are removed. A build that was interrupted
    goes on where it stopped. Embeddings of another embedder are removed first. `progress` is called with the number of
    names done.
    """
    collection = store.find(_COLLECTION)
    if collection is not None and (_embedder_of(collection) != embedder.name or not collection.facts.get(_HASHED)):
        store.delete(_COLLECTION)
        collection = None
    if collection is None:
        collection = store.create(_COLLECTION, _facts(index, embedder, complete=False), embedder.dimension)
    there = collection.ids()
    wanted = {f"{hash_text(name):016x}": name for _, name in index.distinct_names()}
    new = [(id, name) for id, name in wanted.items() if id not in there]
    batches = [new[first : first + _BATCH] for first in range(0, len(new), _BATCH)]
    embedded = embed_portions(embedder, ([name for _, name in batch] for batch in batches))
    done = len(wanted) - len(new)
    for batch, vectors in zip(batches, embedded, strict=True):
        collection.add([id for id, _ in batch], vectors, [name for _, name in batch])
        if progress is not None:
            progress(done := done + len(batch))
    collection.note(_facts(index, embedder, complete=True))
    gone = sorted(there - wanted.keys())
    for first in range(0, len(gone), _BATCH):
        collection.remove(gone[first : first + _BATCH])
    return StoredNames(collection, embedder, index)


def has_dense(embedder: Embedder, store: VectorStore) -> bool:
    """Whether there are embeddings of some version of the index by this embedder."""
    collection = store.find(_COLLECTION)
    if collection is None or not collection.facts.get("complete"):
        return False
    return _embedder_of(collection) == embedder.name


def open_dense(index: EntityIndex, embedder: Embedder, store: VectorStore) -> StoredNames | None:
    """The embeddings; None if there are none.

    Raises:
        BadInput: Not all of them are there, or they are of another version of the index or of another embedder.
        StoreUnavailable: The store does not answer.
    """
    rebuild = "Build them with `clew index --dense`."
    collection = store.find(_COLLECTION)
    if collection is None:
        return None
    if collection.facts.get("version") != _version(index):
        raise BadInput("The embeddings of names are of another version of the graph.", rebuild)
    if (made_by := _embedder_of(collection)) != embedder.name:
        raise BadInput(f"The embeddings of names are of {made_by}, not {embedder.name}.", rebuild)
    if not collection.facts.get("complete"):
        raise BadInput("The embeddings of names are not complete.", rebuild)
    return StoredNames(collection, embedder, index)


def _embedder_of(collection: VectorCollection) -> str:
    return str(collection.facts.get("embedder", MINILM))


def _facts(index: EntityIndex, embedder: Embedder, *, complete: bool) -> Facts:
    return {"version": _version(index), "embedder": embedder.name, "complete": complete, _HASHED: True}


def _version(index: EntityIndex) -> str:
    """An index may be built anew for one version of the graph, of other names, by another version of Clew."""
    return f"{index.version}/{index.contents}"
