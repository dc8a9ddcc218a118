"""A collection with its index: built once into a home, with what that took, then opened."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.documents.cost import Steps, disk_bytes
from benchmarks.documents.metrics import milliseconds
from benchmarks.documents.reading import Asked
from clew.tools.documents.chunk import Chunk
from clew.tools.documents.index.channels import Scored
from clew.tools.documents.index.index import DocumentIndex
from clew.tools.embedding import MiniLM

_BUILT = "built.json"


@dataclass(frozen=True, slots=True)
class Prepared:
    chunks: list[Chunk]
    questions: list[Asked]
    index: DocumentIndex
    embedder: MiniLM
    built: dict[str, Any]
    """What building took."""

    scored: list[tuple[Asked, Scored]]
    """Every question with its channels' scores, which are worked out once for all systems."""

    def anew(self) -> list[Scored]:
        """The scores of every question, none of them worked out yet."""
        return [self.index.scored(question.text) for question in self.questions]


def prepare(chunks: list[Chunk], questions: list[Asked], home: Path) -> Prepared:
    """Build the index where the home has none; what each step took is kept beside it."""
    embedder = MiniLM()
    embedder.embed(["warm"])
    folder, steps = home / "index", Steps()
    fresh = not folder.exists()
    index = DocumentIndex.build(chunks, folder, "1", embedder, steps.step)
    if fresh:
        (home / _BUILT).write_text(json.dumps(steps.told(index.manifest.tokens, disk_bytes(folder))), "utf-8")
    built = json.loads((home / _BUILT).read_text("utf-8")) if (home / _BUILT).exists() else {}
    scored = [(question, index.scored(question.text)) for question in questions]
    return Prepared(chunks, questions, index, embedder, built | _sizes(index, folder), scored)


def _sizes(index: DocumentIndex, folder: Path) -> dict[str, Any]:
    return {
        "chunks": len(index),
        "tokens": index.manifest.tokens,
        "edges": len(index.sources.graph),
        "keywords": len(index.sources.keywords),
        "disk_mb": round(disk_bytes(folder) / 1e6, 1),
    }


def timed(functions: Sequence[Callable[[], object]]) -> tuple[list[float], list[float]]:
    """Of each call the seconds by the clock, and those of the processor: the same on an idle machine."""
    wall, processor = [], []
    for function in functions:
        started, worked = time.perf_counter(), time.process_time()
        function()
        wall.append(time.perf_counter() - started)
        processor.append(time.process_time() - worked)
    return wall, processor


def latency(prepared: Prepared, system: Callable[[Scored, int], object]) -> dict[str, dict[str, float]]:
    """Of one question, with embedding it; milliseconds."""
    wall, processor = timed([lambda scored=scored: system(scored, 20) for scored in prepared.anew()])  # type: ignore[misc]
    return {"wall": milliseconds(wall), "processor": milliseconds(processor)}
