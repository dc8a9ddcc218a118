"""Coverage with a skeleton: beside Keyword-RAG, as in KET-RAG, and beside this index's own channels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.documents.cost import CORE
from benchmarks.documents.keyword_rag import KeywordIndex
from benchmarks.documents.metrics import LIMITS, percent
from benchmarks.documents.model_skeleton import extracted_by_model
from benchmarks.documents.prepared import Prepared
from clew.app.settings import load_settings
from clew.tools.documents.skeleton.retrieval import TwoChannels
from clew.tools.documents.skeleton.skeleton import Skeleton
from clew.tools.documents.skeleton.statements import extracted

THETAS = (0.2, 0.4)

Vector = npt.NDArray[np.float32]
Texts = Callable[[str, Vector, float, int], list[str]]
"""What a question is shown, by its vector, θ and the limit."""


def coverage(prepared: Prepared, home: Path, tokens: int | None) -> dict[str, list[float]]:
    """In points, for each limit. A skeleton by rules, and with `tokens` one by the model that the environment names."""
    keywords = KeywordIndex.build(prepared.chunks, home / "keywords", "1", prepared.embedder)
    found = {"Keyword-RAG": _covered(prepared, lambda _, vector, __, limit: [
        passage.text for passage in keywords.nearest(vector, limit)], 0.0)}  # fmt: skip
    for by, skeleton in _skeletons(prepared, home, tokens).items():
        both = TwoChannels(prepared.index, skeleton)
        for what, texts in (("Keyword-RAG", _as_in_the_paper(both, keywords)), ("default", _beside_the_index(both))):
            for theta in THETAS:
                name = f"{what} and a skeleton by {by}, beta {CORE}, theta {theta}"
                found[name] = _covered(prepared, texts, theta)
                print(name, found[name], flush=True)
    return found


def _skeletons(prepared: Prepared, home: Path, tokens: int | None) -> dict[str, Skeleton]:
    best_first = [prepared.chunks[place] for place in prepared.index.core(CORE).tolist()]
    by_rules = ((chunk.id, extracted(chunk)) for chunk in sorted(best_first, key=lambda chunk: chunk.order))
    found = {"rules": Skeleton.build(by_rules, home / "skeleton", str(CORE), "rules", prepared.embedder)}
    if tokens is not None:
        settings = load_settings()
        told = extracted_by_model(best_first, home / "extracted.jsonl", tokens, settings)
        version = f"{settings.model} {len(told)}"
        name = f"{settings.model} ({len(told):,} of {len(best_first):,} chunks)"
        found[name] = Skeleton.build(told.items(), home / "model-skeleton", version, "model", prepared.embedder)
    return found


def _as_in_the_paper(both: TwoChannels, keywords: KeywordIndex) -> Texts:
    def texts(question: str, vector: Vector, theta: float, limit: int) -> list[str]:
        facts = both.context(question, int(theta * limit), theta=1.0)
        return [*facts.texts, *(passage.text for passage in keywords.nearest(vector, limit - facts.tokens))]

    return texts


def _beside_the_index(both: TwoChannels) -> Texts:
    return lambda question, _, theta, limit: both.context(question, limit, theta).texts


def _covered(prepared: Prepared, texts: Texts, theta: float) -> list[float]:
    rows = []
    for asked, vector in zip(prepared.questions, prepared.vectors, strict=True):
        shown = (texts(asked.text, vector, theta, limit) for limit in LIMITS)
        rows.append([any(asked.answer.lower() in text.lower() for text in each) for each in shown])
    return percent(rows)
