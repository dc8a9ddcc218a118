"""Sentence embeddings."""

from clew.tools.embedding.bert import MOST_TOKENS, Vectors
from clew.tools.embedding.minilm import MINILM_SHA256, Embedder, MiniLM, bundled_minilm

__all__ = ["MINILM_SHA256", "MOST_TOKENS", "Embedder", "MiniLM", "Vectors", "bundled_minilm"]
