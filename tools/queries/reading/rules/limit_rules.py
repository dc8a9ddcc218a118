"""How many are asked for, and what they are ordered by: "the top 3 teams by budget"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Order, Value
from clew.tools.queries.reading.forms.functions import BY_FREQUENCY, WORKED_OUT, Function
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    Item,
    Noun,
    Operator,
    PropertyChoice,
    PropertyNoun,
    Ranking,
    Superlative,
    Whole,
)
from clew.tools.queries.reading.rules.agreement import agreement
from clew.tools.queries.reading.rules.edge_amounts import is_amount, total_said, totals
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.hoisted_counts import counted_by_all
from clew.tools.queries.reading.rules.most_often import by_number
from clew.tools.queries.reading.rules.order_rules import value_of
from clew.tools.queries.reading.rules.ranked_links import by_links
from clew.tools.queries.reading.rules.roles import ways
from clew.tools.queries.reading.schema.property_choices import end_of
from clew.tools.queries.reading.schema.property_names import root

_OTHER = 0.5
"""What it costs to order by another property than the one that a superlative means by itself."""
_MOST_MEASURED = 4
"""Properties that a word may mean of which values over linked nodes are worked out."""
_BARE = 0.5
"""What it costs that a property is not said to be of anything."""
_SEVERAL = 1.5
"""Relationships of each node, in the mean, from which on it may be among the first by their number."""
_BEST, _ENDS = frozenset({"top", "best"}), {"first": False, "last": True}
"""Words before a number of things, of which some mean the earliest or the latest."""


def first_superlative(
    left: Item[Operator], between: Gap, right: Item[Superlative], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "top 5 most expensive", "3 largest"."""
    operator, superlative = left.meaning, right.meaning
    if operator.function == "first" and between.empty and superlative.limit == 1:
        yield grammar.item(left, right, replace(superlative, limit=operator.limit))


def first_noun(left: Item[Operator], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the first 3 products"."""
    operator, noun = left.meaning, right.meaning
    if operator.function == "first" and between.empty and not noun.named and not noun.wild:
        nodes = noun.nodes
        if nodes.order is not None and nodes.order.limit in (1, None):
            nodes = replace(nodes, order=replace(nodes.order, limit=operator.limit, ties=False))
        nodes = by_links(nodes, operator.limit, right, grammar)
        asked = noun.asked or (left.first > 0 and grammar.tokens[left.first - 1].text in ("which", "what"))
        yield grammar.item(left, right, replace(noun, nodes=nodes, limit=operator.limit, asked=asked))


def noun_by(left: Item[Noun], between: Gap, right: Item[Whole], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the top 5 categories by average price of their products", "customers based on the number of orders"."""
    noun, whole = left.meaning, right.meaning
    form = whole.form
    if noun.superlative is not None:  # "the largest customer by number of orders"
        open_ = replace(noun, nodes=replace(noun.nodes, order=None), superlative=None, limit=noun.superlative.limit)
        noun = open_ if noun.superlative.descending else noun
    if noun.wild or noun.named or noun.nodes.order is not None or not (between.says("by") or between.says("on", "of")):
        return
    if form.asks not in ("number", "groups") or (noun.limit is None and not between.says("by")):
        return
    far, function = form.nodes, form.function or "count"
    for path in ways(noun, far.label, grammar):
        for last, said in [(right.last, ()), *grammar.verbs_behind(between, left, right)]:
            name = form.value.property if form.value is not None else None
            by = Value(name, function, Link(path, far), kind=form.value.kind if form.value is not None else "number")
            if form.value is not None and form.value.link is not None:  # "revenue in 1997", of the lines of orders
                by = replace(form.value, link=Link(path, far), step=form.value.link.path[-1])
            features = agreement(path, noun.nodes.label, said, between, grammar)
            yield grammar.item(left, replace(right, last=last), _greatest(noun, by), *features)


def _greatest(noun: Noun, by: Value) -> Noun:
    """As many as are asked for, by a value, the greatest first."""
    return replace(noun, nodes=replace(noun.nodes, order=Order(by, True, noun.limit, ties=noun.limit == 1)))


def busiest_by(left: Item[Ranking], between: Gap, right: Item[Whole], grammar: Grammar) -> Iterator[AnyItem]:
    """ "our busiest customer by number of orders"."""
    ranking = left.meaning
    if ranking.counted is not None and ranking.superlative.descending:
        noun = Noun(ranking.counted, limit=ranking.superlative.limit)
        yield from noun_by(Item(left.first, left.last, noun, left.cost, left.features), between, right, grammar)


def _by_worked_out(left: Item[Noun], between: Gap, right: Item[PropertyNoun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the top 5 customers by total freight", which is that of their orders."""
    noun, owned = left.meaning, right.meaning
    if noun.named or noun.wild:
        return
    for choice in owned.choices[:_MOST_MEASURED]:
        for by, path_costs in totals(noun.nodes.label, choice, "sum", grammar) if is_amount(choice) else ():
            yield grammar.item(left, right, _greatest(noun, by), ("property", choice.cost), *path_costs)
        if choice.of_relation or choice.label == noun.nodes.label or choice.kind not in ("number", "written number"):
            continue
        for path in ways(noun, choice.label, grammar):
            by = Value(choice.name, owned.function, Link(path, Nodes(choice.label)), kind=choice.kind)
            features = agreement(path, noun.nodes.label, (), between, grammar)
            yield grammar.item(left, right, _greatest(noun, by), ("property", choice.cost), *features)


def _way(superlative: Superlative, choice: PropertyChoice) -> tuple[bool, tuple[tuple[str, float], ...]]:
    """Whether a superlative means the greatest values of a property ("most experienced" means the earliest of `hired`,
    but the most of `flight_hours`), and what it costs that it means another property by itself."""
    if (end := end_of(superlative.choices, choice)) is not None:
        return end, ()
    return superlative.descending, (("guess", _OTHER),) if superlative.choices else ()


def by_property(left: Item[Noun], between: Gap, right: Item[PropertyNoun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the largest city by population": the property that the superlative left open."""
    noun, owned = left.meaning, right.meaning
    if between.says("each", "every", "per"):
        return  # "the oldest employee in each city"
    if not between.says("by", "of", "in", "on") or (between.heavy and not between.says("based", "sorted", "ordered")):
        return
    if noun.limit is not None and noun.nodes.order is None and not between.says("of", "in"):
        for choice in owned.choices:
            if choice.label == noun.nodes.label and not choice.of_relation:
                order = Order(value_of(choice), True, noun.limit, ties=False)
                ordered = replace(noun, nodes=replace(noun.nodes, order=order))
                yield grammar.item(left, right, ordered, ("property", choice.cost))
    if total_said(owned) in WORKED_OUT and between.says("by") and noun.nodes.order is None:
        yield from _by_worked_out(left, between, right, grammar)
    if noun.superlative is None or noun.nodes.order is None:
        return
    for choice in owned.choices:
        if choice.label == noun.nodes.label:
            descending, features = _way(noun.superlative, choice)
            order = replace(noun.nodes.order, by=value_of(choice), descending=descending)
            ordered = replace(noun, nodes=replace(noun.nodes, order=order), superlative=None)
            yield grammar.item(left, right, ordered, *features)


def first_commonest(left: Item[Operator], between: Gap, right: Item[Whole], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the top 3" + "most common ship countries": the values that most things have, with their numbers."""
    value, function = right.meaning.form.value, right.meaning.form.function
    if left.meaning.function != "first" or not between.empty or function not in BY_FREQUENCY:
        return
    if value is not None and value.link is None and value.property is not None and not value.period:
        kept = _commonest(right.meaning.form.nodes, value.property, function, left.meaning.limit)
        yield grammar.item(left, right, Whole(kept))


def first_commonest_bare(
    left: Item[Operator], between: Gap, right: Item[PropertyNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "the top 3" + "most common supplier countries"."""
    function = right.meaning.function
    if left.meaning.function == "first" and between.empty and function in BY_FREQUENCY:
        for choice in right.meaning.choices:
            kept = _commonest(Nodes(choice.label), choice.name, function, left.meaning.limit)
            yield grammar.item(left, right, Whole(kept), ("property", choice.cost), ("guess", _BARE))


def _commonest(nodes: Nodes, name: str, function: Function | None, limit: int) -> Form:
    """So many values that most nodes have, or the fewest, with their numbers."""
    best: Literal["highest", "lowest"] = "highest" if function == "commonest" else "lowest"
    return Form("groups", nodes, None, "count", name, limit=limit, best=best)


# ---- what the first ones are the first by, where nothing says it -----------------------------------------------------


def first_ones(noun: Noun, said: Sequence[Token], grammar: Grammar) -> Form:
    """The nodes of a noun, or as many as are asked for.

    "The top 5 products with a price over 20" are those with the highest prices, "the top 5 products that customers from
    Germany ordered" those that they ordered most often, and "the first 3 orders" the earliest.
    """
    nodes, limit = counted_by_all(noun.nodes, grammar), noun.limit
    if limit is None:
        return Form("nodes", nodes)
    if nodes.order is not None:
        alone = nodes.order.limit == 1 and not (nodes.order.grouped or nodes.order.skip)
        return Form("nodes", replace(nodes, order=replace(nodes.order, limit=limit, ties=False)) if alone else nodes)
    places = [i for i, token in enumerate(said) if i and number(token.text) == limit]
    word = said[places[0] - 1].text if places else ""
    ordered = None
    if word in _BEST:
        ordered = _by_compared(nodes, limit) or _by_number_of(nodes, limit, grammar)
    elif word in _ENDS:
        ordered = _by_date(nodes, limit, said, grammar, descending=_ENDS[word])
    return Form("nodes", nodes, limit=limit) if ordered is None else Form("nodes", ordered)


def _by_compared(nodes: Nodes, limit: int) -> Nodes | None:
    """By the number of their own that is said to be high."""
    for each in nodes.conditions:
        known = each.predicate
        if known is not None and known.comparison in (">", ">=") and known.kind == "number" and each.value is None:
            by = Value(known.property, kind="number")
            return replace(nodes, order=Order(by, True, limit, ties=False))
    return None


def _by_number_of(nodes: Nodes, limit: int, grammar: Grammar) -> Nodes | None:
    """By how many of what they are linked to there are, if they can have several."""
    for link in reversed(nodes.links):
        step = link.path[0]
        several = grammar.mean_number(nodes.label, step) >= _SEVERAL
        if several and link.positive and not (link.other.bare or grammar.joins.is_placing(step)):
            return by_number(nodes, step, Superlative((), True, limit=limit))
    return None


def _by_date(nodes: Nodes, limit: int, said: Sequence[Token], grammar: Grammar, *, descending: bool) -> Nodes | None:
    """By their date: the one that the question speaks of, the one that is called as they are, or their only one."""
    dates = [c for c in grammar.words.adjective("first") if c.label == nodes.label and not c.of_relation]
    conditioned = {name for c in nodes.conditions for name in (c.property, c.predicate and c.predicate.property)}
    texts, own = {root(token.text) for token in said}, set(map(root, identifier_words(nodes.label)))
    named = [(c, {root(word) for word in identifier_words(c.name)} - {root("date")}) for c in dates if c.kind == "date"]
    likely = [c for c, _ in named if c.name in conditioned]
    likely += [c for c, words in named if words & (texts - own)] + [c for c, words in named if words & own]
    likely += [c for c, _ in named] if len(named) == 1 else []
    if not likely:
        return None
    return replace(nodes, order=Order(value_of(likely[0]), descending, limit, ties=False))
