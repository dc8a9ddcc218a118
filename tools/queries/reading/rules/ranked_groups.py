"""The greatest or the least value of each of several: "the highest freight per country"."""

from __future__ import annotations

from collections.abc import Iterator

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.items import AnyItem, Item, Noun, PropertyNoun, Ranking
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.group_rules import property_by_property, property_each


def ranking_each(left: Item[Ranking], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the highest price" + "per category"."""
    measured = _as_property(left)
    if measured is not None and (right.meaning.each or between.of_each):
        yield from property_each(measured, between, right, grammar)


def ranking_by_property(
    left: Item[Ranking], between: Gap, right: Item[PropertyNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "the highest freight" + "per ship country"."""
    measured = _as_property(left)
    if measured is not None:
        yield from property_by_property(measured, between, right, grammar)


def _as_property(item: Item[Ranking]) -> Item[PropertyNoun] | None:
    """A ranking by a single greatest value as the name of that value: "the maximum freight"."""
    ranking = item.meaning
    superlative = ranking.superlative
    if ranking.counted is not None or ranking.function is not None or superlative.limit != 1 or superlative.skip:
        return None
    extreme = PropertyNoun(ranking.choices, "max" if superlative.descending else "min")
    return Item(item.first, item.last, extreme, item.cost, item.features)
