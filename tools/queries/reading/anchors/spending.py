"""Who "spent the most": an order by the sum of what things cost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.words import FREE
from clew.tools.queries.reading.forms.items import AnyItem, PropertyChoice, Ranking, Superlative
from clew.tools.queries.reading.forms.quantities import EACH
from clew.tools.queries.reading.forms.scoring import anchor
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_SPENDING = re.compile(
    r"(?<!\S)(?:spen[dt]|spends|spending|pays?|paid|paying|(?:brought|brings?|took|takes?) in|generate[sd]?|made us"
    r"|earn(?:s|ed)? us|rais(?:e|es|ed|ing)|receiv(?:e|es|ed|ing)|donat(?:e|es|ed|ing)|invest(?:s|ed|ing)?)"
    r"(?: (?:its|their|his|her) \w+)?(?: the)? (?P<degree>most|least)(?: (?:money|cash|revenue|income))?"
    r"(?: (?:per|a|each|every) (?:year|month|annum)| (?:in total|overall|altogether|all together|in all|put together"
    r"|combined)){0,2}(?!\S)"
)
_WHOLE = frozenset({"total", "tot", "gross", "paid", "spend", "spent", "sum"})
_AMOUNTS = frozenset({"amount", "amt", "revenue", "takings", "value"})
_PARTS = frozenset({"net", "vat", "tax", "discount", "deposit", "tip", "shipping"})
_OF_ONE = frozenset({"unit", "rate", "per", "hour", "hourly", "day", "daily", "each", "list", "ph", "pd", "pw"})
_FOR_PERIODS = frozenset({"year", "month", "annum", "annual"})
_MONEY = "expensive"
"""The adjective of properties that are amounts of money."""


def spendings(tokens: Sequence[Token], words: SchemaWords) -> Iterator[AnyItem]:
    """The orders that a phrase such as "spent the most" means: by the sum of the amounts of what a node is linked to,
    or by an amount of its own."""
    for first, last, degree in _phrases(tuple(token.text for token in tokens)):
        for each, likely in _rankings(degree, words):
            yield anchor(first, last, each, ("guess", likely))


def of_money(item: AnyItem, tokens: Sequence[Token]) -> bool:
    """Whether "most" or "least" is of money that somebody spends, and no number of things: not in "paid the most
    invoices"."""
    if not (isinstance(item.meaning, Superlative) and item.meaning.counts):
        return False
    texts = tuple(token.text for token in tokens)
    found = (each for each in _phrases(texts) if each[0] <= item.first < each[1])
    return any(last == len(texts) or texts[last] in FREE | EACH for _, last, _ in found)


@lru_cache(maxsize=256)
def _phrases(texts: tuple[str, ...]) -> list[tuple[int, int, str]]:
    """The first and the last place of each phrase, with its degree."""
    text = " ".join(texts)
    return [
        (text[: said.start()].count(" "), text[: said.end()].count(" ") + 1, said["degree"])
        for said in _SPENDING.finditer(text)
    ]


def _rankings(degree: str, words: SchemaWords) -> Iterator[tuple[Ranking, float]]:
    """The orders by what is spent, with what they cost."""
    superlative = Superlative((), descending=degree == "most")
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
    of_one = own & _OF_ONE - ({"per"} if own & _FOR_PERIODS else set())  # `usd_per_year` is what a year costs.
    return None if of_one else replace(choice, cost=likely + 0.3 * bool(own & _PARTS), descending=True)
