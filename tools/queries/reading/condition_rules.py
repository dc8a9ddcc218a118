"""Conditions on properties and on numbers of things."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.plans.predicates import typed
from clew.tools.queries.reading.form import Condition, Link, Nodes
from clew.tools.queries.reading.gap import Gap
from clew.tools.queries.reading.grammar import Grammar
from clew.tools.queries.reading.items import (
    Comparator,
    ConditionNoun,
    CountOf,
    Feature,
    Item,
    Noun,
    Number,
    PropertyChoice,
    PropertyNoun,
)
from clew.tools.queries.reading.noun_rules import agreement, attached
from clew.tools.queries.space.query import Comparison

_TIMES = ("in", "on", "during", "of", "from", "for", "at", "dated")
_FLIPPED: dict[Comparison, Comparison] = {">": "<", "<": ">", ">=": "<=", "<=": ">=", "=": "=", "<>": "<>"}


# ---- conditions from their parts ------------------------------------------------------------------------------------


def comparator_number(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "more than 5", "older than 30", "after 1990"."""
    comparator, value = left.meaning, right.meaning
    assert isinstance(comparator, Comparator) and isinstance(value, Number)
    if between.heavy or between.negated:
        return
    meaning = ConditionNoun(comparator.choices, comparator.comparison, (value.value,))
    time = grammar.tokens[left.first].text in ("after", "before", "since", "until")
    guess = [("guess", 1.0)] if time != value.date else []
    yield grammar.item(left, right, meaning, *guess)


def comparator_noun(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "longer than the mississippi", "higher than the highest point in texas"."""
    comparator, noun = left.meaning, right.meaning
    assert isinstance(comparator, Comparator) and isinstance(noun, Noun)
    if between.heavy or between.negated or noun.wild or comparator.comparison not in (">", "<", "="):
        return
    if noun.named or noun.nodes.order is not None:
        yield grammar.item(left, right, ConditionNoun(comparator.choices, comparator.comparison, than=noun.nodes))


def between_numbers(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "between 5 and 10"."""
    low, high = left.meaning, right.meaning
    assert isinstance(low, Number) and isinstance(high, Number)
    before = grammar.tokens[left.first - 1].text if left.first else ""
    if before in ("between", "from") and set(between.texts) <= {"and", "to", "until", "$"} and low.date == high.date:
        item = grammar.item(left, right, ConditionNoun((), ">=", (low.value,), upper=high.value))
        yield replace(item, first=left.first - 1)


def property_condition(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "population over 5000", "status is open", "a rating greater than Heat"."""
    owned, given = left.meaning, right.meaning
    assert isinstance(owned, PropertyNoun) and isinstance(given, ConditionNoun)
    if between.heavy or owned.function:
        return
    choices = owned.choices
    if given.choices:
        known = {(c.label, c.name) for c in given.choices}
        choices = tuple(c for c in choices if (c.label, c.name) in known)
        if not choices:
            return
    meaning = replace(given, choices=choices, comparison=_negated(given.comparison, between.negated))
    yield grammar.item(left, right, meaning)


def condition_property(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "more than 5000 people", "open status"."""
    given, owned = left.meaning, right.meaning
    assert isinstance(owned, PropertyNoun) and isinstance(given, ConditionNoun)
    if not between.plain or between.negated or owned.function or len(between.texts) > 1:
        return
    if not given.choices and not given.test:
        yield grammar.item(left, right, replace(given, choices=owned.choices))
    elif given.choices and between.empty:
        known = {(c.label, c.name) for c in owned.choices}
        choices = tuple(c for c in given.choices if (c.label, c.name) in known)
        if choices:
            yield grammar.item(left, right, replace(given, choices=choices))


def property_number(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "a rating of 5", "hired in 2012"."""
    owned, value = left.meaning, right.meaning
    assert isinstance(owned, PropertyNoun) and isinstance(value, Number)
    if between.heavy or between.negated or owned.function:
        return
    if value.text:
        texts = tuple(c for c in owned.choices if c.kind in ("text", "identifier", "texts"))
        if texts:
            yield grammar.item(left, right, ConditionNoun(texts, "=", (value.value,)))
        return
    if between.says("all", "the"):
        return
    choices = tuple(c for c in owned.choices if (c.kind == "date") == value.date or _years(c, value, grammar))
    if choices:
        yield grammar.item(left, right, ConditionNoun(choices, "=", (value.value,)))


def _years(choice: PropertyChoice, value: Number, grammar: Grammar) -> bool:
    return value.date and choice.kind == "number" and str(value.value).isdecimal()


def either_condition(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "open or closed", "in Berlin or London": values of one property."""
    a, b = left.meaning, right.meaning
    assert isinstance(a, ConditionNoun) and isinstance(b, ConditionNoun)
    if between.conjunction != "or" or between.heavy or a.comparison != "=" or b.comparison != "=":
        return
    known = {(c.label, c.name) for c in b.choices}
    choices = tuple(c for c in a.choices if (c.label, c.name) in known)
    if choices and a.values and b.values:
        yield grammar.item(left, right, replace(a, choices=choices, values=(*a.values, *b.values)))


# ---- numbers of things ----------------------------------------------------------------------------------------------


def condition_noun(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "more than three rivers"; "open issues"."""
    given, noun = left.meaning, right.meaning
    assert isinstance(given, ConditionNoun) and isinstance(noun, Noun)
    if noun.wild or not between.plain or between.negated:
        return
    if not given.choices:
        value = given.values[0] if given.values else None
        if isinstance(value, int) and not isinstance(value, bool) and not noun.named and given.upper is None:
            comparison = given.comparison
            yield grammar.item(left, right, CountOf(comparison, value, noun.nodes))
        return
    if between.empty and not noun.named:
        yield from _conditioned(left, right, noun, given, False, grammar, [])


def number_noun(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "three rivers"."""
    value, noun = left.meaning, right.meaning
    assert isinstance(value, Number) and isinstance(noun, Noun)
    if not between.empty or noun.named or noun.wild or not isinstance(value.value, int):
        return
    if left.first and grammar.tokens[left.first - 1].text in ("all", "the"):
        yield replace(grammar.item(left, right, noun, ("guess", 0.5)), first=left.first)
    elif noun.plural:
        yield grammar.item(left, right, CountOf("=", value.value, noun.nodes))


def noun_count(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "states with more than three rivers"."""
    noun, count = left.meaning, right.meaning
    assert isinstance(noun, Noun) and isinstance(count, CountOf)
    if noun.wild:
        return
    for path in grammar.joins.paths(noun.nodes.label, count.nodes.label):
        ends = [(right.last, between.words), *grammar.verbs_behind(between, left, right)]
        for last, said in ends:
            features = [*agreement(path, noun.nodes.label, said, between, grammar), *attached(noun, between)]
            link = Link(path, count.nodes, count=(count.comparison, count.number), negated=False)
            if between.negated:
                features.append(("lost negation", 1.0))
            nodes = noun.nodes.linked(link)
            yield grammar.item(left, replace(right, last=last), replace(noun, nodes=nodes), *features)


# ---- conditions on sets ---------------------------------------------------------------------------------------------


def noun_condition(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "cities with a population over 5000", "products that are discontinued", "customers in Berlin"."""
    noun, given = left.meaning, right.meaning
    assert isinstance(noun, Noun) and isinstance(given, ConditionNoun)
    if noun.wild or between.possessive:
        return
    if given.test and not given.choices:
        given = replace(given, choices=tuple(grammar.words.naming_of(noun.nodes.label)))
    features = [*grammar.unexplained(replace(between, negated=False)), *attached(noun, between)]
    yield from _conditioned(left, right, noun, given, between.negated, grammar, features)


def noun_presence(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "suppliers without a home page", "customers who have a fax number"."""
    noun, owned = left.meaning, right.meaning
    assert isinstance(noun, Noun) and isinstance(owned, PropertyNoun)
    if noun.wild or noun.named or owned.function or owned.quantity or between.heavy:
        return
    if not (between.negated or between.says("have", "has", "with", "had", "having")):
        return
    for choice in owned.choices:
        if choice.label == noun.nodes.label and not choice.of_relation and choice.cost < 0.7 and choice.kind != "boolean":
            test = "IS NULL" if between.negated else "IS NOT NULL"
            nodes = noun.nodes.where(Condition(property=choice.name, test=test))  # type: ignore[arg-type]
            yield grammar.item(left, right, replace(noun, nodes=nodes), ("guess", 0.3), ("property", choice.cost))


def noun_number(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "orders in 1997": the date that the nodes have."""
    noun, value = left.meaning, right.meaning
    assert isinstance(noun, Noun) and isinstance(value, Number)
    if not value.date or noun.wild or between.negated or not between.says(*_TIMES):
        return
    choices = tuple(grammar.words.comparable(noun.nodes.label, dates=True))
    given = ConditionNoun(choices, "=", (value.value,))
    yield from _conditioned(left, right, noun, given, False, grammar, list(grammar.unexplained(between)))


def _conditioned(
    left: Item, right: Item, noun: Noun, given: ConditionNoun, negated: bool, grammar: Grammar, features: list[Feature]
) -> Iterator[Item]:
    """The set with the condition on a property of its own, or of what it is linked to."""
    label = noun.nodes.label
    choices = given.choices or tuple(
        grammar.words.comparable(label, dates=_is_date(given)) if given.than is None else ()
    )
    own = [c for c in choices if c.label == label and not c.of_relation]
    rivals = [("guess", 0.5)] if len(own) > 1 and own[1].cost - own[0].cost < 0.2 and not given.choices else []
    for choice in own:
        for condition in _conditions(choice, given, negated, grammar):
            nodes = noun.nodes
            for each in condition:
                nodes = nodes.where(each)
            meaning = replace(noun, nodes=nodes)
            yield grammar.item(left, right, meaning, ("property", choice.cost), *rivals, *features)
    if own or given.than is not None:
        return
    for choice in choices[:4]:
        if choice.of_relation or choice.label not in grammar.words.schema.labels:
            continue
        for path in grammar.joins.paths(label, choice.label):
            for condition in _conditions(choice, given, False, grammar):
                other = Nodes(choice.label)
                for each in condition:
                    other = other.where(each)
                nodes = noun.nodes.linked(Link(path, other, negated=negated))
                own_features = [("linked value", 1.0), ("extra hop", float(len(path) - 1)), ("property", choice.cost)]
                yield grammar.item(left, right, replace(noun, nodes=nodes), *own_features, *features)


def _is_date(given: ConditionNoun) -> bool:
    return any(isinstance(value, str) for value in given.values)


def _negated(comparison: Comparison, negated: bool) -> Comparison:
    flipped: dict[Comparison, Comparison] = {"=": "<>", ">": "<=", "<": ">=", ">=": "<", "<=": ">", "<>": "="}
    return flipped.get(comparison, comparison) if negated else comparison


def _conditions(
    choice: PropertyChoice, given: ConditionNoun, negated: bool, grammar: Grammar
) -> Iterator[tuple[Condition, ...]]:
    """The condition on one property, of its own type; nothing where the value does not fit."""
    owned = grammar.words.choice(choice.label, choice.name)
    if owned is None:
        return
    if given.than is not None:
        if given.than.label == choice.label:
            yield (Condition(property=choice.name, comparison=given.comparison, than=given.than,
                             than_value=choice.name, negated=negated),)  # fmt: skip
        return
    comparison = given.comparison
    if given.test in ("IS NULL", "IS NOT NULL"):
        yield (Condition(property=choice.name, test=given.test),)
        return
    if given.test in ("STARTS WITH", "ENDS WITH"):
        text = str(given.values[0])
        yield (Condition(property=choice.name, test=given.test, text=text, negated=negated),)
        return
    if given.test == "CONTAINS":
        comparison = "CONTAINS"
    found = [typed(Predicate(choice.name, comparison, value), owned) for value in given.values]
    checked = [each for each in found if isinstance(each, Predicate)]
    if not checked:
        return
    conditions = [Condition(checked[0], property=choice.name, alternatives=tuple(checked[1:]), negated=negated)]
    if given.upper is not None:
        upper = typed(Predicate(choice.name, "<=", given.upper), owned)
        if not isinstance(upper, Predicate):
            return
        conditions.append(Condition(upper, property=choice.name, negated=negated))
    yield tuple(conditions)
