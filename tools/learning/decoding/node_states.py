"""The model's states at nodes of the trie: by tree attention over one key-value cache, or by running whole sequences.

Whole sequences are for models that tree attention does not fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import DynamicCache

from clew.tools.learning.decoding.model_parts import ModelParts
from clew.tools.learning.decoding.token_trie import ROOT, TokenTrie

_LOGITS_AT_ONCE = 1 << 26
_TOKENS_AT_ONCE = 1 << 13


class TreeStates:
    """The prompt's keys and values are computed once; those of trie nodes are appended as nodes are asked for.

    A node attends to the prompt, its ancestors and itself, whatever else stands in the cache, and its position is that
    of its depth. So one pass takes nodes from all over the trie. When the cache holds `most_tokens` nodes, it is cut
    back to the prompt, and the ancestors of nodes asked for later are computed again.
    """

    way = "tree"

    def __init__(self, parts: ModelParts, prompt: Tensor, trie: TokenTrie, *, hidden: bool, most_tokens: int = 4096):
        """`prompt` has the shape (tokens,). States are hidden states if `hidden`, else logits."""
        self._parts, self._prompt, self._trie, self._hidden = parts, prompt, trie, hidden
        self._most_tokens = most_tokens
        self._cache: Any = DynamicCache()
        self._base = 0
        """Tokens that every node attends to: the prompt, and the tokens with which all candidates start."""
        self._base_depth = 0
        self._slots: dict[int, int] = {}
        """Where in the cache, after the base, a node's keys and values are."""
        self._used = 0
        self._depths = np.zeros(64, dtype=np.int64)
        self._sees = np.zeros((64, 64), dtype=bool)
        """Which slots each slot attends to."""
        self.passes = 0
        self.tokens = 0

    def __call__(self, nodes: Sequence[int]) -> Tensor:
        """States at `nodes`, one row each, in one pass. The first call is for nodes of the root's single chain."""
        return self._first(nodes) if not self._base else self._further(nodes)

    def _first(self, nodes: Sequence[int]) -> Tensor:
        end = int(self._trie.stop[ROOT])
        last = end if not self._trie.is_leaf(end) else end - 1
        assert max(nodes) <= last
        forced = torch.from_numpy(self._trie.token[1 : last + 1].astype(np.int64)).to(self._prompt.device)
        ids = torch.cat((self._prompt, forced))
        self._base, self._base_depth = len(ids), last
        self.tokens += last
        rows = len(self._prompt) - 1 + torch.as_tensor(nodes, device=ids.device)
        return self._forward(ids, torch.arange(len(ids), device=ids.device), None, rows)

    def _further(self, nodes: Sequence[int]) -> Tensor:
        new = self._missing(nodes)
        if self._used and self._used + len(new) > self._most_tokens:
            self._cache.crop(-self._used)
            self._used = 0
            self._slots.clear()
            new = self._missing(nodes)
        first = self._used
        self._place(new)
        self.tokens += len(new)
        device = self._prompt.device
        positions = torch.from_numpy(self._depths[first : self._used] + len(self._prompt) - 1).to(device)
        rows = torch.as_tensor([self._slots[node] - first for node in nodes], device=device)
        ids = torch.from_numpy(self._trie.token[new].astype(np.int64)).to(device)
        return self._forward(ids, positions, self._masks(first), rows)

    def _missing(self, nodes: Sequence[int]) -> list[int]:
        """Nodes to feed, each after its parent: those asked for, and their ancestors that are not in the cache."""
        new: dict[int, None] = {}
        for node in nodes:
            assert self._trie.depth[node] > self._base_depth
            path = [node] if node not in new else []
            node = int(self._trie.parent[node])
            while node not in self._slots and node not in new and self._trie.depth[node] > self._base_depth:
                path.append(node)
                node = int(self._trie.parent[node])
            new.update(dict.fromkeys(reversed(path)))
        return list(new)

    def _place(self, new: Sequence[int]) -> None:
        """Give each node the next slot, from which it sees what its parent sees, and itself."""
        first, total = self._used, self._used + len(new)
        self._grow(total)
        for slot, node in enumerate(new, start=first):
            above = self._slots.get(int(self._trie.parent[node]))
            self._sees[slot, :slot] = False if above is None else self._sees[above, :slot]
            self._sees[slot, slot] = True
            self._slots[node] = slot
        self._depths[first:total] = self._trie.depth[new]
        self._used = total

    def _grow(self, size: int) -> None:
        if size <= len(self._depths):
            return
        room = max(size, 2 * len(self._depths))
        sees, depths = np.zeros((room, room), dtype=bool), np.zeros(room, dtype=np.int64)
        sees[: len(self._sees), : len(self._sees)] = self._sees
        depths[: len(self._depths)] = self._depths
        self._sees, self._depths = sees, depths

    def _masks(self, first: int) -> Any:
        """Additive masks for the slots from `first` on: right for eager attention as well as for sdpa."""
        sees = np.ones((self._used - first, self._base + self._used), dtype=bool)
        sees[:, self._base :] = self._sees[first : self._used, : self._used]
        kinds = self._parts.sliding_layers()
        masks = [self._additive(self._in_window(sees, first) if sliding else sees) for sliding in kinds]
        if len(masks) == 1:
            return masks[0]
        return {"full_attention": masks[0], "sliding_attention": masks[1]}

    def _in_window(self, sees: NDArray[np.bool_], first: int) -> NDArray[np.bool_]:
        window = self._parts.window
        assert window is not None
        positions = np.concatenate((np.arange(self._base), self._depths[: self._used] + len(self._prompt) - 1))
        back = positions[self._base + first :, None] - positions[None, :]
        return np.asarray(sees & (back < window))

    def _additive(self, sees: NDArray[np.bool_]) -> Tensor:
        return additive(sees, self._parts.dtype, self._prompt.device)

    def _forward(self, ids: Tensor, positions: Tensor, mask: Any, rows: Tensor) -> Tensor:
        """States at `rows` of the tokens fed, which join the cache."""
        self.passes += 1
        given = {"input_ids": ids[None], "position_ids": positions[None], "attention_mask": mask}
        return states_of(self._parts, {**given, "past_key_values": self._cache}, rows, hidden=self._hidden)


def additive(sees: NDArray[np.bool_], dtype: torch.dtype, device: torch.device) -> Tensor:
    """A mask that is added to the scores of attention, shape (1, 1, tokens fed, tokens)."""
    mask = torch.zeros(sees.shape, dtype=dtype, device=device)
    mask.masked_fill_(torch.from_numpy(~sees).to(mask.device), torch.finfo(dtype).min)
    return mask[None, None]


def states_of(parts: ModelParts, given: dict[str, Any], rows: Tensor, *, hidden: bool) -> Tensor:
    """Hidden states, or else logits, at `rows` of the tokens fed."""
    given = {**given, "use_cache": True}
    with torch.no_grad():
        if hidden:
            states: Tensor = parts.backbone(**given).last_hidden_state[0]
            return states[rows.to(states.device)]
        if parts.keeps_logits:
            logits: Tensor = parts.model(**given, logits_to_keep=rows).logits[0]
            return logits
        logits = parts.model(**given).logits[0]
        return logits[rows.to(logits.device)]


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
