"""Choices among properties: which are the same, which cost more, which are the cheapest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from clew.tools.queries.reading.forms.items import PropertyChoice


def same(one: PropertyChoice, other: PropertyChoice) -> bool:
    return (one.label, one.name, one.of_relation) == (other.label, other.name, other.of_relation)


def dearer(choice: PropertyChoice, cost: float) -> PropertyChoice:
    return replace(choice, cost=choice.cost + cost)


def cheapest(choices: Iterable[PropertyChoice]) -> list[PropertyChoice]:
    """Each property once, at its least cost."""
    best: dict[tuple[str, str, bool], PropertyChoice] = {}
    for each in choices:
        key = (each.label, each.name, each.of_relation)
        if key not in best or each.cost < best[key].cost:
            best[key] = each
    return sorted(best.values(), key=lambda each: each.cost)
