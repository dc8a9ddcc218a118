"""Numbers and dates behind or before a set, and values of one node that are compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.plans.predicates import typed
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Form
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    ConditionNoun,
    CountOf,
    Feature,
    Item,
    Noun,
    Number,
    PropertyChoice,
    Whole,
)
from clew.tools.queries.reading.rules.condition_parts import comparable
from clew.tools.queries.reading.rules.condition_rules import conditioned
from clew.tools.queries.reading.rules.dated_facts import LESS_THAN_FACTS, comparable_of, of_facts, of_links
from clew.tools.queries.reading.rules.grammar import Grammar, Pair
from clew.tools.queries.reading.rules.property_tests import conditions

_TIMES = ("in", "on", "during", "of", "from", "for", "at", "dated")


_YEARS = range(1900, 2101)
_BEFORE = 0.3
"""What it costs that a year stands before what is of that year."""


def number_noun(left: Item[Number], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "three rivers"; "2015 papers", those of that year."""
    value, noun = left.meaning, right.meaning
    if not between.empty or noun.named or noun.wild:
        return
    if value.date:
        given = ConditionNoun(tuple(comparable(noun.nodes.label, grammar, dates=True)), "=", (value.value,))
        yield from conditioned(Pair(left, between, right, grammar), noun, given, False, [("guess", _BEFORE)])
    if not isinstance(value.value, int):
        return
    is_year = value.value in _YEARS and bool(comparable(noun.nodes.label, grammar, dates=True))
    if left.first and grammar.tokens[left.first - 1].text in ("all", "the") and not is_year:
        yield replace(grammar.item(left, right, noun, ("guess", 0.5)), first=left.first)
    elif noun.plural:
        yield grammar.item(left, right, CountOf("=", value.value, noun.nodes))


def noun_number(left: Item[Noun], between: Gap, right: Item[Number], grammar: Grammar) -> Iterator[AnyItem]:
    """ "orders in 1997": the date that the nodes have; "pull request 341": their number."""
    noun, value = left.meaning, right.meaning
    if between.conjunction == "or" and not between.heavy and noun.named and isinstance(value.value, int):
        yield from _or_numbered(Pair(left, between, right, grammar), noun, value.value)
    if between.empty and isinstance(value.value, int) and not (noun.wild or noun.named or noun.plural):
        yield from _numbered(Pair(left, between, right, grammar), noun, value.value)
    if not value.date or noun.wild or between.negated or not between.says(*_TIMES):
        return
    given = ConditionNoun(comparable_of(noun, grammar, dates=True), "=", (value.value,))
    doubt: list[Feature] = []
    if noun.named and noun.nodes.entities and not grammar.statement:
        doubt.append(("guess", 1.0))  # "The shrubs at Kew in 2021": not Kew, that was opened in 2021.
    pair = Pair(left, between, right, grammar)
    facts = [] if of_links(noun, grammar, dates=True) else list(of_facts(pair, noun, replace(given, choices=()), doubt))
    yield from facts
    yield from conditioned(pair, noun, given, False, [*doubt, LESS_THAN_FACTS] if facts else doubt)


def value_condition(left: Item[Whole], between: Gap, right: Item[ConditionNoun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "is X's budget bigger than Y's": a value of one node compared with a number or with another node's."""
    form, given = left.meaning.form, right.meaning
    if form.asks != "value" or form.value is None or form.value.link is not None or between.heavy:
        return
    if not form.nodes.entities:
        return  # "Ships built in the 80s" asks for ships.
    choice = PropertyChoice(form.nodes.label, form.value.property or "", 0.0, kind=form.value.kind)
    if given.choices and all((c.label, c.name) != (choice.label, choice.name) for c in given.choices):
        return
    last = right.last
    behind = grammar.tokens[last : last + 2]
    if given.than is not None and behind and behind[0].text == "'s":
        last += len(behind)
    for found in conditions(choice, given, between.negated, grammar):
        nodes = replace(form.nodes, conditions=(*form.nodes.conditions, *found))
        yield Pair(left, between, right, grammar).item(Whole(Form("truth", nodes)), last=last)


def _numbered(pair: Pair, noun: Noun, number: int) -> Iterator[AnyItem]:
    """A node of a kind whose nodes are numbered."""
    for choice in pair.grammar.words.numbering(noun.nodes.label):
        for found in conditions(choice, ConditionNoun((choice,), "=", (number,)), False, pair.grammar):
            nodes = replace(noun.nodes, conditions=(*noun.nodes.conditions, *found))
            yield pair.item(replace(noun, nodes=nodes, named=True), ("guess", 0.3))


def _or_numbered(pair: Pair, noun: Noun, number: int) -> Iterator[AnyItem]:
    """ "pull request 351 or 333"."""
    for choice in pair.grammar.words.numbering(noun.nodes.label) if len(noun.nodes.conditions) == 1 else ():
        given = noun.nodes.conditions[0]
        owned = pair.grammar.words.choice(choice.label, choice.name)
        other = typed(Predicate(choice.name, "=", number), owned) if owned is not None else ""
        if given.property == choice.name and isinstance(other, Predicate):
            either = replace(given, alternatives=(*given.alternatives, other))
            yield pair.item(replace(noun, nodes=replace(noun.nodes, conditions=(either,)), plural=True))
