"""The tests that one property allows: a value of its own type, a range, a part of a text, another node's value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Property
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.plans.predicates import typed
from clew.tools.queries.reading.anchors.ages import of_birth
from clew.tools.queries.reading.forms.form import Condition, Link, Nodes, Value, turned
from clew.tools.queries.reading.forms.items import ConditionNoun, PropertyChoice
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.values import Scalar, clock_time, holds_clock_times, holds_years, whole

_YEAR = len("2025")
_SHARES = {
    "keur": 1e-3, "teur": 1e-3, "kusd": 1e-3, "kgbp": 1e-3, "kchf": 1e-3, "k": 1e-3, "thousands": 1e-3,
    "meur": 1e-6, "musd": 1e-6, "mgbp": 1e-6, "mio": 1e-6, "mn": 1e-6, "m": 1e-6, "millions": 1e-6,
}  # fmt: skip
"""By the last word of a property's name how many of its units make one."""
_FAR = 10
""" "m" may also be metres: a number so many times above all values is none of them."""
_CENTURY = 100
"""How many years a year may be off those of a property."""


def is_date(given: ConditionNoun) -> bool:
    """Whether a condition is on a date."""
    return any(isinstance(value, str) for value in given.values)


def is_far_off(value: Scalar, owned: Property) -> bool:
    """Whether a bare number is no year near to those of a property."""
    years = [int(year) for each in owned.examples if (year := str(each)[:4]).isdecimal()]
    text = str(value)
    return text.isdecimal() and bool(years) and not min(years) - _CENTURY <= int(text) <= max(years) + _CENTURY


def conditions(
    choice: PropertyChoice, given: ConditionNoun, negated: bool, grammar: Grammar
) -> Iterator[tuple[Condition, ...]]:
    """The condition on one property, of its own type; nothing where the value does not fit."""
    owned = grammar.words.choice(choice.label, choice.name)
    if owned is None or given.function is not None:
        return
    if given.path:
        beside = Condition(property=choice.name, comparison=given.comparison, other=choice.name, path=given.path)
        if choice.label == given.path[-1].target:
            yield (replace(beside, negated=negated),)
        return
    if given.average and (given.of is not None or given.alike):
        yield from ((each,) for each in _among_peers(choice, given, grammar, negated=negated))
        return
    than = Nodes(choice.label) if given.average and given.than is None else given.than
    if than is not None:
        written = Value(choice.name, kind=choice.kind) if choice.kind == "written number" else None
        own = Condition(property=choice.name, comparison=given.comparison, than=than, value=written, negated=negated)
        if than.label == choice.label:
            yield (replace(own, average=given.average),)
        return
    if holds_clock_times(owned) and is_date(given) and all(clock_time(each) is None for each in given.values):
        return
    given = of_birth(owned, given)
    comparison = given.comparison
    if given.test == "IS NULL" or given.test == "IS NOT NULL":
        missing = (given.test == "IS NULL") != negated
        yield (Condition(property=choice.name, test="IS NULL" if missing else "IS NOT NULL"),)
        return
    if choice.kind == "identifier" and choice.cost and given.comparison in ("<", ">", "<=", ">="):
        return  # "More than 5 products" compares no `productID`.
    of_text = given.test in ("STARTS WITH", "ENDS WITH", "CONTAINS")
    if of_text and choice.kind == "date" and not str(given.values[0]).strip("-").isdecimal():
        return  # No date has a text in it but the number of its month.
    if choice.kind == "date" and any(is_far_off(value, owned) for value in given.values):
        return  # "Invoices over 1200"
    if given.test in ("STARTS WITH", "ENDS WITH") or (given.test == "CONTAINS" and choice.kind == "date"):
        text = str(given.values[0])
        yield (Condition(property=choice.name, test=given.test, text=text, negated=negated),)
        return
    if given.test == "CONTAINS":
        comparison = "CONTAINS"
    values = [in_thousands(scaled(value, choice), owned) for value in given.values]
    found = [typed(Predicate(choice.name, comparison, value), owned) for value in values]
    checked = [each for each in found if isinstance(each, Predicate)]
    if not checked:
        return
    conditions = [Condition(checked[0], property=choice.name, alternatives=tuple(checked[1:]), negated=negated)]
    if given.upper is not None:
        upper = typed(Predicate(choice.name, "<=", in_thousands(scaled(given.upper, choice), owned)), owned)
        if not isinstance(upper, Predicate):
            return
        conditions.append(Condition(upper, property=choice.name, negated=negated))
    yield tuple(conditions)


def _among_peers(
    choice: PropertyChoice, given: ConditionNoun, grammar: Grammar, *, negated: bool
) -> Iterator[Condition]:
    """A number compared with the average of those that share a node with its owner ("of their category"), or the value
    of a property ("of their type")."""
    average = Value(choice.name, "avg", kind=choice.kind)
    compared = Condition(comparison=given.comparison, value=average, other=choice.name, negated=negated)
    for path in grammar.joins.paths(choice.label, given.of.label) if given.of is not None else ():
        link = Link((*path, *turned(path, choice.label)), Nodes(choice.label))
        yield replace(compared, value=replace(average, link=link))
    for other in given.alike if choice.kind in ("number", "written number") else ():
        if other.label == choice.label:
            yield replace(compared, property=other.name)


def scaled(value: Scalar, choice: PropertyChoice) -> Scalar:
    """A number in the unit of the property."""
    if choice.scale == 1.0 or isinstance(value, bool | str):
        return value
    return whole(round(value * choice.scale, 6))


def in_thousands(value: Scalar, owned: Property) -> Scalar:
    """An amount in the unit of a property that holds thousands or millions: 50,000 of `advance_keur`. A number that its
    values may reach stays."""
    share = _SHARES.get(identifier_words(owned.name)[-1])
    if share is None or owned.greatest is None or isinstance(value, bool | str) or value <= owned.greatest * _FAR:
        return value
    return whole(value * share)


def is_vague(choice: PropertyChoice, given: ConditionNoun, grammar: Grammar) -> bool:
    """Whether a property holds years where a month or a day is said."""
    owned = grammar.words.choice(choice.label, choice.name)
    longer = any(isinstance(value, str) and len(value) > _YEAR for value in given.values)
    return longer and owned is not None and holds_years(owned)
