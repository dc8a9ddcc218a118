"""Conditions from their parts: comparisons with numbers, dates, texts and other nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.reading.anchors.ages import aged
from clew.tools.queries.reading.anchors.amounts import is_rate
from clew.tools.queries.reading.anchors.asked_properties import AN_END, is_end
from clew.tools.queries.reading.english.gap import KEPT, Gap
from clew.tools.queries.reading.english.inflection import is_plural, singular
from clew.tools.queries.reading.english.words import meaning_of, unit_measure
from clew.tools.queries.reading.forms.form import Nodes
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    Comparator,
    ConditionNoun,
    Item,
    Noun,
    Number,
    Operator,
    PropertyChoice,
    PropertyNoun,
    Whole,
)
from clew.tools.queries.reading.rules.comparison_rules import AVERAGES
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.property_tests import conditions
from clew.tools.queries.reading.rules.total_conditions import worked_out_condition
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.space.query import Comparison
from clew.tools.queries.values import holds_years

_UP_TO = (("to",), ("until",), ("till",), ("through",))
_TO = frozenset({"and", "to", "until", "till", "through", "up", "including", "$"})
_OF_LINKS = 0.8
"""What it costs that a date is that of a relationship, which no word names."""
_OTHER_DATE = 0.25
"""What a date costs more than the one that is called as its label is."""
_SPANS = frozenset({"year", "month", "day", "date"})
"""What two dates may have in common: "built in the same year as"."""


# ---- conditions from their parts ------------------------------------------------------------------------------------


def comparator_number(left: Item[Comparator], between: Gap, right: Item[Number], grammar: Grammar) -> Iterator[AnyItem]:
    """ "more than 5", "older than 30", "after 1990"."""
    comparator, value = left.meaning, right.meaning
    if between.heavy or between.negated:
        return
    unit = grammar.tokens[right.last].text if right.last < len(grammar.tokens) else ""
    measured = grammar.words.in_unit(comparator.choices, unit)
    measured = measured or (aged(comparator.choices) if singular(unit) == "year" and unit else ())
    if not comparator.choices and grammar.tokens[right.last - 1].text in ("a", "an"):
        measured = tuple(grammar.words.measured_in(unit))  # "over an hour"
    if not comparator.choices and right.last - right.first > 2 and is_rate(grammar.tokens, right.last - 2):
        # "90k a year" is money.
        measured = tuple(each for form in ("paid", "expensive") for each in grammar.words.adjective(form))
    elif measured:
        right = replace(right, last=right.last + 1)  # "taller than 1.9 metres"
    elif comparator.choices and unit_measure(singular(unit)):
        return  # "longer than 10 days" is no distance in miles.
    meaning = ConditionNoun(measured or comparator.choices, comparator.comparison, (value.value,))
    time = grammar.tokens[left.first].text in ("after", "before", "since", "until")
    guess = [("guess", 1.0)] if time != value.date else []
    yield grammar.item(left, right, meaning, *guess)


def comparator_noun(left: Item[Comparator], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "longer than the mississippi", "higher than the highest point in texas"."""
    comparator, noun = left.meaning, right.meaning
    heavy = set(between.heavy) - AVERAGES
    if heavy or between.negated or noun.wild or comparator.comparison not in (">", "<", "="):
        return
    if comparator.comparison == "=" and grammar.tokens[left.last - 1].text == "exactly":
        return  # "Where exactly is the Leeds office?"
    # An adjective is of the things themselves: "faster than X" is not about the days of a relationship.
    own = tuple(choice for choice in comparator.choices if not choice.of_relation)
    average = between.says(*AVERAGES) and not noun.named
    if (own or not comparator.choices) and (noun.named or noun.nodes.order is not None or average):
        yield grammar.item(left, right, ConditionNoun(own, comparator.comparison, than=noun.nodes, average=average))


def comparator_average(
    left: Item[Comparator], between: Gap, right: Item[PropertyNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "above average turnover"."""
    comparator, owned = left.meaning, right.meaning
    numbers = tuple(choice for choice in owned.choices if choice.kind == "number" and not choice.of_relation)
    if owned.function == "avg" and numbers and between.plain and not between.negated:
        yield grammar.item(left, right, ConditionNoun(numbers, comparator.comparison, average=True))


def comparator_operator(
    left: Item[Comparator], between: Gap, right: Item[Operator], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "more than average", "longer than the average one"."""
    comparator = left.meaning
    if right.meaning.function != "avg" or not between.plain or between.negated:
        return
    following = grammar.tokens[right.last].text if right.last < len(grammar.tokens) else ""
    ones = following in ("one", "ones")
    if following and not ones and following not in KEPT and following not in ("and", "or"):
        return  # "More than the average senior doctor" is another average.
    own = tuple(choice for choice in comparator.choices if not choice.of_relation)
    if own or not comparator.choices:
        given = ConditionNoun(own, comparator.comparison, average=True)
        yield grammar.item(left, replace(right, last=right.last + ones), given)


def comparator_value(left: Item[Comparator], between: Gap, right: Item[Whole], grammar: Grammar) -> Iterator[AnyItem]:
    """ "higher than the tonnage of X": the value of another node, with its property."""
    comparator, form = left.meaning, right.meaning.form
    if between.heavy or between.negated or form.asks != "value" or form.value is None or form.value.link is not None:
        return
    if comparator.comparison in (">", "<", "="):
        choice = PropertyChoice(form.nodes.label, form.value.property or "", 0.0, kind=form.value.kind)
        yield grammar.item(left, right, ConditionNoun((choice,), comparator.comparison, than=form.nodes))


def between_numbers(left: Item[Number], between: Gap, right: Item[Number], grammar: Grammar) -> Iterator[AnyItem]:
    """ "between 5 and 10"."""
    low, high = left.meaning, right.meaning
    if between.texts == ("or",) and low.date == high.date and not (low.text or high.text):
        yield grammar.item(left, right, ConditionNoun((), "=", (low.value, high.value)))  # "one or two days"
    before = grammar.tokens[left.first - 1].text if left.first else ""
    spanned = ConditionNoun((), ">=", (low.value,), upper=high.value)
    if before in ("between", "from") and set(between.texts) <= _TO and low.date == high.date:
        yield replace(grammar.item(left, right, spanned), first=left.first - 1)
    elif low.date and high.date and (between.texts in _UP_TO or (between.texts == ("and",) and _next_month(low, high))):
        yield grammar.item(left, right, spanned)  # "July to December 2023", "in May and June 2023"


def _next_month(low: Number, high: Number) -> bool:
    """Whether one month of a year follows another."""
    one, other = str(low.value), str(high.value)
    months = len(one) == len(other) == len("2025-06") and one[:5] == other[:5]
    return months and int(other[5:]) - int(one[5:]) == 1


def property_condition(
    left: Item[PropertyNoun], between: Gap, right: Item[ConditionNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "population over 5000", "status is open", "a rating greater than Heat"."""
    owned, given = left.meaning, right.meaning
    same = given.than is not None and given.comparison == "=" and between.says("same")
    worked_out = None if between.heavy or between.negated else worked_out_condition(owned, given)
    if worked_out is not None:
        yield grammar.item(left, right, worked_out)
    if owned.function or owned.also or (between.heavy and not (same and set(between.heavy) <= _SPANS)):
        return
    choices = owned.choices
    if given.choices:
        known = {(c.label, c.name) for c in given.choices}
        choices = tuple(c for c in choices if (c.label, c.name) in known)
        if not choices:
            return
    meaning = replace(given, choices=choices, comparison=_negated(given.comparison, between.negated))
    yield grammar.item(left, right, meaning)


def condition_property(
    left: Item[ConditionNoun], between: Gap, right: Item[PropertyNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "more than 5000 people", "open status"."""
    given, owned = left.meaning, right.meaning
    if not between.plain or between.negated or len(between.texts) > 1:
        return
    if (worked_out := worked_out_condition(owned, given)) is not None and not given.choices:
        yield grammar.item(left, right, worked_out)
    if owned.function:
        return
    if not given.choices and not given.test:
        yield grammar.item(left, right, replace(given, choices=owned.choices))
    elif given.choices and between.empty:
        known = {(c.label, c.name): c.scale for c in owned.choices}
        choices = tuple(
            replace(c, scale=c.scale if c.scale != 1.0 else known[c.label, c.name])
            for c in given.choices
            if (c.label, c.name) in known
        )
        if choices:
            yield grammar.item(left, right, replace(given, choices=choices))
        if is_plural(grammar.tokens[right.last - 1].text):  # "main courses", of dishes whose course is "main"
            for choice in choices:
                for found in () if choice.of_relation else conditions(choice, given, False, grammar):
                    nodes = Nodes(choice.label, conditions=found)
                    yield grammar.item(left, right, Noun(nodes, True), ("property", choice.cost))


def property_number(left: Item[PropertyNoun], between: Gap, right: Item[Number], grammar: Grammar) -> Iterator[AnyItem]:
    """ "a rating of 5", "hired in 2012"."""
    owned, value = left.meaning, right.meaning
    if between.heavy or between.negated or owned.function or between.says("over", "under"):
        return
    if value.text:
        texts = tuple(c for c in owned.choices if c.kind in ("text", "identifier", "texts"))
        if texts:
            yield grammar.item(left, right, ConditionNoun(texts, "=", (value.value,)))
        return
    if between.says("all", "the"):
        return
    choices = fitting(owned.choices, value, grammar)
    if between.says("in", "during"):  # "The most honey in 2023" asks for no honey of 2023 kg.
        choices = tuple(c for c in choices if c.kind == "date" or _years(c, value, grammar))
    if choices:
        yield grammar.item(left, right, ConditionNoun(choices, "=", (value.value,)))


def number_property(left: Item[Number], between: Gap, right: Item[PropertyNoun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "13 points", "80 percent": how much of a property."""
    value, owned = left.meaning, right.meaning
    numbers = tuple(choice for choice in owned.choices if choice.kind in ("number", "written number"))
    if between.empty and numbers and not (value.text or value.date or owned.function or owned.quantity):
        yield grammar.item(left, right, ConditionNoun(numbers, "=", (value.value,)), ("guess", 0.3))
        behind = " ".join(token.text for token in grammar.tokens[right.last : right.last + 2])
        if (comparison := meaning_of("behind", behind)) is not None:
            right = replace(right, last=right.last + 2)
            yield grammar.item(left, right, ConditionNoun(numbers, cast(Comparison, comparison), (value.value,)))


def fitting(choices: Sequence[PropertyChoice], value: Number, grammar: Grammar) -> tuple[PropertyChoice, ...]:
    """The properties that may have a value: a date those of dates and years, a number those of numbers."""
    return tuple(c for c in choices if (c.kind == "date") == value.date or _years(c, value, grammar))


def _years(choice: PropertyChoice, value: Number, grammar: Grammar) -> bool:
    """Whether a number is a year, as those of the property are."""
    owned = grammar.words.choice(choice.label, choice.name)
    return choice.kind == "number" and str(value.value).isdecimal() and owned is not None and holds_years(owned)


def either_condition(
    left: Item[ConditionNoun], between: Gap, right: Item[ConditionNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "open or closed", "in Berlin or London": values of one property."""
    a, b = left.meaning, right.meaning
    if between.conjunction != "or" or between.heavy or a.comparison != "=" or b.comparison != "=":
        return
    known = {(c.label, c.name) for c in b.choices}
    choices = tuple(c for c in a.choices if (c.label, c.name) in known)
    if choices and a.values and b.values:
        yield grammar.item(left, right, replace(a, choices=choices, values=(*a.values, *b.values)))


def listed_properties(
    left: Item[PropertyNoun], between: Gap, right: Item[PropertyNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "rank and pay", "name, rank and pay": several properties of one thing."""
    a, b = left.meaning, right.meaning
    joined = between.conjunction == "and" or (between.empty and bool(b.also))
    plain = not (between.negated or between.heavy or a.function or b.function or a.also)
    if not (joined and plain and a.choices and b.choices):
        return
    owners = [{c.label for c in choices} for choices in (a.choices, b.choices, *b.also)]
    if set.intersection(*owners):
        quantity = a.quantity or b.quantity
        yield grammar.item(left, right, replace(a, quantity=quantity, also=(b.choices, *b.also)))


def compound_property(
    left: Item[PropertyNoun], between: Gap, right: Item[PropertyNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "freight cost": a property called by its name and by what it is."""
    a, b = left.meaning, right.meaning
    simple = all(p.choices and not (p.also or p.quantity or p.function) for p in (a, b))
    if not between.empty or not simple:
        return
    named = {c.label for c in a.choices if c.cost == 0.0}
    if named and not named & {c.label for c in b.choices if c.cost == 0.0}:
        yield grammar.item(left, right, a, ("guess", 0.3))


def _negated(comparison: Comparison, negated: bool) -> Comparison:
    flipped: dict[Comparison, Comparison] = {"=": "<>", ">": "<=", "<": ">=", ">=": "<", "<=": ">", "<>": "="}
    return flipped.get(comparison, comparison) if negated else comparison


def comparable(label: str, grammar: Grammar, *, dates: bool) -> list[PropertyChoice]:
    """The numbers, or the dates, of a label. The date that is called as the label is costs the least: the `orderDate`
    of an Order is its date; nodes without a date have those of their own relationships. A name is no number."""
    found = [each for each in grammar.words.comparable(label, dates=dates) if each.name != "name"]
    if dates and not found:
        own = {step.relation for step in grammar.joins.from_label(label) if step.forward}
        of_links = (c for c in grammar.words.choices if c.of_relation and c.kind == "date" and c.label in own)
        return [replace(c, cost=_OF_LINKS + AN_END * is_end(str(c.name))) for c in of_links]
    said = set(map(root, identifier_words(label)))
    named = [each for each in found if said & set(map(root, identifier_words(each.name)))] if dates else []
    return [each if not named or each in named else replace(each, cost=each.cost + _OTHER_DATE) for each in found]
