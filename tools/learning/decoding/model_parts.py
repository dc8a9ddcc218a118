"""The parts of a Hugging Face causal language model that decoding uses."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from clew.tools.errors import BadInput


@dataclass(frozen=True, slots=True, eq=False)
class ModelParts:
    """A causal language model taken apart; adapters that PEFT has put into its layers stay in place."""

    model: Any
    causal: Any
    """The model with its output head, without a PEFT wrapper."""
    backbone: Any
    """The model without its output head: gives hidden states after the last norm."""
    config: Any
    """Of the text decoder."""
    keeps_logits: bool
    """Whether its `forward` takes `logits_to_keep`."""

    @classmethod
    def of(cls, model: Any) -> ModelParts:
        """Raises BadInput for a model in training mode, whose dropout would make every score random."""
        if model.training:
            raise BadInput("The model is in training mode.", "Call model.eval() before decoding.")
        causal = model.get_base_model() if hasattr(model, "get_base_model") else model
        return cls(
            model=model,
            causal=causal,
            backbone=causal.base_model,
            config=causal.config.get_text_config(),
            keeps_logits="logits_to_keep" in inspect.signature(causal.forward).parameters,
        )

    @property
    def device(self) -> torch.device:
        """The device of its input."""
        device: torch.device = self.causal.get_input_embeddings().weight.device
        return device

    @property
    def dtype(self) -> torch.dtype:
        dtype: torch.dtype = self.causal.get_input_embeddings().weight.dtype
        return dtype

    @property
    def vocabulary(self) -> int:
        return int(self.config.vocab_size)

    def sliding_layers(self) -> tuple[bool, ...]:
        """Of the kinds of attention layers it has, whether each looks back over a window only.

        Raises ValueError for kinds that the tree's mask does not cover.
        """
        kinds = set(getattr(self.config, "layer_types", None) or ())
        if kinds - {"full_attention", "sliding_attention"}:
            raise ValueError(f"layers of kind {sorted(kinds)}")
        if not kinds:
            return (getattr(self.config, "sliding_window", None) is not None,)
        return tuple(kind == "sliding_attention" for kind in sorted(kinds))

    @property
    def window(self) -> int | None:
        """How many tokens back, itself included, a token of a sliding layer sees; None without such layers."""
        window = getattr(self.config, "sliding_window", None)
        return int(window) if window is not None and any(self.sliding_layers()) else None


def prompt_tensor(prompt_ids: Tensor | Sequence[int], device: torch.device) -> Tensor:
    """One prompt as a row of token ids, shape (tokens,). Raises BadInput for a batch or an empty prompt."""
    ids = torch.as_tensor(prompt_ids, dtype=torch.long, device=device)
    if ids.dim() == 2 and len(ids) == 1:
        ids = ids[0]
    if ids.dim() != 1 or not len(ids):
        raise BadInput(
            f"A prompt is one row of token ids; this one has the shape {tuple(ids.shape)}.",
            "Give one prompt at a time, without padding.",
        )
    return ids
