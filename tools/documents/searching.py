"""Searching a graph's documents in the way that the options say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from clew.tools.documents.collection import Collection
from clew.tools.documents.index.index import DocumentHit
from clew.tools.documents.search_options import SearchOptions
from clew.tools.documents.skeleton.retrieval import TwoChannelContext, TwoChannels


@dataclass(frozen=True, slots=True)
class DocumentSearch:
    """The documents beside a graph, and how they are searched."""

    collection: Collection
    options: SearchOptions = field(default_factory=SearchOptions)

    @property
    def is_ready(self) -> bool:
        """Whether a question can search now, without minutes of indexing first."""
        collection, options = self.collection, self.options
        return collection.is_ready and (options.mode != "ket" or collection.has_keywords(options.splits))

    def hits(self, question: str, k: int, also: Iterable[str] = (), *, expand: bool = True) -> list[DocumentHit]:
        """The best `k` chunks.

        Args:
            question: The question.
            k: The number of chunks; of `sage`, seeds and neighbours together.
            also: Ids of entities that the question is about besides those it names, for the entity channel.
            expand: Whether `sage` adds neighbours. SAGE leaves that out where the question was answered along edges of
                a graph already (-Edge).
        """
        if self.options.mode == "sage":
            seeds, more = self.options.shared(k) if expand else (k, 0)
            return self.collection.index.expanded(question, seeds, more, self.options.edges)
        if self.options.mode == "ket":
            return self.two_channels().search(question, k, self.theta, also=also)
        return self.collection.index.search(question, k)

    def context(self, question: str, max_tokens: int, also: Iterable[str] = ()) -> TwoChannelContext:
        """What both channels show within a number of tokens, which the options may set (λ)."""
        limit = self.options.tokens or max_tokens
        return self.two_channels().context(question, limit, self.theta, also=also)

    def texts(self, question: str, max_tokens: int) -> list[str]:
        """What a model would be shown within a number of tokens: whole items, best first."""
        if self.options.mode == "ket":
            return self.context(question, max_tokens).texts
        tokens = self.collection.index.sources.store.tokens
        hits = self.hits(question, int(max_tokens / max(1.0, float(tokens.mean()))) if len(tokens) else 0)
        used = np.cumsum([tokens[hit.position] for hit in hits]) if hits else np.zeros(0)
        return [hit.chunk.text for hit in hits[: int(np.searchsorted(used, max_tokens, side="right"))]]

    @property
    def theta(self) -> float:
        """The entity channel's share; 0 without a skeleton."""
        return 0.0 if self.collection.skeleton is None else self.options.theta

    def two_channels(self) -> TwoChannels:
        """The skeleton beside the keyword channel: KET-RAG's own for `ket`, else the index's search."""
        collection = self.collection
        keywords = collection.keywords(self.options.splits) if self.options.mode == "ket" else None
        return TwoChannels(collection.index, collection.skeleton, keywords)
