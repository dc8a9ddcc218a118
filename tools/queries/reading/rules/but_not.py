"""Sets that are linked to things with one value, and to none with another: "ordered in 1996 but not in 1997"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Condition
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, Item, Noun, Number, PropertyChoice
from clew.tools.queries.reading.rules.condition_parts import comparable
from clew.tools.queries.reading.rules.grammar import Grammar, Pair
from clew.tools.queries.reading.rules.property_tests import conditions

_BUT_NOT = frozenset({"but", "and", "not", "never", "none", "in", "during", "on", "at", "for", "with", "the", "a"})


def not_then(left: Item[Noun], between: Gap, right: Item[Number], grammar: Grammar) -> Iterator[AnyItem]:
    """ "customers who ordered in 1996" + "but not in 1997": who have no such facts of another time."""
    links, value = left.meaning.nodes.links[-1:], right.meaning
    dated = [each.property for link in links for each in link.other.conditions if _is_time(each)]
    if not (value.date and dated and _denied(left, between)):
        return
    for choice in comparable(links[0].other.label, grammar, dates=True):
        if choice.name == dated[0]:
            given = ConditionNoun((choice,), "=", (value.value,))
            yield from _without(Pair(left, between, right, grammar), choice, given)


def not_so(left: Item[Noun], between: Gap, right: Item[ConditionNoun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "places with check-ins on Sunday" + "but not on Monday": that have none with another value."""
    links, given = left.meaning.nodes.links[-1:], right.meaning
    known = {each.property for link in links for each in link.other.conditions if each.predicate is not None}
    plain = given.comparison == "=" and given.than is None and not given.test
    if not (plain and known and between.says("but", "and") and _denied(left, between)):
        return
    for choice in given.choices:
        if choice.label == links[0].other.label and not choice.of_relation and choice.name in known:
            yield from _without(Pair(left, between, right, grammar), choice, given)


def _denied(left: Item[Noun], between: Gap) -> bool:
    """Whether a set is linked to others, and "but not" stands behind it."""
    links = left.meaning.nodes.links
    linked = bool(links) and links[-1].positive and not left.meaning.wild
    return linked and between.negated and set(between.texts) <= _BUT_NOT


def _without(pair: Pair, choice: PropertyChoice, given: ConditionNoun) -> Iterator[AnyItem]:
    """The set without what is linked to others of which a property has another value."""
    noun: Noun = pair.left.meaning
    link = noun.nodes.links[-1]
    kept = tuple(each for each in link.other.conditions if each.property != choice.name)
    for found in conditions(choice, given, False, pair.grammar):
        denied = replace(link, other=replace(link.other, conditions=(*kept, *found)), negated=True)
        yield pair.item(replace(noun, nodes=replace(noun.nodes, links=(*noun.nodes.links, denied))))


def _is_time(condition: Condition) -> bool:
    return condition.predicate is not None and condition.predicate.kind == "date" and not condition.negated
