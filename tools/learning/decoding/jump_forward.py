"""Greedy search over the trie that feeds forced tokens together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import Tensor

from clew.tools.learning.decoding.model_parts import ModelParts, prompt_tensor
from clew.tools.learning.decoding.node_scores import NodeScores, chain_reads
from clew.tools.learning.decoding.output_head import Floats
from clew.tools.learning.decoding.scored import Ranked, scored
from clew.tools.learning.decoding.token_trie import ROOT, TokenTrie


def jump_forward(model: Any, prompt_ids: Tensor | Sequence[int], trie: TokenTrie, *, raw: bool = False) -> Ranked:
    """The candidate that greedy decoding ends at, with one pass of the model per branching node on its path.

    It takes the likeliest valid token at each node, as `generate` with a `TrieLogitsProcessor` does, and so may miss
    the best candidate. `raw` is as in `exact_top`: it changes the score, not the candidate.
    """
    parts = ModelParts.of(model)
    prompt = prompt_tensor(prompt_ids, parts.device)
    score = NodeScores(parts, prompt, trie, raw=raw)
    known: dict[int, Floats] = {}
    child, total = ROOT, 0.0
    while reads := chain_reads(trie, child, raw):
        known.update(zip(reads, score(reads), strict=True))
        stop = int(trie.stop[child])
        for node in reads:
            best = int(known[node].argmax())
            total += float(known[node][best])
        if trie.is_leaf(stop):
            break
        child = int(trie.children_of(stop)[best])
    leaf = int(trie.stop[child])
    return Ranked((scored(trie, leaf, total, known),), exact=False, work=score.work())
