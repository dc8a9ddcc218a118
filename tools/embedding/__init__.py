"""Sentence vectors, and the search among them.

Holds what every model has (`embedder`), the packaged one (`minilm`, `bert`, `bulk`), those that a user names
(`sentence_model`, `endpoint`), the vectors of an index's texts (`text_vectors`), exact and HNSW search (`exact`,
`hnsw`), vector stores (`vector_store`, `chroma`), and token counts (`token_budget`). In: texts. Out: rows of length 1,
one a text, and the nearest of many rows.
"""

from clew.tools.embedding.bert import MOST_TOKENS, Vectors
from clew.tools.embedding.embedder import Embedder, cosines_with, query_vectors
from clew.tools.embedding.minilm import MINILM_SHA256, MiniLM, bundled_minilm, shared_minilm

__all__ = [
    "MINILM_SHA256", "MOST_TOKENS", "Embedder", "MiniLM", "Vectors", "bundled_minilm", "cosines_with", "query_vectors",
    "shared_minilm",
]  # fmt: skip
