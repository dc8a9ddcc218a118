"""Agreement: whether attempts of different origin lead to the same answers."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from clew.agents.evidence import AnswerRef, Attempt
from clew.agents.traits import Traits, traits_of
from clew.tools.linking.normalise import fold


def origin(attempt: Attempt, strategies: Traits) -> str:
    """Where an attempt comes from, in words: the ranker, or the model, which writes something else for each
    strategy."""
    return traits_of(attempt["strategy"], strategies).model_origin if attempt.get("by_model") else "the ranked query"


def answer_keys(attempt: Attempt) -> frozenset[str]:
    """The ids of its answers (names, for values), without the entities that it starts from if there are others."""
    keys = {answer_key(answer) for answer in attempt["answers"]}
    return frozenset(keys - {anchor["id"] for anchor in attempt["anchors"]} or keys)


def answer_key(answer: AnswerRef) -> str:
    """The id of an answer; the name of a value."""
    return answer["id"] or answer["name"]


def same_answers(one: Attempt, other: Attempt) -> bool:
    """Whether the sets of answers are equal; a truncated set counts as equal to a superset."""
    left, right = answer_keys(one), answer_keys(other)
    if None in {answer["id"] for attempt in (one, other) for answer in attempt["answers"]}:
        left, right = _names(one, left), _names(other, right)
    if not left or not right:
        return False
    return left == right or (one["truncated"] and left < right) or (other["truncated"] and right < left)


def _names(attempt: Attempt, keys: frozenset[str]) -> frozenset[str]:
    """The folded names of its answers, to compare a property value with a node."""
    return frozenset(fold(answer["name"]) for answer in attempt["answers"] if answer_key(answer) in keys)


def agreeing(attempts: Iterable[Attempt], strategies: Traits) -> tuple[Attempt, Attempt] | None:
    """Two whole attempts of different origin with the same answers, at least one of them by the model."""
    whole = [
        a for a in attempts if a["answers"] and (a.get("by_model") or traits_of(a["strategy"], strategies).confirms)
    ]
    for one, other in combinations(whole, 2):
        if origin(one, strategies) != origin(other, strategies) and same_answers(one, other):
            return one, other
    return None
