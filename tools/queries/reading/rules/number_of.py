"""A number of things as what a set is measured by: "where the number of products is the highest", "is above 10"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Form
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, CountOf, Item, Ranking, Superlative, Whole
from clew.tools.queries.reading.rules.grammar import Grammar

_BEING = frozenset({"is", "are", "was", "were", "the", "that", "which"})


def number_superlative(
    left: Item[Whole], between: Gap, right: Item[Superlative], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "the number of products" + "is the highest"."""
    superlative = right.meaning
    if _is_number(left.meaning.form) and between.copula and set(between.texts) <= _BEING and not superlative.counts:
        counted = replace(superlative, counts=True, choices=())
        yield grammar.item(left, right, Ranking(counted, counted=left.meaning.form.nodes))


def number_condition(
    left: Item[Whole], between: Gap, right: Item[ConditionNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "the number of products" + "is above 10"."""
    given = right.meaning
    plain = not (given.choices or given.test or given.than or given.average) and len(given.values) == 1
    value = given.values[0] if plain else None
    if isinstance(value, int) and _is_number(left.meaning.form) and set(between.texts) <= _BEING:
        yield grammar.item(left, right, CountOf(given.comparison, value, left.meaning.form.nodes))


def _is_number(form: Form) -> bool:
    return form.asks == "number" and form.value is None
