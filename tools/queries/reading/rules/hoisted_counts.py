"""Numbers of things that a set has by what it is linked to: "suppliers of products in more than three categories"."""

from __future__ import annotations

from dataclasses import replace

from clew.tools.queries.reading.forms.form import Link, Nodes
from clew.tools.queries.reading.rules.grammar import Grammar


def counted_by_all(nodes: Nodes, grammar: Grammar) -> Nodes:
    """A set of which such a number is that of all linked nodes together, where each of these has one at most.

    A product is in one category, so that only the products of a supplier can be in three.
    """
    links = tuple(_counted(link, grammar) for link in nodes.links)
    return nodes if links == nodes.links else replace(nodes, links=links)


def counted_once(nodes: Nodes) -> Nodes:
    """A set of which a number is that of those of which something is said: "failed an inspection more than once" has
    more than one inspection that failed."""
    for link in nodes.links:
        same = [e for e in nodes.links if e.path == link.path and e.count is None and e.positive and not e.open]
        if link.count is None or not link.other.bare or link.conditions or len(same) != 1:
            continue
        merged = replace(same[0], count=link.count)
        return replace(nodes, links=tuple(merged if e is link else e for e in nodes.links if e is not same[0]))
    return nodes


def ordered_by_said(nodes: Nodes) -> Nodes:
    """A set in the order of how many of those it has of which something is said: "who won the most races" is not who
    raced most."""
    link = nodes.order.by.link if nodes.order is not None else None
    if nodes.order is None or link is None or not link.open:
        return nodes
    said = [each for each in nodes.links if each.path == link.path and each.positive and each.conditions]
    if len(said) != 1 or nodes.order.by.property is not None:
        return nodes
    return replace(nodes, order=replace(nodes.order, by=replace(nodes.order.by, link=said[0])))


def _counted(link: Link, grammar: Grammar) -> Link:
    inner = link.other.links[0] if len(link.other.links) == 1 else None
    if inner is None or inner.count is None or not link.positive or link.conditions:
        return link
    comparison, number = inner.count
    several = number + (comparison == ">") > 1 or (comparison, number) == ("=", 1)
    single = grammar.mean_number(link.other.label, inner.path[0]) <= 1
    if several and single and replace(link.other, links=()).bare:
        return replace(inner, path=(*link.path, *inner.path))
    return link
