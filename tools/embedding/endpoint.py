"""Sentence vectors of a server with OpenAI's API of embeddings: OpenAI, vLLM, Ollama, text-embeddings-inference."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from clew.tools.embedding.bert import Vectors
from clew.tools.embedding.embedder import CachedEmbedder, unit_rows
from clew.tools.errors import ClewError

BATCH = 64
"""Texts of one request."""
_LONGEST = 8000
"""Characters of a text that are sent; servers refuse what is longer than their model reads."""
_RETRIES = 3


class EndpointEmbedder(CachedEmbedder):
    """A model on a server."""

    def __init__(
        self, model: str, base_url: str, api_key: str | None = None, *, seconds: float = 60.0, cache_size: int = 50_000
    ) -> None:
        """`base_url` usually ends in /v1; `seconds` is the limit of one request."""
        super().__init__(cache_size)
        address = urlsplit(base_url)
        port = f":{address.port}" if address.port else ""
        self.place = f"{address.scheme}://{address.hostname}{port}{address.path}"
        """The address without user and password."""
        self.name = f"{model} at {self.place}"
        self._model, self._base_url, self._api_key, self._seconds = model, base_url, api_key, seconds
        self._dimension: int | None = None

    @property
    def dimension(self) -> int:
        """That of the first vector, which is asked for if there was none yet. Raises ClewError."""
        if self._dimension is None:
            self._dimension = len(self.embed(["a"])[0])
        return self._dimension

    @cached_property
    def _client(self) -> Any:
        from openai import OpenAI

        return OpenAI(
            base_url=self._base_url, api_key=self._api_key or "none", timeout=self._seconds, max_retries=_RETRIES
        )

    def _encode(self, texts: list[str]) -> Sequence[Vectors]:
        """Raises ClewError if the server cannot be reached, or does not answer with one vector for each text."""
        from openai import OpenAIError

        rows: list[Vectors] = []
        for begun in range(0, len(texts), BATCH):
            part = [text[:_LONGEST] or " " for text in texts[begun : begun + BATCH]]
            try:
                reply = self._client.embeddings.create(model=self._model, input=part, encoding_format="float")
                found = sorted(reply.data, key=lambda each: each.index)
                vectors = np.array([each.embedding for each in found], np.float32)
            except (OpenAIError, ValueError, TypeError, AttributeError) as error:
                raise self._failed(str(error).strip() or type(error).__name__) from None
            if vectors.ndim != 2 or len(vectors) != len(part):
                raise self._failed(f"it sent {len(found)} vectors for {len(part)} texts")
            rows += list(unit_rows(vectors))
        self._dimension = len(rows[0])
        return rows

    def _failed(self, reason: str) -> ClewError:
        return ClewError(
            f"The embedder {self._model} at {self.place} failed: {reason.splitlines()[0].rstrip('.')}.",
            "Check that the server runs: CLEW_EMBEDDER, CLEW_EMBEDDER_BASE_URL, CLEW_EMBEDDER_API_KEY.",
        )
