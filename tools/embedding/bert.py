"""BERT's forward pass in numpy (Devlin et al. 2019): what a single question needs, without the seconds that importing
torch takes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]

MOST_TOKENS = 256
"""Longer texts are cut, as the published model does."""


class Bert:
    """A BERT encoder with mean pooling. L layers, A heads, d hidden, B texts of at most T tokens."""

    def __init__(self, folder: Path) -> None:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.hidden = int(config["hidden_size"])
        self.heads = int(config["num_attention_heads"])
        self.epsilon = np.float32(config["layer_norm_eps"])
        weights = load_file(folder / "model.safetensors")
        self.weights = {name: value.astype(np.float32, copy=False) for name, value in weights.items()}
        self.layers = [self._layer(f"encoder.layer.{i}.") for i in range(int(config["num_hidden_layers"]))]
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(min(MOST_TOKENS, int(config["max_position_embeddings"])))

    def _layer(self, prefix: str) -> dict[str, Vectors]:
        """One layer's weights, transposed for x @ w (as views: few tokens are multiplied faster so); the three
        attention projections in one matrix."""
        w = {name[len(prefix) :]: value for name, value in self.weights.items() if name.startswith(prefix)}
        projections = [f"attention.self.{name}" for name in ("query", "key", "value")]
        layer = {"qkv": np.concatenate([w[f"{name}.weight"] for name in projections]).T}
        layer["qkv_bias"] = np.concatenate([w[f"{name}.bias"] for name in projections])
        for name in ("attention.output", "intermediate", "output"):
            layer[name] = w[f"{name}.dense.weight"].T
            layer[f"{name}_bias"] = w[f"{name}.dense.bias"]
        for name in ("attention.output", "output"):
            layer[f"{name}_norm"] = w[f"{name}.LayerNorm.weight"]
            layer[f"{name}_norm_bias"] = w[f"{name}.LayerNorm.bias"]
        return layer

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return [encoded.ids for encoded in self._tokenizer.encode_batch(list(texts))]

    def forward(self, tokens: Sequence[Sequence[int]]) -> Vectors:
        """Shape (B, d), rows of length 1."""
        longest = max(len(ids) for ids in tokens)
        ids = np.zeros((len(tokens), longest), dtype=np.int64)
        mask = np.zeros((len(tokens), longest), dtype=np.float32)
        for row, text in enumerate(tokens):
            ids[row, : len(text)] = text
            mask[row, : len(text)] = 1
        w = self.weights
        x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:longest]
        x = x + w["embeddings.token_type_embeddings.weight"][0]
        x = self._norm(x, w["embeddings.LayerNorm.weight"], w["embeddings.LayerNorm.bias"])
        hidden_from = (1 - mask)[:, None, None, :] * np.float32(-1e9)
        for layer in self.layers:
            attended = self._attend(x, layer, hidden_from)
            x = self._norm(x + attended, layer["attention.output_norm"], layer["attention.output_norm_bias"])
            inner = _gelu(_times(x, layer["intermediate"]) + layer["intermediate_bias"])
            inner = _times(inner, layer["output"]) + layer["output_bias"]
            x = self._norm(x + inner, layer["output_norm"], layer["output_norm_bias"])
        pooled: Vectors = (x * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
        pooled /= np.linalg.norm(pooled, axis=1, keepdims=True)
        return pooled

    def _attend(self, x: Vectors, layer: dict[str, Vectors], hidden_from: Vectors) -> Vectors:
        batch, length, width = x.shape
        projected = _times(x, layer["qkv"]) + layer["qkv_bias"]
        heads = projected.reshape(batch, length, 3, self.heads, width // self.heads)
        query, key, value = heads.transpose(2, 0, 3, 1, 4)
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(width // self.heads)) + hidden_from
        scores -= scores.max(-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(-1, keepdims=True)
        mixed = (scores @ value).transpose(0, 2, 1, 3).reshape(batch, length, width)
        attended: Vectors = _times(mixed, layer["attention.output"]) + layer["attention.output_bias"]
        return attended

    def _norm(self, x: Vectors, scale: Vectors, shift: Vectors) -> Vectors:
        centred = x - x.mean(-1, keepdims=True)
        variance = np.einsum("...i,...i->...", centred, centred)[..., None] / x.shape[-1]
        normed: Vectors = centred / np.sqrt(variance + self.epsilon) * scale + shift
        return normed


def _times(x: Vectors, weights: Vectors) -> Vectors:
    """x @ weights as one product over all tokens: numpy would make one a text, and threads wait for each other at the
    end of every product (20 times slower on a busy machine)."""
    product: Vectors = x.reshape(-1, x.shape[-1]) @ weights
    return product.reshape(*x.shape[:-1], -1)


def _gelu(x: Vectors) -> Vectors:
    from scipy.special import erf

    result: Vectors = x * 0.5 * (1 + erf(x * np.float32(np.sqrt(0.5))))
    return result
