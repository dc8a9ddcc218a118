"""MuSiQue: the share of questions whose answer stands in the context, by how many tokens that may hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.documents import reading, two_channels
from benchmarks.documents.cost import model_costs
from benchmarks.documents.metrics import LIMITS, covered, percent
from benchmarks.documents.prepared import Prepared, latency, prepare
from benchmarks.documents.systems import BASELINES, System, ablations, of_channels, sage
from clew.tools.documents.index.index import DEFAULT

_MANY = 1000
"""More chunks than the greatest limit holds."""


def run(data: Path, home: Path, tokens: int | None = None) -> dict[str, Any]:
    """With `tokens`, a model may take as many for a skeleton."""
    chunks, questions = reading.musique(data / "musique")
    prepared = prepare(chunks, questions, home)
    report: dict[str, Any] = {"questions": len(questions), "limits": LIMITS, "coverage": {}}
    for name, system in {**BASELINES, **sage(prepared.index.sources.graph), **ablations()}.items():
        report["coverage"][name] = _coverage(prepared, system, by_k="split" in name)
        print(name, report["coverage"][name], flush=True)
    report["coverage"] |= two_channels.coverage(prepared, home, tokens)
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
