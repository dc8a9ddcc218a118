"""The relations between two labels, of which a question means one, and how rare each of them is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from clew.tools.queries.reading.forms.form import Step


class Choices(NamedTuple):
    """The steps between two labels, of which a question means one."""

    steps: list[tuple[Step, int]]
    """With the number of their relationships."""
    alike: list[int]
    """By step the number of those that differ in their target alone."""
    place: dict[Step, int]
    """By step, with the target that was asked for, its number."""

    def rarity(self, step: Step, counts: Sequence[int]) -> float:
        """-log of a step's share of `counts`, which are by step."""
        if (own := self.place.get(step)) is None:
            return 0.0
        share = sum(count for number, count in zip(self.alike, counts, strict=True) if number == own)
        return math.log(sum(counts) / share) if share else 0.0
