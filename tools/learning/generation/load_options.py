"""How a language model is loaded; does not import torch."""

from __future__ import annotations

from typing import Literal, TypedDict

DType = Literal["float32", "bfloat16", "float16"]
Attention = Literal["eager", "sdpa", "flash_attention_2"]


class LoadOptions(TypedDict, total=False):
    """What is left out is as transformers has it."""

    device: str | None
    """cpu, cuda, cuda:1 …, or auto, which spreads the layers over all GPUs and the memory of the machine (accelerate);
    by default a GPU if there is one."""
    dtype: DType | None
    """Type of the weights; by default bfloat16 on a GPU and float32 elsewhere."""
    four_bit: bool
    """Load NF4 weights with double quantisation (GraphRAFT, B.3.1)."""
    attention: Attention | None
    """The implementation of attention; by default sdpa where the model has it."""
    downloads: bool
    """Allow a download of a model that is not on this machine."""
