"""Sentence vectors of any model of sentence-transformers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from clew.tools.embedding.bert import Vectors
from clew.tools.embedding.embedder import CachedEmbedder, unit_rows
from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_REMEDY = (
    "CLEW_EMBEDDER is a folder with a model of sentence-transformers, or the name of one that is on this machine; "
    "CLEW_ALLOW_DOWNLOADS=1 lets it be fetched, and CLEW_TRUST_REMOTE_CODE=1 lets its own Python code run."
)
_ENDS = 1 << 16
"""Bytes of each end of a file that identify its version: weights that were trained further differ everywhere."""


class SentenceModel(CachedEmbedder):
    """A model of sentence-transformers, loaded when first used. What the model asks to be put before queries and
    before texts (`prompts` in its configuration) is put there."""

    def __init__(
        self, model: str, *, downloads: bool = False, trust_remote_code: bool = False, cache_size: int = 50_000
    ) -> None:
        """`model` is a folder, or a name whose files are on this machine; only with `downloads` are missing ones
        fetched, and only with `trust_remote_code` does Python code of the model run."""
        super().__init__(cache_size)
        self._model = model
        self._options: dict[str, Any] = {"local_files_only": not downloads, "trust_remote_code": trust_remote_code}
        folder = Path(model).expanduser()
        self.name = f"{folder.absolute()}#{_digest(folder)}" if folder.is_dir() else model
        """The model's name; for a folder also a digest of its files."""
        self._loaded: SentenceTransformer | None = None
        self._queries = _Queries(self, cache_size)

    @property
    def dimension(self) -> int:
        """Raises BadInput where the model cannot be loaded."""
        return int(self.model.get_embedding_dimension() or len(self.embed(["a"])[0]))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, each row of length 1. Raises BadInput."""
        return self._queries.embed(texts)

    @property
    def model(self) -> SentenceTransformer:
        """Raises BadInput where it cannot be loaded."""
        with self._lock:
            if self._loaded is None:
                from sentence_transformers import SentenceTransformer

                try:
                    with quiet_loading():
                        self._loaded = SentenceTransformer(self._model, **self._options)
                except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
                    reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
                    raise BadInput(f"The embedder {self._model} cannot be loaded: {reason}", _REMEDY) from None
            return self._loaded

    def _encode(self, texts: list[str]) -> Sequence[Vectors]:
        return _rows(self.model.encode_document, texts)


class _Queries(CachedEmbedder):
    """The same model for what is searched for."""

    def __init__(self, owner: SentenceModel, cache_size: int) -> None:
        super().__init__(cache_size)
        self._owner = owner

    @property
    def dimension(self) -> int:
        return self._owner.dimension

    def _encode(self, texts: list[str]) -> Sequence[Vectors]:
        return _rows(self._owner.model.encode_query, texts)


@contextmanager
def quiet_loading() -> Iterator[None]:
    """Load models of transformers without their progress bars."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def _rows(encode: Any, texts: list[str]) -> Sequence[Vectors]:
    vectors = np.asarray(encode(texts, show_progress_bar=False, convert_to_numpy=True), np.float32)
    return list(unit_rows(vectors))


def _digest(folder: Path) -> str:
    """Of the sizes and the ends of all files in it."""
    found = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        size = path.stat().st_size
        with path.open("rb") as file:
            begins = file.read(_ENDS)
            file.seek(max(0, size - _ENDS))
            found.update(f"{path.relative_to(folder)} {size} ".encode() + begins + file.read(_ENDS))
    return found.hexdigest()[:12]
