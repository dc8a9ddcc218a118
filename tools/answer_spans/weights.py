"""The weights of the features of sentences and candidates (`weights.json`), as `benchmarks.documents.span_fit` learns
them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Literal

Part = Literal["sentence", "span", "confidence"]


@cache
def weights(part: Part) -> Mapping[str, float]:
    """Feature to weight, in log-odds."""
    found = json.loads(resources.files(__package__).joinpath("weights.json").read_text(encoding="utf-8"))
    return {name: float(value) for name, value in found[part].items()}


def weighed(part: Part, features: Mapping[str, float]) -> float:
    """The sum of the features by their weights; features without one do not count."""
    known = weights(part)
    return sum(known.get(name, 0.0) * value for name, value in features.items())
