"""The confidence of answers, 0 to 1, from the scores of the linker, the ranker and the strategies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

ENOUGH = 0.6
"""From this confidence on, the answers of a query are taken without another strategy."""
CERTAIN = 0.87
"""From this confidence on, no second strategy reads the question as well."""
_QUERY = {"base": -0.24, "score": 3.89, "lead": 2.86, "unexplained": -3.33, "plain": -0.12}
_READING = {
    "base": -0.45, "cost": -0.69, "margin": 1.04, "unexplained": -0.32, "empty": -3.56, "plain": -0.79, "hops": 0.04,
    "answers": -0.59, "nearness": 5.13, "lost": -0.22, "unsaid": -0.17,
}  # fmt: skip
"""Log-odds of a right answer of a ranked query and of a logical form, by logistic regression on the development
questions of twenty-three graphs, each graph with the same weight (benchmarks.queries.confidence_fit); "lost" and
"unsaid" by that on twenty-nine. With all weights of the later fit, PathQuestions has .909 / .924, not .944 / .940."""
_FOLLOW_UP = {"base": -1.47, "odds": 1.06}
"""Log-odds of a right answer of a follow-up by those of its answer alone, on 1,763 follow-ups about sixty-three graphs
(benchmarks.queries.talk): an error of an earlier turn stays. Each graph left out of the fit, the expected calibration
error is .02, without it .13."""
_WIDEST_LEAD = 0.5
_WIDEST_MARGIN = 1.0
_MOST_WORDS = 3
_MOST_HOPS = 4
_MOST_MISFIT = 3.0
USUAL_NEARNESS = 0.8
"""The nearness of readings where it is not looked at."""
_LOST_NUMBER = 0.5
"""Factor on the confidence of a form that drops a number of the question, or what is counted. Not measured: of 669
development questions with numbers, the first form of 14 drops one, and none of them is sure."""
_NAMELESS = 0.6
"""Factor on the confidence of a form whose answers are rows without names. Of 2,350 questions of development, four sure
answers become unsure by it, two of which are right."""
_HALF = 0.5
"""Factor on the confidence of a form that tells one thing where two are asked for. Of 55 questions of development that
surely ask for two, 45 are answered with both, of which all but one are right, and 8 surely with one of them."""
_LEAST_SHARE = 0.005
_LATER = 0.7
"""Factor for every earlier query without answers."""
_TRUNCATED = 0.9
_ANOTHER_KIND = 0.3
_CORROBORATED = 0.25
"""Share of the remaining doubt that a second, independent strategy removes."""
_CONTRADICTED = 0.75
"""Factor on the confidence of a path or a plan whose answers are others than those of the question's reading. Of 66
such answers to 3,400 questions about 57 graphs, 32 were right."""
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
_CHOSEN_BY_USER = 0.95
"""A reading that the user chose. Not measured."""
OWN = 0.2
"""An answer without evidence, given by the model alone. Not measured."""


def of_query(
    scores: Sequence[float],
    rank: int,
    link_scores: Sequence[float],
    truncated: bool,
    unexplained: float = 0.0,
    *,
    plain: bool = True,
) -> float:
    """The confidence of a ranked query.

    Args:
        scores: The ranker's scores, best first.
        rank: The query's place among them, from 0.
        link_scores: Scores of the links of the entities that it starts from.
        truncated: Whether rows were cut off.
        unexplained: The share of the question's words that it does not explain.
        plain: Whether it only follows relations, without conditions, numbers or order.
    """
    lead = scores[0] - scores[1] if len(scores) > 1 else _WIDEST_LEAD
    odds = _odds(
        _QUERY,
        score=scores[rank],
        lead=min(lead, _WIDEST_LEAD) if rank == 0 else 0.0,
        unexplained=unexplained,
        plain=float(plain),
    )
    return _scaled(_share(odds) * _LATER**rank, link_scores, truncated)


def without_number(confidence: float) -> float:
    """The confidence of a query that leaves a number of the question unexplained."""
    return round(confidence * _LOST_NUMBER, 4)


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


@dataclass(frozen=True, slots=True)
class ReadingSigns:
    """Evidence for whether a logical form is the right one."""

    cost: float
    """What its agreement with the question costs; 0 is perfect."""
    margin: float
    """How much more the next reading costs."""
    unexplained: int
    """Words of the question that it does not explain."""
    answers: int
    """How many answers it has."""
    plain_hops: int | None
    """The number of relations that it follows, where it does nothing else; else None."""
    nearness: float | None
    """The cosine between the question and the form in words; None where it is not looked at: the form agrees with the
    question, or the question is a follow-up, whose words say only a part."""
    misfit: tuple[float, float] = (0.0, 0.0)
    """What only the question or only the form has: denials, orders, groups, sums; and what of the form no word says."""
    lost_number: bool = False
    """Whether a number, a year, or what is to be counted is among the words that it does not explain."""
    nameless: bool = False
    """Whether its answers are rows without names that the question does not ask for by their full name."""
    half: bool = False
    """Whether it tells one thing where the question asks for two."""


def of_reading(signs: ReadingSigns, link_scores: Sequence[float], truncated: bool) -> float:
    """The confidence of a logical form."""
    odds = _odds(
        _READING,
        cost=signs.cost,
        margin=min(signs.margin, _WIDEST_MARGIN),
        unexplained=float(min(signs.unexplained, _MOST_WORDS)),
        empty=float(not signs.answers),
        answers=math.log1p(signs.answers),
        nearness=USUAL_NEARNESS if signs.nearness is None else signs.nearness,
        plain=float(signs.plain_hops is not None),
        hops=float(min(signs.plain_hops or 0, _MOST_HOPS)),
        lost=min(signs.misfit[0], _MOST_MISFIT),
        unsaid=min(signs.misfit[1], _MOST_MISFIT),
    )
    doubt = (_LOST_NUMBER if signs.lost_number else 1) * (_NAMELESS if signs.nameless else 1)
    doubt *= _HALF if signs.half else 1
    return _scaled(_share(odds) * doubt, link_scores, truncated)


def of_follow_up(confidence: float) -> float:
    """The confidence of a follow-up's answer, by that of a question of its own with the same agreement."""
    kept = min(max(confidence, _LEAST_SHARE), 1 - _LEAST_SHARE)
    return round(_share(_odds(_FOLLOW_UP, odds=math.log(kept / (1 - kept)))), 4)


def _odds(weights: Mapping[str, float], **features: float) -> float:
    return weights["base"] + sum(weights[name] * value for name, value in features.items())


def _share(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def of_another_kind(confidence: float) -> float:
    """The confidence of an answer of another kind than the question asks for: a list where yes or no is asked."""
    return round(confidence * _ANOTHER_KIND, 4)


def contradicted(confidence: float) -> float:
    """Of the answers of a path or a plan, where the question is read otherwise."""
    return round(_CONTRADICTED * confidence, 4)


def corroborated(confidence: float) -> float:
    """The confidence after an independent strategy led to the same answers."""
    return round(confidence + (1 - confidence) * _CORROBORATED, 4)


def of_choice(truncated: bool) -> float:
    """The confidence of the answers of a reading that the user chose."""
    return _scaled(_CHOSEN_BY_USER, (), truncated)


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
