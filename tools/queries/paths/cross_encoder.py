"""Rerankers: how relevant texts are to a question, read together with it (ByoKG-RAG appendix A.2).

A cross-encoder reads question and text at once, which is dear and good; a bi-encoder compares their vectors, which is
cheap and needs nothing that is not there already. The graph reranker uses the cheap one to leave out most, and the dear
one, where one is configured, to order the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, Protocol

import numpy as np

from clew.tools.embedding import Embedder
from clew.tools.errors import BadInput
from clew.tools.graph.triplets import Triplet

MOST_TEXTS = 256
"""Texts that a cross-encoder reads for one question."""
LONGEST_TEXT = 600
"""Characters of a text; more than MOST_TOKENS tokens hold nowhere."""
MOST_TOKENS = 256
"""Question and text together."""
BATCH = 32
_VECTORS = 64
"""Texts that are embedded between two looks at the time."""
_REMEDY = (
    "CLEW_RERANKER is a folder in the format of transformers, or the name of a model that is on this machine; "
    "CLEW_ALLOW_DOWNLOADS=1 lets it be fetched."
)


def _never() -> bool:
    return False


class Reranker(Protocol):
    """Scores texts for a question."""

    def score(self, question: str, texts: Sequence[str], out_of_time: Callable[[], bool] = _never) -> list[float]:
        """One score a text, the higher the more relevant; comparable within one call only. Shorter than `texts` where
        the time or the number of texts ends before them: the first ones are scored."""


class BiEncoder:
    """Cosines of sentence vectors. The embedder keeps them, so that relations are embedded once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def score(self, question: str, texts: Sequence[str], out_of_time: Callable[[], bool] = _never) -> list[float]:
        found: list[float] = []
        for start in range(0, len(texts), _VECTORS):
            if out_of_time():
                break
            vectors = self._embedder.embed([question, *texts[start : start + _VECTORS]])
            found += [float(score) for score in vectors[1:] @ vectors[0]]
        return found


class CrossEncoder:
    """A sequence-classification model of transformers, loaded when first used.

    `model` is a local folder, or a name whose files are on this machine already; only with `downloads` are missing ones
    fetched. Its one output is the score; of two outputs the second is taken, as classes "irrelevant" and "relevant".
    """

    def __init__(self, model: str, *, downloads: bool = False) -> None:
        self._model = model
        self._downloads = downloads
        self._lock = Lock()
        self._loaded: tuple[Any, Any, str] | None = None

    def score(self, question: str, texts: Sequence[str], out_of_time: Callable[[], bool] = _never) -> list[float]:
        """Raises BadInput where the model cannot be loaded."""
        import torch

        found: list[float] = []
        with self._lock:
            encode, classify, device = self._load()
            for start in range(0, min(len(texts), MOST_TEXTS), BATCH):
                if out_of_time():
                    break
                batch = [text[:LONGEST_TEXT] for text in texts[start : min(start + BATCH, MOST_TEXTS)]]
                tokens = encode(
                    [question[:LONGEST_TEXT]] * len(batch),
                    batch,
                    truncation=True,
                    max_length=MOST_TOKENS,
                    padding=True,
                    return_tensors="pt",
                ).to(device)
                with torch.inference_mode():
                    logits = classify(**tokens).logits.float()
                last = logits[:, 0] if logits.shape[1] == 1 else torch.log_softmax(logits, dim=1)[:, 1]
                found += [float(score) for score in last.cpu()]
        return found

    def _load(self) -> tuple[Any, Any, str]:
        if self._loaded is None:
            import torch
            from transformers import AutoModelForSequenceClassification, AutoTokenizer

            try:
                tokenizer = AutoTokenizer.from_pretrained(self._model, local_files_only=not self._downloads)
                model = AutoModelForSequenceClassification.from_pretrained(
                    self._model, local_files_only=not self._downloads
                )
            except (OSError, ValueError, KeyError, ImportError) as error:
                raise BadInput(f"The reranker {self._model} cannot be loaded: {_first_line(error)}", _REMEDY) from None
            if model.config.num_labels > 2:
                raise BadInput(f"{self._model} tells {model.config.num_labels} classes apart: no reranker.", _REMEDY)
            device = "cuda" if torch.cuda.is_available() else "cpu"
            self._loaded = tokenizer, model.to(device).eval(), device
        return self._loaded


def rerank(
    question: str,
    triplets: Sequence[Triplet],
    first: Reranker,
    second: Reranker | None = None,
    *,
    kept: int = 100,
    k: int = 10,
    out_of_time: Callable[[], bool] = _never,
) -> list[tuple[Triplet, float]]:
    """The k most relevant triplets, best first: `first` keeps `kept` of them (k_t, Equation 13), `second` orders these
    (Equation 14). Scores are those of the last reranker that saw a triplet, and fall along the list only among those
    of one reranker. Without a second, or with no time left for it, the first one's order stands."""
    scored = _ordered(question, triplets, first, out_of_time)[:kept]
    if second is None or not scored or out_of_time():
        return scored[:k]
    again = _ordered(question, [triplet for triplet, _ in scored], second, out_of_time)
    return [*again, *scored[len(again) :]][:k]


def _ordered(
    question: str, triplets: Sequence[Triplet], reranker: Reranker, out_of_time: Callable[[], bool]
) -> list[tuple[Triplet, float]]:
    """As many as the reranker scored. Sorting keeps the order of equals."""
    scores = reranker.score(question, [triplet.sentence() for triplet in triplets], out_of_time)
    pairs = zip(triplets, scores, strict=False)
    return sorted(pairs, key=lambda pair: -pair[1])


def top_relations(
    question: str, relations: Sequence[str], texts: Sequence[str], reranker: Reranker, k: int
) -> list[str]:
    """The k relations whose texts are most relevant (k_r, Equation 12), best first; all where there are no more."""
    if len(relations) <= k:
        return list(relations)
    scores = np.array(reranker.score(question, texts))
    return [relations[i] for i in np.argsort(-scores, kind="stable")[:k]]


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
