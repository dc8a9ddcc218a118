"""Conditions on totals and averages over what is linked: "customers whose total freight is more than 1000"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Condition, Link, Nodes, Value
from clew.tools.queries.reading.forms.functions import WORKED_OUT, Function
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    ConditionNoun,
    Feature,
    Item,
    Noun,
    PropertyChoice,
    PropertyNoun,
    Whole,
)
from clew.tools.queries.reading.rules.agreement import agreement
from clew.tools.queries.reading.rules.edge_amounts import is_calculated, total_said, totals
from clew.tools.queries.reading.rules.grammar import Grammar, Pair
from clew.tools.queries.reading.rules.property_tests import scaled
from clew.tools.queries.reading.rules.roles import ways
from clew.tools.queries.space.query import Comparison
from clew.tools.queries.values import Scalar

_MAKING = frozenset(
    {"brought", "bring", "brings", "in", "us", "generated", "generate", "made", "earned", "spent", "yielded"}
)
"""Verbs of what is calculated: "customers who brought us more than 50000 in revenue"."""
_MOST = 6
"""Properties that a word may mean which are tried."""


def worked_out_condition(owned: PropertyNoun, given: ConditionNoun) -> ConditionNoun | None:
    """The condition on the total or the average that is said of a property; None where no such thing is said."""
    function = total_said(owned)
    numbers = tuple(c for c in owned.choices if c.kind in ("number", "written number"))
    compared = given.than is None and not (given.test or given.others or given.path or given.average or given.function)
    amounts = given.values and all(isinstance(v, int | float) and not isinstance(v, bool) for v in given.values)
    if function not in WORKED_OUT or not numbers or not compared or not amounts:
        return None
    return replace(given, choices=numbers, function=function)


def number_worked_out(
    left: Item[Whole], between: Gap, right: Item[ConditionNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "an average weight of patients" + "above 69"."""
    form, given = left.meaning.form, right.meaning
    value = form.value
    if form.asks != "number" or form.function not in WORKED_OUT or value is None or value.link or not value.property:
        return
    owned = PropertyNoun((PropertyChoice(form.nodes.label, value.property, 0.0, kind=value.kind),), form.function)
    worked_out = None if given.choices or between.negated or between.heavy else worked_out_condition(owned, given)
    if worked_out is not None:
        yield grammar.item(left, right, replace(worked_out, of=form.nodes))


def noun_worked_out(pair: Pair, noun: Noun, given: ConditionNoun, features: list[Feature]) -> Iterator[AnyItem]:
    """The nodes whose total, or average, compares with a number."""
    if given.function is None or noun.named or noun.wild:
        return
    for choice in given.choices[:_MOST]:
        last = noun.nodes.links[-1] if noun.nodes.links else None
        values = list(_values(noun, choice, given.function, given.of, pair.grammar))
        nodes = noun.nodes
        if last is not None and last.positive and last.other.label == choice.label and not choice.of_relation:
            # "Wards whose admissions have a total cost of …": of those admissions.
            values = [(Value(choice.name, given.function, last, kind=choice.kind), [])]
            nodes = replace(nodes, links=nodes.links[:-1])
        for value, costs in values:
            bounds: list[tuple[Comparison, Scalar]] = [(given.comparison, given.values[0])]
            bounds += [("<=", given.upper)] if given.upper is not None else []
            conditions = [
                Condition(Predicate(choice.name, sign, scaled(bound, choice), "number"), comparison=sign, value=value)
                for sign, bound in bounds
            ]
            met = replace(nodes, conditions=(*nodes.conditions, *conditions))
            making = set(pair.between.heavy) <= _MAKING and is_calculated(choice)
            said = () if making else pair.grammar.unexplained(pair.between)
            own = [("property", choice.cost), *costs, *said]
            yield pair.item(replace(noun, nodes=met), *own, *(features if nodes is noun.nodes else []))


def _values(
    noun: Noun, choice: PropertyChoice, function: Function, of: Nodes | None, grammar: Grammar
) -> Iterator[tuple[Value, list[Feature]]]:
    label = noun.nodes.label
    if choice.of_relation:
        yield from totals(label, choice, function, grammar)
    for path in ways(noun, choice.label, grammar) if choice.label != label and not choice.of_relation else ():
        value = Value(choice.name, function, Link(path, of or Nodes(choice.label)), kind=choice.kind)
        yield value, agreement(path, label, (), grammar.gap(0, 0), grammar)
