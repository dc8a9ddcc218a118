"""A BERT of a few thousand weights in a folder, as tests fine-tune it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, pre_tokenizers

WIDTH, LAYERS, HEADS, LONGEST = 16, 2, 2, 64


def small_encoder(folder: Path, texts: Iterable[str], seed: int = 0) -> Path:
    """The folder, with a model that knows the words of `texts`."""
    words = sorted({word for text in texts for word in text.split()})
    vocabulary = {"[UNK]": 0, **{word: number for number, word in enumerate(words, start=1)}}
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {
        "hidden_size": WIDTH,
        "num_attention_heads": HEADS,
        "num_hidden_layers": LAYERS,
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": LONGEST,
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    chance = np.random.default_rng(seed)
    shapes = {
        "embeddings.word_embeddings.weight": (len(vocabulary), WIDTH),
        "embeddings.position_embeddings.weight": (LONGEST, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(LAYERS):
        start = f"encoder.layer.{layer}."
        for name in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            shapes |= {f"{start}{name}.weight": (WIDTH, WIDTH), f"{start}{name}.bias": (WIDTH,)}
        shapes |= {
            f"{start}intermediate.dense.weight": (2 * WIDTH, WIDTH),
            f"{start}intermediate.dense.bias": (2 * WIDTH,),
        }
        shapes |= {f"{start}output.dense.weight": (WIDTH, 2 * WIDTH), f"{start}output.dense.bias": (WIDTH,)}
        norms += [f"{start}attention.output.LayerNorm", f"{start}output.LayerNorm"]
    weights = {name: chance.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}
    for name in norms:
        weights |= {f"{name}.weight": np.ones(WIDTH, np.float32), f"{name}.bias": np.zeros(WIDTH, np.float32)}
    save_file(weights, folder / "model.safetensors")
    return folder
