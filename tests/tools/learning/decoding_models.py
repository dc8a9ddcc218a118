"""Tiny causal language models with random weights, a tokenizer, and brute force: for the tests of decoding."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

VOCABULARY, END, PAD = 40, 39, 0

_LLAMA_LIKE = {
    "hidden_size": 16,
    "intermediate_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 128,
}
_SHAPES: dict[str, tuple[str, dict[str, Any]]] = {
    "llama": ("LlamaConfig", _LLAMA_LIKE),
    "mistral": ("MistralConfig", {**_LLAMA_LIKE, "sliding_window": 8}),
    "gemma2": ("Gemma2Config", {**_LLAMA_LIKE, "head_dim": 8, "sliding_window": 6}),
    "granite": ("GraniteConfig", {**_LLAMA_LIKE, "logits_scaling": 3.0}),
    "gpt2": ("GPT2Config", {"n_embd": 16, "n_layer": 2, "n_head": 4, "n_positions": 128}),
    "bloom": ("BloomConfig", {"hidden_size": 16, "n_layer": 2, "n_head": 4}),
    "mamba": ("MambaConfig", {"hidden_size": 16, "num_hidden_layers": 2, "state_size": 4}),
    "gptneo": (
        "GPTNeoConfig",
        {
            "hidden_size": 16,
            "num_layers": 2,
            "num_heads": 4,
            "attention_types": [[["global", "local"], 1]],
            "window_size": 6,
            "max_position_embeddings": 128,
        },
    ),
}
KINDS = tuple(_SHAPES)


@cache
def tiny_model(kind: str, seed: int = 0, *, attention: str | None = None) -> Any:
    """Weights are large enough for scores to depend on every token before."""
    name, shape = _SHAPES[kind]
    config = getattr(transformers, name)(
        vocab_size=VOCABULARY,
        initializer_range=0.3,
        bos_token_id=None,
        eos_token_id=END,
        pad_token_id=PAD,
        **shape,
    )
    torch.manual_seed(seed)
    given = {"attn_implementation": attention} if attention else {}
    return transformers.AutoModelForCausalLM.from_config(config, **given).eval()


def brute_force(
    model: Any, prompt: Sequence[int], sequences: Sequence[Sequence[int]], *, raw: bool = False
) -> dict[tuple[int, ...], float]:
    """The score of every different sequence, without padding or cache; valid tokens by comparing all sequences."""
    ended = [(*sequence, END) for sequence in dict.fromkeys(map(tuple, sequences))]
    scores = {}
    for length in {len(each) for each in ended}:
        rows = [each for each in ended if len(each) == length]
        ids = torch.tensor([[*prompt, *own[:-1]] for own in rows], device=model.device)
        with torch.no_grad():
            logits = model(ids).logits[:, len(prompt) - 1 :].double().cpu()
        for row, own in enumerate(rows):
            total = 0.0
            for at, token in enumerate(own):
                valid = sorted({each[at] for each in ended if len(each) > at and each[:at] == own[:at]})
                among = logits[row, at] if raw else logits[row, at, valid]
                total += float(logits[row, at, token] - among.logsumexp(0))
            scores[own[:-1]] = total
    return scores


def small_tokenizer(texts: Sequence[str], *, merges_line_breaks: bool = False, marks_start: bool = False) -> Any:
    """A BPE tokenizer of `texts`: byte-level, or one that marks the start of a text as SentencePiece does."""
    tokenizer = Tokenizer(models.BPE())
    if marks_start:
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        tokenizer.decoder = decoders.Metaspace()
    else:
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not merges_line_breaks)
        tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=["<pad>", "<eos>"],
        initial_alphabet=["\n"] if marks_start else pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<eos>", pad_token="<pad>")
