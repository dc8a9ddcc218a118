"""Grounded constrained decoding inside `generate`: greedy, sampling and beam search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import LogitsProcessor

from tools.errors import BadInput

from .output_head import renormalised
from .token_trie import ROOT, TokenTrie

_DEAD = -1e30
"""The score of the end token in rows that cannot go on: finite, so that sampling has something to draw, and below the
-1e9 that beam search gives to places not yet filled, so that no beam keeps such a row."""


class TrieLogitsProcessor(LogitsProcessor):
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
        generated = input_ids[:, start:].cpu().numpy()
        nodes: dict[tuple[int, bytes], int | None] = {}
        places = []
        for row, tokens in enumerate(generated):
            prompt = row // beams
            trie = self._tries[prompt % len(self._tries)]
            own = tokens[self._lengths[prompt % len(self._lengths)] - start :]
            node = nodes[prompt, own.tobytes()] = self._node(trie, prompt, own)
            places.append((trie, node))
        self._nodes = nodes
        return places

    def _node(self, trie: TokenTrie, prompt: int, tokens: NDArray[np.int64]) -> int | None:
        if not len(tokens):
            return ROOT
        before = (prompt, tokens[:-1].tobytes())
        if before in self._nodes:
            node = self._nodes[before]
            return None if node is None else trie.walk(tokens[-1:].tolist(), node)
        return trie.walk(tokens.tolist())

    def _masked(self, scores: Tensor, places: list[tuple[TokenTrie, int | None]]) -> Tensor:
        vocabulary, device = scores.shape[1], scores.device
        masked = torch.full_like(scores, -torch.inf)
        alive: list[NDArray[np.int64]] = []
        dead: list[int] = []
        for row, (trie, node) in enumerate(places):
            if node is None or trie.is_leaf(node):
                dead.append(row * vocabulary + trie.end_token)
            else:
                alive.append(trie.child_tokens(node).astype(np.int64) + row * vocabulary)
        if alive:
            where = torch.from_numpy(np.concatenate(alive)).to(device)
            kept = scores.reshape(-1)[where]
            if not self._raw:
                among = renormalised(kept.double().cpu().numpy(), [len(tokens) for tokens in alive])
                kept = torch.from_numpy(among).to(kept)
            masked.view(-1)[where] = kept
        if dead:
            masked.view(-1)[torch.as_tensor(dead, device=device)] = max(_DEAD, torch.finfo(scores.dtype).min)
        return masked
