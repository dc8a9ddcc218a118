"""Grounded constrained decoding: a causal language model that can only write valid queries (GraphRAFT, section 4.2).

In: a model, a prompt, and the valid queries as a `TokenTrie`. Out: the best of them (`exact_top`), the greedy one
(`jump_forward`), or a logits processor for `generate`. Imports torch, transformers, numpy and the standard library
only, so that it runs alone on a GPU host.
"""

from clew.tools.learning.decoding.forest import DecodingTask, exact_tops
from clew.tools.learning.decoding.logits_processor import TrieLogitsProcessor
from clew.tools.learning.decoding.scored import Choice, Ranked, Scored, SearchCost
from clew.tools.learning.decoding.search import exact_top, jump_forward
from clew.tools.learning.decoding.token_trie import TokenTrie
from clew.tools.learning.decoding.trie_cache import TrieCache

__all__ = [
    "Choice",
    "DecodingTask",
    "Ranked",
    "Scored",
    "SearchCost",
    "TokenTrie",
    "TrieCache",
    "TrieLogitsProcessor",
    "exact_top",
    "exact_tops",
    "jump_forward",
]
