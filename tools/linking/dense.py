"""Search of names by embedding, stored in Chroma beside the entity index."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clew.tools.arrays.strings import hash_text
from clew.tools.embedding import Embedder, query_vectors
from clew.tools.embedding.embedder import MINILM
from clew.tools.embedding.hnsw import find_collection, open_client
from clew.tools.embedding.spread import embed_portions
from clew.tools.errors import BadInput, ClewError
from clew.tools.linking.index import EntityIndex
from clew.tools.notices import tell

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

_COLLECTION = "names"
_BATCH = 512
_HASHED = "hashed"
"""Marks embeddings that are known by the hash of their name."""


class ChromaNames:
    """The `DenseNames` of an entity index. Open it with `open_dense`."""

    def __init__(self, collection: Collection, embedder: Embedder, index: EntityIndex) -> None:
        self._collection = collection
        self._embedder = embedder
        self._index = index

    def count(self) -> int:
        """The number of names that are embedded."""
        return int(self._collection.count())

    def nearest(self, text: str, k: int) -> list[tuple[int, float]]:
        """The `k` nearest names as (spelling position, cosine clipped to 0…1), best first. Names of another version of
        the index, which is being built or replaced, are left out."""
        try:
            vector = query_vectors(self._embedder, [text])
        except ClewError as error:  # A server of embeddings that does not answer must not end the question.
            tell(f"Names are matched by spelling only: {error.message}")
            return []
        found = self._collection.query(query_embeddings=vector, n_results=k, include=["distances", "metadatas"])
        near: Any = zip((found["metadatas"] or [[]])[0], (found["distances"] or [[]])[0], strict=True)
        places = [(self._index.spelling_of(str(each["name"])), distance) for each, distance in near]
        return [(place, min(1.0, max(0.0, 1 - distance))) for place, distance in places if place is not None]


def build_dense(
    index: EntityIndex, embedder: Embedder, directory: Path, progress: Callable[[int], None] | None = None
) -> ChromaNames:
    """Embed every distinct name of `index` into `directory`, and open the result.

    Names are known by a hash, so those of an earlier version of the index are not embedded again: new names are added
    first, then the embeddings become this version's, then names that are gone are removed. A build that was interrupted
    goes on where it stopped. Embeddings of another embedder are removed first. `progress` is called with the number of
    names done.
    """
    directory.mkdir(parents=True, exist_ok=True)
    client = open_client(directory)
    collection = client.get_or_create_collection(_COLLECTION, **_settings(index, embedder))
    if _embedder_of(collection) != embedder.name or not (collection.metadata or {}).get(_HASHED):
        client.delete_collection(_COLLECTION)
        collection = client.create_collection(_COLLECTION, **_settings(index, embedder))
    there = set(collection.get(include=[])["ids"])
    wanted = {f"{hash_text(name):016x}": name for _, name in index.distinct_names()}
    new = [(id, name) for id, name in wanted.items() if id not in there]
    batches = [new[first : first + _BATCH] for first in range(0, len(new), _BATCH)]
    embedded = embed_portions(embedder, ([name for _, name in batch] for batch in batches))
    done = len(wanted) - len(new)
    for batch, vectors in zip(batches, embedded, strict=True):
        collection.add(ids=[id for id, _ in batch], embeddings=vectors, metadatas=[{"name": name} for _, name in batch])
        if progress is not None:
            progress(done := done + len(batch))
    collection.modify(metadata={**_settings(index, embedder)["metadata"], "complete": True})
    gone = list(there - wanted.keys())
    for first in range(0, len(gone), _BATCH):
        collection.delete(ids=gone[first : first + _BATCH])
    return ChromaNames(collection, embedder, index)


def has_dense(embedder: Embedder, directory: Path) -> bool:
    """Whether there are embeddings of some version of the index by this embedder."""
    if not (directory / "chroma.sqlite3").exists():
        return False
    collection = find_collection(open_client(directory), _COLLECTION)
    metadata: Any = (collection.metadata if collection else None) or {}
    return bool(metadata.get("complete")) and metadata.get("embedder", MINILM) == embedder.name


def open_dense(index: EntityIndex, embedder: Embedder, directory: Path) -> ChromaNames:
    """Raises BadInput if there are no embeddings, not all of them, or those of another version of the index or of
    another embedder."""
    rebuild = "Build them with `clew index --dense`."
    if not (directory / "chroma.sqlite3").exists():
        raise BadInput(f"There are no embeddings of names in {directory}.", rebuild)
    collection = find_collection(open_client(directory), _COLLECTION)
    metadata: Any = (collection.metadata if collection else None) or {}
    if collection is None or metadata.get("version") != _version(index):
        raise BadInput(f"The embeddings in {directory} are of another version of the graph.", rebuild)
    if (made_by := _embedder_of(collection)) != embedder.name:
        raise BadInput(f"The embeddings in {directory} are of {made_by}, not {embedder.name}.", rebuild)
    if not metadata.get("complete"):
        raise BadInput(f"The embeddings in {directory} are not complete.", rebuild)
    return ChromaNames(collection, embedder, index)


def _embedder_of(collection: Collection) -> str:
    return str((collection.metadata or {}).get("embedder", MINILM))


def _settings(index: EntityIndex, embedder: Embedder) -> dict[str, Any]:
    return {
        "metadata": {"version": _version(index), "embedder": embedder.name, "complete": False, _HASHED: True},
        "configuration": {"hnsw": {"space": "cosine"}},
        "embedding_function": None,
    }


def _version(index: EntityIndex) -> str:
    """An index may be built anew for one version of the graph, of other names, by another version of Clew."""
    return f"{index.version}/{index.contents}"
