"""Sets that are listed in an order: "the films of X sorted by runtime, longest first"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.english.words import listed
from clew.tools.queries.reading.forms.form import Order
from clew.tools.queries.reading.forms.items import AnyItem, Direction, Item, Noun, PropertyNoun, Sorting
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.order_rules import value_of

_SAYS = frozenset({"by", "in", "order", "of", "with", "the", "their", "its", "according", "to", "on", "based", "them"})
_UNSAID = 0.5
"""What it costs to take "films by runtime" for an order."""


def property_direction(
    left: Item[PropertyNoun], between: Gap, right: Item[Direction], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "runtime, highest first", "runtime from high to low"."""
    if left.meaning.function is None and not between.heavy and not between.negated:
        yield grammar.item(left, right, Sorting(left.meaning.choices, right.meaning.descending))


def direction_property(
    left: Item[Direction], between: Gap, right: Item[PropertyNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "descending runtime", "from highest to lowest runtime", "in ascending order of runtime"."""
    if right.meaning.function is None and set(between.texts) <= _SAYS:
        yield grammar.item(left, right, Sorting(right.meaning.choices, left.meaning.descending))


def noun_sorting(left: Item[Noun], between: Gap, right: Item[Sorting], grammar: Grammar) -> Iterator[AnyItem]:
    """ "films of X" + "by" + "runtime, highest first"."""
    yield from _sorted(left, between, right, right.meaning, grammar)


def noun_direction(left: Item[Noun], between: Gap, right: Item[Direction], grammar: Grammar) -> Iterator[AnyItem]:
    """ "films of X" + "from longest to shortest"; of what is ordered already, the direction."""
    noun, direction = left.meaning, right.meaning
    order = noun.nodes.order
    if between.heavy and not _says_sorted(between):
        return
    if order is None and direction.choices:
        for way in (True, False):  # "newest first" is the latest date, but the least age
            choices = tuple(choice for choice in direction.choices if choice.descending == way)
            yield from _sorted(left, between, right, Sorting(choices, way), grammar)
    elif order is not None and not order.skip and order.limit != 1:
        turned = order if order.limit else replace(order, descending=direction.descending)
        yield grammar.item(left, right, replace(noun, nodes=replace(noun.nodes, order=turned)))


def noun_by_property(left: Item[Noun], between: Gap, right: Item[PropertyNoun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "films sorted by runtime", "films by runtime"."""
    noun, owned = left.meaning, right.meaning
    said = _says_sorted(between)
    if owned.function is not None or owned.quantity or not (said or between.texts == ("by",)):
        return
    if noun.limit is None and noun.superlative is None:
        choices = owned.choices if said else tuple(c for c in owned.choices if c.kind in ("number", "date"))
        descending = not said or between.says("ranked", "rank")
        features = () if said else (("guess", _UNSAID),)
        yield from _sorted(left, between, right, Sorting(choices, descending), grammar, *features)


def _sorted(
    left: Item[Noun], between: Gap, right: AnyItem, sorting: Sorting, grammar: Grammar, *features: tuple[str, float]
) -> Iterator[AnyItem]:
    noun = left.meaning
    texts = set(between.texts) - listed("ordering", "sorted")
    if noun.nodes.order is not None or noun.wild or not texts <= _SAYS:
        return
    for choice in sorting.choices:
        if choice.label == noun.nodes.label and not choice.of_relation:
            order = Order(value_of(choice), sorting.descending, noun.limit, ties=False)
            ordered = replace(noun, nodes=replace(noun.nodes, order=order), plural=True)
            yield grammar.item(left, right, ordered, ("property", choice.cost), *features)


def _says_sorted(between: Gap) -> bool:
    """Whether the words between say that what stands before is ordered: "sorted by", "in order of"."""
    said = bool(set(between.texts) & listed("ordering", "sorted")) and between.says("by", "on", "to")
    return said or between.says("order")
