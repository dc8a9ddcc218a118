"""A collection with its index: built once into a home, with what that took, then opened."""

from __future__ import annotations

import json
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.documents.metrics import milliseconds
from benchmarks.documents.reading import Asked
from tools.document_search.channels import Scored
from tools.document_search.core import core
from tools.document_search.index import DocumentIndex
from tools.documents.chunk import Chunk
from tools.embedding import MiniLM
from tools.keyword_graph.cost import extraction_cost

_BUILT = "built.json"
_CORE = 0.2


@dataclass(frozen=True, slots=True)
class Prepared:
    chunks: list[Chunk]
    questions: list[Asked]
    index: DocumentIndex
    embedder: MiniLM
    vectors: npt.NDArray[np.float32]
    """Of the questions."""
    built: dict[str, Any]
    """What building took."""

    scored: list[tuple[Asked, Scored]]
    """Every question with its channels' scores, which are worked out once for all systems."""

    def anew(self) -> list[Scored]:
        """The scores of every question, none of them worked out yet."""
        pairs = zip(self.questions, self.vectors, strict=True)
        return [Scored(self.index.sources, question.text, vector) for question, vector in pairs]


def prepare(chunks: list[Chunk], questions: list[Asked], home: Path) -> Prepared:
    """Build the index where the home has none; wall-clock seconds by stage, and memory, are kept beside it."""
    embedder = MiniLM()
    embedder.embed(["warm"])
    stages: dict[str, float] = {}

    @contextmanager
    def stage(what: str, _: str, __: int | None) -> Iterator[Callable[[int], None]]:
        started = time.perf_counter()
        yield lambda _: None
        stages[what] = round(time.perf_counter() - started, 1)
        print(f"{what}: {stages[what]} s", flush=True)

    fresh = not (home / "index").exists()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    index = DocumentIndex.build(chunks, home / "index", "1", embedder, stage)
    if fresh:
        cost = {
            "seconds": stages,
            "seconds_all": round(sum(stages.values()), 1),
            "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "memory_before_mb": before // 1024,
        }
        (home / _BUILT).write_text(json.dumps(cost), "utf-8")
    built = json.loads((home / _BUILT).read_text("utf-8")) if (home / _BUILT).exists() else {}
    vectors = np.concatenate([embedder.embed([question.text]) for question in questions])
    pairs = zip(questions, vectors, strict=True)
    scored = [(question, Scored(index.sources, question.text, vector)) for question, vector in pairs]
    return Prepared(chunks, questions, index, embedder, vectors, built | _sizes(index, home, built), scored)


def _sizes(index: DocumentIndex, home: Path, built: dict[str, Any]) -> dict[str, Any]:
    disk = sum(path.stat().st_size for path in (home / "index").rglob("*") if path.is_file())
    millions = index.manifest.tokens / 1e6
    sizes: dict[str, Any] = {
        "chunks": len(index),
        "tokens": index.manifest.tokens,
        "edges": len(index.sources.graph),
        "keywords": len(index.sources.keywords),
        "disk_mb": round(disk / 1e6, 1),
        "disk_mb_per_million_tokens": round(disk / 1e6 / millions, 1),
    }
    if "seconds_all" in built:
        sizes["seconds_per_million_tokens"] = round(built["seconds_all"] / millions, 1)
    return sizes


def model_costs(index: DocumentIndex) -> dict[str, Any]:
    """What a model would take for a knowledge graph of all chunks (β = 1) and of the core (β = 0.2): an estimate by
    counting tokens, with the assumptions of `tools.keyword_graph.cost.Model`."""
    tokens = index.sources.store.tokens
    chosen = core(index, _CORE)
    return {
        "beta_1": asdict(extraction_cost(tokens.tolist())),
        "beta_0.2": asdict(extraction_cost(tokens[chosen].tolist())),
        "no_model": {"input_tokens": 0, "output_tokens": 0, "price": 0.0},
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
    """Of one question without embedding it; milliseconds."""
    wall, processor = timed([lambda scored=scored: system(scored, 20) for scored in prepared.anew()])  # type: ignore[misc]
    return {"wall": milliseconds(wall), "processor": milliseconds(processor)}
