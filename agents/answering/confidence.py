"""The confidence of answers, 0 to 1, from the scores of the linker, the ranker and the strategies."""

from __future__ import annotations

import math
from collections.abc import Sequence

ENOUGH = 0.6
"""From this confidence on, the answers of a query are taken without another strategy."""
_BASE = 0.6
_PER_LEAD = 2.6
_PER_SCORE = 2.2
_WIDEST_LEAD = 0.5
"""Log-odds of a right answer: base, per unit of the first query's lead over the second, per unit of its score;
fitted by logistic regression to 741 ranked questions over six graphs, with the base lowered by half a unit
for unseen graphs."""
_LATER = 0.7
"""Factor for every earlier query without answers."""
_TRUNCATED = 0.9
_CORROBORATED = 0.25
"""Share of the remaining doubt that a second, independent strategy removes."""
_WRITTEN = 0.75
"""A model's query that has rows; not measured."""
_MATCHED = 0.55
"""A pattern that is matched at distance 0; not measured."""
_CHOSEN = 0.5
"""Share of the doubt about a query that a model removes by citing it: it has read the rows and the question."""
_FACTS = 0.4
"""What a model puts together from facts."""
_UNCITED = 0.1
"""What the evidence has but the model did not cite."""
MUCH_UNEXPLAINED, _BESIDE_DOCUMENTS, _NOTHING_EXPLAINED = 0.34, 0.3, 0.1
"""Beside documents: the share of unexplained words from which on a query is taken to miss the question; the factor on
its confidence then; and the factor if it explains none of the words. Not measured."""
_TEXTS, _LEAST_NEARNESS = 0.5, 0.2
"""Nodes found by their texts at a cosine of 1, and the least cosine taken."""
_PLANNED_BY_MODEL, _PLANNED = 0.7, 0.5
"""The nodes of a plan with a query."""
_READ, _UNEXPLAINED, _GUESSED = 0.94, 0.65, 0.85
"""An aggregation whose reading explains every word of the question; the factor for every unexplained word, and for
every choice between equals. Above any ranked query, which explains fewer words: where the two differed on one graph
(386 questions), the aggregation was right eight times as often. Not fitted."""
OWN = 0.2
"""An answer without evidence, given by the model alone. Not measured."""


def of_query(scores: Sequence[float], rank: int, link_scores: Sequence[float], truncated: bool) -> float:
    """The confidence of a ranked query.

    Args:
        scores: The ranker's scores, best first.
        rank: The query's place among them, from 0.
        link_scores: Scores of the links of the entities that it starts from.
        truncated: Whether rows were cut off.
    """
    lead = scores[0] - scores[1] if len(scores) > 1 else _WIDEST_LEAD
    lead = min(lead, _WIDEST_LEAD) if rank == 0 else scores[rank] - scores[0]
    sure = 1 / (1 + math.exp(-(_BASE + _PER_LEAD * lead + _PER_SCORE * scores[rank])))
    return _scaled(sure * _LATER**rank, link_scores, truncated)


def beside_documents(confidence: float, unexplained: float) -> float:
    """The confidence of a query that leaves this share of the question's words unexplained, beside documents."""
    if unexplained < MUCH_UNEXPLAINED:
        return confidence
    return round(confidence * (_BESIDE_DOCUMENTS if unexplained < 1 else _NOTHING_EXPLAINED), 4)


def of_generated(
    probabilities: Sequence[float | None], rank: int, link_scores: Sequence[float], truncated: bool
) -> float | None:
    """The confidence of the query at `rank` of those that a generator chose, if the earlier ones had no answer: its
    share of the remaining probability. None if the generator gave no probability."""
    probability = probabilities[rank] if rank < len(probabilities) else None
    if probability is None:
        return None
    left = 1 - sum(earlier or 0.0 for earlier in probabilities[:rank])
    sure = min(1.0, probability / left) if left > 0 else 0.0
    return _scaled(sure, link_scores, truncated)


def of_model_query(link_scores: Sequence[float], truncated: bool) -> float:
    """The confidence of a query that a model wrote and that has rows; `link_scores` are those of the names in it."""
    return _scaled(_WRITTEN, link_scores, truncated)


def of_texts(cosine: float) -> float:
    """The confidence of a list of nodes that were found by their texts, by the best cosine with the question: any of
    them may be the answer. Not measured."""
    return round(_TEXTS * max(_LEAST_NEARNESS, min(1.0, cosine)), 4)


def of_plan(asked_graph: bool, by_model: bool, cosine: float) -> float:
    """The confidence of the nodes of a plan; of one without a query as for texts. Not measured."""
    return (_PLANNED_BY_MODEL if by_model else _PLANNED) if asked_graph else of_texts(cosine)


def of_aggregation(unexplained: int, guesses: int, link_scores: Sequence[float], truncated: bool) -> float:
    """The confidence of a question read as an aggregation."""
    sure = _READ * _UNEXPLAINED**unexplained * _GUESSED**guesses
    return _scaled(sure, link_scores, truncated)


def corroborated(confidence: float) -> float:
    """The confidence after an independent strategy led to the same answers."""
    return round(confidence + (1 - confidence) * _CORROBORATED, 4)


def of_model(cited: Sequence[float], facts: bool) -> float:
    """The confidence of an answer for which a model cites attempts of these confidences, and perhaps facts."""
    surest = max([*cited, _FACTS if facts else _UNCITED])
    return round(surest + (1 - surest) * _CHOSEN, 4)


def of_pattern(distance: float, known: int, rank: int, truncated: bool) -> float:
    """The confidence of the answers of a matched pattern.

    A perfect match has that of a model's path. It falls by half if the known parts are on average 0.7 away, about a
    cosine of 0.75. Not measured.

    Args:
        distance: Graph semantic distance.
        known: Number of known nodes and relations.
        rank: Number of readings before this one.
        truncated: Whether matches were cut off.
    """
    nearness = math.exp(-distance / max(known, 1))
    return round(_MATCHED * nearness * _LATER**rank * (_TRUNCATED if truncated else 1.0), 4)


def _scaled(sure: float, link_scores: Sequence[float], truncated: bool) -> float:
    """The confidence of a query, lowered by its worst link and by rows that were cut off."""
    linked = max(0.0, min(1.0, min(link_scores, default=1.0)))
    return round(sure * linked * (_TRUNCATED if truncated else 1.0), 4)
