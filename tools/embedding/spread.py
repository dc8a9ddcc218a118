"""Many texts embedded by several workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice

from clew.tools.embedding.bert import Vectors
from clew.tools.embedding.embedder import Embedder, query_vectors
from clew.tools.workers import Workers

Texts = Sequence[str]


class SpreadEmbedder:
    """An embedder whose model several workers load, for the many texts of an index."""

    def __init__(self, embedder: Embedder, make: Callable[[], Embedder], workers: Workers) -> None:
        """`make` gives the same embedder in a worker; it is pickled."""
        self._embedder = embedder
        self._make = make
        self._workers = workers

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def embed(self, texts: Texts) -> Vectors:
        return self._embedder.embed(texts)

    def embed_queries(self, texts: Texts) -> Vectors:
        return query_vectors(self._embedder, texts)

    def embed_portions(self, portions: Iterable[Texts]) -> Iterator[Vectors]:
        """The vectors of each portion, in order. Portions that are fewer than the workers are embedded here."""
        rest = iter(portions)
        first = list(islice(rest, self._workers.count + 1))
        if len(first) <= self._workers.count:
            yield from map(self.embed, first)
            return
        with self._workers.open(partial(_prepare, self._make)) as mapped:
            yield from mapped(chain(first, rest))


def _prepare(make: Callable[[], Embedder]) -> Callable[[Texts], Vectors]:
    return make().embed


def embed_portions(embedder: Embedder, portions: Iterable[Texts]) -> Iterator[Vectors]:
    """The vectors of each portion of texts, in order."""
    if isinstance(embedder, SpreadEmbedder):
        return embedder.embed_portions(portions)
    return map(embedder.embed, portions)
