"""Prices of tokens, from a file of the user: prices change, and differ by contract."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

from clew.tools.errors import BadInput

EXAMPLE = '["gpt-example"]\ninput = 2.5\noutput = 10'


@dataclass(frozen=True, slots=True)
class Prices:
    """By model name: US dollars for a million input tokens, and for a million output tokens."""

    of: dict[str, tuple[float, float]] = field(default_factory=dict)

    def price(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """US dollars; None for a model without a price."""
        if model not in self.of:
            return None
        input_price, output_price = self.of[model]
        return (input_price * input_tokens + output_price * output_tokens) / 1_000_000

    @classmethod
    def load(cls, path: Path) -> Prices:
        """Read a TOML or (`*.json`) JSON file that maps a model to `input` and `output`. Raises BadInput."""
        remedy = f"It is named by CLEW_MODEL_PRICES and holds entries such as\n{EXAMPLE}"
        try:
            text = path.read_text(encoding="utf-8")
            entries: Any = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
        except OSError as error:
            raise BadInput(f"The price list {path} cannot be read: {error.strerror}.", remedy) from None
        except ValueError as error:
            raise BadInput(f"The price list {path} cannot be understood: {error}.", remedy) from None
        if not isinstance(entries, dict):
            raise BadInput(f"The price list {path} names no models.", remedy)
        found = {}
        for model, entry in entries.items():
            pair = [_price(entry.get(key)) if isinstance(entry, dict) else None for key in ("input", "output")]
            if pair[0] is None or pair[1] is None:
                raise BadInput(f"{path}: {model} needs a number for `input` and one for `output`.", remedy)
            found[model] = (pair[0], pair[1])
        return cls(found)


def _price(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value < 0:
        return None
    return float(value)
