"""The score of a reading: a log-linear model over features of agreement. Costs add up; the least is the best."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from clew.tools.queries.reading.forms.items import AnyItem, Feature, Item, Meaning, Reading

Weighed = TypeVar("Weighed", bound=Item[Any] | Reading)
WEIGHTS: dict[str, float] = {
    "unexplained": 1.6,
    "light": 0.1,
    "lost negation": 3.0,
    "property": 1.0,
    "label": 1.0,
    "role": 1.0,
    "link": 4.0,
    "value": 1.0,
    "agreement": 2.2,
    "bare join": 0.35,
    "rivals": 0.35,
    "absent": 1.0,
    "extra hop": 1.0,
    "placing hop": 0.3,
    "not placing": 0.6,
    "attached high": 0.5,
    "bare set": 0.3,
    "head": 1.0,
    "not asked": 1.0,
    "wild": 0.6,
    "kind": 1.0,
    "named head": 1.2,
    "order": 1.0,
    "linked value": 0.8,
    "summed": 0.9,
    "subject": 1.2,
    "guess": 0.6,
    "asks": 1.5,
    "wrong kind": 1.3,
    "dropped value": 0.7,
    "floats": 1.0,
    "reworded": 0.6,
    "unlikely": 0.3,
}
"""How much each feature costs, per unit."""


def cost(features: Iterable[Feature]) -> float:
    """The cost of a reading with these features."""
    found = 0.0
    for name, value in features:
        found += WEIGHTS[name] * value
    return found


def with_features(item: Weighed, *features: Feature) -> Weighed:
    """An item or a reading with further features, which add to its cost."""
    return replace(item, cost=item.cost + cost(features), features=(*item.features, *features))


def anchor(first: int, last: int, meaning: Meaning, *features: Feature) -> AnyItem:
    """An item of the tokens from `first` to before `last`, at the cost of its features."""
    return Item(first, last, meaning, cost(features), features)
