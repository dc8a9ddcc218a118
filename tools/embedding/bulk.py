"""BERT's forward pass in torch, for many texts at a time.

It runs on a GPU where there is one. A CPU that multiplies bfloat16 matrices in hardware (AMX) does so, which takes less
than half the time of single precision and moves a cosine by .0008 on average; others give what numpy gives.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from clew.tools.embedding.bert import Bert, Vectors


class BulkBert:
    """The same encoder as `bert`. B texts of at most T tokens, d hidden."""

    def __init__(self, bert: Bert, *, exact: bool = False) -> None:
        """`exact`: in single precision wherever it runs, so that vectors are those of `bert`; on a CPU with its very
        weights, else with a copy of them."""
        self._heads, self._epsilon, self.hidden = bert.heads, float(bert.epsilon), bert.hidden
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._type = torch.bfloat16 if not exact and self._device.type == "cpu" and _has_amx() else torch.float32
        self._weights = {name: self._on_device(value) for name, value in bert.weights.items() if "layer." not in name}
        # F.linear takes a matrix as (out, in); Bert keeps it as (in, out).
        self._layers = [{name: self._turned(value) for name, value in layer.items()} for layer in bert.layers]

    @property
    def on_gpu(self) -> bool:
        return self._device.type != "cpu"

    @torch.inference_mode()
    def forward(self, tokens: Sequence[Sequence[int]]) -> Vectors:
        """Shape (B, d), rows of length 1."""
        longest = max(len(ids) for ids in tokens)
        padded = np.zeros((len(tokens), longest), dtype=np.int64)
        lengths = np.array([len(ids) for ids in tokens])
        for row, ids in enumerate(tokens):
            padded[row, : len(ids)] = ids
        real = torch.from_numpy(np.arange(longest) < lengths[:, None]).to(self._device)
        x = self._embedded(torch.from_numpy(padded).to(self._device))
        for layer in self._layers:
            attended = self._attend(x, layer, real)
            x = self._norm(x + attended, layer["attention.output_norm"], layer["attention.output_norm_bias"])
            inner = functional.gelu(functional.linear(x, layer["intermediate"], layer["intermediate_bias"]))
            inner = functional.linear(inner, layer["output"], layer["output_bias"])
            x = self._norm(x + inner, layer["output_norm"], layer["output_norm_bias"])
        pooled = (x.float() * real[..., None]).sum(1)  # the length is taken away just below
        vectors: Vectors = functional.normalize(pooled, dim=1).cpu().numpy()
        return vectors

    def _embedded(self, ids: Tensor) -> Tensor:
        w = self._weights
        x = functional.embedding(ids, w["embeddings.word_embeddings.weight"])
        x = x + w["embeddings.position_embeddings.weight"][: ids.shape[1]]
        x = x + w["embeddings.token_type_embeddings.weight"][0]
        return self._norm(x, w["embeddings.LayerNorm.weight"], w["embeddings.LayerNorm.bias"])

    def _attend(self, x: Tensor, layer: dict[str, Tensor], real: Tensor) -> Tensor:
        batch, length, width = x.shape
        projected = functional.linear(x, layer["qkv"], layer["qkv_bias"])
        query, key, value = projected.view(batch, length, 3, self._heads, -1).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=real[:, None, None, :])
        mixed = mixed.transpose(1, 2).reshape(batch, length, width)
        return functional.linear(mixed, layer["attention.output"], layer["attention.output_bias"])

    def _norm(self, x: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
        return functional.layer_norm(x, (self.hidden,), scale, shift, self._epsilon)

    def _turned(self, weights: Vectors) -> Tensor:
        """A view of the very weights where they are used as they are, and else a copy in the order of its rows."""
        turned = self._on_device(weights).t()
        return turned if self._device.type == "cpu" and self._type == torch.float32 else turned.contiguous()

    def _on_device(self, weights: Vectors) -> Tensor:
        return torch.from_numpy(weights).to(self._device, self._type)


def _has_amx() -> bool:
    capabilities = getattr(torch.cpu, "get_capabilities", None)  # missing in older releases of torch
    return bool(capabilities and capabilities().get("amx_bf16"))
