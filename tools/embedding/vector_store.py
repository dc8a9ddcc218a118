"""The interface of a vector store: named collections of vectors, searched for the nearest ones.

`chroma` has those in the home and on a server, `clew.tools.graph.store.vector_index` the one in Neo4j.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from clew.tools.embedding.bert import Vectors

Facts = Mapping[str, str | bool]
"""What is stored with a collection: its version, its embedder."""


class Near(NamedTuple):
    """A vector that a search found."""

    id: str
    text: str
    """The text that was added with it; "" without one."""
    cosine: float


class VectorCollection(Protocol):
    """Vectors with ids. Every method raises StoreUnavailable."""

    @property
    def facts(self) -> Facts:
        """What was noted last."""

    def note(self, facts: Facts) -> None:
        """Store facts in place of the earlier ones."""

    def count(self) -> int:
        """The number of vectors."""

    def ids(self, among: Sequence[str] | None = None) -> set[str]:
        """The ids that it has: all of them, or those of `among`."""

    def add(self, ids: Sequence[str], vectors: Vectors, texts: Sequence[str] | None = None) -> None:
        """Add vectors with new ids: shape (len(ids), d)."""

    def remove(self, ids: Sequence[str]) -> None:
        """Remove vectors."""

    def nearest(self, vector: Vectors, k: int) -> list[Near]:
        """About the `k` nearest to a vector of shape (d,), nearest first."""


class VectorStore(Protocol):
    """Collections by name. Every method raises StoreUnavailable."""

    def names(self) -> list[str]:
        """The names of the collections."""

    def find(self, name: str) -> VectorCollection | None:
        """The collection of that name; None if there is none."""

    def create(self, name: str, facts: Facts, dimension: int) -> VectorCollection:
        """A new collection. Vectors have `dimension` components."""

    def delete(self, name: str) -> None:
        """Delete a collection."""


class VectorPlace(Protocol):
    """Where the vectors of one graph are kept."""

    @property
    def address(self) -> str:
        """Names the place; "" for the folders of the graph."""

    def store(self, folder: Path) -> VectorStore:
        """The store of the collections that belong to an index in a folder of the graph. Raises StoreUnavailable."""

    def drop(self) -> None:
        """Delete all that is kept of the graph outside its folders. Raises StoreUnavailable."""
