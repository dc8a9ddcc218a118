"""What every model of sentence vectors has, and the cache of recent texts that they share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Protocol, runtime_checkable

import numpy as np

from clew.tools.embedding.bert import Vectors

MINILM = "all-MiniLM-L6-v2"
"""The name of the packaged model, and of indexes of versions that knew no other."""


class Embedder(Protocol):
    """Texts to unit vectors."""

    @property
    def name(self) -> str:
        """Which model it is. Indexes carry it; vectors of another name are not compared with these."""

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, each row of length 1."""


@runtime_checkable
class QueryEmbedder(Embedder, Protocol):
    """An embedder that reads what is searched for in another way than the texts that are searched."""

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """As `embed`, for questions."""


def query_vectors(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """The vectors of what is searched for: shape (len(texts), dimension)."""
    return embedder.embed_queries(texts) if isinstance(embedder, QueryEmbedder) else embedder.embed(texts)


def cosines_with(embedder: Embedder, searched: str, texts: Sequence[str]) -> Vectors:
    """The cosines of texts with what is searched for: shape (len(texts),). Takes one call where both are read alike."""
    if isinstance(embedder, QueryEmbedder):
        vectors = np.vstack([embedder.embed_queries([searched]), embedder.embed(texts)])
    else:
        vectors = embedder.embed([searched, *texts])
    cosines: Vectors = vectors[1:] @ vectors[0]
    return cosines


class CachedEmbedder(ABC):
    """An embedder that keeps the vectors of recent texts. Safe for several threads."""

    def __init__(self, cache_size: int = 50_000) -> None:
        self._cache: OrderedDict[str, Vectors] = OrderedDict()
        self._cache_size = cache_size
        self._lock = Lock()
        """Of the cache, which is read while another thread embeds."""
        self._encoding = Lock()

    @property
    @abstractmethod
    def dimension(self) -> int: ...

    @abstractmethod
    def _encode(self, texts: list[str]) -> Sequence[Vectors]:
        """The unit vectors of distinct texts, at least one; called by one thread at a time."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, each row of length 1."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        rows = self._cached(texts)
        if len(rows) < len(set(texts)):
            with self._encoding:
                rows = self._cached(texts)  # Another thread may have embedded some meanwhile.
                missing = [text for text in dict.fromkeys(texts) if text not in rows]
                rows.update(zip(missing, self._encode(missing), strict=True) if missing else ())
            with self._lock:
                self._cache.update((text, rows[text]) for text in missing)
                while len(self._cache) > self._cache_size:
                    self._cache.popitem(last=False)
        return np.stack([rows[text] for text in texts])

    def _cached(self, texts: Sequence[str]) -> dict[str, Vectors]:
        """The vectors of the texts that are in the cache."""
        with self._lock:
            found = {text: self._cache[text] for text in texts if text in self._cache}
            for text in found:
                self._cache.move_to_end(text)
            return found


def unit_rows(vectors: Vectors) -> Vectors:
    """Rows of length 1; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    divided: Vectors = (vectors / np.maximum(lengths, np.float32(1e-12))).astype(np.float32)
    return divided
