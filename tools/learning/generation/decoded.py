"""The ways to decode: exact search, beam and greedy search under the constraint, and greedy search without it.

Source: GraphRAFT section 4.2, and 5.2 for what the constraint is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from clew.tools.learning.decoding import DecodingTask, Scored, TokenTrie, TrieLogitsProcessor, exact_top, jump_forward
from clew.tools.learning.generation.chosen import Decoding
from clew.tools.learning.generation.loading import LanguageModel

_DISCARDED = -1e8
"""Scores of beams that `generate` fills up with are about -1e9."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Candidates, likeliest first."""

    candidates: tuple[Scored, ...]
    exact: bool
    """Whether no other candidate is likelier."""
    passes: int
    written: str | None = None
    """The text of a model without constraint."""


def decoded(loaded: LanguageModel, task: DecodingTask, decoding: Decoding) -> Decoded:
    """Up to `task.m` candidates; greedy ways give one. Only the exact search keeps the deadline."""
    prompt, trie = task.prompt, task.trie
    if decoding == "exact":
        found = exact_top(loaded.model, prompt, trie, task.m, deadline=task.deadline)
        return Decoded(found.candidates, found.exact, found.work.passes)
    if decoding == "greedy":
        found = jump_forward(loaded.model, prompt, trie)
        return Decoded(found.candidates, False, found.work.passes)
    return _beams(loaded, prompt, trie, task.m) if decoding == "beam" else _free(loaded, prompt, trie)


def _beams(loaded: LanguageModel, prompt: Sequence[int], trie: TokenTrie, m: int) -> Decoded:
    ids = torch.tensor([list(prompt)], device=loaded.model.device)
    with torch.no_grad():
        out = loaded.model.generate(
            input_ids=ids, attention_mask=torch.ones_like(ids), do_sample=False, num_beams=max(2, m),
            num_return_sequences=m, max_new_tokens=int(trie.depth.max()), length_penalty=0.0,
            eos_token_id=loaded.end_token, pad_token_id=loaded.end_token, return_dict_in_generate=True,
            output_scores=True, logits_processor=[TrieLogitsProcessor(trie, ids.shape[1])],
        )  # fmt: skip
    found: dict[int, Scored] = {}
    for row, score in zip(out.sequences, out.sequences_scores.tolist(), strict=True):
        index = trie.index_of(row[ids.shape[1] :].tolist())
        if index is not None and score > _DISCARDED:
            found.setdefault(index, Scored(trie.texts[index], index, float(score), ()))
    return Decoded(tuple(found.values()), False, out.sequences.shape[1] - ids.shape[1])


def _free(loaded: LanguageModel, prompt: Sequence[int], trie: TokenTrie) -> Decoded:
    ids = torch.tensor([list(prompt)], device=loaded.model.device)
    with torch.no_grad():
        out = loaded.model.generate(
            input_ids=ids, attention_mask=torch.ones_like(ids), do_sample=False, num_beams=1,
            max_new_tokens=int(trie.depth.max()), eos_token_id=loaded.end_token, pad_token_id=loaded.end_token,
            return_dict_in_generate=True, output_logits=True,
        )  # fmt: skip
    tokens = out.sequences[0, ids.shape[1] :].tolist()
    logits = torch.stack([each[0].float() for each in out.logits]).log_softmax(-1)
    score = float(sum(logits[place, token] for place, token in enumerate(tokens)))
    text = loaded.tokenizer.decode(tokens, skip_special_tokens=True).strip()
    index = trie.index_of(tokens)
    chosen = () if index is None else (Scored(trie.texts[index], index, score, ()),)
    return Decoded(chosen, False, len(tokens), text)
