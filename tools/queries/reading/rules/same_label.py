"""Two sets of one label become one: the same thing said twice, alternatives, exceptions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Nodes
from clew.tools.queries.reading.forms.items import AnyItem, Feature, Item, Noun
from clew.tools.queries.reading.rules.grammar import Grammar

_EXCEPT = ("excluding", "except", "without", "not", "besides", "but")
_BUT_NOT = frozenset({"but", "and", "not", "never"})
_APART = ({"other", "than"}, {"apart", "from"}, {"aside", "from"}, {"except", "for"})
_SAME = frozenset({
    "the", "of", "a", "an", "named", "called", "among", "amongst", "there", "is", "are", "was", "were", "name", "in",
    "being", "whose", "names", "by", "with", "that", "which", "'s",
})  # fmt: skip


def same_label(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    a, b = left.meaning, right.meaning
    if between.negated and set(between.texts) <= _BUT_NOT and b.named and _closed(b):
        if a.named and _closed(a) and not grammar.statement:
            yield grammar.item(left, right, replace(a, denied=(*a.denied, b.nodes)))  # "ordered X but not Y"
    elif between.conjunction and not (between.heavy or between.copula) and _closed(a) and _closed(b):
        if grammar.statement:
            return  # A statement about several things is several claims.
        yield from _either(left, between, right, grammar)
    elif set(between.texts) in _APART and b.named:
        yield grammar.item(left, right, replace(a, nodes=replace(a.nodes, without=(*a.nodes.without, b.nodes))))
    elif between.says(*_EXCEPT) and not between.heavy and (b.named or _excepted(a, between, b, grammar)):
        meaning = replace(a, nodes=replace(a.nodes, without=(*a.nodes.without, b.nodes)))
        # "Rivers that are not major rivers run through Texas": what follows is said of the first noun.
        behind = bool(b.nodes.links) and not b.named and between.says("that", "which", "who")
        yield grammar.item(left, right, meaning, *([("guess", 0.2)] if behind else []))
    elif not between.negated and set(between.texts) <= _SAME and not between.conjunction:
        yield from _apposition(left, between, right, grammar)


def _excepted(a: Noun, between: Gap, b: Noun, grammar: Grammar) -> bool:
    """Whether the nodes of a set are said not to be among another: "capitals that are not major cities"."""
    apart = between.copula or between.says("excluding", "except", "besides")
    return bool(apart) and not (grammar.statement or a.named or b.nodes.bare or b.nodes.order)


def _closed(noun: Noun) -> bool:
    """Whether it is a list of names."""
    nodes = noun.nodes
    valued = bool(nodes.entities) != (len(nodes.conditions) == 1)
    return noun.named and valued and not (nodes.links or nodes.order or nodes.without)


def _either(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    a, b = left.meaning, right.meaning
    every = between.conjunction == "and"
    nodes = _both(a.nodes, b.nodes)
    if nodes is None:
        return
    groups = (*(a.members or (a.nodes,)), *(b.members or (b.nodes,)))
    yield grammar.item(left, right, Noun(nodes, True, named=True, members=groups, every=every))


def _both(a: Nodes, b: Nodes) -> Nodes | None:
    """The nodes of two lists of names, or of two values of one property."""
    if a.entities and b.entities:
        return Nodes(a.label, tuple(dict.fromkeys((*a.entities, *b.entities))))
    if a.entities or b.entities:
        return None
    one, other = a.conditions[0], b.conditions[0]
    if one.property != other.property or other.predicate is None:
        return None
    return Nodes(a.label, conditions=(replace(one, alternatives=(*one.alternatives, other.predicate)),))


def _apposition(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the mississippi river", "state of texas", "cities named austin", "austin is the capital of texas"."""
    a, b = left.meaning, right.meaning
    if a.named and b.named:
        return
    if grammar.statement and bool(a.nodes.order) != bool(b.nodes.order):
        return  # "Texas is the largest state": among all states, see statement_rules
    if a.role is not None and len(a.role) > 1 and b.named:
        return  # "play alongside X"
    if (a.role is not None and between.says("of")) or (b.role is not None and between.possessive):
        return  # "the capital of Austin" is no capital called Austin; nor is "Austin's capital".
    both = a.named == b.named
    if both and not (between.copula or between.says("that", "which", "among", "amongst")):
        return
    features: list[Feature] = []
    if between.says("in", "with", "by") or (both and b.nodes.bare):
        features.append(("guess", 1.5))
    if b.named and not between.empty and not b.nodes.entities:
        features.append(("guess", 0.3))
    nodes = merged(a.nodes, b.nodes)
    if nodes is None:
        return
    noun = replace(a, nodes=nodes, named=a.named or b.named, asked=a.asked or b.asked, role=a.role or b.role,
                   plural=a.plural)  # fmt: skip
    yield grammar.item(left, right, noun, *features)


def merged(a: Nodes, b: Nodes) -> Nodes | None:
    """The nodes of both sets; None where they are ordered in two ways, named differently, or two choices."""
    if (a.order is not None and b.order is not None) or (a.either and b.either):
        return None
    entities = a.entities or b.entities
    if a.entities and b.entities:
        entities = tuple(entity for entity in a.entities if entity in b.entities)
        if not entities:
            return None  # No entities would mean all nodes of the label.
    return replace(
        a, entities=entities, conditions=(*a.conditions, *b.conditions),
        links=tuple(dict.fromkeys((*a.links, *b.links))), order=a.order or b.order,
        without=(*a.without, *b.without), either=a.either or b.either,
    )  # fmt: skip
