"""Numbers compared with the average of those that share something: "above the average of their department"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, Item, Noun
from clew.tools.queries.reading.rules.grammar import Grammar

_ITS = frozenset({"its", "their", "his", "her", "own", "same"})
_OF = frozenset({"of", "in", "for", "within", "the", "across"})


def average_of_peers(left: Item[ConditionNoun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "higher than the average price" + "of their category"."""
    given, group = left.meaning, right.meaning
    said = set(between.texts)
    if not given.average or given.than is not None or given.of is not None or not (said & _ITS and said <= _ITS | _OF):
        return
    if group.nodes.bare and not (group.named or group.wild or group.plural):
        yield grammar.item(left, right, replace(given, of=group.nodes))
