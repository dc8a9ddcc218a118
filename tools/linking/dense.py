"""Search of names by embedding, stored in Chroma beside the entity index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clew.tools.embedding import Embedder, Vectors, query_vectors
from clew.tools.embedding.embedder import MINILM
from clew.tools.embedding.hnsw import add_missing, find_collection, open_client
from clew.tools.errors import BadInput, ClewError
from clew.tools.linking.index import EntityIndex
from clew.tools.notices import tell

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

_COLLECTION = "names"
_BATCH = 512


class ChromaNames:
    """The `DenseNames` of an entity index. Open it with `open_dense`."""

    def __init__(self, collection: Collection, embedder: Embedder) -> None:
        self._collection = collection
        self._embedder = embedder

    def count(self) -> int:
        """The number of names that are embedded."""
        return int(self._collection.count())

    def nearest(self, text: str, k: int) -> list[tuple[int, float]]:
        """The `k` nearest names as (spelling position, cosine clipped to 0…1), best first."""
        try:
            vector = query_vectors(self._embedder, [text])
        except ClewError as error:  # A server of embeddings that does not answer must not end the question.
            tell(f"Names are matched by spelling only: {error.message}")
            return []
        found = self._collection.query(query_embeddings=vector, n_results=k, include=["distances"])
        distances = (found["distances"] or [[]])[0]
        return [(int(id), min(1.0, max(0.0, 1 - d))) for id, d in zip(found["ids"][0], distances, strict=True)]


def build_dense(
    index: EntityIndex, embedder: Embedder, directory: Path, progress: Callable[[int], None] | None = None
) -> ChromaNames:
    """Embed every distinct name of `index` into `directory`, and open the result.

    A build that was interrupted goes on where it stopped. Embeddings of another version of the index, or of another
    embedder, are removed first. `progress` is called with the number of names done.
    """
    directory.mkdir(parents=True, exist_ok=True)
    client = open_client(directory)
    collection = client.get_or_create_collection(_COLLECTION, **_settings(index, embedder))
    if (collection.metadata or {}).get("version") != _version(index) or _embedder_of(collection) != embedder.name:
        client.delete_collection(_COLLECTION)
        collection = client.create_collection(_COLLECTION, **_settings(index, embedder))
    done = 0
    names = iter(index.distinct_names())
    while batch := list(islice(names, _BATCH)):
        ids, texts = [str(position) for position, _ in batch], [name for _, name in batch]
        add_missing(collection, ids, partial(_embedded, embedder, texts))
        done += len(batch)
        if progress is not None:
            progress(done)
    collection.modify(metadata={**_settings(index, embedder)["metadata"], "complete": True})
    return ChromaNames(collection, embedder)


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
    return ChromaNames(collection, embedder)


def _embedded(embedder: Embedder, texts: Sequence[str], places: Sequence[int]) -> Vectors:
    return embedder.embed([texts[place] for place in places])


def _embedder_of(collection: Collection) -> str:
    return str((collection.metadata or {}).get("embedder", MINILM))


def _settings(index: EntityIndex, embedder: Embedder) -> dict[str, Any]:
    return {
        "metadata": {"version": _version(index), "embedder": embedder.name, "complete": False},
        "configuration": {"hnsw": {"space": "cosine"}},
        "embedding_function": None,
    }


def _version(index: EntityIndex) -> str:
    """Positions of names are an index's own, so its contents are part of what the embeddings belong to."""
    return f"{index.version}/{index.contents}"
