"""Totals of a property of relationships that are one step further away: the revenue of a customer, by its orders."""

from __future__ import annotations

from collections.abc import Iterator

from clew.tools.queries.calculated import Calculated
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Path, Step, Value
from clew.tools.queries.reading.forms.functions import AVERAGES, Function
from clew.tools.queries.reading.forms.items import Feature, PropertyChoice, PropertyNoun
from clew.tools.queries.reading.forms.quantities import adds_up
from clew.tools.queries.reading.rules.agreement import agreement
from clew.tools.queries.reading.rules.grammar import Grammar

_NAMED = 0.2
"""What it may cost that a property is called by a part of its name."""
_FURTHER = 0.5
"""What it costs that the relationships are not the own ones of what they are totalled for."""


def is_amount(choice: PropertyChoice) -> bool:
    """Whether it is a property of relationships whose numbers add up."""
    return choice.of_relation and choice.kind == "number" and adds_up(choice.name)


def total_said(owned: PropertyNoun) -> Function | None:
    """The function that is said of a property, or "sum" of a calculated amount: "revenue per customer" is a total."""
    if owned.function is not None or not owned.choices:
        return owned.function
    return "sum" if is_calculated(owned.choices[0]) and is_amount(owned.choices[0]) else None


def is_calculated(choice: PropertyChoice) -> bool:
    return isinstance(choice.name, Calculated)


def is_averaged(owned: PropertyNoun, choice: PropertyChoice) -> bool:
    """Whether the average of a number of relationships is asked for, by its name; of one that adds up, the average is
    that of the totals."""
    number = choice.of_relation and choice.kind in ("number", "written number") and not adds_up(choice.name)
    return number and choice.cost <= _NAMED and owned.function in AVERAGES


def is_named(choice: PropertyChoice) -> bool:
    """Whether it is an amount of relationships that is called by its name, so that they may be further away."""
    return is_amount(choice) and choice.cost <= _NAMED


def amount_paths(label: str, choice: PropertyChoice, grammar: Grammar) -> list[Path]:
    """The shortest paths from a label whose last step is the relationship that has a property."""
    found: list[Path] = []
    for near, step in _ends(choice, grammar):
        before: list[Path] = [()] if near == label else grammar.joins.paths(label, near)
        found += [(*path, step) for path in before]
    shortest = min(map(len, found), default=0)
    return [path for path in found if len(path) == shortest]


def totals(
    label: str, choice: PropertyChoice, function: Function, grammar: Grammar, *, further: bool = False
) -> Iterator[tuple[Value, list[Feature]]]:
    """The value of a property over all relationships that the nodes of a label lead to, with what the path costs; with
    `further` only over those that are not their own."""
    for path in amount_paths(label, choice, grammar):
        if (further and len(path) == 1) or (len(path) > 1 and not is_named(choice)):
            continue
        *before, step = path
        link = Link(tuple(before) or path, Nodes(before[-1].target if before else step.target))
        value = Value(choice.name, function, link, choice.label, choice.kind, step=step if before else None)
        way = agreement(path[:-1], label, (), grammar.gap(0, 0), grammar) if path[1:] else []
        yield value, [("linked value", _FURTHER), *way] if way else []


def total_of(nodes: Nodes, choice: PropertyChoice, grammar: Grammar, function: Function = "sum") -> Iterator[Form]:
    """The total of a property over the relationships of a set: "total revenue of orders from Germany"; or its average,
    over all of them alike."""
    of_each = None if function in AVERAGES else function
    for near, step in _ends(choice, grammar):
        if near == nodes.label:
            value = Value(choice.name, of_each, Link((step,), Nodes(step.target)), choice.label, choice.kind)
            yield Form("number", nodes, value, function)


def owners(choice: PropertyChoice, grammar: Grammar) -> list[str]:
    """The labels at the beginning of the relationships that have a property."""
    return list(dict.fromkeys(near for near, step in _ends(choice, grammar) if step.forward))


def _ends(choice: PropertyChoice, grammar: Grammar) -> Iterator[tuple[str, Step]]:
    """Both ends of the relationships, each with the step from there."""
    for relation in grammar.words.schema.relations:
        if relation.type == choice.label:
            yield relation.source, Step(relation.type, True, relation.target)
            yield relation.target, Step(relation.type, False, relation.source)
