"""Several things asked of each node: "shipyards and their docks", "rank and pay of everyone on the Aurora"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Value
from clew.tools.queries.reading.forms.items import AnyItem, Item, Noun, PropertyChoice, PropertyNoun, Whole
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.limit_rules import first_ones

_ITS = frozenset({"their", "its", "his", "her", "there"})
_DEAREST = 0.7
_FLAGS = 1.0
"""What it costs that what is listed beside things is true or not."""


def noun_columns(left: Item[Noun], between: Gap, right: Item[PropertyNoun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "releases and their dates", "orders with status and freight"."""
    noun, owned = left.meaning, right.meaning
    if noun.wild or noun.named or noun.nodes.entities or owned.function or between.negated or between.heavy:
        return
    if not (between.says("and", "with") and (_ITS & set(between.texts) or (owned.also and between.says("with")))):
        return
    told = columns_of(noun.nodes, (owned.choices, *owned.also), grammar)
    if told is not None:
        values, cost = told
        form = replace(first_ones(noun, grammar.tokens, grammar), columns=values)
        yield grammar.item(left, right, Whole(form), ("property", cost))


def several(left: AnyItem, right: AnyItem, owned: PropertyNoun, nodes: Nodes, grammar: Grammar) -> Iterator[AnyItem]:
    """ "rank and pay of everyone": of one node its first value with the others beside it; else the nodes with all."""
    told = columns_of(nodes, (owned.choices, *owned.also), grammar)
    if told is not None:
        values, cost = told
        one = bool(nodes.entities) and values[0].link is None
        form = Form("value", nodes, values[0], columns=values[1:]) if one else Form("nodes", nodes, columns=values)
        yield grammar.item(left, right, Whole(form), ("property", cost))


def columns_of(
    nodes: Nodes, asked: Sequence[Sequence[PropertyChoice]], grammar: Grammar
) -> tuple[tuple[Value, ...], float] | None:
    """The values of a set that several property names mean, and what they cost; None where it lacks one of them."""
    values, cost = [], 0.0
    for choices in asked:
        found = [(value, each.cost) for each in choices if (value := _value(nodes, each, grammar)) is not None]
        if not found or found[0][1] > _DEAREST:
            return None
        values.append(found[0][0])
        cost += found[0][1]
    if nodes.bare and all(value.kind == "boolean" for value in values):
        cost += _FLAGS  # "Berths with a crane and shore power" are those that have both.
    return tuple(values), cost


def _value(nodes: Nodes, choice: PropertyChoice, grammar: Grammar) -> Value | None:
    """A property as a value of a set: its own, that of a relationship to what it is linked to, or the name of that."""
    if not choice.of_relation:
        if choice.label == nodes.label:
            return Value(choice.name, kind=choice.kind)
        named = choice.kind == "text" and choice in grammar.words.naming_of(choice.label)
        paths = [path for path in grammar.joins.paths(nodes.label, choice.label) if len(path) == 1] if named else []
        return Value(choice.name, None, Link(paths[0], Nodes(choice.label)), kind=choice.kind) if paths else None
    for link in nodes.links:
        if link.path[-1].relation == choice.label and link.positive:
            return Value(choice.name, None, link, choice.label, choice.kind)
    return None
