"""The embeddings of a graph's names: made, kept where the settings say, and put beside the index of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clew.tools.errors import ClewError
from clew.tools.linking.dense import build_dense, has_dense, open_dense

if TYPE_CHECKING:
    from clew.app.graph_files import GraphFiles
    from clew.tools.embedding.vector_store import VectorStore
    from clew.tools.linking.index import EntityIndex


def dense_store(files: GraphFiles) -> VectorStore:
    """The store of the embeddings. Raises BadInput."""
    return files.vectors.store(files.folder / "dense")


def embed_names(files: GraphFiles, *, only_again: bool = False) -> None:
    """Embed every name, to find paraphrases; an interrupted build continues. Raises BadInput and StoreUnavailable.

    Args:
        files: Of the graph.
        only_again: Embed them only if those of an earlier version of the graph were embedded.
    """
    if only_again and not _were_embedded(files):
        return
    index = files.index()
    with files.parts.progress.task("Embedding names", "names") as advance:
        build_dense(index, files.parts.embedder, dense_store(files), advance)
    if files.vectors.address:  # For processes that have the graph open.
        (files.folder / "dense").mkdir(exist_ok=True)
        (files.folder / "dense" / "stored").touch()


def _were_embedded(files: GraphFiles) -> bool:
    """Whether the names of some version of the graph were embedded."""
    if not files.vectors.address and not (files.folder / "dense").exists():
        return False
    return has_dense(files.parts.embedder, dense_store(files))


def with_meanings(files: GraphFiles, index: EntityIndex) -> EntityIndex:
    """The index with its embeddings, if `clew index --dense` made them for this version of the graph."""
    if not files.vectors.address and not (files.folder / "dense").exists():
        return index
    try:
        dense = open_dense(index, files.parts.embedder, dense_store(files))
        return index if dense is None else index.with_dense(dense)
    except ClewError as error:
        files.parts.progress.note(f"Names are matched by spelling only: {error.message} {error.remedy}")
        return index
