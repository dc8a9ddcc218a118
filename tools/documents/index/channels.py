"""The channels: each gives every chunk a score for a question, 0 where it has nothing to say.

- lexical: BM25. dense: the cosine with the question. hybrid: both, 0.6 and 0.4 (SAGE, appendix E).
- two-hop: what the best chunks name and the question does not is looked for in turn, so that a chunk is found that the
  question does not describe.
- second-question: dense, and the cosine with what one of the best chunks leaves open: the question without the words of
  that chunk, and with the names that it adds.
- walk: personalised PageRank over the keyword graph from the best chunks and the question's own names and words.
- spread: the soft spread over the chunk graph, from what the other channels find together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from clew.tools.documents.chunk import Chunk, searched_text
from clew.tools.documents.chunk_graph.graph import ChunkGraph, Reason, best, soft
from clew.tools.documents.chunk_graph.names import folded
from clew.tools.documents.index.store import ChunkStore
from clew.tools.documents.keyword_graph.graph import KeywordGraph
from clew.tools.text_search.bm25 import Postings
from clew.tools.text_search.words import terms

Channel = Literal["lexical", "dense", "hybrid", "two-hop", "second-question", "walk", "spread"]
CHANNELS: tuple[Channel, ...] = get_args(Channel)

LEXICAL_WEIGHT, DENSE_WEIGHT = 0.6, 0.4
HOP_FROM, HOP_NAMES, HOP_SHARE = 5, 10, 0.8
"""Number of chunks from which a second search starts, number of names of each, and weight of its result."""
SECOND_FROM, SECOND_NAMES, SECOND_SHARE = 3, 3, 0.8
"""Number of chunks that a second question follows, number of names that it takes from each, and weight of its
result."""
WALK_FROM = 10
"""Number of chunks from which the walk starts."""
WEIGHTS = {"lexical": 1.0, "dense": 0.5, "hybrid": 1.0, "two-hop": 1.0, "second-question": 0.5, "walk": 0.5}
"""Weights of the channels when combined. two-hop includes words and embeddings of the question; the others complement
it."""
_FIRST_STEP: tuple[Channel, ...] = ("dense", "two-hop", "walk")
"""The channels that choose the chunks which a second question follows."""
RANK_SHARE, RANK_CONSTANT, MOST_RANKED = 0.7, 10, 1000
"""The share of reciprocal ranks in the combined score beside the sum of scores, their constant, and the number of
chunks of each channel that have a rank."""
SPREADING = Reason.CELL
"""Edges for the spread: between a table's row and the texts that its cells name."""
_LONGEST_NAME = 6
"""Maximum number of words of a name that is looked up in a question."""

Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Sources:
    """The data of the channels; n chunks."""

    store: ChunkStore
    postings: Postings
    vectors: Scores
    """Shape (v, d), rows of length 1."""
    hashes: npt.NDArray[np.uint64]
    """Of the texts of the vectors: shape (v,)."""
    rows: npt.NDArray[np.int32]
    """For each chunk, the position of its vector: shape (n,)."""
    keywords: KeywordGraph
    graph: ChunkGraph
    nearest: Callable[[Scores, int], npt.NDArray[np.int64] | None] | None = None
    """Asks a vector store for the rows of the vectors nearest to one; its None stands for no reply."""


class Scored:
    """The scores of one question; each channel is computed once, on first use."""

    def __init__(self, sources: Sources, question: str, embed: Callable[[Sequence[str]], Scores]) -> None:
        """`embed` gives a row of length 1 for each text."""
        self._of = sources
        self._question = question
        self._embed = embed
        self._terms = terms(question)

    @property
    def graph(self) -> ChunkGraph:
        """The chunk graph of the same chunks."""
        return self._of.graph

    def channel(self, name: str) -> Scores:
        """The scores of one channel other than the spread: shape (n,), not negative."""
        found: Scores = getattr(self, name.replace("-", "_"))
        return found

    @cached_property
    def lexical(self) -> Scores:
        return self._of.postings.scores(self._terms, len(self._of.store))

    @cached_property
    def dense(self) -> Scores:
        return self._cosines(self._embed([self._question])[0])

    def _cosines(self, vector: Scores) -> Scores:
        """The cosines of all chunks; with a vector store, of the MOST_RANKED that it finds and of those that have words
        of the question."""
        of = self._of
        near = None if of.nearest is None else of.nearest(vector, min(MOST_RANKED, len(of.vectors)))
        if near is None:
            cosines: Scores = of.vectors @ vector
        else:
            cosines = np.zeros(len(of.vectors), np.float32)
            asked = np.unique(np.concatenate([near, of.rows[self.lexical > 0]]))
            cosines[asked] = of.vectors[asked] @ vector
        return np.maximum(cosines[of.rows], 0)

    @cached_property
    def hybrid(self) -> Scores:
        """0 to 1."""
        return np.float32(LEXICAL_WEIGHT) * stretched(self.lexical) + np.float32(DENSE_WEIGHT) * stretched(self.dense)

    @cached_property
    def two_hop(self) -> Scores:
        found = np.zeros_like(self.hybrid)
        for seed in best(self.hybrid, HOP_FROM).tolist():
            second = stretched(self._of.postings.scores(self._next_words(seed), len(found))) * self.hybrid[seed]
            second[seed] = 0
            np.maximum(found, second, out=found)
        return self.hybrid + np.float32(HOP_SHARE) * found

    def _next_words(self, seed: int) -> list[str]:
        return [word for name in self._new_names(self._of.store[seed])[:HOP_NAMES] for word in terms(name)]

    def _new_names(self, chunk: Chunk) -> list[str]:
        """The names in a chunk that the question does not have."""
        asked = set(self._terms)
        named = dict.fromkeys((chunk.title, *chunk.entities))
        return [name for name in named if (words := terms(name)) and not asked.issuperset(words)]

    @cached_property
    def second_question(self) -> Scores:
        """0 to 1 + SECOND_SHARE."""
        first = self.joined(_FIRST_STEP)
        seeds = best(first, SECOND_FROM).tolist()
        found = np.zeros_like(first)
        for seed, vector in zip(seeds, self._embed([self._left_open(seed) for seed in seeds]), strict=True):
            second = stretched(self._cosines(vector)) * first[seed]
            second[seed] = 0
            np.maximum(found, second, out=found)
        return stretched(self.dense) + np.float32(SECOND_SHARE) * found

    def _left_open(self, seed: int) -> str:
        """The question without a chunk's words, then the first names that the chunk adds to it."""
        chunk = self._of.store[seed]
        said = set(terms(searched_text(chunk)))
        words = [word for word in self._question.split() if said.isdisjoint(terms(word))]
        return f"{' '.join(words)} {', '.join(self._new_names(chunk)[:SECOND_NAMES])}"

    @cached_property
    def walk(self) -> Scores:
        seeds = best(self.hybrid, WALK_FROM)
        asked = np.concatenate([self._of.keywords.named(self._possible_names()), self._of.keywords.worded(self._terms)])
        return self._of.keywords.walk(seeds, self.hybrid[seeds], np.unique(asked))

    def _possible_names(self) -> list[str]:
        """Every run of the question's words up to the length of a name."""
        words = folded(self._question).split()
        return [
            " ".join(words[first:last])
            for first in range(len(words))
            for last in range(first + 1, min(len(words), first + _LONGEST_NAME) + 1)
        ]

    def joined(self, channels: Sequence[Channel]) -> Scores:
        """The combined scores of several channels, shape (n,), 0 to 1: their reciprocal ranks, and the weighted sum of
        their scores, each scaled to 0 to 1. Of a single channel its scores.

        The spread comes last: it follows edges from the results of the others, or of `hybrid` alone.
        """
        found = [name for name in channels if name != "spread"] or ["hybrid"]
        scored = [self.channel(name) for name in found]
        if len(scored) > 1:
            parts = [np.float32(WEIGHTS[name]) * stretched(each) for name, each in zip(found, scored, strict=True)]
            ranks = stretched(reciprocal_ranks(scored, RANK_CONSTANT))
            scores = np.float32(RANK_SHARE) * ranks + np.float32(1 - RANK_SHARE) * stretched(np.sum(parts, axis=0))
        else:
            scores = scored[0]
        return soft(scores, self._of.graph, SPREADING) if "spread" in channels else scores


def reciprocal_ranks(rankings: Sequence[Scores], k: int) -> Scores:
    """The sum of 1 / (k + rank) over the rankings (Cormack et al. 2009), shape (n,).

    Ranks start at 1, chunks of equal scores rank in their order, and a score of 0, or beyond the best MOST_RANKED of a
    ranking, has no rank.
    """
    found = np.zeros(len(rankings[0]), np.float32)
    for scores in rankings:
        order = best(scores, MOST_RANKED)
        found[order] += np.float32(1) / (np.float32(k) + np.arange(1, len(order) + 1, dtype=np.float32))
    return found


def stretched(scores: Scores) -> Scores:
    """Scale linearly to 0 to 1. If all scores are equal, as for a single chunk, all become 1, or 0 if they are 0."""
    least, greatest = float(scores.min(initial=np.inf)), float(scores.max(initial=-np.inf))
    if greatest > least:
        return (scores - np.float32(least)) / np.float32(greatest - least)
    return np.full_like(scores, greatest > 0)
