"""Numbers over several nodes: the difference of two, and the average of counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Value, sets
from clew.tools.queries.reading.forms.items import AnyItem, Feature, Grouped, Item, Noun, Operator, Whole
from clew.tools.queries.reading.rules.agreement import comparing
from clew.tools.queries.reading.rules.grammar import Grammar

_KINDS = ("kind", "kinds", "type", "types", "sort", "sorts")
_AS_KIND = 0.5
"""What a property may cost by which things of one label are of several kinds."""
_OF_COUNTS = "number of"
"""What a function's words end with where it is over numbers of things."""


def operator_whole(left: Item[Operator], between: Gap, right: Item[Whole], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the difference between the budgets of X and Y", "on average, how many members does a club have"."""
    function, form = left.meaning.function, right.meaning.form
    if set(between.heavy) - {"between"} or between.negated:
        return
    if function == "difference":
        yield from (grammar.item(left, right, Whole(each)) for each in _difference(form))
    elif function == "avg":
        yield from (grammar.item(left, right, Whole(each)) for each in average_count(form))


def _difference(form: Form) -> Iterator[Form]:
    if form.asks == "value" and form.value is not None and form.value.kind == "number":
        several = form.value.link is not None and form.value.function is None
        value = replace(form.value, function="sum") if several else form.value
        yield replace(form, asks="number", value=value, function="difference", columns=())


def operator_counted(left: Item[Operator], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "how many more players does X have", "the average number of players of a club"."""
    function, noun = left.meaning.function, right.meaning
    if between.heavy or between.negated or noun.wild or noun.named:
        return
    if function == "difference":
        for form in counts_of(noun.nodes):
            yield grammar.item(left, right, Whole(form))
    elif function == "avg" and _counts(left, grammar):
        for form in average_count(Form("number", noun.nodes, None, "count")):
            yield grammar.item(left, right, Whole(form))


def average_grouped(left: Item[Operator], between: Gap, right: Item[Grouped], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the average number of orders per customer"."""
    grouped = right.meaning
    if left.meaning.function == "avg" and between.plain and (_counts(left, grammar) or between.says("number")):
        value = Value(None, "count", Link(grouped.path, grouped.counted))
        yield grammar.item(left, right, Whole(Form("number", grouped.by, value, "avg")))


def difference_than(left: Item[Whole], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "how many more berths does X have" + "than Y"."""
    form, noun = left.meaning.form, right.meaning
    nodes = form.nodes
    if form.function != "difference" or not between.says("than") or set(between.heavy) - comparing() or between.negated:
        return
    if len(nodes.entities) == 1 and noun.nodes.entities and replace(noun.nodes, entities=()).bare:
        both = replace(nodes, entities=(*nodes.entities, *noun.nodes.entities))
        other = [("guess", 1.0)] if noun.nodes.label != nodes.label else []
        yield grammar.item(left, right, Whole(replace(form, nodes=both)), *other)


def whole_average(form: Form) -> Iterator[Form]:
    """What "on average" behind a question for a number or a value asks for."""
    if form.asks == "value":
        yield replace(form, asks="number", function="avg")
    else:
        yield from average_count(form)


def average_count(form: Form) -> Iterator[Form]:
    """ "How many members does a club have", on average: the number for each club, averaged."""
    nodes = form.nodes
    open_ = [link for link in nodes.links if link.open and len(link.path) == 1]
    if form.asks != "number" or form.value is not None or form.function != "count" or len(open_) != 1:
        return
    (link,) = open_
    counted = replace(nodes, links=tuple(each for each in nodes.links if each is not link))
    yield Form("number", link.other, Value(None, "count", _back(link, counted)), "avg")


def counts_of(nodes: Nodes) -> Iterator[Form]:
    """The number of linked nodes of the one node that they are linked to."""
    for link in nodes.links:
        if link.positive and len(link.path) == 1 and len(link.other.entities) == 1:
            counted = replace(nodes, links=tuple(each for each in nodes.links if each is not link))
            yield Form("number", link.other, Value(None, "count", _back(link, counted)), "difference")


def _back(link: Link, nodes: Nodes) -> Link:
    """A link of one step seen from its other end."""
    return Link((link.path[0].back(nodes.label),), nodes, conditions=link.conditions)


def _counts(item: AnyItem, grammar: Grammar) -> bool:
    return " ".join(token.text for token in grammar.tokens[item.first : item.last]).endswith(_OF_COUNTS)


def incomplete(form: Form, said: Sequence[Token]) -> tuple[Feature, ...]:
    """What a difference of other than two nodes costs, and either of two where "both" are said."""
    if form.function == "difference" and len(form.nodes.entities) < 2:
        return (("asks", 3.0),)
    either = form.asks == "nodes" and any(len({e.name for e in each.entities}) > 1 for each in sets(form.nodes)[1:])
    texts = {token.text for token in said}
    return (("asks", 1.0),) if either and ("both" in texts or {"and", "also"} <= texts) else ()


def is_kind_of(noun: Noun, between: Gap, grammar: Grammar) -> bool:
    """Whether "kind of" stands before the name of things that have a kind of their own."""
    label, choices = noun.nodes.label, grammar.words.property("kind")
    return between.says(*_KINDS) and any(c.label == label and c.cost <= _AS_KIND for c in choices)
