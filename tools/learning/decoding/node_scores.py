"""Log-probabilities of the children of trie nodes, in the fastest way that is right for the model."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from clew.tools.learning.decoding.model_parts import ModelParts
from clew.tools.learning.decoding.node_states import RerunStates, TreeStates
from clew.tools.learning.decoding.output_head import Floats, OutputHead, child_log_probs
from clew.tools.learning.decoding.scored import SearchCost
from clew.tools.learning.decoding.self_check import checked
from clew.tools.learning.decoding.token_trie import TokenTrie


class NodeScores:
    """Scores nodes of one trie after one prompt, and counts the work."""

    def __init__(self, parts: ModelParts, prompt: Tensor, trie: TokenTrie, *, raw: bool) -> None:
        """`prompt` has the shape (tokens,); `raw` takes probabilities from the whole vocabulary's softmax."""
        self._trie, self._raw = trie, raw
        way = checked(parts, beyond_window=beyond_window(parts, len(prompt) + int(trie.depth.max())))
        self._head = OutputHead.of(parts.causal) if way.head else None
        self._states: TreeStates | RerunStates = (
            TreeStates(parts, prompt, trie, hidden=self._head is not None)
            if way.tree
            else RerunStates(parts, prompt, trie)
        )
        self._expanded = 0

    def __call__(self, nodes: Sequence[int]) -> list[Floats]:
        """Of each node, one log-probability per child, in the order of `trie.children_of`."""
        self._expanded += len(nodes)
        return child_log_probs(self._states(nodes), nodes, self._trie, self._head, raw=self._raw)

    def work(self) -> SearchCost:
        return SearchCost(self._states.passes, self._expanded, self._states.tokens, self._states.way)


def chain_reads(trie: TokenTrie, child: int, raw: bool) -> range:
    """The nodes to score in order to get past `child`: where its chain of forced tokens stops, if there is a choice.

    Raw scores need every node of the chain. Empty where nothing is left to score.
    """
    stop = int(trie.stop[child])
    end = stop if trie.is_leaf(stop) else stop + 1
    return range(child, end) if raw else range(stop, end)


def beyond_window(parts: ModelParts, length: int) -> bool:
    """Whether sequences are longer than the window of the model's sliding layers, if it has any."""
    try:
        window = parts.window
    except ValueError:
        return False
    return window is not None and length > window
