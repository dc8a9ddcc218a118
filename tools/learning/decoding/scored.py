"""The results of decoding."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clew.tools.learning.decoding.token_trie import TokenTrie


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """One branching node on a candidate's path: what could follow there, and what did."""

    trie: TokenTrie
    node: int
    taken: int
    """The child on the candidate's path, as a position among the node's children."""
    log_probabilities: NDArray[np.float32]
    """Of each child, in the order of `trie.children_of(node)`."""

    @property
    def text(self) -> str:
        """The token taken; empty for the end of the query."""
        return self.trie.piece(int(self.trie.child_tokens(self.node)[self.taken]))

    @property
    def probability(self) -> float:
        return math.exp(self.log_probabilities[self.taken])

    def options(self, most: int | None = None) -> list[tuple[str, float]]:
        """(token text, probability) of the node's children, likeliest first, at most `most` of them."""
        tokens = self.trie.child_tokens(self.node)
        order = np.argsort(-self.log_probabilities, kind="stable")[:most]
        return [(self.trie.piece(int(tokens[i])), math.exp(self.log_probabilities[i])) for i in order]


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """A valid query with its exact score."""

    text: str
    index: int
    """Its position among the candidates; of candidates with equal tokens, the first."""
    score: float
    """Sum of the log-probabilities of its tokens, the end token included."""
    choices: tuple[Choice, ...]
    """The branching nodes on its path, from the root on."""

    @property
    def probability(self) -> float:
        return math.exp(self.score)


@dataclass(frozen=True, slots=True)
class SearchCost:
    """The cost of a search."""

    passes: int
    """Calls of the model, the prompt's included."""
    expanded: int
    """Nodes of the trie whose children were scored."""
    tokens: int
    """Tokens of the trie that were fed to the model."""
    way: str
    """`tree`: tree attention over one cache; `rerun`: whole sequences in padded batches."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """Candidates in descending order of score."""

    candidates: tuple[Scored, ...]
    exact: bool
    """Whether these are the best of all candidates: false for greedy search and after a deadline."""
    work: SearchCost


def scored(trie: TokenTrie, leaf: int, score: float, log_probabilities: Mapping[int, NDArray[np.float32]]) -> Scored:
    """The candidate that ends at `leaf`, with the choices on its path; the mapping is from nodes to their children."""
    choices, node = [], leaf
    while node:
        above = int(trie.parent[node])
        children = trie.children_of(above)
        if len(children) > 1:
            choices.append(Choice(trie, above, int(np.searchsorted(children, node)), log_probabilities[above]))
        node = above
    index = int(trie.candidate[leaf])
    return Scored(trie.texts[index], index, score, tuple(reversed(choices)))
