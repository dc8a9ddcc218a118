"""MuSiQue: the share of questions whose answer stands in the context, by how many tokens that may hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.documents import reading
from benchmarks.documents.cost import model_costs
from benchmarks.documents.metrics import LIMITS, covered, percent
from benchmarks.documents.prepared import Prepared, latency, prepare
from benchmarks.documents.systems import BASELINES, System, ablations, of_channels, sage
from tools.document_search.core import core
from tools.document_search.index import DEFAULT
from tools.keyword_graph.keyword_index import KeywordIndex
from tools.skeleton.builder import build
from tools.skeleton.retrieval import TwoChannels
from tools.skeleton.statements import extracted

Vector = npt.NDArray[np.float32]

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
    """Keyword-RAG, and with a skeleton made by rules from the core chunks: θ of the tokens are the skeleton's. And the
    skeleton beside this index's own channels."""
    keywords = KeywordIndex.build(prepared.chunks, home / "keywords", "1", prepared.embedder)
    chosen = sorted(core(prepared.index, CORE).tolist())
    told = ((prepared.chunks[place].id, extracted(prepared.chunks[place])) for place in chosen)
    skeleton = build(told, home / "skeleton", str(CORE), "rules", prepared.embedder)
    both = TwoChannels(prepared.index, skeleton)

    def in_the_paper(question: str, vector: Vector, theta: float, limit: int) -> list[str]:
        facts = both.context(question, int(theta * limit), theta=1.0)
        return [*facts.texts, *(passage.text for passage in keywords.nearest(vector, limit - facts.tokens))]

    def beside_the_index(question: str, _: Vector, theta: float, limit: int) -> list[str]:
        return both.context(question, limit, theta).texts

    found = {}
    for what, texts_of in (("Keyword-RAG", in_the_paper), ("default channels", beside_the_index)):
        for theta in THETAS:
            name = what if theta == 0 else f"{what} and a skeleton by rules, beta {CORE}, theta {theta}"
            found[name] = percent(
                [
                    [
                        any(asked.answer.lower() in text.lower() for text in texts_of(asked.text, vector, theta, limit))
                        for limit in LIMITS
                    ]
                    for asked, vector in zip(prepared.questions, prepared.vectors, strict=True)
                ]
            )
            print(name, found[name], flush=True)
    return found
