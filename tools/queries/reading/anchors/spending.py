"""Who "spent the most": an order by the sum of what things cost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.reading.forms.items import PropertyChoice, Ranking, Superlative
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_SPENDING = re.compile(
    r"(?:spen[dt]|spends|spending|pays?|paid|(?:brought|brings?|took|takes?) in|generate[sd]?|made us|earn(?:s|ed)? us)"
    r"(?: the)? (?P<degree>most|least)(?: (?:money|cash|revenue|income))?"
)
_WHOLE = frozenset({"total", "tot", "gross", "paid", "spend", "spent", "sum"})
_AMOUNTS = frozenset({"amount", "amt", "revenue", "takings", "value"})
_PARTS = frozenset({"net", "vat", "tax", "discount", "deposit", "tip", "shipping"})
_OF_ONE = frozenset({"unit", "rate", "per", "hour", "hourly", "day", "daily", "each", "list", "ph", "pd", "pw"})
_MONEY = "expensive"
"""The adjective of properties that are amounts of money."""


def spending(text: str, words: SchemaWords) -> Iterator[tuple[Ranking, float]]:
    """The orders that a phrase such as "spent the most" means, with what they cost: by the sum of the amounts of what a
    node is linked to, or by an amount of its own."""
    said = _SPENDING.fullmatch(text)
    if said is None:
        return
    superlative = Superlative((), descending=said["degree"] == "most")
    money = [choice for choice in words.adjective(_MONEY) if choice.kind in ("number", "written number")]
    choices = tuple(sorted(filter(None, map(as_sum, money)), key=lambda choice: choice.cost))
    revenue = tuple(replace(choice, cost=0.0) for choice in words.calculated.get("revenue", ()))
    if revenue and (not choices or choices[0].cost):
        yield Ranking(superlative, revenue, function="sum"), 0.1
    if choices:
        yield Ranking(superlative, choices, function="sum"), 0.3
        yield Ranking(superlative, choices), 0.6


def as_sum(choice: PropertyChoice) -> PropertyChoice | None:
    """An amount of money, with what it costs that somebody spends it; None for the price of one thing or hour."""
    own = set(identifier_words(choice.name))
    likely = 0.0 if own & _WHOLE else 0.1 if own & _AMOUNTS else 0.3
    return None if own & _OF_ONE else replace(choice, cost=likely + 0.3 * bool(own & _PARTS), descending=True)
