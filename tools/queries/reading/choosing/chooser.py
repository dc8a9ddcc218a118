"""Readings by how likely they are."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from clew.tools.embedding import Embedder
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.choosing.shape import negates
from clew.tools.queries.reading.choosing.signs import QuestionFeatures, signs
from clew.tools.queries.reading.forms.form import sets
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.forms.paraphrase import paraphrase
from clew.tools.queries.reading.frames.canonical import denials

SETTLED = 0.6
"""Cost of the best reading up to which other words for the question are not looked for."""
AGREED = 1.7
"""Cost of a reading up to which the costs alone choose."""
COMPARED = 6
"""Readings of which the words are compared with the question's, by their other signs …"""
_BEHIND = 2.5
"""… and what these may say less of a reading than of the best one, in log-odds: words seldom make up for more."""


@cache
def weights() -> Mapping[str, float]:
    """What each sign adds to the log-odds of a reading."""
    text = files("clew.tools.queries.reading.choosing").joinpath("weights.json").read_text(encoding="utf-8")
    found: dict[str, float] = json.loads(text)
    return found


def settled(readings: Sequence[Reading], said: Sequence[Token]) -> bool:
    """Whether the cheapest reading agrees so well that other words for the question are not looked for. One that takes
    any of several things, and one that loses a word such as "except", only seem to agree.

    Args:
        readings: The readings of the question.
        said: Its words.
    """
    best = min(readings, key=lambda reading: reading.cost, default=None)
    if best is None or best.cost >= SETTLED:
        return False
    any_of_several = best.form.limit is not None and best.form.nodes.order is None
    return not any_of_several and (negates(sets(best.form.nodes)) or not any(token.text in denials() for token in said))


def likeliest_first(readings: Sequence[Reading], asked: QuestionFeatures, embedder: Embedder) -> list[Reading]:
    """Readings in the order of their probability. The first keeps its cost; the others cost as much more as their
    log-odds are less.

    Args:
        readings: Readings, cheapest first.
        asked: The question.
        embedder: Of its words and those of the readings.
    """
    if len(readings) < 2 or readings[0].cost <= AGREED:
        return list(readings)
    known = weights()
    scores = {reading: sum(known.get(name, 0.0) * value for name, value in signs(asked, reading).items())
              for reading in readings}  # fmt: skip
    best = sorted(readings, key=lambda each: -scores[each])[:COMPARED]
    best = [each for each in best if scores[each] >= scores[best[0]] - _BEHIND]
    compared = embedder.embed([text for each in best for text in paraphrase(asked.text, each.form)])
    for i, reading in enumerate(best):
        scores[reading] += known.get("nearness", 0.0) * float(compared[2 * i] @ compared[2 * i + 1])
    best.sort(key=lambda each: -scores[each])
    first = best[0]
    return [replace(each, cost=round(first.cost + scores[first] - scores[each], 4)) for each in best]
