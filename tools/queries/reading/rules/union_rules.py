"""Sets of which one or the other is said: "films directed by X or written by Y"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from operator import is_

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Link, Nodes
from clew.tools.queries.reading.forms.items import AnyItem, Item, Noun
from clew.tools.queries.reading.forms.scoring import with_features
from clew.tools.queries.reading.rules.grammar import Grammar, Rule

_BOTH_BY_OR = 2.0
"""What it costs that "or" joins what a set must meet both of."""


def joined_by_or(left: AnyItem, between: Gap, right: AnyItem) -> bool:
    """Whether "or" joins two things that are said of one set: no two sets, as in "nurses or teachers"."""
    verb = between.texts[-1:] != ("or",) or not isinstance(right.meaning, Noun)
    return isinstance(left.meaning, Noun) and between.conjunction == "or" and verb


def doubted(item: AnyItem, left: Item[Noun]) -> AnyItem:
    """What "or" gives, at a cost where it must meet both of what is said."""
    nodes, before = item.meaning.nodes if isinstance(item.meaning, Noun) else None, left.meaning.nodes
    said = [each for each in before.links if not each.negated] + [
        each for each in before.conditions if not each.negated
    ]
    if (
        nodes is None
        or not said
        or len(nodes.links) + len(nodes.conditions) <= len(before.links) + len(before.conditions)
    ):
        return item
    return with_features(item, ("guess", _BOTH_BY_OR))


def united(
    left: Item[Noun], between: Gap, right: AnyItem, grammar: Grammar, rules: tuple[Rule, ...]
) -> Iterator[AnyItem]:
    """ "films directed by X" + "or written by Y": what the last words before "or" say, or what those behind it say."""
    noun = left.meaning
    parts = _last_said(noun.nodes)
    if parts is None or noun.wild or noun.nodes.order is not None or grammar.statement:
        return
    head, said = parts
    rest = grammar.gap(between.first + between.texts.index("or") + 1, between.last)
    if rest.negated:
        return
    for rule in rules:
        for item in rule(replace(left, meaning=replace(noun, nodes=head)), rest, right, grammar):
            nodes = item.meaning.nodes if isinstance(item.meaning, Noun) else None
            other = _last_said(nodes) if nodes is not None and nodes.label == head.label else None
            if other is not None and other[0] == head and nodes is not None and not _of_one_value(said, other[1]):
                either = replace(head, either=(*said, *other[1]))
                yield replace(item, meaning=replace(item.meaning, nodes=either))


def _of_one_value(one: tuple[Nodes, ...], other: tuple[Nodes, ...]) -> bool:
    """Whether both say the same, or give values of one property, which are alternatives anyway."""
    values = [
        {(c.property, c.comparison) for c in each.conditions if c.predicate is not None} for each in (*one, *other)
    ]
    return one == other or (all(values) and all(each == values[0] for each in values) and values[0].pop()[1] == "=")


def _last_said(nodes: Nodes) -> tuple[Nodes, tuple[Nodes, ...]] | None:
    """A set without what was said of it last, and that as sets of their own; None where both a link and a condition may
    have been last."""
    bare = Nodes(nodes.label)
    if nodes.either and not (nodes.links or nodes.conditions):
        return replace(nodes, either=()), nodes.either
    if nodes.links and not nodes.conditions:
        return replace(nodes, links=nodes.links[:-1]), (replace(bare, links=nodes.links[-1:]),)
    if nodes.conditions and not nodes.links:
        return replace(nodes, conditions=nodes.conditions[:-1]), (replace(bare, conditions=nodes.conditions[-1:]),)
    return None


def of_either(nodes: Nodes, grammar: Grammar) -> Nodes:
    """A set whose nodes each have one such relation, related to any of two named things instead of to both: "the venues
    in Leeds and Bristol"."""
    if grammar.asks_truth or any(token.text == "both" for token in grammar.tokens):
        return nodes
    found: list[Link] = []
    for link in nodes.links:
        if (other := of_either(link.other, grammar)) is not link.other:
            link = replace(link, other=other)
        i = next((i for i, each in enumerate(found) if _are_alternatives(each, link, nodes.label, grammar)), None)
        if i is None:
            found.append(link)
        else:
            entities = dict.fromkeys((*found[i].other.entities, *link.other.entities))
            found[i] = replace(link, other=replace(link.other, entities=tuple(entities)))
    same = len(found) == len(nodes.links) and all(map(is_, found, nodes.links))
    return nodes if same else replace(nodes, links=tuple(found))


def of_both(nodes: Nodes, grammar: Grammar) -> Nodes:
    """A set related to one thing of each of two values instead of to one of either: "approved in both Japan and
    Australia", where each approval is for one country."""
    if not any(token.text == "both" for token in grammar.tokens):
        return nodes
    return replace(nodes, links=tuple(each for link in nodes.links for each in _of_each_value(link)))


def _of_each_value(link: Link) -> Iterator[Link]:
    place = next((i for i, each in enumerate(link.other.conditions) if each.alternatives and not each.negated), None)
    if place is None or not link.positive:
        yield link
        return
    several = link.other.conditions[place]
    for predicate in (several.predicate, *several.alternatives):
        one = replace(several, predicate=predicate, alternatives=())
        conditions = (*link.other.conditions[:place], one, *link.other.conditions[place + 1 :])
        yield replace(link, other=replace(link.other, conditions=conditions))


def _are_alternatives(one: Link, other: Link, label: str, grammar: Grammar) -> bool:
    """Whether no node can have both of two links to named things: it has one such relation."""
    alike = one.path == other.path and len(one.path) == 1 and not one.negated and not other.negated
    plain = all(each.other.entities and replace(each.other, entities=()).bare for each in (one, other))
    conditions = one.conditions or other.conditions or one.count or other.count
    return alike and plain and not conditions and grammar.mean_number(label, one.path[0]) <= 1
