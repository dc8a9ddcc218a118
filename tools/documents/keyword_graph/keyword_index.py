"""Keyword-RAG: keywords stand for entities, and the texts that have them for what is known of those (KET-RAG, 5.2).

Every term of the texts is a keyword. Its vector is the mean of the vectors of the sentences that have it, not
normalised: a word of many contexts has a short one and stays behind. A question takes the nearest keywords until the
texts that have them hold CANDIDATES times the tokens that are asked for, and of those texts the nearest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from clew.tools.arrays.columns import mapped
from clew.tools.arrays.published import PublishedFiles
from clew.tools.arrays.strings import Strings
from clew.tools.documents.chunk import Chunk
from clew.tools.embedding import Embedder
from clew.tools.text_search.bm25 import Postings

if TYPE_CHECKING:
    Stage = Callable[[str, str, int | None], AbstractContextManager[Callable[[int], None]]]

CANDIDATES = 2
"""As much text as this times what is asked for is considered."""
FORMAT = 1
_REBUILD = "Remove the folder; it is built again when it is needed."

Vectors = npt.NDArray[np.float32]
Positions = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Manifest:
    """What `keywords.json` holds."""

    format: int
    version: str
    folder: str
    dimension: int
    splits: int


FILES = PublishedFiles(Manifest, "keyword index", "keywords.json", FORMAT, _REBUILD, _REBUILD)


@dataclass(frozen=True, slots=True)
class Passage:
    """A sub-chunk that a question found."""

    text: str
    chunk: int
    """The number of its chunk, in the order in which the chunks were given."""
    cosine: float
    tokens: int


@dataclass(frozen=True, slots=True)
class KeywordIndex:
    """s sub-chunks, t terms; memory-mapped."""

    manifest: Manifest
    texts: Strings
    chunks: npt.NDArray[np.int32]
    """Of each sub-chunk its chunk: shape (s,)."""
    tokens: npt.NDArray[np.int32]
    vectors: Vectors
    """Of the sub-chunks, rows of length 1: shape (s, d)."""
    postings: Postings
    keyword_vectors: npt.NDArray[np.float16]
    """Of the terms in the order of the postings: shape (t, d)."""

    @classmethod
    def build(
        cls, chunks: Iterable[Chunk], directory: Path, version: str, embedder: Embedder, splits: int = 0,
        stage: Stage | None = None,
    ) -> KeywordIndex:  # fmt: skip
        """Index `chunks`, each cut into 2^splits parts, and open the result; one of the same version and splits is
        opened as it is. Sentences and parts are embedded once, as the passages of a document index are."""
        from clew.tools.documents.keyword_graph.keyword_builder import build  # most runs build nothing

        build(chunks, directory, version, embedder, splits, stage)
        return cls.open(directory)

    @classmethod
    def open(cls, directory: Path) -> KeywordIndex:
        """Raises BadInput where there is none, or a damaged one."""
        manifest = FILES.read(directory)
        folder = directory / manifest.folder
        try:
            rows, vectors = mapped(folder, "rows"), mapped(folder, "vectors").reshape(-1, manifest.dimension)
            return cls(
                manifest,
                Strings.load(folder, "texts"),
                mapped(folder, "chunks"),
                mapped(folder, "tokens"),
                vectors[rows],
                Postings.open(folder),
                mapped(folder, "keyword_vectors").reshape(-1, manifest.dimension),
            )
        except (OSError, ValueError, EOFError, IndexError) as error:
            raise FILES.damaged(directory, error) from error

    def nearest(self, vector: Vectors, max_tokens: int) -> list[Passage]:
        """The sub-chunks for a question's vector that fit into `max_tokens` together, nearest first."""
        candidates = self._candidates(vector, CANDIDATES * max_tokens)
        cosines = self.vectors[candidates] @ vector
        order = np.argsort(-cosines, kind="stable")
        used = np.cumsum(self.tokens[candidates[order]])
        order = order[: int(np.searchsorted(used, max_tokens, side="right"))]
        return [
            Passage(self.texts[place], int(self.chunks[place]), round(float(cosine), 6), int(self.tokens[place]))
            for place, cosine in zip(candidates[order].tolist(), cosines[order].tolist(), strict=True)
        ]

    def _candidates(self, vector: Vectors, tokens: int) -> Positions:
        """The sub-chunks of the nearest keywords, of each the nearest first, until they hold as many tokens."""
        likeness = self.keyword_vectors @ vector.astype(np.float16)
        seen = np.zeros(len(self.chunks), bool)
        held = 0
        for term in np.argsort(-likeness, kind="stable").tolist():
            has = self.postings.chunks[self.postings.starts[term] : self.postings.starts[term + 1]]
            new = has[~seen[has]]
            new = new[np.argsort(-(self.vectors[new] @ vector), kind="stable")]
            total = held + np.cumsum(self.tokens[new])
            new = new[: int(np.searchsorted(total, tokens)) + 1]
            seen[new] = True
            held += int(self.tokens[new].sum())
            if held >= tokens:
                break
        return np.flatnonzero(seen)
