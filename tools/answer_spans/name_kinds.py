"""Which names are names of people: by their vectors and a linear classifier, which `benchmarks.documents.name_fit`
learns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from clew.tools.embedding import Embedder

WEIGHTS = Path(__file__).with_name("name_kinds.npz")


@cache
def _weights() -> npt.NDArray[np.float32]:
    found: npt.NDArray[np.float32] = np.load(WEIGHTS)["weights"]
    return found


def people_odds(names: Sequence[str], embedder: Embedder) -> dict[str, float]:
    """By name the log-odds of its being a person's, within -3 and 3; none with vectors of another model than MiniLM."""
    weights = _weights()
    vectors = embedder.embed(list(names)) if names else None
    if vectors is None or vectors.shape[1] != len(weights) - 1:
        return {}
    odds = np.clip(vectors @ weights[:-1] + weights[-1], -3, 3)
    return dict(zip(names, map(float, odds), strict=True))
