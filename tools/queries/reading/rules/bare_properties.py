"""Numbers over all that has a property, where no noun says what: "the average salary", "total damages in 2022"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Step, Value
from clew.tools.queries.reading.forms.functions import AVERAGES, LENGTH, Function
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    ConditionNoun,
    Item,
    Noun,
    Number,
    PropertyChoice,
    PropertyNoun,
    Ranking,
    Whole,
)
from clew.tools.queries.reading.forms.quantities import adds_up
from clew.tools.queries.reading.rules.condition_rules import noun_condition
from clew.tools.queries.reading.rules.edge_amounts import is_named, owners, total_of, total_said
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.most_often import extreme
from clew.tools.queries.reading.rules.number_rules import noun_number
from clew.tools.queries.reading.rules.value_rules import form_of_value

_MOST = 3
"""Properties that are tried."""
_BARE = ("guess", 0.5)
Rule = Callable[[AnyItem, Gap, AnyItem, Grammar], Iterator[AnyItem]]


def bare_property(owned: PropertyNoun | Ranking, grammar: Grammar) -> tuple[Form, float] | None:
    """What a property with a function asks for, and what it costs that the property is called so."""
    function = _function(owned)
    if function is None:
        return None
    for choice in owned.choices:
        if isinstance(owned, Ranking) and choice.kind == LENGTH:
            return extreme(Nodes(choice.label), Value(choice.name, kind=LENGTH), owned.superlative), choice.cost
        if not choice.of_relation:
            return form_of_value(Nodes(choice.label), choice, function), choice.cost
        relation = next((r for r in grammar.words.schema.relations if r.type == choice.label), None)
        if relation is not None and function in ("sum", "min", "max", "avg"):
            link = Link((Step(relation.type, True, relation.target),), Nodes(relation.target))
            of_each = "sum" if function == "avg" and adds_up(choice.name) else None if function == "avg" else function
            value = Value(choice.name, of_each, link, choice.label, choice.kind)
            return Form("number", Nodes(relation.source), value, function), choice.cost
    return None


def _function(owned: PropertyNoun | Ranking) -> Function | None:
    if isinstance(owned, PropertyNoun):
        return total_said(owned) if owned.function not in ("count", "difference") else None
    plain = owned.counted is None and owned.superlative.limit == 1 and not owned.superlative.skip
    return ("max" if owned.superlative.descending else "min") if plain and owned.function is None else None


def property_number(left: Item[PropertyNoun], between: Gap, right: Item[Number], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the average fee in 2022"."""
    yield from _of_all(noun_number, left, between, right, grammar)


def property_condition(
    left: Item[PropertyNoun], between: Gap, right: Item[ConditionNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "the total damages since 2020"."""
    yield from _of_all(noun_condition, left, between, right, grammar)


def _of_all(rule: Rule, left: Item[PropertyNoun], between: Gap, right: AnyItem, grammar: Grammar) -> Iterator[AnyItem]:
    owned = left.meaning
    if _function(owned) is None:
        return
    for choice in [each for each in owned.choices if not each.of_relation or is_named(each)][:_MOST]:
        for label in owners(choice, grammar) if choice.of_relation else [choice.label]:
            noun = Item(left.first, left.last, Noun(Nodes(label), plural=True), left.cost, left.features)
            for item in rule(noun, between, right, grammar):
                for form in _forms(item.meaning.nodes, choice, owned, grammar):
                    told = replace(item, cost=0.0, features=())
                    yield grammar.item(item, told, Whole(form), ("property", choice.cost), _BARE)


def _forms(nodes: Nodes, choice: PropertyChoice, owned: PropertyNoun, grammar: Grammar) -> Iterator[Form]:
    """The number over a set of nodes, or over their relationships."""
    if not choice.of_relation:
        yield form_of_value(nodes, choice, total_said(owned))
    elif (function := total_said(owned)) in ("sum", *AVERAGES):
        yield from total_of(nodes, choice, grammar, function)
