"""How sure a run may be of its answers, from what the linker and the ranker said."""

from __future__ import annotations

import math
from collections.abc import Sequence

ENOUGH = 0.6
"""From here on a query's answers are taken without asking another strategy."""
_BASE = 0.6
_PER_LEAD = 2.6
_PER_SCORE = 2.2
_WIDEST_LEAD = 0.5
"""Log-odds of a right answer: base, per unit of the first query's lead over the second, per unit of its score.
Fitted by logistic regression to 741 ranked questions over six graphs, the base then lowered by half a unit for
graphs not seen."""
_LATER = 0.7
"""For every query before this one that gave nothing."""
_TRUNCATED = 0.9
_CORROBORATED = 0.25
"""Share of the remaining doubt that a second, independent strategy removes."""


def of_query(scores: Sequence[float], rank: int, link_scores: Sequence[float], truncated: bool) -> float:
    """0 to 1 for the query at `rank` of the ranker's `scores` (best first), which starts from entities that were
    linked with `link_scores`; `truncated` says that rows were cut off."""
    lead = scores[0] - scores[1] if len(scores) > 1 else _WIDEST_LEAD
    lead = min(lead, _WIDEST_LEAD) if rank == 0 else scores[rank] - scores[0]
    sure = 1 / (1 + math.exp(-(_BASE + _PER_LEAD * lead + _PER_SCORE * scores[rank])))
    linked = max(0.0, min(1.0, min(link_scores, default=1.0)))
    return round(sure * _LATER**rank * linked * (_TRUNCATED if truncated else 1.0), 4)


def corroborated(confidence: float) -> float:
    """After an independent strategy led to the same answers."""
    return round(confidence + (1 - confidence) * _CORROBORATED, 4)
