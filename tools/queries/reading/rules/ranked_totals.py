"""Sets ordered by a total or an average over what they are linked to: "the highest total freight of its orders"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Value, turned
from clew.tools.queries.reading.forms.functions import AVERAGES, Function
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    Item,
    Noun,
    Operator,
    PropertyNoun,
    Ranking,
    Whole,
    is_worked_out,
)
from clew.tools.queries.reading.forms.scoring import with_features
from clew.tools.queries.reading.rules.agreement import agreement, attached
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.most_often import limited, order_by
from clew.tools.queries.reading.rules.period_rules import best_group
from clew.tools.queries.reading.rules.roles import ways

_TOGETHER = ("guess", -0.3)
"""What it gives that amounts of all that somebody has are added up, rather than those of one thing."""
_OF = frozenset({"of", "for", "over", "across", "all", "its", "their", "the", "from", "in", "her", "his"})
_HAS = frozenset({"with", "have", "has", "had", "the", "a", "that", "which", "who", "do", "does", "got"})


def ranking_of(left: Item[Ranking], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the highest total freight" + "of its orders"."""
    ranking, noun = left.meaning, right.meaning
    if is_worked_out(ranking) and ranking.of is None and set(between.texts) <= _OF and not between.empty:
        yield from _narrowed(left, right, ranking, noun, grammar)


def noun_ranked(left: Item[Noun], between: Gap, right: Item[Ranking], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the orders" + "with the highest total freight", of something that is still to be said; "customers" + "with the
    highest total freight of orders"."""
    noun, ranking = left.meaning, right.meaning
    if not is_worked_out(ranking) or between.negated or noun.wild or noun.nodes.order is not None:
        return
    if ranking.of is None:
        if set(between.texts) <= _HAS:
            yield from _narrowed(left, right, ranking, noun, grammar)
        return
    if noun.named and not noun.members:
        return
    extra = (*grammar.unexplained(between), *attached(noun, between))
    for choice in ranking.choices:
        for path in ways(noun, choice.label, grammar):
            by = Value(choice.name, ranking.function, Link(path, ranking.of), kind=choice.kind)
            order = order_by(limited(ranking.superlative, noun), by)
            own = [("bare join", 1.0)] if noun.role == path else agreement(path, noun.nodes.label, (), between, grammar)
            ranked = replace(noun, nodes=replace(noun.nodes, order=order))
            yield grammar.item(left, right, ranked, ("order", choice.cost), *own, *extra)


def value_ranked(left: Item[PropertyNoun], between: Gap, right: Item[Ranking], grammar: Grammar) -> Iterator[AnyItem]:
    """ "which blood type" + "has the highest average weight": numbers for each value of a property."""
    ranking = right.meaning
    asked = left.first > 0 and grammar.tokens[left.first - 1].text in ("which", "what")
    if not (asked and is_worked_out(ranking) and set(between.texts) <= _HAS) or left.meaning.function is not None:
        return
    for group in left.meaning.choices:
        for measured in ranking.choices if group.kind in ("text", "boolean") and not group.of_relation else ():
            if measured.label == group.label and not measured.of_relation and measured.name != group.name:
                value = Value(measured.name, kind=measured.kind)
                form = Form("groups", ranking.of or Nodes(group.label), value, ranking.function, group.name)
                costs = ("property", group.cost), ("property", measured.cost)
                yield grammar.item(left, right, Whole(best_group(form, ranking)), *costs)


def on_the_whole(left: Item[Noun], between: Gap, right: Item[Operator], grammar: Grammar) -> Iterator[AnyItem]:
    """ "which genre has the longest films" + "on average", "whose orders have the highest freight" + "in total"."""
    nodes = left.meaning.nodes
    function: Function | None = right.meaning.function if right.meaning.function in ("sum", *AVERAGES) else None
    if function is None or not between.empty:
        return
    if nodes.order is not None and left.meaning.limit is not None and nodes.order.by.function in ("max", "min"):
        averaged = replace(nodes.order, by=replace(nodes.order.by, function=function))
        yield grammar.item(left, right, replace(left.meaning, nodes=replace(nodes, order=averaged)))
    if nodes.order is not None or not nodes.links:
        return
    *links, link = nodes.links
    order = link.other.order if link.positive else None
    if order is None or order.by.link is not None or order.by.property is None:
        return
    back = turned(link.path, nodes.label)
    kept = tuple(each for each in link.other.links if not (each.open and each.path == back))
    by = replace(order.by, function=function, link=replace(link, other=replace(link.other, order=None, links=kept)))
    worked_out = replace(nodes, links=tuple(links), order=replace(order, by=by))
    yield grammar.item(left, right, replace(left.meaning, nodes=worked_out))


def of_all_together(items: Iterable[AnyItem], between: Gap) -> Iterator[AnyItem]:
    """Two nouns that are joined; of "whose orders brought in the most revenue" also by the total of all the orders."""
    whose = between.possessive or between.says("whose")
    for item in items:
        yield item
        nodes = item.meaning.nodes if whose and isinstance(item.meaning, Noun) else None
        link = nodes.links[-1] if nodes is not None and nodes.links else None
        order = link.other.order if link is not None and link.positive else None
        if nodes is None or link is None or order is None or nodes.order is not None or order.by.link is None:
            continue
        if order.by.edge is not None and order.by.function == "sum" and len(order.by.link.path) == 1:
            own = tuple(each for each in link.other.links if not each.open)
            of_all = replace(link, other=replace(link.other, order=None, links=own))
            by = replace(order.by, link=of_all, step=order.by.link.path[0])
            totalled = replace(nodes, links=nodes.links[:-1], order=replace(order, by=by))
            yield with_features(replace(item, meaning=replace(item.meaning, nodes=totalled)), _TOGETHER)


def _narrowed(left: AnyItem, right: AnyItem, ranking: Ranking, noun: Noun, grammar: Grammar) -> Iterator[AnyItem]:
    """A ranking by the property of a set whose groups are still to be said."""
    choices = tuple(c for c in ranking.choices if c.label == noun.nodes.label and not c.of_relation)
    if choices and not noun.named and not noun.wild and noun.nodes.order is None:
        yield grammar.item(left, right, replace(ranking, choices=choices, of=noun.nodes))
