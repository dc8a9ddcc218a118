"""Conditions that one word states: "in June" of the dates of any year, "free" of a price."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.items import AnyItem, ConditionNoun, Item
from clew.tools.queries.reading.scoring import cost
from clew.tools.queries.reading.vocabulary import SchemaWords
from clew.tools.queries.values import MONTHS

_IN = ("in", "during", "every", "each")
_PRICES = ("price", "fee", "cost")
_LIKELY = ("property", 0.3)


def bare_values(tokens: Sequence[Token], words: SchemaWords) -> Iterator[AnyItem]:
    """The conditions, each over every property that it may be of."""
    for i, token in enumerate(tokens):
        behind = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if i and token.text in MONTHS and tokens[i - 1].text in _IN and not behind.isdecimal():
            dates = tuple(choice for choice in words.choices() if choice.kind == "date")
            month = ConditionNoun(dates, values=(f"-{MONTHS[token.text]:02d}-",), test="CONTAINS")
            yield from [Item(i, i + 1, month, cost([_LIKELY]), (_LIKELY,))] if dates else []
        if token.text == "free" and behind != "of":
            prices = tuple(c for name in _PRICES for c in words.named(name) if c.kind == "number")
            nothing = ConditionNoun(prices, values=(0,))
            yield from [Item(i, i + 1, nothing, cost([_LIKELY]), (_LIKELY,))] if prices else []
