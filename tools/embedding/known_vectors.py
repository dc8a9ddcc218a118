"""An embedder that is spared what another index has embedded already."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clew.tools.arrays.id_table import HashPositions
from clew.tools.arrays.strings import hash_text
from clew.tools.embedding.bert import Vectors
from clew.tools.embedding.embedder import Embedder
from clew.tools.embedding.text_vectors import Hashes


class KnownVectors:
    """Takes the vectors of some texts from arrays, and those of all others from the embedder (`Embedder`)."""

    def __init__(self, embedder: Embedder, hashes: Hashes, vectors: Vectors) -> None:
        """`hashes` are those of the texts whose vectors are the rows of `vectors`."""
        self._embedder = embedder
        self._places = HashPositions(hashes)
        self._vectors = vectors

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, each row of length 1."""
        places = self._places.of(np.array([hash_text(text) for text in texts], np.uint64))
        found = np.empty((len(texts), self.dimension), np.float32)
        found[places >= 0] = self._vectors[places[places >= 0]]
        if (new := np.flatnonzero(places < 0).tolist()) or not len(texts):
            found[new] = self._embedder.embed([texts[place] for place in new])
        return found
