"""Numbers compared with the average of those that share something: "above the average of their department"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, Item, Noun, PropertyNoun
from clew.tools.queries.reading.rules.grammar import Grammar

_ITS = frozenset({"its", "their", "his", "her", "own", "same"})
_OF = frozenset({"of", "in", "for", "within", "the", "across"})


def average_of_peers(left: Item[ConditionNoun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "higher than the average price" + "of their category", by a relation."""
    group = right.meaning
    if _is_average(left.meaning, between) and group.nodes.bare and not (group.named or group.wild or group.plural):
        yield grammar.item(left, right, replace(left.meaning, of=group.nodes))


def average_of_alike(
    left: Item[ConditionNoun], between: Gap, right: Item[PropertyNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "higher than the average price" + "of their type", by a property."""
    owned = right.meaning
    alike = tuple(c for c in owned.choices if c.kind in ("text", "boolean") and not c.of_relation)
    if _is_average(left.meaning, between) and alike and not (owned.function or owned.quantity or owned.also):
        yield grammar.item(left, right, replace(left.meaning, alike=alike))


def _is_average(given: ConditionNoun, between: Gap) -> bool:
    """Whether a comparison with an average waits for whose average it is."""
    said = set(between.texts)
    open_ = given.average and given.than is None and given.of is None and not given.alike
    return open_ and bool(said & _ITS) and said <= _ITS | _OF
