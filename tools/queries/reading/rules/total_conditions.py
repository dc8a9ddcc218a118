"""Conditions on totals and averages over what is linked: "customers whose total freight is more than 1000"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.forms.form import WORKED_OUT, Condition, Function, Link, Nodes, Value
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, Feature, Noun, PropertyChoice, PropertyNoun
from clew.tools.queries.reading.rules.agreement import agreement
from clew.tools.queries.reading.rules.edge_amounts import total_said, totals
from clew.tools.queries.reading.rules.grammar import Grammar, Pair
from clew.tools.queries.reading.rules.property_tests import scaled
from clew.tools.queries.reading.rules.roles import ways
from clew.tools.queries.space.query import Comparison
from clew.tools.queries.values import Scalar

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


def noun_worked_out(pair: Pair, noun: Noun, given: ConditionNoun, features: list[Feature]) -> Iterator[AnyItem]:
    """The nodes whose total, or average, compares with a number."""
    if given.function is None or noun.named or noun.wild:
        return
    for choice in given.choices[:_MOST]:
        for value, costs in _values(noun, choice, given.function, pair.grammar):
            bounds: list[tuple[Comparison, Scalar]] = [(given.comparison, given.values[0])]
            bounds += [("<=", given.upper)] if given.upper is not None else []
            conditions = [
                Condition(Predicate(choice.name, sign, scaled(bound, choice), "number"), comparison=sign, value=value)
                for sign, bound in bounds
            ]
            nodes = replace(noun.nodes, conditions=(*noun.nodes.conditions, *conditions))
            own = [("property", choice.cost), *costs, *pair.grammar.unexplained(pair.between)]
            yield pair.item(replace(noun, nodes=nodes), *own, *features)


def _values(
    noun: Noun, choice: PropertyChoice, function: Function, grammar: Grammar
) -> Iterator[tuple[Value, list[Feature]]]:
    label = noun.nodes.label
    if choice.of_relation:
        yield from totals(label, choice, function, grammar)
    for path in ways(noun, choice.label, grammar) if choice.label != label and not choice.of_relation else ():
        value = Value(choice.name, function, Link(path, Nodes(choice.label)), kind=choice.kind)
        yield value, agreement(path, label, (), grammar.gap(0, 0), grammar)
