"""The model's states at nodes of the trie, by running whole sequences: for models that tree attention does not fit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from clew.tools.learning.decoding.model_parts import ModelParts
from clew.tools.learning.decoding.token_trie import TokenTrie

_LOGITS_AT_ONCE = 1 << 26
_TOKENS_AT_ONCE = 1 << 13


class RerunStates:
    """Each path is run from the prompt's first token on, padded on the right, without a cache or a mask of ours.

    Needs nothing of the model but that a token's logits do not depend on later tokens.
    """

    way = "rerun"

    def __init__(self, parts: ModelParts, prompt: Tensor, trie: TokenTrie) -> None:
        """`prompt` has the shape (tokens,)."""
        self._parts, self._prompt, self._trie = parts, prompt, trie
        self.passes = 0
        self.tokens = 0

    def __call__(self, nodes: Sequence[int]) -> Tensor:
        """Logits at `nodes`, shape (nodes, vocabulary). Nodes on one path share a sequence."""
        deepest: dict[int, int] = {}
        asked = set(nodes)
        for node in sorted(asked, reverse=True):
            following = node + 1
            shared = following in asked and self._trie.parent[following] == node
            deepest[node] = deepest[following] if shared else node
        ends = sorted(set(deepest.values()), key=lambda node: int(self._trie.depth[node]))
        found: dict[int, Tensor] = {}
        while ends:
            taken = self._fitting(ends)
            for end, logits in zip(ends[:taken], self._run(ends[:taken]), strict=True):
                of_path = [node for node in asked if deepest[node] == end]
                found.update({node: logits[int(self._trie.depth[node])] for node in of_path})
            ends = ends[taken:]
        return torch.stack([found[node] for node in nodes])

    def _fitting(self, ends: Sequence[int]) -> int:
        """How many of the paths, shallowest first, one batch holds."""
        depths = self._trie.depth[ends].astype(np.int64)
        rows = np.arange(1, len(ends) + 1)
        kept = depths + 1 if self._parts.keeps_logits else depths + len(self._prompt)
        fits = (rows * kept * self._parts.vocabulary <= _LOGITS_AT_ONCE) & (
            rows * (depths + len(self._prompt)) <= _TOKENS_AT_ONCE
        )
        return max(1, int(np.argmin(fits)) if not fits.all() else len(ends))

    def _run(self, ends: Sequence[int]) -> list[Tensor]:
        """Of each path its logits from the prompt's last token on: row d is at depth d."""
        start, deepest = len(self._prompt), int(self._trie.depth[ends].max())
        ids = self._prompt.repeat(len(ends), 1)
        ids = torch.nn.functional.pad(ids, (0, deepest), value=int(self._prompt[-1]))
        mask = torch.ones_like(ids)
        for row, end in enumerate(ends):
            path = self._trie.token[self._trie.path(end)].astype(np.int64)
            ids[row, start : start + len(path)] = torch.from_numpy(path).to(ids.device)
            mask[row, start + len(path) :] = 0
        self.passes += 1
        self.tokens += sum(int(self._trie.depth[end]) for end in ends)
        keep = {"logits_to_keep": deepest + 1} if self._parts.keeps_logits else {}
        with torch.no_grad():
            logits = self._parts.model(input_ids=ids, attention_mask=mask, use_cache=False, **keep).logits
        return list(logits[:, -(deepest + 1) :])
