"""Times behind a verb, which are of what was done then: "customers who ordered in March"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.linking.ordinary import QUESTION_WORDS
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Condition, Link, Nodes
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, Feature, Item, Noun, Number
from clew.tools.queries.reading.rules.condition_parts import comparable
from clew.tools.queries.reading.rules.grammar import Grammar, Pair
from clew.tools.queries.reading.rules.property_tests import conditions
from clew.tools.queries.reading.schema.property_words import root

_BUT_NOT = frozenset({"but", "and", "not", "never", "none", "in", "during", "on", "at", "for", "with", "the", "a"})
_DATES = 2
"""Dates of facts that are tried."""
LESS_THAN_FACTS: Feature = ("guess", 1.0)
"""What it costs that a time behind a verb is of who did it."""


def of_facts(pair: Pair, noun: Noun, given: ConditionNoun, features: Sequence[Feature]) -> Iterator[AnyItem]:
    """The set with a time of the facts that it is linked to: by the date of the orders.

    Args:
        pair: The set, and the time.
        noun: The set.
        given: The time.
        features: What speaks against all of these.
    """
    grammar, *links = pair.grammar, *noun.nodes.links
    noun_first = grammar.things[pair.left.first] or grammar.tokens[pair.left.first].text in QUESTION_WORDS
    behind = grammar.tokens[pair.left.first + 1 : pair.left.last] if noun_first else ()
    link = _of_fact(links[-1], [token.text for token in behind], grammar) if links else None
    if link is None or pair.between.heavy:
        return
    facts = {root(word) for word in identifier_words(link.other.label)}
    if link.path == noun.role and not any(root(token.text) in facts for token in behind):
        return  # "Visits per therapist in 2023": no verb says what therapists did.
    tests = (each for each in link.other.conditions if each.test == "IS NOT NULL")
    said = {each.property for each in tests}  # "Who opened tickets in May?"
    dates = comparable(link.other.label, grammar, dates=True)
    for choice in ([replace(c, cost=0.0) for c in dates if c.name in said] or dates)[:_DATES]:
        for found in conditions(choice, given, False, grammar):
            done = replace(link, other=link.other.where(*found))
            nodes = replace(noun.nodes, links=(*links[:-1], done))
            yield pair.item(replace(noun, nodes=nodes), ("property", choice.cost), *features)


def _of_fact(link: Link, said: Sequence[str], grammar: Grammar) -> Link | None:
    """A link that leads to facts alone; one of two steps becomes one to what its first step leads to, if a verb says
    that: "customers who ordered Chai in March", by an Order."""
    if len(link.path) == 2 and link.positive:
        first, rest = link.path
        if first.target not in grammar.words.events(said):
            return None
        return Link((first,), Nodes(first.target, links=(replace(link, path=(rest,)),)))
    return link if len(link.path) == 1 and not link.path[0].forward else None


def not_then(left: Item[Noun], between: Gap, right: Item[Number], grammar: Grammar) -> Iterator[AnyItem]:
    """ "customers who ordered in 1996" + "but not in 1997": who have no such facts of another time."""
    noun, value = left.meaning, right.meaning
    if not value.date or not between.negated or noun.wild or not set(between.texts) <= _BUT_NOT:
        return
    for link in noun.nodes.links[-1:]:
        dated = [each for each in link.other.conditions if _is_time(each)]
        for choice in comparable(link.other.label, grammar, dates=True) if link.positive and dated else ():
            given = ConditionNoun((choice,), "=", (value.value,))
            for found in conditions(choice, given, False, grammar) if choice.name == dated[0].property else ():
                kept = tuple(each for each in link.other.conditions if each not in dated)
                denied = replace(link, other=replace(link.other, conditions=(*kept, *found)), negated=True)
                nodes = replace(noun.nodes, links=(*noun.nodes.links, denied))
                yield grammar.item(left, right, replace(noun, nodes=nodes))


def not_so(left: Item[Noun], between: Gap, right: Item[ConditionNoun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "places with check-ins on Sunday" + "but not on Monday": that have none with another value."""
    noun, given = left.meaning, right.meaning
    denied = between.negated and between.says("but", "and") and set(between.texts) <= _BUT_NOT
    if not denied or noun.wild or given.comparison != "=" or given.than is not None or given.test:
        return
    for link in noun.nodes.links[-1:]:
        known = {each.property for each in link.other.conditions if each.predicate is not None}
        for choice in given.choices if link.positive else ():
            if choice.label != link.other.label or choice.of_relation or choice.name not in known:
                continue
            for found in conditions(choice, given, False, grammar):
                kept = tuple(each for each in link.other.conditions if each.property != choice.name)
                other = replace(link, other=replace(link.other, conditions=(*kept, *found)), negated=True)
                nodes = replace(noun.nodes, links=(*noun.nodes.links, other))
                yield grammar.item(left, right, replace(noun, nodes=nodes))


def _is_time(condition: Condition) -> bool:
    return condition.predicate is not None and condition.predicate.kind == "date" and not condition.negated
