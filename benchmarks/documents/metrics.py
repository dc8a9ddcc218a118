"""Coverage within a token limit, recall at k, and latency."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.documents.reading import Asked

LIMITS = (12_000, 4_000, 1_500)
AT = (2, 5, 10, 20, 50, 100)


def covered(texts: Sequence[str], tokens: Sequence[int], answer: str, limit: int) -> bool:
    """Whether the answer occurs in the leading texts that fit into the limit together; none is cut."""
    used = 0
    for text, counted in zip(texts, tokens, strict=True):
        used += counted
        if used > limit:
            return False
        if answer.lower() in text.lower():
            return True
    return False


def recalled(ids: Sequence[str], asked: Asked, k: int) -> float:
    """The share of the question's slots that the first k fill."""
    first = set(ids[:k])
    return sum(bool(first & slot) for slot in asked.slots) / len(asked.slots)


def percent(rows: Sequence[Sequence[float]]) -> list[float]:
    """The mean of each column, in points."""
    return [round(float(value) * 100, 1) for value in np.mean(rows, axis=0)]


def milliseconds(seconds: Sequence[float]) -> dict[str, float]:
    return {f"p{at}": round(float(np.percentile(seconds, at)) * 1000, 1) for at in (50, 95)}
