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
_WRITTEN = 0.75
"""For a model's query that has rows; no measurement."""
_MATCHED = 0.55
"""For a pattern that is matched without a distance; no measurement."""
_CHOSEN = 0.5
"""Share of the doubt about a query that a model removes by citing it, since it read the rows and the question."""
_FACTS = 0.4
"""Taken for the confidence of what a model puts together from facts."""
_UNCITED = 0.1
"""For what the evidence has but the model did not cite."""
MUCH_UNEXPLAINED, _BESIDE_DOCUMENTS, _NOTHING_EXPLAINED = 0.34, 0.3, 0.1
"""Where documents could say it: share of a question's words from which on a query that makes nothing of them is taken
to miss what is asked; what is left of its confidence then; and where it makes nothing of any. No measurement."""
_TEXTS, _LEAST_NEARNESS = 0.5, 0.2
"""For nodes found by their texts at a cosine of 1, and the cosine taken where there is none."""
_PLANNED_BY_MODEL, _PLANNED = 0.7, 0.5
"""For the nodes of a plan that asks the graph by a query."""
_READ, _UNEXPLAINED, _GUESSED = 0.94, 0.65, 0.85
"""For an aggregation whose reading explains every word of the question, above any ranked query, which explains fewer:
where the two differed on one graph (386 questions) it was right eight times as often. For every word that it does not
explain; for every choice between equals. No fit."""
OWN = 0.2
"""Of an answer that only the model speaks for. These four are no measurements."""


def of_query(scores: Sequence[float], rank: int, link_scores: Sequence[float], truncated: bool) -> float:
    """0 to 1 for the query at `rank` of the ranker's `scores` (best first), which starts from entities that were
    linked with `link_scores`; `truncated` says that rows were cut off."""
    lead = scores[0] - scores[1] if len(scores) > 1 else _WIDEST_LEAD
    lead = min(lead, _WIDEST_LEAD) if rank == 0 else scores[rank] - scores[0]
    sure = 1 / (1 + math.exp(-(_BASE + _PER_LEAD * lead + _PER_SCORE * scores[rank])))
    linked = max(0.0, min(1.0, min(link_scores, default=1.0)))
    return round(sure * _LATER**rank * linked * (_TRUNCATED if truncated else 1.0), 4)


def beside_documents(confidence: float, unexplained: float) -> float:
    """Of a query that makes nothing of this share of the question's words, where there are documents to search."""
    if unexplained < MUCH_UNEXPLAINED:
        return confidence
    return round(confidence * (_BESIDE_DOCUMENTS if unexplained < 1 else _NOTHING_EXPLAINED), 4)


def of_generated(
    probabilities: Sequence[float | None], rank: int, link_scores: Sequence[float], truncated: bool
) -> float | None:
    """0 to 1 for the query at `rank` of those that a generator chose, of which the earlier ones had no answer: its
    probability among what is left. None where the generator told none."""
    probability = probabilities[rank] if rank < len(probabilities) else None
    if probability is None:
        return None
    left = 1 - sum(earlier or 0.0 for earlier in probabilities[:rank])
    sure = min(1.0, probability / left) if left > 0 else 0.0
    linked = max(0.0, min(1.0, min(link_scores, default=1.0)))
    return round(sure * linked * (_TRUNCATED if truncated else 1.0), 4)


def of_model_query(link_scores: Sequence[float], truncated: bool) -> float:
    """0 to 1 for a query that a model wrote and that has rows; `link_scores` are those of the names in it."""
    linked = max(0.0, min(1.0, min(link_scores, default=1.0)))
    return round(_WRITTEN * linked * (_TRUNCATED if truncated else 1.0), 4)


def of_texts(cosine: float) -> float:
    """0 to _TEXTS for a ranked list of nodes that were found by what they say, by the best one's cosine with the
    question: one of them may be an answer, which the order alone does not make it. No measurement."""
    return round(_TEXTS * max(_LEAST_NEARNESS, min(1.0, cosine)), 4)


def of_plan(asked_graph: bool, by_model: bool, cosine: float) -> float:
    """0 to 1 for the nodes that a plan gave: where it asked the graph by a query more than for what texts alone say, of
    which the best one's cosine tells. No measurement."""
    return (_PLANNED_BY_MODEL if by_model else _PLANNED) if asked_graph else of_texts(cosine)


def of_aggregation(unexplained: int, guesses: int, link_scores: Sequence[float], truncated: bool) -> float:
    """0 to 1 for a question read as an aggregation."""
    linked = max(0.0, min(1.0, min(link_scores, default=1.0)))
    sure = _READ * _UNEXPLAINED**unexplained * _GUESSED**guesses
    return round(sure * linked * (_TRUNCATED if truncated else 1.0), 4)


def corroborated(confidence: float) -> float:
    """After an independent strategy led to the same answers."""
    return round(confidence + (1 - confidence) * _CORROBORATED, 4)


def of_model(cited: Sequence[float], facts: bool) -> float:
    """0 to 1 for an answer for which a model cites attempts of these confidences, and facts or none."""
    surest = max([*cited, _FACTS if facts else _UNCITED])
    return round(surest + (1 - surest) * _CHOSEN, 4)


def of_pattern(distance: float, known: int, rank: int, truncated: bool) -> float:
    """0 to 1 for the answers of a matched pattern at graph semantic distance `distance` with `known` known nodes and
    relations; `rank` readings came before it. A perfect match has what a model's path has; it falls by half where the
    known parts are on average 0.7 away, about a cosine of 0.75. No measurement."""
    nearness = math.exp(-distance / max(known, 1))
    return round(_MATCHED * nearness * _LATER**rank * (_TRUNCATED if truncated else 1.0), 4)
