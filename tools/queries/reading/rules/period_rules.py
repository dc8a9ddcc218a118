"""Numbers for each year, month or decade: "orders per month", "average length of films by decade"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.english.short_forms import full_words
from clew.tools.queries.reading.forms.form import Form, Nodes, Value
from clew.tools.queries.reading.forms.functions import WORKED_OUT, Function
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    Feature,
    GroupedBy,
    Item,
    Noun,
    Period,
    PropertyChoice,
    PropertyNoun,
    Ranking,
    Whole,
    is_worked_out,
)
from clew.tools.queries.reading.rules.condition_parts import comparable
from clew.tools.queries.reading.rules.edge_amounts import is_amount, owners, total_of, total_said
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.relation_names import relation_words

_EACH = frozenset({"per", "each", "every", "by"})
_RATES = frozenset({
    "salary", "wage", "pay", "rent", "fee", "rate", "income", "price", "premium", "due", "dues",
    "year", "yearly", "annual", "month", "monthly", "annum",
})  # fmt: skip
"""Words of properties that may be told per year: "average salary per year"."""
_HAPPENING = frozenset({
    "placed", "made", "held", "taken", "happened", "happen", "occurred", "occur", "done", "recorded", "given", "filed",
    "there", "came", "come", "take", "place", "took", "did", "received", "opened", "issued",
    "carried", "out", "conducted", "performed",
})  # fmt: skip
"""Verbs that say no more than that something was at its date."""
_SAW = frozenset({"saw", "see", "sees"})
_MOST = 3
"""Dates of one kind of thing that are tried."""
_PER_DATE = 0.4
"""What each date of a kind of thing costs more than the one before, where no word says which one is meant."""
_OTHER_DATE = 1.2
"""What another date costs more than the one by which the nodes are chosen."""


def noun_period(left: Item[Noun], between: Gap, right: Item[Period], grammar: Grammar) -> Iterator[AnyItem]:
    """ "orders per year", "employees hired each year"."""
    noun, order = left.meaning, left.meaning.nodes.order
    if noun.named or noun.wild or between.negated or not between.of_each:
        return
    if order is not None and order.by.link is None and between.says("per") and told_per_period(order.by.property or ""):
        yield grammar.item(left, right, noun)  # "The most expensive drug per month", by its monthly price.
        return
    for choice, features in dates_of(noun.nodes, right.meaning, between.heavy, grammar):
        if order is not None:  # "the longest film of each year"
            each = replace(order, per_property=choice.name, per_period=right.meaning.unit)
            first = replace(noun, nodes=replace(noun.nodes, order=each), plural=True)
            yield from [] if order.grouped or order.skip else [grammar.item(left, right, first, *features)]
            continue
        meaning = GroupedBy(_without_echo(noun.nodes, choice), choice.name, period=right.meaning.unit)
        yield grammar.item(left, right, meaning, *features)


def property_period(left: Item[PropertyNoun], between: Gap, right: Item[Period], grammar: Grammar) -> Iterator[AnyItem]:
    """ "total freight by year"."""
    owned, function = left.meaning, total_said(left.meaning)
    if function not in WORKED_OUT or between.negated or not between.of_each:
        return
    for measured in owned.choices[:_MOST]:
        for form in _numbers(measured, function, grammar):
            for choice, features in dates_of(form.nodes, right.meaning, between.heavy, grammar):
                grouped = _grouped(form, choice, right)
                yield grammar.item(left, right, Whole(grouped), ("property", measured.cost), *features)


def _numbers(measured: PropertyChoice, function: Function, grammar: Grammar) -> Iterator[Form]:
    """The number over all nodes, or relationships, that have a property."""
    if is_amount(measured) and function == "sum":
        for label in owners(measured, grammar):
            yield from total_of(Nodes(label), measured, grammar)
    elif not (measured.of_relation or told_per_period(measured.name)):
        yield Form("number", Nodes(measured.label), Value(measured.name, kind=measured.kind), function)


def whole_period(left: Item[Whole], between: Gap, right: Item[Period], grammar: Grammar) -> Iterator[AnyItem]:
    """ "how many orders were placed each year", "the average length of films by decade"."""
    form = left.meaning.form
    value = form.value
    dated = {
        each.property for each in form.nodes.conditions if each.test == "IS NOT NULL"
    }  # "doctors *hired* per year"
    own = value is None or (value.link is None and (bool(dated) or not told_per_period(value.property or "")))
    if (
        form.asks != "number"
        or not own
        or between.negated
        or not between.of_each
        or form.function not in (None, "count", *WORKED_OUT)
    ):
        return
    for choice, features in dates_of(form.nodes, right.meaning, between.heavy, grammar):
        if not dated or choice.name in dated:
            kept = [each for each in features if not dated or each[0] != "property"]
            yield grammar.item(left, right, Whole(_grouped(form, choice, right)), *kept)


def period_ranking(left: Item[Period], between: Gap, right: Item[Ranking], grammar: Grammar) -> Iterator[AnyItem]:
    """ "which year had the most orders", "in which month were the most orders placed"."""
    counted, ranking = right.meaning.counted, right.meaning
    asked = left.first > 0 and grammar.tokens[left.first - 1].text in ("which", "what")
    asked = asked or between.says("with", "when")
    if not asked or set(between.heavy) - _SAW or between.negated:
        return
    for measured in ranking.choices[:_MOST] if ranking.function in (None, "sum") and ranking.of is None else ():
        for form in _numbers(measured, "sum", grammar) if is_amount(measured) else ():
            for choice, features in dates_of(form.nodes, left.meaning, (), grammar):
                best = best_group(_grouped(form, choice, left), ranking)
                yield grammar.item(left, right, Whole(best), ("property", measured.cost), *features)
    for measured in ranking.choices[:_MOST] if is_worked_out(ranking) else ():
        nodes = ranking.of or Nodes(measured.label)
        for choice, features in dates_of(nodes, left.meaning, (), grammar) if not measured.of_relation else ():
            value = Value(measured.name, kind=measured.kind)
            form = _grouped(Form("number", nodes, value, ranking.function), choice, left)
            yield grammar.item(left, right, Whole(best_group(form, ranking)), ("property", measured.cost), *features)
    if counted is None:
        return
    function: Function = "commonest" if right.meaning.superlative.descending else "rarest"
    for last in (right.last, *grammar.verb_ends(right.last)):
        said = grammar.gap(right.last, last).heavy
        for choice, features in dates_of(counted, left.meaning, said, grammar):
            value = Value(choice.name, kind="text", period=left.meaning.unit)
            form = Form("number", _without_echo(counted, choice), value, function)
            spanning = Item(right.first, last, right.meaning, right.cost, right.features)
            yield grammar.item(left, spanning, Whole(form), *features)


def best_group(form: Form, ranking: Ranking) -> Form:
    """Numbers for each of several, of which those are asked for that a superlative says."""
    best: Literal["highest", "lowest"] = "highest" if ranking.superlative.descending else "lowest"
    return replace(form, best=best, limit=ranking.superlative.limit)


def told_per_period(name: str) -> bool:
    """Whether a property is told for a period already: an annual salary, a rent."""
    return bool(_RATES & set(full_words(identifier_words(name))))


def _grouped(form: Form, choice: PropertyChoice, period: Item[Period]) -> Form:
    function = form.function or "count"
    return Form(
        "groups", _without_echo(form.nodes, choice), form.value, function, choice.name, period=period.meaning.unit
    )


def _without_echo(nodes: Nodes, choice: PropertyChoice) -> Nodes:
    """A set without the relation that is said by the same word as its date: ships by the year when they were `built`,
    not only those that are BUILT_AT some place."""
    said = set(map(root, identifier_words(choice.name)))
    kept = (
        each for each in nodes.links if not (each.open and said & set(map(root, relation_words(each.path[0].relation))))
    )
    return replace(nodes, links=tuple(kept))


def dates_of(
    nodes: Nodes, period: Period, said: Sequence[str], grammar: Grammar
) -> Iterator[tuple[PropertyChoice, list[Feature]]]:
    """The dates that nodes have, with what each costs: those that a verb names, else the one that is called as the
    label is first. What is of a time by one date is told by the same one: "orders shipped in 1997"."""
    label = nodes.label
    own = [each for each in comparable(label, grammar, dates=True) if not each.of_relation]
    own = [each for each in own if each.kind == "date" or period.unit in ("year", "decade")]  # A year has no month.
    said = [word for word in said if word not in _EACH]
    dates = {each.name for each in own}
    meant = {word: [each for each in grammar.words.property(word) if each.label == label] for word in said}
    if any(each.kind == "number" and each.name not in dates for found in meant.values() for each in found):
        return  # "What do the contracts cost per year?"
    roots, names = set(map(root, said)), {each.name for found in meant.values() for each in found}
    named = [each for each in own if each.name in names or roots & set(map(root, identifier_words(each.name)))]
    own.sort(key=lambda each: each.cost)
    known = {root(word) for each in named for word in identifier_words(each.name)}
    lost = sum(not (meant[word] or root(word) in known or word in _HAPPENING) for word in said)
    given = {each.predicate.property for each in nodes.conditions if each.predicate is not None} & dates
    for place, each in enumerate((named or own)[:_MOST]):
        further = 0.0 if each.name in given else _PER_DATE * place + (_OTHER_DATE if given else 0.0)
        yield each, [("property", further), *([("unexplained", float(lost))] if lost else [])]
