"""From the model's states at trie nodes to log-probabilities of their children."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from clew.tools.errors import BadInput
from clew.tools.learning.decoding.token_trie import TokenTrie

Floats = NDArray[np.float32]

_VALUES_AT_ONCE = 1 << 26
"""How many logits are held at a time: 256 MiB in float32."""


@dataclass(frozen=True, slots=True, eq=False)
class OutputHead:
    """A linear layer from hidden states to logits, applied to the rows of a few tokens only."""

    weight: Tensor
    bias: Tensor | None
    cap: float | None
    """`final_logit_softcapping` of Gemma models."""

    @classmethod
    def of(cls, causal: Any) -> OutputHead | None:
        """The model's own, where it is a linear layer; the self-check finds out what else the model does to logits."""
        layer = causal.get_output_embeddings()
        if type(layer) is not torch.nn.Linear:
            return None
        config = causal.config.get_text_config()
        return cls(layer.weight, layer.bias, getattr(config, "final_logit_softcapping", None))

    def logits(self, hidden: Tensor, tokens: Tensor | None = None) -> Tensor:
        """Float32 logits of `tokens` (all if None): shape (states, tokens)."""
        weight, bias = self.weight, self.bias
        if tokens is not None:
            weight, bias = weight[tokens], None if bias is None else bias[tokens]
        logits = torch.nn.functional.linear(hidden.to(weight.device), weight, bias).float()
        return logits if self.cap is None else torch.tanh(logits / self.cap) * self.cap


@torch.no_grad()
def child_log_probs(
    states: Tensor, nodes: Sequence[int], trie: TokenTrie, head: OutputHead | None, *, raw: bool
) -> list[Floats]:
    """Log-probabilities of the children of each node.

    `states` holds one row per node: hidden states for `head`, or logits where `head` is None. Renormalised over the
    children, or with `raw` taken from the softmax over the whole vocabulary.
    """
    if not nodes:
        return []
    vocabulary = states.shape[1] if head is None else head.weight.shape[0]
    at_once = max(1, _VALUES_AT_ONCE // vocabulary)
    found: list[Floats] = []
    for start in range(0, len(nodes), at_once):
        part = nodes[start : start + at_once]
        found += _log_probs(states[start : start + at_once], part, trie, head, raw)
    return found


def _log_probs(
    states: Tensor, nodes: Sequence[int], trie: TokenTrie, head: OutputHead | None, raw: bool
) -> list[Floats]:
    token_lists = [trie.child_tokens(node) for node in nodes]
    sizes = [len(tokens) for tokens in token_lists]
    tokens = np.concatenate(token_lists).astype(np.int64)
    rows = np.repeat(np.arange(len(nodes)), sizes)
    if head is None:
        logits, columns = states.float(), tokens
    elif raw:
        logits, columns = head.logits(states), tokens
    else:
        distinct, columns = np.unique(tokens, return_inverse=True)
        logits = head.logits(states, torch.from_numpy(distinct).to(head.weight.device))
    where = torch.from_numpy(np.stack((rows, columns.reshape(-1)))).to(logits.device)
    values = logits[where[0], where[1]]
    if raw:
        values = values - torch.logsumexp(logits, dim=1)[where[0]]
    flat = values.cpu().numpy().astype(np.float64)
    if np.isnan(flat).any():
        raise BadInput("The model's output is not a number.", "Load it in another type: float16 may overflow.")
    if not raw:
        flat = renormalised(flat, sizes)
    return np.split(flat.astype(np.float32), np.cumsum(sizes)[:-1])


def renormalised(values: NDArray[np.float64], sizes: Sequence[int]) -> NDArray[np.float64]:
    """Log-softmax within consecutive runs of the given sizes, none of them empty."""
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int64)
    shifted = values - np.repeat(np.maximum.reduceat(values, starts), sizes)
    totals = np.log(np.add.reduceat(np.exp(shifted), starts))
    return np.asarray(shifted - np.repeat(totals, sizes))
