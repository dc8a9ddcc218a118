"""A cache of tries for questions over the same query space."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from clew.tools.learning.decoding.token_trie import TokenTrie

_fingerprints: WeakKeyDictionary[Any, str] = WeakKeyDictionary()


class TrieCache:
    """The most recently used tries, by tokenizer and by the candidates' texts; safe to share between threads."""

    def __init__(self, most_nodes: int = 4_000_000) -> None:
        """Keep tries of up to `most_nodes` nodes together (28 bytes a node), and always the latest one."""
        self._most_nodes = most_nodes
        self._tries: OrderedDict[Hashable, TokenTrie] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._tries)

    def get(
        self, tokenizer: Any, texts: Sequence[str], *, end_token: int | None = None, boundary: str = "\n"
    ) -> TokenTrie:
        """`TokenTrie.build` of the same arguments, or the trie that it gave before."""
        key = (_fingerprint(tokenizer), end_token, boundary, tuple(texts))
        with self._lock:
            if key in self._tries:
                self._tries.move_to_end(key)
                return self._tries[key]
        trie = TokenTrie.build(tokenizer, texts, end_token=end_token, boundary=boundary)
        with self._lock:
            self._tries[key] = trie
            while len(self._tries) > 1 and sum(map(len, self._tries.values())) > self._most_nodes:
                self._tries.popitem(last=False)
        return trie


def _fingerprint(tokenizer: Any) -> str:
    """What the tokenizer does, as a digest: two loaded from the same files are the same."""
    known = _fingerprints.get(tokenizer)
    if known is None:
        backend = getattr(tokenizer, "backend_tokenizer", None)
        content = backend.to_str() if backend is not None else repr(sorted(tokenizer.get_vocab().items()))
        named = f"{type(tokenizer).__name__} {tokenizer.name_or_path} {tokenizer.eos_token_id} {content}"
        known = _fingerprints[tokenizer] = hashlib.blake2b(named.encode(), digest_size=20).hexdigest()
    return known
