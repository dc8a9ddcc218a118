"""Grounded constrained decoding inside `generate`: greedy, sampling and beam search."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import LogitsProcessor

from clew.tools.errors import BadInput
from clew.tools.learning.decoding.output_head import renormalised
from clew.tools.learning.decoding.token_trie import ROOT, TokenTrie

_DEAD = -1e30
"""The score of the end token in rows that cannot go on: finite, so that sampling has something to draw, and below the
-1e9 that beam search gives to places not yet filled, so that no beam keeps such a row."""

_TOKEN = np.dtype(np.int64).itemsize
"""Bytes of a token in the keys of the rows."""


class TrieLogitsProcessor(LogitsProcessor):  # type: ignore[misc]
    """Allows only tokens that lead to a valid query (GraphRAFT, equation 2), for any number of them.

    Prompts are padded on the left, as `generate` needs them. Where each row stands in the trie is remembered by the
    tokens it has generated, so a step looks up one token per row, whichever beams were kept and in whatever order.
    """

    def __init__(
        self,
        tries: TokenTrie | Sequence[TokenTrie],
        prompt_length: int | Sequence[int],
        *,
        raw: bool = False,
    ) -> None:
        """One trie for all prompts, or one for each row of the batch; likewise the length of the prompts, padding
        included (`input_ids.shape[1]`).

        Scores of valid tokens are renormalised, so that beams are ranked by the probability among valid queries; with
        `raw` they stay as the model gave them.
        """
        self._tries = [tries] if isinstance(tries, TokenTrie) else list(tries)
        self._lengths = [prompt_length] if isinstance(prompt_length, int) else list(prompt_length)
        self._raw = raw
        self._nodes: dict[tuple[int, bytes], int | None] = {}
        """(prompt, generated tokens) of each row of the last step, and the node they lead to."""

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """Mask `scores`, shape (rows, vocabulary), given `input_ids`, shape (rows, tokens); rows of a prompt adjoin."""
        rows = len(input_ids)
        prompts = max(len(self._tries), len(self._lengths))
        if rows % prompts or prompts % len(self._tries) or prompts % len(self._lengths):
            raise BadInput(
                f"{rows} rows cannot be shared out among {len(self._tries)} tries and {len(self._lengths)} lengths.",
                "Give one trie and one prompt length for all prompts of the batch, or one of each for every prompt.",
            )
        places = self._places(input_ids, rows // prompts)
        return self._masked(scores, places)

    def _places(self, input_ids: Tensor, beams: int) -> list[tuple[TokenTrie, int | None]]:
        start = min(self._lengths)
        generated = input_ids[:, start:].cpu().numpy().astype(np.int64)
        encoded, size = generated.tobytes(), _TOKEN * generated.shape[1]
        nodes: dict[tuple[int, bytes], int | None] = {}
        places = []
        for row in range(len(generated)):
            prompt = row // beams
            trie = self._tries[prompt % len(self._tries)]
            padding = _TOKEN * (self._lengths[prompt % len(self._lengths)] - start)
            own = encoded[row * size + padding : (row + 1) * size]
            node = nodes[prompt, own] = self._node(trie, prompt, own)
            places.append((trie, node))
        self._nodes = nodes
        return places

    def _node(self, trie: TokenTrie, prompt: int, tokens: bytes) -> int | None:
        if not tokens:
            return ROOT
        before = (prompt, tokens[:-_TOKEN])
        if before in self._nodes:
            node = self._nodes[before]
            return None if node is None else trie.walk((int.from_bytes(tokens[-_TOKEN:], sys.byteorder),), node)
        return trie.walk(np.frombuffer(tokens, dtype=np.int64).tolist())

    def _masked(self, scores: Tensor, places: list[tuple[TokenTrie, int | None]]) -> Tensor:
        vocabulary = scores.shape[1]
        choices: list[NDArray[np.int64]] = []
        forced: list[int] = []
        dead: list[int] = []
        for row, (trie, node) in enumerate(places):
            first = row * vocabulary
            if node is None or trie.is_leaf(node):
                dead.append(first + trie.end_token)
            elif self._raw or trie.stop[node] == node:
                choices.append(trie.child_tokens(node) + np.int64(first))
            else:  # of one valid token the probability among the valid ones is 1
                forced.append(first + int(trie.token[node + 1]))
        masked = torch.full_like(scores, -torch.inf)
        if choices:
            where = np.concatenate(choices)
            kept = _taken(scores, where)
            _put(masked, where, kept if self._raw else renormalised(kept, [len(tokens) for tokens in choices]))
        if forced:
            _put(masked, forced, 0.0)
        if dead:
            _put(masked, dead, max(_DEAD, torch.finfo(scores.dtype).min))
        return masked


def _taken(scores: Tensor, where: NDArray[np.int64]) -> NDArray[np.float64]:
    """The scores at positions of the flattened tensor. On the CPU its memory is read as it is: every operation of torch
    costs more here than the few numbers that are moved."""
    if scores.device.type == "cpu" and scores.dtype == torch.float32:
        return scores.numpy().reshape(-1)[where].astype(np.float64)
    return scores.reshape(-1)[torch.from_numpy(where).to(scores.device)].double().cpu().numpy()


def _put(masked: Tensor, where: NDArray[np.int64] | list[int], values: NDArray[np.float64] | float) -> None:
    if masked.device.type == "cpu" and masked.dtype == torch.float32:
        masked.numpy().reshape(-1)[where] = values
    else:
        masked.view(-1)[torch.as_tensor(where, device=masked.device)] = torch.as_tensor(values).to(masked)
