"""Numbers for each of several: "orders per customer", "average price per category"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.english.inflection import plural_of, singular
from clew.tools.queries.reading.english.words import units
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Path, Value, turned
from clew.tools.queries.reading.forms.functions import AVERAGES, WORKED_OUT, Function
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    Feature,
    Grouped,
    GroupedBy,
    Item,
    Noun,
    Operator,
    PropertyChoice,
    PropertyNoun,
    Whole,
)
from clew.tools.queries.reading.forms.quantities import EACH
from clew.tools.queries.reading.rules.agreement import agreement
from clew.tools.queries.reading.rules.columns import several
from clew.tools.queries.reading.rules.edge_amounts import is_amount, owners, total_of, total_said, totals
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.period_rules import told_per_period
from clew.tools.queries.reading.rules.roles import is_unfilled, ways
from clew.tools.queries.reading.rules.value_rules import form_of_value

_TIME_OF_GROUP = 0.3
"""What it costs that a time says which groups there are, and not which things are counted for each."""
_OTHERS_LOST = 0.7
"""What it costs that a number is not told for each of others; for each of several times it costs 1."""
_PERIODS = frozenset({"year", "quarter", "month", "week", "decade"})
_MOST_NUMBERS = 60
"""How far apart numbers are, at most, that make groups."""
_MOST_STEPS = 2
"""A group is fewer relationships than this away from what has the amount."""
_MOST_MEASURED = 6
"""Properties that a word may mean of which numbers for groups are worked out."""


def noun_each(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "orders per customer"."""
    counted, group = left.meaning, right.meaning
    if between.negated:
        return
    if counted.nodes.order is not None:
        yield from _first_of_each(left, between, right, grammar)
        return
    for path in ways(group, counted.nodes.label, grammar):
        own = list(grammar.unexplained(between)) if between.heavy else []
        features = own if path == group.role else agreement(path, group.nodes.label, between.words, between, grammar)
        features += [("guess", _TIME_OF_GROUP)] * any(_is_of_time(each) for each in group.nodes.conditions)
        yield grammar.item(left, right, Grouped(counted.nodes, path, group.nodes), *features)


def _is_of_time(condition: Condition) -> bool:
    return condition.predicate is not None and condition.predicate.kind == "date"


def _first_of_each(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the most expensive product in each category"."""
    noun, group = left.meaning, right.meaning
    order = noun.nodes.order
    some = replace(group.nodes, conditions=()) if group.each else group.nodes  # "every Canadian artist"
    if order is None or order.skip or order.grouped or not is_any(replace(group, nodes=some)) or noun.named:
        return
    if order.by.link is not None and order.by.link.other.label == group.nodes.label:
        yield grammar.item(left, right, noun)  # "the highest average price per product": of all products
        return
    own = [turned(group.role, group.nodes.label)] if group.role and group.role[-1].target == noun.nodes.label else []
    for path in own or grammar.joins.paths(noun.nodes.label, group.nodes.label):
        features = [] if own else agreement(path, noun.nodes.label, between.words, between, grammar)
        nodes = replace(noun.nodes, order=replace(order, per=path))
        nodes = nodes.linked(Link(path, group.nodes)) if group.nodes.conditions else nodes
        yield grammar.item(left, right, replace(noun, nodes=nodes, plural=True), *features)


def is_any(noun: Noun) -> bool:
    """Whether it is all nodes of a kind, or all that have a role: "category", "director"."""
    return noun.nodes.bare or (noun.role is not None and replace(noun.nodes, links=()).bare and is_unfilled(noun))


def operator_grouped(
    left: Item[Operator], between: Gap, right: Item[Grouped | GroupedBy], grammar: Grammar
) -> Iterator[AnyItem]:
    operator, grouped = left.meaning, right.meaning
    if operator.function != "count" or not between.plain:
        return
    if isinstance(grouped, GroupedBy):
        yield grammar.item(left, right, Whole(grouped_form(grouped, None, "count")))
        return
    value = Value(None, "count", Link(grouped.path, grouped.counted))
    yield grammar.item(left, right, Whole(Form("groups", grouped.by, value)))


def grouped_form(grouped: GroupedBy, value: Value | None, function: Function) -> Form:
    """A number, or a value, for each value of a property."""
    return Form("groups", grouped.counted, value, function, grouped.property, grouped.path, period=grouped.period)


def property_grouped(
    left: Item[PropertyNoun], between: Gap, right: Item[Grouped | GroupedBy], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "average price of products per category"."""
    owned, grouped = left.meaning, right.meaning
    if between.heavy or between.negated:
        return
    label = grouped.counted.label
    for choice in owned.choices:
        if choice.label != label or choice.of_relation:
            continue
        if isinstance(grouped, GroupedBy) and grouped.period and told_per_period(choice.name):
            continue
        function: Function = owned.function or "sum"
        if isinstance(grouped, GroupedBy):
            value = Value(choice.name, kind=choice.kind)
            form = grouped_form(grouped, value, function)
        else:
            link = Link(grouped.path, grouped.counted)
            form = Form("groups", grouped.by, Value(choice.name, function, link, kind=choice.kind))
        yield grammar.item(
            left, right, Whole(form), ("property", choice.cost), *([] if owned.function else [("guess", 0.5)])
        )


def property_each(left: Item[PropertyNoun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "average price per category": of whatever has the property and belongs to a category."""
    owned, group = left.meaning, right.meaning
    if set(between.heavy) - {"by"} or between.negated:
        return
    if owned.also:
        yield from several(left, right, owned, group.nodes, grammar)
        return
    for choice in owned.choices[:_MOST_MEASURED]:
        if choice.of_relation:
            yield from _of_edges_each(left, between, right, choice, grammar)
            continue
        if choice.label == group.nodes.label:
            average = owned.function if owned.function in AVERAGES else None
            yield grammar.item(
                left, right, Whole(form_of_value(group.nodes, choice, average)), ("property", choice.cost)
            )
            continue
        summed = choice.kind in ("number", "written number") or owned.function in ("max", "min")
        for path in ways(group, choice.label, grammar) if summed else ():
            link = Link(path, Nodes(choice.label))
            value = Value(choice.name, owned.function or "sum", link, kind=choice.kind)
            features = agreement(path, group.nodes.label, (), between, grammar)
            yield grammar.item(
                left, right, Whole(Form("groups", group.nodes, value)), ("property", choice.cost), *features
            )


def by_kind(between: Gap, noun: Noun) -> bool:
    """Whether it is "number of films by director", a number for each, rather than "films by directors"."""
    word = " ".join(identifier_words(noun.nodes.label)[-1:])
    plural = noun.plural and not (word and singular(word) == plural_of(word))  # Such as species.
    plain = not (plural or noun.named or noun.wild or noun.nodes.conditions or noun.nodes.entities)
    return plain and between.texts == ("by",)


def by_each(left: Item[PropertyNoun], between: Gap, right: Item[Noun]) -> bool:
    """Whether it is "average price by category", which gives a number for each."""
    noun = right.meaning
    worked_out = total_said(left.meaning) in WORKED_OUT
    return between.texts == ("by",) and worked_out and noun.nodes.bare


def each_property(left: Item[Noun], between: Gap, right: Item[PropertyNoun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "for each supplier, the average price"."""
    if left.meaning.each:
        for item in property_each(right, between, left, grammar):
            yield replace(item, first=left.first, last=right.last)


def _of_edges_each(
    left: Item[PropertyNoun], between: Gap, right: Item[Noun], choice: PropertyChoice, grammar: Grammar
) -> Iterator[AnyItem]:
    """ "average weekly fee per production": over the relationships of each."""
    group, function = right.meaning.nodes, left.meaning.function or "sum"
    for value, features in totals(group.label, choice, function, grammar) if choice.kind == "number" else ():
        yield grammar.item(left, right, Whole(Form("groups", group, value)), ("property", choice.cost), *features)


def property_by_property(
    left: Item[PropertyNoun], between: Gap, right: Item[PropertyNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "total budget by status", "average salary per department"."""
    measured, owned = left.meaning, right.meaning
    if between.negated or not between.of_each or owned.function:
        return
    if set(between.heavy) - {"by", "per"}:
        return
    function = total_said(measured)
    for choice in measured.choices[:_MOST_MEASURED] if function in (*WORKED_OUT, "max", "min") else ():
        for group in owned.choices:
            if is_amount(choice) and function == "sum":
                yield from _total_by_property(left, right, choice, group, grammar)
                continue
            own = group.label == choice.label and not group.of_relation and _makes_groups(group, grammar)
            if own and not choice.of_relation and group.name != choice.name:
                value = Value(choice.name, kind=choice.kind)
                form = Form("groups", Nodes(choice.label), value, function, group.name)
                yield grammar.item(left, right, Whole(form), ("property", choice.cost), ("property", group.cost))


def _total_by_property(
    left: AnyItem, right: AnyItem, choice: PropertyChoice, group: PropertyChoice, grammar: Grammar
) -> Iterator[AnyItem]:
    """ "total revenue by country": over the relationships of all nodes that have, or belong to what has, a value."""
    if group.of_relation or group.kind not in ("text", "boolean"):
        return
    for label in owners(choice, grammar):
        paths: list[Path] = [()] if label == group.label else grammar.joins.paths(label, group.label)
        for form in total_of(Nodes(label), choice, grammar):
            for path in paths if len(paths) == 1 and len(paths[0]) < _MOST_STEPS else ():
                grouped = replace(form, asks="groups", group=group.name, group_path=path)
                costs = ("property", choice.cost), ("property", group.cost), ("linked value", float(len(path)))
                yield grammar.item(left, right, Whole(grouped), *costs)


def noun_by_property(left: Item[Noun], between: Gap, right: Item[PropertyNoun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "customers per country"; "the best paid job of each state"."""
    noun, owned = left.meaning, right.meaning
    if not between.of_each or between.negated or set(between.heavy) - {"by", "per"}:
        return
    order = noun.nodes.order
    for choice in owned.choices:
        for path, costs in ways_to(noun.nodes, choice, grammar) if _makes_groups(choice, grammar) else ():
            if order is None or noun.named or order.skip or (path and order.grouped):
                meaning: Noun | GroupedBy = GroupedBy(noun.nodes, choice.name, path)
            else:
                nodes = replace(noun.nodes, order=replace(order, per=path or order.per, per_property=choice.name))
                meaning = replace(noun, nodes=nodes, plural=True)
            yield grammar.item(left, right, meaning, ("property", choice.cost), *costs)


def _makes_groups(choice: PropertyChoice, grammar: Grammar) -> bool:
    """Whether things are grouped by the values of a property: by texts, lists of them and dates, and by a few whole
    numbers that are called by their name, such as the phase of a trial."""
    if choice.kind in ("text", "texts", "boolean", "date"):
        return True
    owned = grammar.words.choice(choice.label, choice.name) if choice.kind == "number" and not choice.cost else None
    if owned is None or owned.type != "INTEGER" or owned.least is None or owned.greatest is None:
        return False
    return owned.greatest - owned.least <= _MOST_NUMBERS and identifier_words(owned.name)[-1] not in units()


def ways_to(nodes: Nodes, choice: PropertyChoice, grammar: Grammar) -> Iterator[tuple[Path, tuple[Feature, ...]]]:
    """The ways from a set to what has a property, with what they cost: the things themselves, or what each is linked
    to."""
    if choice.of_relation:
        return
    if choice.label == nodes.label:
        yield (), ()
        return
    for path in grammar.joins.paths(nodes.label, choice.label):
        if len(path) == 1:
            yield path, (("linked value", 1.0),)


def groups_lost(said: Sequence[Token], form: Form, grammar: Grammar) -> float:
    """What it costs that a form gives no numbers for each of what is said: "the average freight per *country*", "the
    films released each *year*"."""
    labels, order = grammar.words.labels, form.nodes.order
    behind = [said[i + 1].text if i + 1 < len(said) else "" for i, token in enumerate(said) if token.text in EACH]
    if form.asks in ("nodes", "number") and form.value is None and any(text in _PERIODS for text in behind):
        return float(not (order and order.per_period))
    after = [said[i + 2].text if i + 2 < len(said) else "" for i, token in enumerate(said) if token.text in EACH]
    # Of "mountain range" the second word says what it is.
    heads = [last if labels.get(last) else first for first, last in zip(behind, after, strict=True)]
    own = [any(label == form.nodes.label for label, _ in labels.get(text, ())) for text in heads]
    lost = form.asks == "number" and behind and not (form.function in AVERAGES and all(own))
    listed = form.asks == "value" and form.value is not None and form.value.kind == "number" and not form.value.link
    others = any(labels.get(text) and not same for text, same in zip(heads, own, strict=True))  # "The cost per dog"
    return _OTHERS_LOST if lost or (listed and others and not form.nodes.entities) else 0.0
