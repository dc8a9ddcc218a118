"""The relations between two labels, of which a question means one, and how rare each of them is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.reading.forms.form import Step
from clew.tools.queries.relation_names import relation_words, types_of

_USUAL = 0.5
"""What a relation that is called as its label costs of what another one would: loans HAVE a BORROWER, and are handed
out by one."""


class Choices(NamedTuple):
    """The steps between two labels, of which a question means one."""

    steps: list[tuple[Step, int]]
    """With the number of their relationships."""
    alike: list[int]
    """By step the number of those that differ in their target alone."""
    place: dict[Step, int]
    """By step, with the target that was asked for, its number."""
    source: str
    """The label from which the steps lead."""

    def rarity(self, step: Step, counts: Sequence[int]) -> float:
        """-log of a step's share of `counts`, which are by step; less for a relation that is called as its end."""
        if (own := self.place.get(step)) is None:
            return 0.0
        share = sum(count for number, count in zip(self.alike, counts, strict=True) if number == own)
        parts = {*types_of(step.relation)} - {step.relation}  # What it stands for is no rival of it.
        total = sum(n for (each, _), n in zip(self.steps, counts, strict=True) if each.relation not in parts)
        much = _USUAL if is_called_as_its_end(step, self.source) else 1.0
        return much * math.log(total / share) if share else 0.0


def is_called_as_its_end(step: Step, source: str) -> bool:
    """Whether a relation is called as the label that it leads to: HAS_BORROWER of a Borrower."""
    said = [word for word in relation_words(step.relation) if word != "has"]
    return said == list(identifier_words(step.target if step.forward else source))
