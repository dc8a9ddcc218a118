"""Sets of which the first ones are asked for by what they are linked to: "the 3 suppliers with the most expensive
products" are ordered by the prices of their products."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from clew.tools.queries.reading.english.inflection import is_plural
from clew.tools.queries.reading.english.words import adjectives
from clew.tools.queries.reading.forms.form import Link, Nodes, Order, Value, turned
from clew.tools.queries.reading.forms.functions import Function
from clew.tools.queries.reading.forms.items import AnyItem, Item, Noun
from clew.tools.queries.reading.rules.grammar import Grammar

_COUNTING = frozenset({"most", "fewest", "least"})


def counts(nodes: Nodes, others: Nodes) -> bool:
    """Whether a set is ordered by the number of the others that it is linked to."""
    by = nodes.order.by if nodes.order is not None else None
    return by is not None and by.property is None and by.link is not None and by.link.other == others


def by_linked_order(items: Iterable[AnyItem], left: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """The joins of two sets. Where so many of the one are asked for, and the others are the greatest of their kind, the
    one is ordered by the values of the others: a single product would not have three suppliers."""
    limit = left.meaning.limit
    if limit is None or left.meaning.nodes.order is not None:
        yield from items
        return
    for item in items:
        noun = item.meaning
        if isinstance(noun, Noun) and noun.limit == limit:
            item = replace(item, meaning=replace(noun, nodes=by_links(noun.nodes, limit, item, grammar)))
        yield item


def by_links(nodes: Nodes, limit: int, item: AnyItem, grammar: Grammar) -> Nodes:
    """A set ordered by the values of its last link, if that leads to the greatest of several; else as it is.

    Args:
        nodes: The set.
        limit: How many of it are asked for.
        item: The words that say it.
        grammar: The question.
    """
    link = nodes.links[-1] if nodes.links else None
    order = link.other.order if link is not None and link.positive else None
    if link is None or order is None or nodes.order is not None or order.limit != 1 or order.skip or order.grouped:
        return nodes
    texts = [token.text for token in grammar.tokens[item.first : item.last]]
    labels = {label for text in texts if is_plural(text) for label, _ in grammar.words.labels.get(text, ())}
    many = any(text in _COUNTING and behind not in adjectives() for text, behind in pairwise(texts))
    by = _value(link, order, nodes.label, counts=many) if link.other.label in labels else None
    if by is None:
        return nodes
    return replace(nodes, links=nodes.links[:-1], order=Order(by, order.descending, limit, ties=False))


def _value(link: Link, order: Order, label: str, *, counts: bool) -> Value | None:
    """The value of the linked nodes by which a set is ordered instead; "the most units" `counts` them all together."""
    back = turned(link.path, label)
    kept = tuple(each for each in link.other.links if not (each.open and each.path == back))
    other, by = replace(link.other, order=None, links=kept), order.by
    if by.link is None:
        summed = counts and by.kind == "number" and by.property is not None
        function: Function = "sum" if summed else "max" if order.descending else "min"
        return replace(by, function=function, link=replace(link, other=other))
    if by.function != "count" or by.property is not None or not (other.bare and by.link.positive):
        return None
    return replace(by, link=replace(by.link, path=(*link.path, *by.link.path)))  # "to the most categories"
