"""Two properties of the same thing compared: "parts whose stock is below their minimum stock"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Condition
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    Comparator,
    ConditionNoun,
    Item,
    Noun,
    PropertyChoice,
    PropertyNoun,
)
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.schema.property_names import root

_DONE = -0.5
"""What it gives that the verb before a date names the date that is compared with it."""
_KINDS = frozenset({"number", "date"})


def comparator_property(
    left: Item[Comparator], between: Gap, right: Item[PropertyNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "below the minimum stock", "more than the budget"."""
    comparator, owned = left.meaning, right.meaning
    others = tuple(c for c in owned.choices if c.kind in _KINDS and not c.of_relation)
    if others and not (between.heavy or between.negated or owned.function or owned.quantity):
        yield grammar.item(left, right, ConditionNoun(comparator.choices, comparator.comparison, others=others))


def noun_compared(left: Item[Noun], between: Gap, right: Item[ConditionNoun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "parts" + "stock below the minimum stock", "productions" + "over budget"."""
    noun, given = left.meaning, right.meaning
    if noun.wild or noun.named or between.negated:
        return
    verbs = set(map(root, between.heavy))
    for other in given.others:
        if other.label != noun.nodes.label:
            continue
        for choice in _comparable(given.choices, other, grammar):
            # "Shipped after the required date" is of the day when it was shipped.
            done = bool(verbs) and verbs <= set(map(root, identifier_words(choice.name)))
            costs = [("property", 0.0 if done else choice.cost), ("property", other.cost)]
            costs += [("guess", _DONE)] if done else grammar.unexplained(between)
            condition = Condition(property=choice.name, comparison=given.comparison, other=other.name)
            yield grammar.item(left, right, replace(noun, nodes=noun.nodes.where(condition)), *costs)


def _comparable(said: Sequence[PropertyChoice], other: PropertyChoice, grammar: Grammar) -> Iterator[PropertyChoice]:
    """The properties that are compared with another of the same label: those that are said, else those whose names
    have a word in common with it."""
    words = set(identifier_words(other.name))
    for choice in said or grammar.words.comparable(other.label, dates=other.kind == "date"):
        alike = bool(said) or bool(words & set(identifier_words(choice.name)))
        if (choice.label, choice.kind) == (other.label, other.kind) and choice.name != other.name and alike:
            yield choice
