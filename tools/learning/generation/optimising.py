"""What trains the weights: their precision, the optimiser, the learning rate, and how much memory the gradients take.

Source: GraphRAFT B.3; master weights of mixed-precision training: Micikevicius et al. 2018.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

import torch

from clew.tools.errors import BadInput
from clew.tools.learning.generation.loading import LanguageModel
from clew.tools.learning.generation.recipe import Recipe

_LARGE = 50_000_000
"""Parameters from which on activations are computed again, unless the recipe says otherwise."""


def with_master_weights(model: LanguageModel) -> LanguageModel:
    """The model with weights in float32, all of which are trained.

    In bfloat16, a step of AdamW at a rate of 2e-5 is less than half the distance between two numbers for most weights,
    so that they would stay as they are. The forward pass still computes in bfloat16 (`computed_in`).

    Raises BadInput for weights that cannot be trained: quantised ones, and float16, whose gradients underflow.
    """
    if getattr(model.model, "is_quantized", False):
        raise BadInput("Quantised weights cannot be trained themselves.", "Train an adapter of them: --lora")
    if model.model.dtype == torch.float16:
        raise BadInput("In float16, gradients underflow.", "Train with --generator-dtype bfloat16 or float32.")
    return replace(model, model=model.model.float())


def computed_in(dtype: torch.dtype, device: torch.device) -> AbstractContextManager[Any]:
    """A context in which float32 weights compute in `dtype`."""
    return torch.autocast(device.type, dtype) if dtype == torch.bfloat16 else nullcontext()


def optimiser_of(parameters: Iterable[torch.nn.Parameter], recipe: Recipe, device: torch.device) -> Any:
    """AdamW as the recipe has it. Raises BadInput where paged 8-bit state is asked for and bitsandbytes is missing."""
    there = importlib.util.find_spec("bitsandbytes") is not None
    lr, decay, betas = recipe.learning_rate, recipe.weight_decay, (0.9, recipe.beta2)
    if recipe.optimiser == "adamw" or (recipe.optimiser == "auto" and not (there and device.type == "cuda")):
        return torch.optim.AdamW(parameters, lr=lr, betas=betas, weight_decay=decay)
    if not there:
        raise BadInput(
            "The optimiser paged-8bit needs the package bitsandbytes.",
            "Install it: pip install 'clew[train-gpu]'. Or choose --optimiser adamw.",
        )
    bitsandbytes: Any = importlib.import_module("bitsandbytes")
    return bitsandbytes.optim.PagedAdamW8bit(parameters, lr=lr, betas=betas, weight_decay=decay)


def rate(step: int, steps: int, recipe: Recipe) -> float:
    """The learning rate at a step of `steps`, as a share of the recipe's: it rises, then decays to 0."""
    if step < recipe.warmup:
        return (step + 1) / (recipe.warmup + 1)
    done = min(1.0, (step - recipe.warmup) / max(1, steps - recipe.warmup))
    return 1 - done if recipe.schedule == "linear" else (1 + math.cos(math.pi * done)) / 2


def save_activations(model: Any, recipe: Recipe) -> None:
    """Compute activations again for the gradients, if the recipe says so or the model is large."""
    large = sum(parameter.numel() for parameter in model.parameters()) >= _LARGE
    if recipe.checkpointing if recipe.checkpointing is not None else large:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
