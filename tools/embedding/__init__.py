"""Sentence embeddings."""

from tools.embedding.bert import MOST_TOKENS, Vectors
from tools.embedding.minilm import MINILM_SHA256, Embedder, MiniLM, bundled_minilm

__all__ = ["MINILM_SHA256", "MOST_TOKENS", "Embedder", "MiniLM", "Vectors", "bundled_minilm"]
