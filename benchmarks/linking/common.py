"""What the parts of the benchmark of linking share: misspelling, building, times."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clew.tools.linking.index import EntityIndex, IndexedNode

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def built(names: Sequence[str], folder: Path) -> tuple[EntityIndex, dict[str, Any]]:
    """An index of `names`, with what building and opening took."""
    started = time.perf_counter()
    EntityIndex.build((IndexedNode(str(i), name, "Entity") for i, name in enumerate(names)), folder, "1", rebuild=True)
    finished = time.perf_counter()
    index = EntityIndex.open(folder)
    opened = time.perf_counter()
    index.search("warm up")
    return index, {"names": len(index), "build_s": round(finished - started, 2), "open_ms": ms(opened - finished)}


def misspell(name: str, edits: int, source: random.Random) -> str:
    """`edits` random substitutions, deletions, insertions or swaps of neighbours, each of them a change."""
    for _ in range(edits):
        before = name
        while name == before:
            i = source.randrange(len(before))
            name = source.choice(
                [
                    before[:i] + source.choice(_LETTERS) + before[i + 1 :],
                    before[:i] + before[i + 1 :],
                    before[:i] + source.choice(_LETTERS) + before[i:],
                    before[:i] + before[i + 1 : i + 2] + before[i] + before[i + 2 :],
                ]
            )
    return name


def quantiles(seconds: Sequence[float]) -> dict[str, float]:
    """The median and the 95th percentile, in milliseconds."""
    ordered = sorted(seconds)
    return {"p50_ms": ms(ordered[len(ordered) // 2]), "p95_ms": ms(ordered[int(len(ordered) * 0.95)])}


def ms(seconds: float) -> float:
    """Milliseconds."""
    return round(seconds * 1000, 3)
