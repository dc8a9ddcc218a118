"""The BERT encoder for fine-tuning: the forward pass of MiniLM in PyTorch, with gradients in the top layers only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from clew.tools.errors import ClewError

MODEL = "model.safetensors"


class BertEncoder(torch.nn.Module):
    """BERT with mean pooling and trainable top layers. B texts of at most T tokens, d hidden."""

    def __init__(self, folder: Path, learning: int, dropout: float) -> None:
        super().__init__()
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self._heads, self._epsilon = int(config["num_attention_heads"]), float(config["layer_norm_eps"])
        self._layers = int(config["num_hidden_layers"])
        self._first = max(0, self._layers - learning)
        self._dropout = dropout
        self._w = {name: w.float() for name, w in weights_of(folder).items() if w.is_floating_point()}
        for name in list(self._w):
            if name.startswith("encoder.layer.") and int(name.split(".")[2]) >= self._first:
                learning_weights = torch.nn.Parameter(self._w[name].clone())
                self._w[name] = learning_weights
                self.register_parameter(name.replace(".", "/"), learning_weights)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(min(128, int(config["max_position_embeddings"])))

    def learned(self) -> dict[str, Tensor]:
        """A copy of the trainable weights."""
        return {n: w.detach().clone() for n, w in self._w.items() if isinstance(w, torch.nn.Parameter)}

    def learn(self, weights: dict[str, Tensor]) -> None:
        """Set the trainable weights. Raises KeyError or RuntimeError if they are those of another model."""
        with torch.no_grad():
            for name, own in self._w.items():
                if isinstance(own, torch.nn.Parameter):
                    own.copy_(weights[name])

    def embed(self, texts: Sequence[str], size: int = 64) -> Tensor:
        """Shape (len(texts), d), rows of length 1."""
        tokens = [encoded.ids for encoded in self._tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(texts)), key=lambda i: len(tokens[i]))  # short with short: little padding
        parts = [self([tokens[i] for i in order[s : s + size]]) for s in range(0, len(order), size)]
        back = torch.empty(len(texts), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(texts))
        return torch.cat(parts)[back]

    def forward(self, tokens: Sequence[Sequence[int]]) -> Tensor:
        """Shape (B, d)."""
        ids = torch.nn.utils.rnn.pad_sequence([torch.tensor(text) for text in tokens], batch_first=True)
        lengths = torch.tensor([len(text) for text in tokens])
        there = (torch.arange(ids.shape[1]) < lengths[:, None]).float()
        hidden_from = ((1 - there) * -1e9)[:, None, None, :]
        with torch.no_grad():
            x = self._w["embeddings.word_embeddings.weight"][ids]
            x = x + self._w["embeddings.position_embeddings.weight"][: ids.shape[1]]
            x = self._norm(x + self._w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
            for layer in range(self._first):
                x = self._layer(x, hidden_from, f"encoder.layer.{layer}.", 0.0)
        for layer in range(self._first, self._layers):
            x = self._layer(x, hidden_from, f"encoder.layer.{layer}.", self._dropout if self.training else 0.0)
        return functional.normalize((x * there[..., None]).sum(1) / lengths[:, None], dim=-1)

    def _layer(self, x: Tensor, hidden_from: Tensor, name: str, dropout: float) -> Tensor:
        batch, length, width = x.shape
        query, key, value = (
            self._times(x, f"{name}attention.self.{part}").view(batch, length, self._heads, -1).transpose(1, 2)
            for part in ("query", "key", "value")
        )
        mixed = functional.scaled_dot_product_attention(query, key, value, hidden_from, dropout)
        attended = self._times(mixed.transpose(1, 2).reshape(batch, length, width), f"{name}attention.output.dense")
        x = self._norm(x + functional.dropout(attended, dropout), f"{name}attention.output.LayerNorm")
        inner = functional.gelu(self._times(x, f"{name}intermediate.dense"))
        inner = functional.dropout(self._times(inner, f"{name}output.dense"), dropout)
        return self._norm(x + inner, f"{name}output.LayerNorm")

    def _times(self, x: Tensor, name: str) -> Tensor:
        return functional.linear(x, self._w[f"{name}.weight"], self._w[f"{name}.bias"])

    def _norm(self, x: Tensor, name: str) -> Tensor:
        scale, shift = self._w[f"{name}.weight"], self._w[f"{name}.bias"]
        return functional.layer_norm(x, x.shape[-1:], scale, shift, self._epsilon)


def weights_of(folder: Path) -> dict[str, Tensor]:
    """Raises ClewError."""
    try:
        return load((folder / MODEL).read_bytes())
    except SafetensorError as error:
        raise ClewError(f"The embedding model cannot be read: {error}.", f"Reinstall it in {folder}.") from None
