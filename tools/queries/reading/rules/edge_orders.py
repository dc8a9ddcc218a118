"""Sets ordered by a property of their relationships: "the orders with the highest quantity"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.reading.forms.form import Link, Nodes, Value
from clew.tools.queries.reading.forms.functions import Function
from clew.tools.queries.reading.forms.items import AnyItem, Feature, Noun, PropertyChoice, Ranking, Superlative
from clew.tools.queries.reading.forms.quantities import adds_up
from clew.tools.queries.reading.rules.agreement import attached
from clew.tools.queries.reading.rules.edge_amounts import is_amount, is_calculated, totals
from clew.tools.queries.reading.rules.grammar import Grammar, Pair
from clew.tools.queries.reading.rules.most_often import order_by
from clew.tools.queries.reading.schema.joins import Joins

_SINGLE = frozenset({"single", "one", "any"})
_RATINGS = frozenset({"rating", "stars"})
_QUANTITIES = frozenset({"quantity", "qty"})
_NAMED, _NEARLY = 0.3, 0.3
"""Share of what a verb costs that does not agree with a relation whose property is named; the cost of such a name."""


def by_edge(pair: Pair, noun: Noun, ranking: Ranking, superlative: Superlative) -> Iterator[AnyItem]:
    """Order by a property of a relationship: "the orders with the highest quantity", "the dearest dish at X"."""
    joins = pair.grammar.joins
    if any(pair.grammar.names[pair.between.first : pair.between.last]):
        return
    near = any(True for c in ranking.choices if c.of_relation for _ in _of_type(noun.nodes, c.label, joins))
    for choice in ranking.choices:
        if is_calculated(choice) or (ranking.function == "sum" and not (near or choice.cost)):
            yield from _by_total(pair, noun, choice, ranking, superlative)
        way = choice.descending if superlative.choices else superlative.descending
        function = ranking.function or _over_all(choice, ranking, pair.grammar) or ("max" if way else "min")
        for link, known in _of_type(noun.nodes, choice.label, joins) if choice.of_relation else ():
            by = Value(choice.name, function, link, choice.label, choice.kind)
            meaning = replace(noun, nodes=replace(noun.nodes, order=order_by(superlative, by, way)))
            own: list[Feature] = [("order", choice.cost), ("linked value", 0.0 if known else 0.3)]
            own += [] if known else attached(noun, pair.between)
            for last, said in pair.verbs():
                missing = 1 - joins.agreement(said, link.path[0]) if said else 0.0
                missing *= _NAMED if choice.cost < _NEARLY else 1.0
                yield pair.item(meaning, *own, ("agreement", missing), last=last)


def _by_total(
    pair: Pair, noun: Noun, choice: PropertyChoice, ranking: Ranking, superlative: Superlative
) -> Iterator[AnyItem]:
    """Order by a total over relationships that are further away: "the customer with the highest revenue"."""
    way = choice.descending if superlative.choices else superlative.descending
    if not is_amount(choice):
        return
    for value, path in totals(noun.nodes.label, choice, ranking.function or "sum", pair.grammar, further=True):
        meaning = replace(noun, nodes=replace(noun.nodes, order=order_by(superlative, value, way)))
        yield pair.item(meaning, ("order", choice.cost), *path, *attached(noun, pair.between))


def _over_all(choice: PropertyChoice, ranking: Ranking, grammar: Grammar) -> Function | None:
    """ "The most hours" and "the highest quantity" are those of all relationships together, "the most hours in a single
    week" are not; the best rated is so on average."""
    words = set(identifier_words(choice.name))
    if _RATINGS & words and not ranking.superlative.counts:
        return "avg"
    counts = ranking.superlative.counts or is_calculated(choice) or bool(_QUANTITIES & words)
    summed = counts and choice.kind == "number" and adds_up(choice.name)
    return "sum" if summed and not any(token.text in _SINGLE for token in grammar.tokens) else None


def _of_type(nodes: Nodes, relation: str, joins: Joins) -> Iterator[tuple[Link, bool]]:
    """The relationships of a type that a set is linked by, else all that it may have; and whether it is linked so."""
    direct = [each for each in nodes.links if each.positive and len(each.path) == 1]
    known = [each for each in direct if each.path[0].relation == relation]
    yield from ((link, True) for link in known)
    if not known:
        steps = [step for step in joins.from_label(nodes.label) if step.relation == relation]
        yield from ((Link((step,), Nodes(step.target)), False) for step in steps)
