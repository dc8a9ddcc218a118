"""How likely each reading is by the frames of the question, added to what it costs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import log

from clew.tools.queries.reading.forms.form import Form
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.forms.scoring import cost

_VALID = 2.2
"""Cost of a frame's best reading up to which the frame counts."""
_LEAST = 0.05
"""The least probability of a reading that no frame has."""


@dataclass(frozen=True, slots=True)
class Framed:
    """The readings of a question in the words of one frame, best first."""

    frame: str
    probability: float
    readings: Sequence[Reading]
    lost: bool
    """Whether the words of the frame lack a part of the question."""


def weighed(own: Iterable[Reading], framed: Sequence[Framed]) -> list[Reading]:
    """All readings, each with the cost of how unlikely its form is.

    Args:
        own: The readings of the question as it was asked.
        framed: Those of its frames.
    """
    shares: dict[Form, float] = defaultdict(float)
    for frame in framed:
        if frame.readings[0].cost <= _VALID:
            shares[frame.readings[0].form] += frame.probability
    rest = max(_LEAST, 1 - sum(shares.values()))
    every = [*own, *(reading for frame in framed for reading in frame.readings)]
    return [_with(reading, -log(min(1.0, shares.get(reading.form, rest)))) for reading in every]


def _with(reading: Reading, unlikely: float) -> Reading:
    feature = ("unlikely", unlikely)
    return replace(reading, cost=reading.cost + cost([feature]), features=(*reading.features, feature))
