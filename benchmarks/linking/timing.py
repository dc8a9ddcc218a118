"""Times of searches, and of building and opening an index."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clew.tools.linking.index import EntityIndex, IndexedNode


def built(names: Sequence[str], folder: Path) -> tuple[EntityIndex, dict[str, Any]]:
    """An index of `names`, with what building and opening took."""
    started = time.perf_counter()
    EntityIndex.build((IndexedNode(str(i), name, "Entity") for i, name in enumerate(names)), folder, "1", rebuild=True)
    finished = time.perf_counter()
    index = EntityIndex.open(folder)
    opened = time.perf_counter()
    index.search("warm up")
    return index, {"names": len(index), "build_s": round(finished - started, 2), "open_ms": ms(opened - finished)}


def quantiles(seconds: Sequence[float]) -> dict[str, float]:
    """The median and the 95th percentile, in milliseconds."""
    ordered = sorted(seconds)
    return {"p50_ms": ms(ordered[len(ordered) // 2]), "p95_ms": ms(ordered[int(len(ordered) * 0.95)])}


def ms(seconds: float) -> float:
    """Milliseconds."""
    return round(seconds * 1000, 3)
