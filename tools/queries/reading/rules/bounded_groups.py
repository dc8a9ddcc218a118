"""Values and periods of which enough things have one: "countries with more than 5 customers" (HAVING of SQL)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Form, Nodes, Value
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    ConditionNoun,
    CountOf,
    Item,
    Operator,
    Period,
    PropertyChoice,
    PropertyNoun,
    Whole,
)
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.group_rules import ways_to
from clew.tools.queries.reading.rules.period_rules import dates_of

_EXISTS = frozenset({"have", "has", "had", "having", "are", "is", "were", "was", "there", "where", "did", "saw", "see"})
"""Words between a value and the number of what has it."""
_GROUPED = ("text", "boolean", "identifier")
_MOST = 4
"""Properties that a word may mean which are tried."""


def property_count(left: Item[PropertyNoun], between: Gap, right: Item[CountOf], grammar: Grammar) -> Iterator[AnyItem]:
    """ "countries" + "more than 5 customers"."""
    owned, counted = left.meaning, right.meaning
    if owned.function or owned.also or between.negated or set(between.heavy) - _EXISTS:
        return
    if counted.comparison == "=" and not between.texts:  # "Tier 2 services" are of that tier.
        return
    bound = (counted.comparison, float(counted.number))
    for choice in _groups(owned):
        for path, costs in ways_to(counted.nodes, choice, grammar):
            form = Form("groups", counted.nodes, None, "count", choice.name, path, bound=bound)
            for last in (right.last, *grammar.verb_ends(right.last)):
                spanning = replace(right, last=last)
                yield grammar.item(left, spanning, Whole(form), ("property", choice.cost), *costs)


def property_worked_out(
    left: Item[PropertyNoun], between: Gap, right: Item[ConditionNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "countries" + "an average freight above 100"."""
    owned, given = left.meaning, right.meaning
    if owned.function or owned.also or between.negated or set(between.heavy) - _EXISTS or given.function is None:
        return
    if given.upper is not None or not isinstance(given.values[0], int | float):
        return
    bound = (given.comparison, float(given.values[0]))
    for measured in given.choices[:_MOST]:
        nodes = given.of or Nodes(measured.label)
        for choice in _groups(owned) if not measured.of_relation else ():
            for path, costs in ways_to(nodes, choice, grammar):
                value = Value(measured.name, kind=measured.kind)
                form = Form("groups", nodes, value, given.function, choice.name, path, bound=bound)
                known = ("property", measured.cost), ("property", choice.cost)
                yield grammar.item(left, right, Whole(form), *known, *costs)


def period_count(left: Item[Period], between: Gap, right: Item[CountOf], grammar: Grammar) -> Iterator[AnyItem]:
    """ "years" + "more than 200 orders"."""
    counted = right.meaning
    if between.negated or set(between.heavy) - _EXISTS:
        return
    bound = (counted.comparison, float(counted.number))
    for last in (right.last, *grammar.verb_ends(right.last)):
        said = grammar.gap(right.last, last).heavy
        for choice, features in dates_of(counted.nodes, left.meaning, said, grammar):
            period = left.meaning.unit
            form = Form("groups", counted.nodes, None, "count", choice.name, period=period, bound=bound)
            yield grammar.item(left, replace(right, last=last), Whole(form), *features)


def number_of_groups(left: Item[Operator], between: Gap, right: Item[Whole], grammar: Grammar) -> Iterator[AnyItem]:
    """ "how many" + "countries with more than 5 customers"."""
    form = right.meaning.form
    if left.meaning.function == "count" and between.plain and form.asks == "groups" and form.bound is not None:
        yield grammar.item(left, right, Whole(replace(form, asks="number")))


def _groups(owned: PropertyNoun) -> list[PropertyChoice]:
    """The properties that a word may mean by whose values things are grouped; by numbers only where it names them."""
    return [c for c in owned.choices[:_MOST] if c.kind in _GROUPED or (c.kind == "number" and not c.cost)]
