"""Where the weights of a model go, and in which type."""

from __future__ import annotations

import importlib.util
from typing import Any

import torch
import transformers

from clew.tools.errors import BadInput
from clew.tools.learning.generation.load_options import LoadOptions
from clew.tools.learning.generation.memory import is_out_of_memory


def placement(device: str, options: LoadOptions) -> tuple[dict[str, Any], bool]:
    """What transformers is given, and whether it places the model on its device then. Raises BadInput."""
    on_gpu = device.startswith("cuda") or (device == "auto" and torch.cuda.is_available())
    dtype = options.get("dtype")
    given: dict[str, Any] = {"dtype": getattr(torch, dtype or ("bfloat16" if on_gpu else "float32"))}
    if attention := options.get("attention"):
        given["attn_implementation"] = attention
    spread = device == "auto"
    if spread or options.get("four_bit"):
        if importlib.util.find_spec("accelerate") is None:
            raise BadInput(
                "Spreading a model over devices, and 4-bit weights, need the package accelerate.",
                "Install it: pip install 'clew[train]'",
            )
        given["device_map"] = "auto" if spread else {"": device}
    if options.get("four_bit"):
        given["quantization_config"] = _four_bit()
    return given, "device_map" in given


def _four_bit() -> Any:
    """NF4 with double quantisation, computed in bfloat16 (GraphRAFT, B.3.1)."""
    if importlib.util.find_spec("bitsandbytes") is None:
        raise BadInput(
            "4-bit weights need the package bitsandbytes.",
            "Install it: pip install 'clew[train-gpu]'. Or leave out --generator-4bit.",
        )
    return transformers.BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_use_double_quant=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_compute_dtype=torch.bfloat16,
    )


def moved(model: Any, device: str) -> Any:
    """The model on a device. Raises BadInput if there is none."""
    try:
        return model.to(device)
    except (AssertionError, RuntimeError) as error:
        if is_out_of_memory(error):
            raise
        raise BadInput(
            f"There is no device {device!r}: {str(error).splitlines()[0]}", "Use cpu, cuda, cuda:N, or auto."
        ) from None
