"""Training settings: those of GraphRAFT for its two models, unless changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Schedule = Literal["cosine", "linear"]
Optimiser = Literal["auto", "adamw", "paged-8bit"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """Supervised fine-tuning on what follows the prompt. The defaults are those of L1 (GraphRAFT B.3.1)."""

    epochs: int = 1
    learning_rate: float = 2e-5
    batch: int = 8
    """Examples per step; halved if they do not fit in memory."""
    accumulate: int = 1
    """Batches per step whose gradients are accumulated."""
    warmup: int = 0
    """Warm-up steps of the learning rate, which then decays to 0."""
    schedule: Schedule = "cosine"
    """How it decays."""
    optimiser: Optimiser = "auto"
    """AdamW with 32-bit state, or with paged 8-bit state (bitsandbytes); auto takes the latter on a GPU where it is
    installed."""
    beta2: float = 0.999
    """How long AdamW remembers squared gradients. A model of fresh weights has large ones first: with 0.99 it forgets
    them within some hundred steps."""
    checkpointing: bool | None = None
    """Whether activations are computed again for the gradients, which saves memory; None does so for models of more
    than 50 M parameters."""
    packing: bool | None = None
    """Whether several examples share a row where the model keeps them apart, in place of padding; None does so on a
    GPU. On a CPU, the attention between them costs more than padding to examples of similar length."""
    weight_decay: float = 0.0
    longest: int = 4096
    """Maximum tokens; longer examples are left out."""
    lora: bool = False
    """Train a low-rank adapter (needs peft), not the model itself."""
    rank: int = 64
    alpha: int = 64
    dropout: float = 0.05
    modules: tuple[str, ...] | None = None
    """The modules with an adapter; None for the default of peft."""
    held_back: float = 0.1
    """Share of held-back examples, whose loss selects the best epoch."""
    patience: int = 2
    """Epochs without a better loss after which training ends."""
    save_every: int = 200
    """Steps between checkpoints; one is also written at the end of an epoch and on an interruption."""
    number_names: bool = False
    """Replace names of entities by #1, #2 …, for models that are too small to copy names."""
    seed: int = 0


L1 = Recipe()
"""Query generation."""
L2 = Recipe(
    batch=1,
    accumulate=4,
    warmup=5,
    schedule="linear",
    weight_decay=0.01,
    longest=15_000,
    dropout=0.0,
    modules=("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"),
)
"""Reasoning over nodes (GraphRAFT B.3.2)."""
