"""Sets ordered by how often something is done: "the most frequently ordered products"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Order, Step, Value
from clew.tools.queries.reading.forms.functions import BY_FREQUENCY, LENGTH, Function
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    Feature,
    Item,
    Noun,
    Operator,
    PropertyNoun,
    Ranking,
    Superlative,
    Whole,
)
from clew.tools.queries.reading.rules.grammar import HOW_OFTEN, LOST_NAME, Grammar, Pair

_LONGEST_VERB = 3
_NAMED = 0.5
"""Cost below which a word names a property."""


def order_by(superlative: Superlative, by: Value, descending: bool | None = None) -> Order:
    way = superlative.descending if descending is None else descending
    return Order(by, way, superlative.limit, superlative.skip, superlative.limit == 1)


def limited(superlative: Superlative, noun: Noun) -> Superlative:
    return superlative if noun.limit is None else replace(superlative, limit=noun.limit)


def extreme(nodes: Nodes, value: Value, superlative: Superlative) -> Form:
    """The greatest or the least value of a set; several of them where so many are asked for: "the three highest". Of
    texts the longest ones, not their length."""
    if nodes.order is None and (superlative.limit != 1 or superlative.skip or value.kind == LENGTH):
        told = replace(value, kind="text") if value.kind == LENGTH else value
        return Form("value", replace(nodes, order=order_by(superlative, value)), told)
    return Form("number", nodes, value, "max" if superlative.descending else "min")


def commonest_value(
    left: Item[PropertyNoun], between: Gap, right: Item[Ranking], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "Which weekday has the fewest sessions": the value that the fewest of them have."""
    counted = right.meaning.counted
    asked = left.first > 0 and grammar.tokens[left.first - 1].text in ("which", "what")
    if counted is None or not asked or between.negated or left.meaning.function is not None:
        return
    function: Function = "commonest" if right.meaning.superlative.descending else "rarest"
    for choice in left.meaning.choices:
        if choice.label == counted.label and not choice.of_relation:
            form = Form("number", counted, Value(choice.name, kind=choice.kind), function)
            yield grammar.item(left, right, Whole(form), ("property", choice.cost), *grammar.unexplained(between))


def commonest_of(left: Item[Operator], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the most common" + "genre of films": what most films have."""
    noun, nodes = right.meaning, right.meaning.nodes
    link = nodes.links[-1] if nodes.links else None
    if left.meaning.function not in BY_FREQUENCY or between.heavy or noun.named or nodes.order is not None:
        return
    if link is not None and link.positive and not link.other.entities and not link.conditions:
        descending = left.meaning.function == "commonest"
        order = Order(Value(None, "count", Link(link.path, link.other)), descending)
        yield grammar.item(left, right, replace(noun, nodes=replace(nodes, links=nodes.links[:-1], order=order)))


def most_done(
    left: AnyItem, between: Gap, right: AnyItem, superlative: Superlative, noun: Noun, grammar: Grammar
) -> Iterator[AnyItem]:
    """ "most frequently ordered products": the number of relationships that a verb names."""
    if noun.wild or noun.named or noun.nodes.order is not None:
        return
    pair, label = Pair(left, between, right, grammar), noun.nodes.label

    def opposed(step: Step) -> bool:
        return grammar.joins.voices.opposes_alone(step, label, between)

    yield from _by_verb(pair, superlative, noun, between.words, right.last, opposed)


def most_done_behind(
    left: AnyItem, right: AnyItem, superlative: Superlative, noun: Noun, grammar: Grammar
) -> Iterator[AnyItem]:
    """ "products that are ordered most", "which products are most often ordered"."""
    pair = Pair(left, grammar.gap(left.last, right.first), right, grammar)
    if [token.text for token in grammar.tokens[right.last :]] == ["of"]:  # "What breed do we have the most of?"
        yield from _by_verb(pair, superlative, noun, ("often",), right.last + 1)
    for last in grammar.verb_ends(right.last):
        yield from _by_verb(pair, superlative, noun, grammar.gap(right.last, last).words, last)


def often_done(pair: Pair, superlative: Superlative, noun: Noun) -> Iterator[AnyItem]:
    """ "the label that is used most often": the verb stands between."""
    last = pair.right.last
    often = last < len(pair.grammar.tokens) and pair.grammar.tokens[last].text in HOW_OFTEN

    def opposed(step: Step) -> bool:  # Who "influenced the most others" was not influenced by them.
        return pair.grammar.joins.voices.opposes(step, noun.nodes.label, pair.between)

    yield from _by_verb(pair, superlative, noun, pair.between.words, last + often, opposed)


def _by_verb(
    pair: Pair,
    superlative: Superlative,
    noun: Noun,
    verb: tuple[str, ...],
    last: int,
    opposed: Callable[[Step], bool] = lambda step: False,
) -> Iterator[AnyItem]:
    """Order a set by the number of its relationships that a verb names, without those that are `opposed`: that lead the
    other way."""
    joins = pair.grammar.joins
    said = tuple(word for word in verb if word not in HOW_OFTEN)
    own = [each for each in noun.nodes.links if each.positive]
    told = next((each.path[0] for each in own if each.conditions), None)
    told = told or next((each.path[0] for each in own if not (each.open or each.path[0].forward)), None)
    usual = told or joins.most_frequent(noun.nodes.label) if verb and not said else None
    if usual is not None:  # "absent most often", else the relation that the most nodes have
        ordered = by_number(noun.nodes, usual, limited(superlative, noun))
        yield pair.item(replace(noun, nodes=ordered), *(() if told else [("guess", 1.0)]), last=last)
    measured = {
        c.label for word in said for c in pair.grammar.words.property(word) if c.of_relation and c.cost < _NAMED
    }
    for step in joins.from_label(noun.nodes.label) if said else ():
        if step.relation in measured or opposed(step):
            continue  # "The most hours at X" are no number of times.
        short = len(said) <= _LONGEST_VERB and "by" not in said
        alike = pair.grammar.words.likeness(said, step.target) if short else 0.0  # "complained about" of a Complaint
        best = max(joins.agreement(said, step), alike)
        if best > 0.4:
            ordered = by_number(noun.nodes, step, limited(superlative, noun))
            lost = _lost_names(pair)
            yield pair.item(replace(noun, nodes=ordered), ("agreement", 1 - best), ("guess", 0.3), *lost, last=last)


def by_number(nodes: Nodes, step: Step, superlative: Superlative) -> Nodes:
    """A set ordered by the number of its relationships; by those alone that it is said to have, if it is: "the products
    that Ernst Handel ordered most often" are not those that anybody did. A link that only says that there is one stays:
    without it, nodes with none would be among those with the most."""
    linked = (each for each in nodes.links if each.positive and each.path[0] == step)
    said = next((each for each in linked if not each.open and (len(each.path) == 1 or not each.conditions)), None)
    counted = Link((step,), Nodes(step.target))
    if said is not None:
        further = Nodes(step.target).linked(replace(said, path=said.path[1:])) if len(said.path) > 1 else None
        counted = said if further is None else Link((step,), further)
        nodes = replace(nodes, links=tuple(each for each in nodes.links if each is not said))
    return replace(nodes, order=order_by(superlative, Value(None, "count", counted)))


def _lost_names(pair: Pair) -> tuple[Feature, ...]:
    """What the words of names cost that stand beside the verb: "which product did *Ernst Handel* order most"."""
    lost = sum(pair.grammar.names[pair.between.first : pair.between.last])
    return (("unexplained", (1 + LOST_NAME) * lost),) if lost else ()
