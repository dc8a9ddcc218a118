"""The parts of a question that float: the cheapest items of its chart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.durations import lasts
from clew.tools.queries.reading.english.gap import denies
from clew.tools.queries.reading.english.words import FREE, light
from clew.tools.queries.reading.forms.form import Nodes
from clew.tools.queries.reading.forms.functions import Function
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    ConditionNoun,
    CountOf,
    Item,
    Noun,
    Number,
    Operator,
    PropertyNoun,
    Ranking,
    Superlative,
)
from clew.tools.queries.reading.forms.scoring import WEIGHTS

_KINDS = (Noun, PropertyNoun, ConditionNoun, Number, Ranking, Superlative, CountOf)
_SAYS_ENOUGH = (PropertyNoun, Superlative, Number)
"""Parts that count even if all of their words are free: "how much"."""
_MOST, _OF_EACH = 40, 2
_DEAREST = 0.5
"""What a part may cost beside 1 for each of its words."""
Words = frozenset[int]
"""Places of tokens."""


@dataclass(frozen=True, slots=True)
class Part:
    """An item, and the words that it explains."""

    item: AnyItem
    words: Words


Floated = tuple[AnyItem, Words]
"""An item, and the words that it explains."""


@dataclass(frozen=True, slots=True)
class State:
    """A set, and the words that it explains."""

    head: Item[Noun]
    words: Words
    last: int = -1
    """The last part that was taken. Parts are taken in their order, except for sets."""


def needs_reason(tokens: Sequence[Token], place: int) -> bool:
    """Whether a word must be explained."""
    text = tokens[place].text
    return not (text in FREE or text in light() or denies(tokens, place) or lasts(tokens, place))


def worth(cost: float, words: Words, heavy: Words) -> float:
    """A cost, less what it would cost to leave the words unexplained."""
    return cost - WEIGHTS["unexplained"] * len(words & heavy)


def best_parts(chart: Iterable[AnyItem], heavy: Words) -> list[Part]:
    """The parts of a chart that explain most at the least cost, in the order of the words."""
    by_span: dict[tuple[int, int, type], list[AnyItem]] = defaultdict(list)
    for item in chart:
        meaning = item.meaning
        if isinstance(meaning, _KINDS) and not (isinstance(meaning, Noun) and meaning.wild):
            by_span[item.first, item.last, type(meaning)].append(item)
    parts = []
    for same in by_span.values():
        for item in nsmallest(_OF_EACH, same, key=lambda each: each.cost):
            words = frozenset(range(item.first, item.last))
            said = len(words & heavy)
            if (said or isinstance(item.meaning, _SAYS_ENOUGH)) and item.cost < _DEAREST + said:
                parts.append(Part(item, words))
    best = nsmallest(_MOST, parts, key=lambda part: worth(part.item.cost, part.words, heavy))
    return sorted(best, key=lambda part: part.item.first)


def functions(chart: Iterable[AnyItem]) -> list[tuple[Function, Words]]:
    """The sums and averages that are asked for, with the words that do so; the longest first."""
    found: list[tuple[Function, Words]] = []
    for item in chart:
        function = item.meaning.function if isinstance(item.meaning, Operator) else None
        if function == "sum" or function == "avg" or function == "median":
            found.append((function, frozenset(range(item.first, item.last))))
    return sorted(found, key=lambda each: -len(each[1]))[:_OF_EACH]


def with_nodes(item: AnyItem, state: State, nodes: Nodes) -> AnyItem:
    """An item about the head of a state with another set."""
    return replace(item, meaning=replace(state.head.meaning, nodes=nodes))


def of_what_is_counted(meaning: object) -> bool:
    """Whether it says which are counted or added up, rather than which nodes are ordered by that: a time, or a name.
    "The most orders in 1997", "what did Ernst Handel order most often"."""
    if isinstance(meaning, ConditionNoun):
        return bool(meaning.choices) and all(choice.kind == "date" for choice in meaning.choices)
    return meaning.date if isinstance(meaning, Number) else isinstance(meaning, Noun) and meaning.named
