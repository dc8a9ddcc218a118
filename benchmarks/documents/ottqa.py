"""OTT-QA: which of the chunks that a question needs, a table's rows and a passage, are among the first k."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.documents import reading
from benchmarks.documents.cost import model_costs
from benchmarks.documents.metrics import AT, percent, recalled
from benchmarks.documents.prepared import Prepared, latency, prepare
from benchmarks.documents.systems import BASELINES, System, ablations, of_channels, sage
from clew.tools.documents.chunk_graph.graph import Reason
from clew.tools.documents.index.index import DEFAULT


def run(data: Path, home: Path, most: int | None = None) -> dict[str, Any]:
    """With `most`, of a sample of as many questions (`reading.ottqa`)."""
    given = reading.ottqa(data / "ottqa", most)
    prepared = prepare(given.chunks, given.questions, home)
    report: dict[str, Any] = {"questions": len(given.questions), "at": AT, "recall": {}}
    for name, system in {**BASELINES, **sage(prepared.index.sources.graph), **ablations()}.items():
        report["recall"][name] = _recall(prepared, system, by_k="split" in name)
        print(name, report["recall"][name], flush=True)
    report["links"] = _links(prepared, given.links)
    report["latency_ms"] = latency(prepared, of_channels(*DEFAULT))
    return report | {"index": prepared.built, "model_cost": model_costs(prepared.index)}


def _recall(prepared: Prepared, system: System, *, by_k: bool) -> list[float]:
    """In points, for each k. A hard split is made anew for each."""
    rows = []
    for asked, scored in prepared.scored:
        ids = {k: [prepared.chunks[place].id for place in system(scored, k)] for k in (AT if by_k else AT[-1:])}
        rows.append([recalled(ids[k] if by_k else ids[AT[-1]], asked, k) for k in AT])
    return percent(rows)


def _links(prepared: Prepared, gold: frozenset[tuple[str, str]]) -> dict[str, float]:
    """Precision and recall of the edges from names in table rows to titles of passages, as pairs of chunks."""
    graph, chunks = prepared.index.sources.graph, prepared.chunks
    owners = np.repeat(np.arange(len(chunks)), np.diff(graph.starts))
    named = (graph.reasons & int(Reason.NAMES_TITLE)) > 0
    pairs = zip(owners[named].tolist(), graph.targets[named].tolist(), strict=True)
    found = {(chunks[left].id, chunks[right].id) for left, right in pairs if chunks[left].kind == "table"}
    right = len(found & gold)
    return {
        "found": len(found),
        "gold": len(gold),
        "precision": round(right / max(1, len(found)), 3),
        "recall": round(right / len(gold), 3),
    }
