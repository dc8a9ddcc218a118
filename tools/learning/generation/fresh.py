"""Untrained parts: a small model with random weights and its tokenizer, or a low-rank adapter for another model."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from clew.tools.errors import BadInput
from clew.tools.learning.generation.loading import LanguageModel, language_model
from clew.tools.learning.generation.recipe import Recipe

LONGEST = 4096
"""Maximum tokens of a prompt and its text."""


def fresh_model(
    texts: Iterable[str],
    *,
    vocabulary: int = 1024,
    hidden: int = 128,
    layers: int = 3,
    heads: int = 4,
    seed: int = 0,
    name: str = "fresh",
) -> LanguageModel:
    """A small untrained Llama with a byte-level BPE tokenizer trained on `texts`; deterministic."""
    tokenizer = fresh_tokenizer(texts, vocabulary)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=hidden,
        intermediate_size=3 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        max_position_embeddings=LONGEST,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    torch.manual_seed(seed)
    model = transformers.AutoModelForCausalLM.from_config(config)
    return language_model(model.eval(), tokenizer, name, name)


def fresh_tokenizer(texts: Iterable[str], vocabulary: int) -> Any:
    """A byte-level BPE tokenizer, which can encode every text."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=["<pad>", "<end>"],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>", pad_token="<pad>")


def with_adapter(model: LanguageModel, recipe: Recipe) -> LanguageModel:
    """The model with a new low-rank adapter (LoRA), the only part that is trained. Raises BadInput without peft."""
    if importlib.util.find_spec("peft") is None:
        raise BadInput("--lora needs the package peft.", "Install it: pip install 'clew[train]'")
    import peft

    config = peft.LoraConfig(
        r=recipe.rank,
        lora_alpha=recipe.alpha,
        lora_dropout=recipe.dropout,
        target_modules=list(recipe.modules) if recipe.modules else None,
        bias="none",
        task_type="CAUSAL_LM",
    )
    inner = model.model
    if getattr(inner, "is_loaded_in_4bit", False):
        inner = peft.prepare_model_for_kbit_training(  # type: ignore[no-untyped-call]
            inner, use_gradient_checkpointing=False
        )
    torch.manual_seed(recipe.seed)
    return replace(model, model=peft.get_peft_model(inner, config))
