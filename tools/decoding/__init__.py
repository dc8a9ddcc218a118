"""Grounded constrained decoding: a causal language model that can only say valid queries (GraphRAFT, section 4.2).

Imports torch, transformers, numpy and the standard library only, so that it runs alone on a GPU host.
"""

from .exact_search import exact_top
from .jump_forward import jump_forward
from .logits_processor import TrieLogitsProcessor
from .scored import Choice, Ranked, Scored, Work
from .token_trie import TokenTrie
from .trie_cache import TrieCache

__all__ = [
    "Choice",
    "Ranked",
    "Scored",
    "TokenTrie",
    "TrieCache",
    "TrieLogitsProcessor",
    "Work",
    "exact_top",
    "jump_forward",
]
