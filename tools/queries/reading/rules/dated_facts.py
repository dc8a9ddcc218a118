"""Times behind a verb, which are of what was done then: "customers who ordered in March"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.linking.ordinary import QUESTION_WORDS
from clew.tools.queries.reading.forms.form import Link, Nodes
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, Feature, Noun, PropertyChoice
from clew.tools.queries.reading.rules.condition_parts import comparable
from clew.tools.queries.reading.rules.grammar import Grammar, Pair
from clew.tools.queries.reading.rules.property_tests import conditions
from clew.tools.queries.reading.schema.event_roles import tells_roles
from clew.tools.queries.reading.schema.property_names import root

_DATES = 2
"""Dates of facts that are tried."""
_OF_LINK = 0.2
"""What the time of a relationship that is said costs less than one of the nodes themselves."""
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
        if first.target not in grammar.words.events(said) and not tells_roles(link.path, tuple(said)):
            return None
        return Link((first,), Nodes(first.target, links=(replace(link, path=(rest,)),)))
    return link if len(link.path) == 1 and not link.path[0].forward else None


def comparable_of(noun: Noun, grammar: Grammar, *, dates: bool) -> tuple[PropertyChoice, ...]:
    """The dates, or numbers, that one behind a set may be compared with: of a statement those of the relationships that
    the set is said to have; of a question also its own ones, and before them the dates of these relationships, as in
    "won X since 2021"."""
    linked, own = of_links(noun, grammar, dates=dates), comparable(noun.nodes.label, grammar, dates=dates)
    if grammar.statement:
        return tuple(linked or own)
    return (*own, *(replace(each, cost=each.cost - _OF_LINK) for each in linked if dates))


def of_links(noun: Noun, grammar: Grammar, *, dates: bool) -> list[PropertyChoice]:
    """The dates, or numbers, of the relationships that a set is said to have."""
    relations = dict.fromkeys(link.path[-1].relation for link in noun.nodes.links if not link.negated)
    return [choice for each in relations for choice in grammar.words.comparable(each, dates=dates)]
