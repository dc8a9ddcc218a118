"""Values of relationships: "the dose of metformin that X takes", "the tonnes sold to X", "what does X cost at Y"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.english.inflection import noun_forms
from clew.tools.queries.reading.english.words import unit_names
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Value, turned
from clew.tools.queries.reading.forms.functions import AVERAGES, Function
from clew.tools.queries.reading.forms.items import AnyItem, Item, Noun, PropertyChoice, PropertyNoun, Whole
from clew.tools.queries.reading.rules.edge_amounts import (
    is_amount,
    is_averaged,
    is_calculated,
    is_named,
    total_of,
    totals,
)
from clew.tools.queries.reading.rules.grammar import Grammar

_NAMED_RELATION = 0.7
"""Share of what a verb and the order of two names cost that a property of the same relationship makes up for."""
_DOING = frozenset({"did", "do", "does"})
_PLACES = frozenset({"place", "placed", "placing", "rank", "position", "pos", "finish"})
CLEARLY = 0.8
"""Agreement of a verb with a relation from which on it says nothing else."""


def of_relationships(
    left: AnyItem, right: AnyItem, owned: PropertyNoun, noun: Noun, grammar: Grammar
) -> Iterator[AnyItem]:
    """ "the dose of metformin that X takes", "how many hours were spent on X": a property of relationships."""
    nodes = noun.nodes
    function: Function | None
    for choice in owned.choices:
        if not choice.of_relation:
            continue
        value = Value(choice.name, owned.function, None, choice.label, choice.kind)
        links = [each for each in nodes.links if each.path[-1].relation == choice.label and not each.negated]
        for link in links:
            # The property names the relation, so that the verb need not.
            relieved = tuple(
                (name, -_NAMED_RELATION * strength)
                for name, strength in right.features
                if name in ("agreement", "head")
            )
            several = (owned.quantity or is_calculated(choice)) and is_amount(choice) and not link.other.entities
            function = owned.function or ("sum" if several else None)
            form = _of_edges(nodes, replace(value, link=link, function=function))
            yield grammar.item(left, right, Whole(form), ("property", choice.cost), *relieved)
        for step in grammar.joins.from_label(nodes.label) if not links and noun.named else ():
            if step.relation == choice.label:
                summed = (owned.quantity and choice.kind == "number") or (is_calculated(choice) and is_amount(choice))
                function = owned.function or ("sum" if summed else None)
                every = replace(value, link=Link((step,), Nodes(step.target)), function=function)
                strange = ("linked value", 0.3 if is_calculated(choice) else 0.5 if choice.cost == 0.0 else 1.2)
                meaning = Whole(_of_edges(nodes, every))
                yield grammar.item(left, right, meaning, ("property", choice.cost), strange)
        total = owned.function == "sum" or (owned.function is None and is_calculated(choice))
        if not links and ((total and is_named(choice)) or is_averaged(owned, choice)):
            yield from _further(left, right, owned, choice, noun, grammar)


def _further(
    left: AnyItem, right: AnyItem, owned: PropertyNoun, choice: PropertyChoice, noun: Noun, grammar: Grammar
) -> Iterator[AnyItem]:
    """ "the total revenue of X", by its orders; "the total revenue of the orders in 1997"."""
    nodes = noun.nodes
    if noun.named and nodes.entities and not is_averaged(owned, choice):
        for value, features in totals(nodes.label, choice, "sum", grammar, further=True):
            path = value.link.path if value.link is not None else ()
            near = Nodes(path[-1].target, links=(Link(turned(path, nodes.label), nodes),))
            for form in total_of(near, choice, grammar):
                yield grammar.item(left, right, Whole(form), ("property", choice.cost), *features)
    elif owned.function in ("sum", *AVERAGES) and not noun.wild and nodes.order is None:
        for form in total_of(nodes, choice, grammar, owned.function):
            yield grammar.item(left, right, Whole(form), ("property", choice.cost))


def done_to(left: Item[PropertyNoun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the tonnes sold to X": the sum over the relationships that a verb names."""
    owned, noun = left.meaning, right.meaning
    for choice in () if owned.also else owned.choices:
        for step in grammar.joins.from_label(noun.nodes.label):
            said = step.relation == choice.label and is_amount(choice)
            if said and (best := grammar.joins.agreement(between.words, step)) > CLEARLY:
                link = Link((step,), Nodes(step.target))
                value = Value(choice.name, owned.function or "sum", link, choice.label, choice.kind)
                features = ("property", choice.cost), ("agreement", 1 - best)
                yield grammar.item(left, right, Whole(_of_edges(noun.nodes, value)), *features)


def value_between(left: Item[Whole], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "what does X cost" + "at Y": the value of the relationship between two named nodes."""
    form, noun = left.meaning.form, right.meaning
    value = form.value
    if form.asks != "value" or value is None or value.edge is None or value.link is None or between.negated:
        return
    link = value.link
    if noun.named and link.other == Nodes(noun.nodes.label) and set(between.heavy) <= _measures():
        strange = sum(strength for name, strength in left.features if name == "linked value")
        told = replace(value, link=replace(link, other=noun.nodes))
        yield grammar.item(left, right, Whole(replace(form, value=told)), ("linked value", -strange))


def manner(noun: Noun, said: Sequence[Token], grammar: Grammar) -> Form | None:
    """ "How did X vote on the motion", "where did X finish in the race": what the relationship between two names says;
    None where no property of it is of the kind that is asked for."""
    asked = [token.text for token in said[:2]]
    if not noun.named or len(asked) < 2 or asked[0] not in ("how", "where") or asked[1] not in _DOING:
        return None
    for link in noun.nodes.links if noun.nodes.entities else ():
        first, *rest = link.path
        known = set(_PLACES if asked[0] == "where" else ())
        own = [c for c in grammar.words.choices if c.of_relation and c.label == first.relation and c.kind != "date"]
        fitting = [c for c in own if not known or known & set(identifier_words(c.name))]
        texts = [c for c in fitting if c.kind == "text"] or fitting
        if link.positive and link.named and len(texts) == 1:
            further = Link(tuple(rest), link.other)
            other = Nodes(first.target, links=(further,)) if rest else link.other
            value = Value(texts[0].name, None, Link((first,), other), first.relation, texts[0].kind)
            return Form("value", replace(noun.nodes, links=()), value)
    return None


@cache
def _measures() -> frozenset[str]:
    """Units that a price is for: "for a kilo of saffron"."""
    return frozenset(each for pairs in unit_names().values() for name, _ in pairs for each in noun_forms(name))


def _of_edges(nodes: Nodes, value: Value) -> Form:
    if value.function == "difference":
        return Form("number", nodes, replace(value, function="sum"), "difference")
    return Form("value", nodes, value)
