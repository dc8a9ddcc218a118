"""MuSiQue: the share of questions whose answer stands in the context, by how many tokens that may hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.documents import reading
from benchmarks.documents.metrics import LIMITS, covered, percent
from benchmarks.documents.prepared import Prepared, core, latency, model_costs, prepare
from benchmarks.documents.systems import BASELINES, System, ablations, of_channels, sage
from tools.document_search.index import DEFAULT
from tools.keyword_graph.keyword_index import KeywordIndex
from tools.keyword_graph.skeleton import Skeleton

CORE = 0.2
THETAS = (0.0, 0.2, 0.4)
_MANY = 1000
"""More chunks than the greatest limit holds."""


def run(data: Path, home: Path) -> dict[str, Any]:
    chunks, questions = reading.musique(data / "musique")
    prepared = prepare(chunks, questions, home)
    report: dict[str, Any] = {"questions": len(questions), "limits": LIMITS, "coverage": {}}
    for name, system in {**BASELINES, **sage(prepared.index.sources.graph), **ablations()}.items():
        report["coverage"][name] = _coverage(prepared, system, by_k="split" in name)
        print(name, report["coverage"][name], flush=True)
    report["coverage"] |= _as_in_the_paper(prepared, home)
    report["latency_ms"] = latency(prepared, of_channels(*DEFAULT))
    return report | {"index": prepared.built, "model_cost": model_costs(prepared.index)}


def _coverage(prepared: Prepared, system: System, *, by_k: bool) -> list[float]:
    """In points, for each limit. A hard split is made anew for each: it depends on how much is shown."""
    tokens, mean = prepared.index.sources.store.tokens, float(prepared.index.sources.store.tokens.mean())
    rows = []
    for asked, scored in prepared.scored:
        row = []
        for limit in LIMITS:
            places = system(scored, int(limit / mean) if by_k else _MANY).tolist()
            texts = [prepared.chunks[place].text for place in places]
            row.append(covered(texts, [int(tokens[place]) for place in places], asked.answer, limit))
        rows.append(row)
    return percent(rows)


def _as_in_the_paper(prepared: Prepared, home: Path) -> dict[str, list[float]]:
    """Keyword-RAG, and with a skeleton made by rules from the core chunks: θ of the tokens are the skeleton's."""
    index = KeywordIndex.build(prepared.chunks, home / "keywords", "1", prepared.embedder)
    chosen = core(prepared.index, CORE).tolist()
    skeleton = Skeleton.of([(place, prepared.chunks[place]) for place in chosen], prepared.embedder)
    texts = [chunk.text for chunk in prepared.chunks]
    found = {}
    for theta in THETAS:
        rows = []
        for asked, vector in zip(prepared.questions, prepared.vectors, strict=True):
            row = []
            for limit in LIMITS:
                facts = skeleton.search(vector, texts, int(theta * limit))
                shown = [*facts.relations, *(entity.description for entity in facts.entities)]
                shown += [texts[place] for place in facts.chunks]
                passages = index.nearest(vector, limit - facts.tokens)
                shown += [passage.text for passage in passages]
                row.append(any(asked.answer.lower() in text.lower() for text in shown))
            rows.append(row)
        name = "Keyword-RAG" if theta == 0 else f"Keyword-RAG and a skeleton by rules, beta {CORE}, theta {theta}"
        found[name] = percent(rows)
        print(name, found[name], flush=True)
    return found
