"""Rerankers: how relevant texts are to a question, read together with it (ByoKG-RAG appendix A.2).

A cross-encoder reads question and text at once, which is dear and good; a bi-encoder compares their vectors, which is
cheap and needs nothing that is not there already. The graph reranker uses the cheap one to leave out most, and the dear
one, where one is configured, to order the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Protocol

import numpy as np

from clew.tools.embedding import Embedder, query_vectors
from clew.tools.embedding.sentence_model import quiet_loading
from clew.tools.errors import BadInput
from clew.tools.graph.triplets import Triplet

MOST_TEXTS = 256
"""Texts that a cross-encoder reads for one question."""
LONGEST_TEXT = 600
"""Characters of a text; more than MOST_TOKENS tokens hold nowhere."""
MOST_TOKENS = 256
"""Question and text together."""
BATCH = 32
PROMPT_TOKENS = 1024
"""The same with the instructions that a language model's template puts around them, which must not be cut."""
_VECTORS = 64
"""Texts that are embedded between two looks at the time."""
_REMEDY = (
    "CLEW_RERANKER is a folder in the format of transformers, or the name of a model that is on this machine; "
    "CLEW_ALLOW_DOWNLOADS=1 lets it be fetched, and CLEW_TRUST_REMOTE_CODE=1 lets its own Python code run."
)


Scorer = Callable[[list[tuple[str, str]]], list[float]]
"""Scores pairs of question and text."""


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
            vectors = self._embedder.embed(texts[start : start + _VECTORS])
            found += [float(score) for score in vectors @ query_vectors(self._embedder, [question])[0]]
        return found


class CrossEncoder:
    """A model that reads question and text together, loaded when first used: a sequence-classification model, or a
    language model that says "yes" or "no" (Nogueira et al. 2020), as sentence-transformers' CrossEncoder takes both.

    `model` is a local folder, or a name whose files are on this machine already; only with `downloads` are missing ones
    fetched, and only with `trust_remote_code` does Python code of the model run. The one output of a classifier is the
    score; of two outputs the second is taken, as classes "irrelevant" and "relevant". The score of a language model is
    the logit of "yes" less that of "no"; one with layers to choose from has an output of its own (`Layerwise`).
    """

    def __init__(self, model: str, *, downloads: bool = False, trust_remote_code: bool = False) -> None:
        self._model = model
        self._options = {"local_files_only": not downloads, "trust_remote_code": trust_remote_code}
        self._lock = Lock()
        self._loaded: Scorer | None = None

    def score(self, question: str, texts: Sequence[str], out_of_time: Callable[[], bool] = _never) -> list[float]:
        """Raises BadInput where the model cannot be loaded."""
        found: list[float] = []
        with self._lock:
            self._loaded = score = self._loaded or self._load()
            for start in range(0, min(len(texts), MOST_TEXTS), BATCH):
                if out_of_time():
                    break
                batch = texts[start : min(start + BATCH, MOST_TEXTS)]
                found += score([(question[:LONGEST_TEXT], text[:LONGEST_TEXT]) for text in batch])
        return found

    def _load(self) -> Scorer:
        from transformers import AutoConfig

        from clew.tools.queries.paths.layerwise_reranker import Layerwise

        try:
            with quiet_loading():
                config = AutoConfig.from_pretrained(self._model, **self._options)
                if Layerwise.fits(config):
                    return Layerwise(self._model, self._options).score
                return self._cross_encoder(generates=str((config.architectures or [""])[0]).endswith("ForCausalLM"))
        except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
            raise BadInput(f"The reranker {self._model} cannot be loaded: {_first_line(error)}", _REMEDY) from None

    def _cross_encoder(self, *, generates: bool) -> Scorer:
        from sentence_transformers import CrossEncoder as Model

        model = Model(self._model, max_length=PROMPT_TOKENS if generates else MOST_TOKENS, **self._options)
        if model.num_labels > 2:
            raise BadInput(f"{self._model} distinguishes {model.num_labels} classes: no reranker.", _REMEDY)

        def score(pairs: list[tuple[str, str]]) -> list[float]:
            from torch import log_softmax, nn

            logits = model.predict(
                pairs, activation_fn=nn.Identity(), batch_size=BATCH, show_progress_bar=False, convert_to_tensor=True
            ).float()
            last = logits if logits.ndim == 1 else log_softmax(logits, dim=1)[:, 1]
            return [float(score) for score in last.cpu()]

        return score


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
