"""Choices among properties: which are the same, which cost more, which are the cheapest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.calculated import Calculated, Calculation, Operand
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.forms.items import PropertyChoice
from clew.tools.queries.running_times import Lasting

PLACES = frozenset({"position", "rank", "ranking", "place", "placing", "finish", "order"})
"""Words for a place among others."""
SPANS = frozenset({"years", "months", "days", "hours", "minutes"})
"""Units in which something is long; a year or a date in which something happened is in none."""

_OTHER_NUMBER = 0.05
"""What it costs that a property's name is in the singular, and the word in the plural, or the other way round."""


def same(one: PropertyChoice, other: PropertyChoice) -> bool:
    return (one.label, one.name, one.of_relation) == (other.label, other.name, other.of_relation)


def dearer(choice: PropertyChoice, cost: float) -> PropertyChoice:
    return replace(choice, cost=choice.cost + cost)


def end_of(meant: Sequence[PropertyChoice], choice: PropertyChoice) -> bool | None:
    """Whether a superlative that means some properties by itself means the greatest of one of them: the fastest time is
    the least; None where it does not mean that property."""
    return next((each.descending for each in meant if same(each, choice)), None)


def as_written(phrase: str, choices: Sequence[PropertyChoice]) -> list[PropertyChoice]:
    """Properties, those dearer that differ from a phrase in number, beside one that is called just so: "pages" is no
    `page`."""
    names = [" ".join(identifier_words(str(choice.name))) for choice in choices]
    others = [name != phrase and phrase in names and singular(name) == singular(phrase) for name in names]
    return [dearer(c, _OTHER_NUMBER) if other else c for c, other in zip(choices, others, strict=True)]


def in_asked_unit(choice: PropertyChoice, unit: str) -> PropertyChoice:
    """A property in the unit in which it is asked for: the minutes of `duration_seconds`."""
    if isinstance(choice.name, Calculated) or (choice.scale == 1.0 and not isinstance(choice.name, Lasting)):
        return choice
    made = Calculation("/", Operand(choice.name, choice.kind == "written number"), choice.scale)
    return replace(choice, name=Calculated(made, unit), kind="number", scale=1.0)


def cheapest(choices: Iterable[PropertyChoice]) -> list[PropertyChoice]:
    """Each property once, at its least cost."""
    best: dict[tuple[str, str, bool], PropertyChoice] = {}
    for each in choices:
        key = (each.label, each.name, each.of_relation)
        if key not in best or each.cost < best[key].cost:
            best[key] = each
    return sorted(best.values(), key=lambda each: each.cost)


def is_place(choice: PropertyChoice) -> bool:
    """Whether it numbers a place among others, which no word for an amount or a title means: `billing_position`."""
    return choice.kind == "number" and identifier_words(choice.name)[-1] in PLACES
