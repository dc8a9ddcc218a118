"""BERT's forward pass in numpy (Devlin et al. 2019): what a single question needs, without the seconds that importing
torch takes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.one_thread import ONE_THREAD

Vectors = npt.NDArray[np.float32]

MOST_TOKENS = 256
"""Longer texts are cut, as the published model does."""
_FEW_TOKENS = 512
"""Maximum number of tokens that are embedded in one thread."""
_BLOCK = 1 << 15
"""Numbers that are handled at once where each needs many steps."""
_NARROW, _COLUMNS = 16, 64
"""Rows up to which a matrix product is made by groups of columns, and the columns of a group."""
_TAIL = 0.5 * np.array([1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592], np.float32)
"""Half of the coefficients of the complementary error function (Abramowitz and Stegun, 7.1.26)."""


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
        weights = {name: value.astype(np.float32, copy=False) for name, value in weights.items()}
        self.layers = [_layer(weights, f"encoder.layer.{i}.") for i in range(int(config["num_hidden_layers"]))]
        self.weights = {name: value for name, value in weights.items() if ".layer." not in name}
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(min(MOST_TOKENS, int(config["max_position_embeddings"])))

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return [encoded.ids for encoded in self._tokenizer.encode_batch(list(texts))]

    def forward(self, tokens: Sequence[Sequence[int]]) -> Vectors:
        """Shape (B, d), rows of length 1."""
        lengths = np.array([len(ids) for ids in tokens])
        places = np.arange(lengths.max())
        real = places < lengths[:, None]
        with ONE_THREAD if real.size <= _FEW_TOKENS else nullcontext():
            last = self._encoded(np.concatenate([np.asarray(ids) for ids in tokens]), real)
        starts = np.cumsum(lengths) - lengths
        pooled: Vectors = np.add.reduceat(last, starts, axis=0)
        pooled /= np.linalg.norm(pooled, axis=1, keepdims=True)  # the length is taken away with the number of tokens
        return pooled

    def _encoded(self, ids: npt.NDArray[np.int64], real: npt.NDArray[np.bool_]) -> Vectors:
        """The last layer's vectors of n tokens, those of all texts in a row, shape (n, d). Only attention needs one row
        a text: `real`, of shape (B, T), says where its tokens are."""
        w = self.weights
        x = w["embeddings.word_embeddings.weight"][ids]
        x = x + w["embeddings.position_embeddings.weight"][np.nonzero(real)[1]]
        x = x + w["embeddings.token_type_embeddings.weight"][0]
        x = self._norm(x, w["embeddings.LayerNorm.weight"], w["embeddings.LayerNorm.bias"])
        for layer in self.layers:
            x += self._attend(x, layer, real)
            x = self._norm(x, layer["attention.output_norm"], layer["attention.output_norm_bias"])
            x += _linear(_gelu(_linear(x, layer, "intermediate")), layer, "output")
            x = self._norm(x, layer["output_norm"], layer["output_norm_bias"])
        return x

    def _attend(self, x: Vectors, layer: dict[str, Vectors], real: npt.NDArray[np.bool_]) -> Vectors:
        width, padded = x.shape[-1], not real.all()
        projected = _linear(x, layer, "qkv")
        if padded:
            rows, projected = projected, np.zeros((*real.shape, 3 * width), dtype=np.float32)
            projected[real] = rows
        heads = projected.reshape(*real.shape, 3, self.heads, width // self.heads)
        query, key, value = heads.transpose(2, 0, 3, 1, 4)
        scores = query @ key.transpose(0, 1, 3, 2)
        scores /= np.float32(np.sqrt(width // self.heads))
        if padded:
            scores += np.where(real, np.float32(0), np.float32(-1e9))[:, None, None, :]
        scores -= np.maximum.reduce(scores, -1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= np.add.reduce(scores, -1, keepdims=True)
        mixed = (scores @ value).transpose(0, 2, 1, 3)
        return _linear((mixed[real] if padded else mixed).reshape(-1, width), layer, "attention.output")

    def _norm(self, x: Vectors, scale: Vectors, shift: Vectors) -> Vectors:
        """In place."""
        x -= np.add.reduce(x, -1, keepdims=True) / np.float32(x.shape[-1])
        variance = np.add.reduce(x * x, -1, keepdims=True) / np.float32(x.shape[-1])
        x /= np.sqrt(variance + self.epsilon)
        x *= scale
        x += shift
        return x


def _layer(weights: Mapping[str, Vectors], prefix: str) -> dict[str, Vectors]:
    """One layer's weights, copied as (in, out) for x @ w, which takes two thirds of the time of a transposed view;
    the three attention projections in one matrix."""
    w = {name[len(prefix) :]: value for name, value in weights.items() if name.startswith(prefix)}
    projections = [f"attention.self.{name}" for name in ("query", "key", "value")]
    layer = {"qkv": np.concatenate([w[f"{name}.weight"].T for name in projections], axis=1)}
    layer["qkv_bias"] = np.concatenate([w[f"{name}.bias"] for name in projections])
    for name in ("attention.output", "intermediate", "output"):
        layer[name] = np.ascontiguousarray(w[f"{name}.dense.weight"].T)
        layer[f"{name}_bias"] = w[f"{name}.dense.bias"]
    for name in ("attention.output", "output"):
        layer[f"{name}_norm"] = w[f"{name}.LayerNorm.weight"]
        layer[f"{name}_norm_bias"] = w[f"{name}.LayerNorm.bias"]
    return layer


def _linear(x: Vectors, layer: Mapping[str, Vectors], name: str) -> Vectors:
    """x @ w + b. OpenBLAS copies the whole of a wide matrix first, which takes most of the time of a few rows; groups
    of its columns it multiplies as they are."""
    w, n = layer[name], len(x)
    found = np.empty((n, w.shape[1]), dtype=np.float32)
    if 1 < n <= _NARROW and w.shape[1] % _COLUMNS == 0:
        groups = w.reshape(w.shape[0], -1, _COLUMNS).transpose(1, 0, 2)
        np.matmul(x, groups, out=found.reshape(n, -1, _COLUMNS).transpose(1, 0, 2))
    else:
        np.matmul(x, w, out=found)
    found += layer[f"{name}_bias"]
    return found


def _gelu(x: Vectors) -> Vectors:
    """x P(X < x) of the normal distribution to 6e-7, in place, by blocks that stay in the cache. The tail P(X < -|x|)
    is a polynomial of 1 / (1 + .23 |x|) times exp(-x² / 2), in place of scipy's, whose import takes half a second."""
    flat = x.reshape(-1)
    for begin in range(0, flat.size, _BLOCK):
        block = flat[begin : begin + _BLOCK]
        size = np.abs(block)
        share = size * np.float32(0.3275911 * 0.5**0.5)
        share += 1
        np.reciprocal(share, out=share)
        tail = share * _TAIL[0]
        for coefficient in _TAIL[1:]:
            tail += coefficient
            tail *= share
        np.multiply(size, np.float32(-0.5), out=share)
        share *= size
        tail *= np.exp(share, out=share)
        tail *= size
        np.maximum(block, 0, out=block)
        block -= tail
    return x
