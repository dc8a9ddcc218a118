"""Coverage of KET-RAG's keyword channel, and of a skeleton beside it or beside the index's own channels."""

from __future__ import annotations

from pathlib import Path

from benchmarks.documents.cost import CORE
from benchmarks.documents.metrics import LIMITS, percent
from benchmarks.documents.model_skeleton import extracted_by_model
from benchmarks.documents.prepared import Prepared
from clew.app.settings import load_settings
from clew.tools.documents.keyword_graph.keyword_index import KeywordIndex
from clew.tools.documents.search_options import CORE_CHOICES
from clew.tools.documents.skeleton.retrieval import TwoChannels
from clew.tools.documents.skeleton.skeleton import Skeleton
from clew.tools.documents.skeleton.statements import extracted
from clew.tools.embedding.known_vectors import KnownVectors

THETAS = (0.2, 0.4)
SPLITS = (0, 1)


def coverage(prepared: Prepared, home: Path, tokens: int | None) -> dict[str, list[float]]:
    """In points, for each limit. A skeleton by rules, and with `tokens` one by the model that the environment names."""
    index = prepared.index
    embedder = KnownVectors(prepared.embedder, index.sources.hashes, index.sources.vectors)
    found: dict[str, list[float]] = {}
    skeletons: dict[str, Skeleton | None] = {"": None, **_skeletons(prepared, home, tokens)}
    for splits in SPLITS:
        keywords = KeywordIndex.build(index.sources.store, home / "keywords", "1", embedder, splits=splits)
        for by, skeleton in skeletons.items():
            both = TwoChannels(index, skeleton, keywords)
            for theta in THETAS if by else (0.0,):
                beside = f" and a skeleton by {by}, beta {CORE}, theta {theta}" if by else ""
                name = f"Keyword-RAG, {splits} splits{beside}"
                found[name] = _covered(prepared, both, theta)
                print(name, found[name], flush=True)
    for by, skeleton in _skeletons(prepared, home, tokens).items():
        for theta in THETAS:
            name = f"default and a skeleton by {by}, beta {CORE}, theta {theta}"
            found[name] = _covered(prepared, TwoChannels(index, skeleton), theta)
            print(name, found[name], flush=True)
    return found


def _skeletons(prepared: Prepared, home: Path, tokens: int | None) -> dict[str, Skeleton]:
    found = {}
    for choice in CORE_CHOICES:
        places = sorted(prepared.index.core(CORE, choice).tolist())
        by_rules = ((prepared.chunks[place].id, extracted(prepared.chunks[place])) for place in places)
        name = "rules" if choice == "pagerank" else f"rules, {choice} core"
        folder = home / ("skeleton" if choice == "pagerank" else f"skeleton-{choice}")
        found[name] = Skeleton.build(by_rules, folder, str(CORE), "rules", prepared.embedder)
    if tokens is not None:
        settings = load_settings()
        best_first = [prepared.chunks[place] for place in prepared.index.core(CORE).tolist()]
        told = extracted_by_model(best_first, home / "extracted.jsonl", tokens, settings)
        version = f"{settings.model} {len(told)}"
        name = f"{settings.model} ({len(told):,} of {len(best_first):,} chunks)"
        found[name] = Skeleton.build(told.items(), home / "model-skeleton", version, "model", prepared.embedder)
    return found


def _covered(prepared: Prepared, both: TwoChannels, theta: float) -> list[float]:
    rows = []
    for asked in prepared.questions:
        shown = (both.context(asked.text, limit, theta).texts for limit in LIMITS)
        rows.append([any(asked.answer.lower() in text.lower() for text in each) for each in shown])
    return percent(rows)
