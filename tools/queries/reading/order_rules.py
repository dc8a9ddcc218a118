"""Superlatives: of a property, of a number of things, of a set that stands before or behind them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.reading.form import Function, Link, Nodes, Order, Value
from clew.tools.queries.reading.gap import Gap
from clew.tools.queries.reading.grammar import Grammar
from clew.tools.queries.reading.items import (
    Feature,
    Item,
    Noun,
    Operator,
    PropertyChoice,
    PropertyNoun,
    Ranking,
    Superlative,
    Whole,
)
from clew.tools.queries.reading.noun_rules import agreement, attached


def _order(superlative: Superlative, by: Value, descending: bool | None = None) -> Order:
    way = superlative.descending if descending is None else descending
    return Order(by, way, superlative.limit, superlative.skip, superlative.limit == 1)


def _value(choice: PropertyChoice) -> Value:
    return Value(choice.name, kind=choice.kind)


def superlative_noun(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "largest city", "the most rivers"."""
    superlative, noun = left.meaning, right.meaning
    assert isinstance(superlative, Superlative) and isinstance(noun, Noun)
    if superlative.counts and not between.negated and not between.empty:
        yield from _most_done(left, between, right, superlative, noun, grammar)
    if not between.plain or between.negated or between.copula:
        return
    if superlative.counts:
        if noun.nodes.order is None and not noun.wild:
            yield grammar.item(left, right, Ranking(superlative, counted=noun.nodes))
        return
    superlative = _limited(superlative, noun)
    if noun.nodes.order is not None or noun.wild or noun.named:
        return
    own = [c for c in superlative.choices if c.label == noun.nodes.label and not c.of_relation]
    for choice in superlative.choices:
        if choice in own:
            ordered = replace(noun.nodes, order=_order(superlative, _value(choice), choice.descending))
            meaning = replace(noun, nodes=ordered, superlative=superlative)
            yield grammar.item(left, right, meaning, ("order", _nearness(own, choice)))
    yield from _by_linked(left, right, superlative, noun, superlative.choices, grammar)
    if not superlative.choices:
        for choice in grammar.words.comparable(noun.nodes.label):
            ordered = replace(noun.nodes, order=_order(superlative, _value(choice)))
            yield grammar.item(left, right, replace(noun, nodes=ordered, superlative=superlative), ("order", 1.5))


def _limited(superlative: Superlative, noun: Noun) -> Superlative:
    return superlative if noun.limit is None else replace(superlative, limit=noun.limit)


def _most_done(
    left: Item, between: Gap, right: Item, superlative: Superlative, noun: Noun, grammar: Grammar
) -> Iterator[Item]:
    """ "most frequently ordered products": the number of relationships that a verb names."""
    if noun.wild or noun.named or noun.nodes.order is not None:
        return
    said = tuple(word for word in between.words if word not in ("frequently", "often", "commonly", "times"))
    if not said:
        return
    for step in grammar.joins.from_label(noun.nodes.label):
        best = grammar.joins.agreement(said, step)
        if best > 0.4:
            by = Value(None, "count", Link((step,), Nodes(step.target)))
            ordered = replace(noun.nodes, order=_order(_limited(superlative, noun), by))
            yield grammar.item(left, right, replace(noun, nodes=ordered), ("agreement", 1 - best), ("guess", 0.3))


def first_superlative(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "top 5 most expensive", "3 largest"."""
    operator, superlative = left.meaning, right.meaning
    assert isinstance(operator, Operator) and isinstance(superlative, Superlative)
    if operator.function == "first" and between.empty and superlative.limit == 1:
        yield grammar.item(left, right, replace(superlative, limit=operator.limit))


def first_noun(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "the first 3 products"."""
    operator, noun = left.meaning, right.meaning
    assert isinstance(operator, Operator) and isinstance(noun, Noun)
    if operator.function == "first" and between.empty and not noun.named and not noun.wild:
        nodes = noun.nodes
        if nodes.order is not None and nodes.order.limit == 1:
            nodes = replace(nodes, order=replace(nodes.order, limit=operator.limit, ties=False))
        asked = noun.asked or (left.first > 0 and grammar.tokens[left.first - 1].text in ("which", "what"))
        yield grammar.item(left, right, replace(noun, nodes=nodes, limit=operator.limit, asked=asked))


def noun_by(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "the top 5 categories by average price of their products", "customers based on the number of orders"."""
    noun, whole = left.meaning, right.meaning
    assert isinstance(noun, Noun) and isinstance(whole, Whole)
    form = whole.form
    if noun.wild or noun.named or noun.nodes.order is not None or not (between.says("by") or between.says("on", "of")):
        return
    if form.asks not in ("number", "groups") or (noun.limit is None and not between.says("by")):
        return
    far, function = form.nodes, form.function or "count"
    for path in grammar.joins.paths(noun.nodes.label, far.label):
        name = form.value.property if form.value is not None else None
        by = Value(name, function, Link(path, far), kind=form.value.kind if form.value is not None else "number")
        order = Order(by, True, noun.limit, ties=False)
        features = agreement(path, noun.nodes.label, (), between, grammar)
        yield grammar.item(left, right, replace(noun, nodes=replace(noun.nodes, order=order)), *features)


def noun_superlative(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "which state is the smallest", "the rivers of texas … the longest"."""
    noun, superlative = left.meaning, right.meaning
    assert isinstance(superlative, Superlative) and isinstance(noun, Noun)
    if noun.nodes.order is not None or noun.wild or superlative.counts or between.heavy or between.negated:
        return
    if not (between.copula or noun.members) or (noun.named and not noun.members):
        return
    own = [c for c in superlative.choices if c.label == noun.nodes.label and not c.of_relation]
    for choice in own:
        ordered = replace(noun.nodes, order=_order(superlative, _value(choice), choice.descending))
        meaning = replace(noun, nodes=ordered, superlative=superlative)
        features: list[Feature] = [("order", _nearness(own, choice)), *([] if noun.asked else [("head", 0.5)])]
        yield grammar.item(left, right, meaning, *features)


def _nearness(own: list[PropertyChoice], choice: PropertyChoice) -> float:
    """What a property costs beside those of its own label: an adjective means the likeliest that the label has."""
    return min(choice.cost, 0.1) + 0.5 * (choice.cost - own[0].cost)


def _by_linked(
    left: Item, right: Item, superlative: Superlative, noun: Noun, choices: tuple[PropertyChoice, ...], grammar: Grammar,
    *features: Feature, function: Function | None = None,
) -> Iterator[Item]:  # fmt: skip
    """Order by a property of what a set is linked to: "the state with the highest elevation"."""
    if function is None and any(choice.label == noun.nodes.label for choice in choices):
        return
    for choice in choices[:6]:
        if choice.label == noun.nodes.label or choice.label not in grammar.words.schema.labels:
            continue
        for path in grammar.joins.paths(noun.nodes.label, choice.label):
            if len(path) > 1:
                continue
            way = choice.descending if not superlative.counts and superlative.choices else superlative.descending
            link = Link(path, Nodes(choice.label))
            by = Value(choice.name, function or ("max" if way else "min"), link, kind=choice.kind)
            fits = [_named_alike(superlative, path, grammar)]
            ordered = replace(noun.nodes, order=_order(superlative, by, way))
            meaning = replace(noun, nodes=ordered)
            yield grammar.item(
                left, right, meaning, ("linked value", 1.0), ("order", choice.cost), *fits, *features
            )  # fmt: skip


def _by_edge(
    left: Item, right: Item, superlative: Superlative, noun: Noun, ranking: Ranking, grammar: Grammar,
    *features: Feature,
) -> Iterator[Item]:  # fmt: skip
    """Order by a property of a relationship: the highest of a node's, or their sum where it is an amount."""
    for choice in ranking.choices:
        if not choice.of_relation:
            continue
        for step in grammar.joins.from_label(noun.nodes.label):
            if step.relation == choice.label:
                link = Link((step,), Nodes(step.target))
                function = ranking.function or ("max" if superlative.descending else "min")
                by = Value(choice.name, function, link, step.relation, choice.kind)
                ordered = replace(noun.nodes, order=_order(superlative, by))
                yield grammar.item(
                    left, right, replace(noun, nodes=ordered), ("order", choice.cost), ("linked value", 0.3), *features
                )  # fmt: skip


def _named_alike(superlative: Superlative, path: tuple[object, ...], grammar: Grammar) -> Feature:
    """Of several relations to where the property is, the one whose name has the superlative's own sense is meant."""
    from clew.tools.graph.identifiers import identifier_words
    from clew.tools.queries.reading.form import Step

    step = path[-1]
    assert isinstance(step, Step)
    words = set(identifier_words(step.relation))
    high, low = {"highest", "largest", "max", "top"} & words, {"lowest", "smallest", "min", "bottom"} & words
    if (high and superlative.descending) or (low and not superlative.descending):
        return ("linked value", -0.3)
    return ("linked value", 1.0) if high or low else ("linked value", 0.2)


def superlative_property(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "largest population", "highest average price"."""
    superlative, owned = left.meaning, right.meaning
    assert isinstance(superlative, Superlative) and isinstance(owned, PropertyNoun)
    if between.plain and len(between.texts) < 2 and not between.negated:
        yield grammar.item(left, right, Ranking(superlative, owned.choices, function=owned.function))


def superlative_operator(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "the largest number of"."""
    superlative, operator = left.meaning, right.meaning
    assert isinstance(superlative, Superlative) and isinstance(operator, Operator)
    if operator.function == "count" and between.empty and not superlative.counts:
        yield grammar.item(left, right, replace(superlative, counts=True, choices=()))


def noun_ranking(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "the state with the largest population", "the river that flows through the most states"."""
    noun, ranking = left.meaning, right.meaning
    assert isinstance(noun, Noun) and isinstance(ranking, Ranking)
    if noun.wild or noun.nodes.order is not None or between.negated or (noun.named and not noun.members):
        return
    if ranking.counted is not None:
        yield from _most(left, between, right, ranking, noun, grammar)
        return
    extra = (*grammar.unexplained(between), *attached(noun, between))
    superlative = _limited(ranking.superlative, noun)
    for choice in ranking.choices:
        if choice.label == noun.nodes.label and not choice.of_relation and ranking.function is None:
            ordered = replace(noun.nodes, order=_order(superlative, _value(choice)))
            yield grammar.item(left, right, replace(noun, nodes=ordered), ("order", choice.cost), *extra)
    bare = replace(superlative, choices=())
    yield from _by_linked(left, right, bare, noun, ranking.choices, grammar, *extra, function=ranking.function)
    yield from _by_edge(left, right, superlative, noun, ranking, grammar, *extra)


def _most(left: Item, between: Gap, right: Item, ranking: Ranking, noun: Noun, grammar: Grammar) -> Iterator[Item]:
    counted = ranking.counted
    assert counted is not None
    for path in grammar.joins.paths(noun.nodes.label, counted.label):
        for last, said in [(right.last, between.words), *grammar.verbs_behind(between, left, right)]:
            by = Value(None, "count", Link(path, counted))
            ordered = replace(noun.nodes, order=_order(_limited(ranking.superlative, noun), by))
            features = [*agreement(path, noun.nodes.label, said, between, grammar), *attached(noun, between)]
            yield grammar.item(left, replace(right, last=last), replace(noun, nodes=ordered), *features)


def by_property(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "the largest city by population": the property that the superlative left open."""
    noun, owned = left.meaning, right.meaning
    assert isinstance(noun, Noun) and isinstance(owned, PropertyNoun)
    if noun.superlative is None or noun.nodes.order is None or not between.says("by", "of", "in") or between.heavy:
        return
    for choice in owned.choices:
        if choice.label == noun.nodes.label:
            order = replace(noun.nodes.order, by=_value(choice))
            yield grammar.item(left, right, replace(noun, nodes=replace(noun.nodes, order=order), superlative=None))


def ranking_noun(left: Item, between: Gap, right: Item, grammar: Grammar) -> Iterator[Item]:
    """ "the lowest elevation in pennsylvania": the extreme value among nodes, or among what they are linked to."""
    from clew.tools.queries.reading.form import Form

    ranking, noun = left.meaning, right.meaning
    assert isinstance(noun, Noun) and isinstance(ranking, Ranking)
    if ranking.counted is not None or noun.wild or between.heavy or between.negated or between.empty:
        return
    function = "max" if ranking.superlative.descending else "min"
    for choice in ranking.choices:
        if choice.of_relation or choice.label not in grammar.words.schema.labels:
            continue
        if choice.label == noun.nodes.label:
            if not noun.named:
                form = Form("number", noun.nodes, _value(choice), function)
                yield grammar.item(left, right, Whole(form), ("order", choice.cost))
            continue
        for path in grammar.joins.paths(choice.label, noun.nodes.label):
            own = agreement(path, choice.label, (), between, grammar)
            nodes = Nodes(choice.label, links=(Link(path, noun.nodes),))
            forward = path[0]
            alike = _named_alike(ranking.superlative, (forward,), grammar)
            yield grammar.item(
                left, right, Whole(Form("number", nodes, _value(choice), function)), ("linked value", 0.5),
                ("order", choice.cost), alike, *own,
            )  # fmt: skip
