"""Numbers for each of several, of what a date or a condition behind them says: "orders per shipper in 1997"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Nodes
from clew.tools.queries.reading.forms.group_forms import counted_set, with_counted_set
from clew.tools.queries.reading.forms.items import AnyItem, Grouped, Item, Noun, Number, Whole
from clew.tools.queries.reading.rules.condition_rules import noun_condition
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.number_rules import noun_number


def groups_narrowed(left: AnyItem, between: Gap, right: AnyItem, grammar: Grammar) -> Iterator[AnyItem]:
    """ "orders per shipper" + "in 1997": the date of what is counted."""
    meaning = left.meaning
    counted = meaning.counted if isinstance(meaning, Grouped) else counted_set(meaning.form)
    if counted is None or (isinstance(right.meaning, Number) and not right.meaning.date):
        return
    whole = Item(left.first, left.last, Noun(counted, plural=True), left.cost, left.features)
    narrow = noun_number if isinstance(right.meaning, Number) else noun_condition
    for item in narrow(whole, between, right, grammar):
        nodes = item.meaning.nodes if isinstance(item.meaning, Noun) else counted
        if nodes != counted and nodes.label == counted.label:
            yield replace(item, meaning=_with(meaning, nodes))


def _with(meaning: Whole | Grouped, nodes: Nodes) -> Whole | Grouped:
    if isinstance(meaning, Grouped):
        return replace(meaning, counted=nodes)
    return Whole(with_counted_set(meaning.form, nodes))
