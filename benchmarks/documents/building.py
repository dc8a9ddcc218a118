"""The cost of an index that is built from nothing, on all of a data set or on its first chunks."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from benchmarks.documents import reading
from benchmarks.documents.cost import CORE, Steps, disk_bytes, model_costs
from clew.tools.documents.index.index import DocumentIndex
from clew.tools.documents.skeleton.skeleton import Skeleton
from clew.tools.documents.skeleton.statements import extracted
from clew.tools.embedding import MiniLM


def run(which: str, data: Path, home: Path, most: int | None = None) -> dict[str, Any]:
    """Builds in a folder of its own, which is emptied first and removed at the end. The skeleton by rules is what goes
    with a model's in time and disk, without what the model takes."""
    chunks = reading.musique(data / "musique")[0] if which == "musique" else reading.ottqa(data / "ottqa").chunks
    chunks = chunks[:most]
    embedder = MiniLM()
    embedder.embed(["warm"])
    folder = home / "cost"
    shutil.rmtree(folder, ignore_errors=True)
    try:
        steps = Steps()
        index = DocumentIndex.build(chunks, folder / "index", "1", embedder, steps.step)
        report = {
            "of": which,
            "chunks": len(index),
            "tokens": index.manifest.tokens,
            "index": steps.told(index.manifest.tokens, disk_bytes(folder / "index")),
        }
        more = Steps()
        with more.step("Choosing core chunks"):
            chosen = sorted(index.core(CORE).tolist())
        told = ((chunks[place].id, extracted(chunks[place])) for place in chosen)
        with more.step("Skeleton by rules"):
            Skeleton.build(told, folder / "skeleton", "1", "rules", embedder)
        report["skeleton"] = more.told(index.manifest.tokens, disk_bytes(folder / "skeleton"))
        return report | {"model_cost": model_costs(index)}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
