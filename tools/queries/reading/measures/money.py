"""Amounts of money in a graph, and the words beside them that say no more of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.calculated import Calculated
from clew.tools.queries.reading.anchors.spending import as_sum
from clew.tools.queries.reading.english.short_forms import full_words
from clew.tools.queries.reading.floating.parts import Words
from clew.tools.queries.reading.forms.items import PropertyChoice
from clew.tools.queries.reading.measures.slots import MEASURED, places
from clew.tools.queries.reading.rules.edge_amounts import is_calculated
from clew.tools.queries.reading.rules.grammar import Grammar

_VERBS = frozenset({
    "spent", "spend", "spends", "paid", "pay", "pays", "bring", "brings", "brought", "generate", "generates",
    "generated", "make", "makes", "made", "earn", "earns", "earned", "money", "sold", "sell", "sells", "bought", "buy",
    "cost", "costs", "received", "collected", "gave", "give", "given", "away",
})  # fmt: skip
_DISCOUNT = "discount"
_DISCOUNTS = frozenset({"discount", "discounts"})
_TAKEN_OFF = frozenset(
    {"after", "less", "minus", "net", "once", "taken", "off", "deducted", "deducting", "including", "with"}
)
_GIVEN = frozenset({"give", "gave", "given", "giving", "granted", "grant", "allowed", "away"})
_UNITS = frozenset({"money", "amount", "pounds", "euros", "euro", "dollars"})
_WHOLE = frozenset({"total"})
_EXPENSIVE = "expensive"
"""The adjective of amounts of money."""
CALLED = 0.05
"""What a property may cost where nothing says that it is added up."""


class Money:
    """The amounts of money that one question may mean."""

    def __init__(self, grammar: Grammar) -> None:
        self._words, self._tokens = grammar.words, grammar.tokens

    @cached_property
    def amounts(self) -> list[PropertyChoice]:
        """The amounts of nodes: totals before their parts, and before what one thing costs."""
        words = self._words
        money = [c for form in ("paid", _EXPENSIVE) for c in words.adjective(form) if c.kind in MEASURED]
        money += [c for c in words.choices if c.kind in MEASURED and _WHOLE & set(identifier_words(c.name))]
        whole = {(c.label, c.name): c for c in filter(None, map(as_sum, money)) if not c.of_relation}
        revenue = words.calculated.get("revenue", ())
        sold = {choice.label for choice in revenue}
        outlay = [choice for choice in words.calculated.get("outlay", ()) if choice.label not in sold]
        calculated = [replace(choice, cost=CALLED) for choice in (*revenue, *outlay)]
        return sorted([*whole.values(), *calculated], key=lambda choice: choice.cost)

    def given_away(self) -> tuple[Words, tuple[PropertyChoice, ...]]:
        """The discounts that were given as an amount, and the words for them: "how much discount did we give"."""
        said, beside = places(self._tokens, _DISCOUNTS), places(self._tokens, _GIVEN)
        given = tuple(self._words.calculated.get("discount given", ())) if said and beside else ()
        return said | beside | places(self._tokens, _UNITS), given

    def beside(self, choice: PropertyChoice | None) -> Words:
        """Verbs such as "spent", and "after discount" where a formula takes it off."""
        if choice is None or not (is_calculated(choice) or (choice.label, choice.name) in self._expensive):
            return frozenset()
        return places(self._tokens, _VERBS) | (self._taken_off() if _has_discount(choice) else frozenset())

    @cached_property
    def _expensive(self) -> set[tuple[str, str]]:
        return {(choice.label, choice.name) for choice in self._words.adjective(_EXPENSIVE)}

    def _taken_off(self) -> Words:
        """ "After discount", "once the discounts are taken off"."""
        said, beside = places(self._tokens, _DISCOUNTS), places(self._tokens, _TAKEN_OFF)
        return said | beside if said and beside else frozenset()


def _has_discount(choice: PropertyChoice) -> bool:
    operands = choice.name.operands if isinstance(choice.name, Calculated) else ()
    return any(_DISCOUNT in full_words(identifier_words(name)) for name in operands)
