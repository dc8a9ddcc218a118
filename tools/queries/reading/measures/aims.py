"""What an analytic question asks: a number, one for each of several, the best of these, or what facts refer to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.gap import denies
from clew.tools.queries.reading.english.words import FREE, light
from clew.tools.queries.reading.floating.parts import Words
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    ConditionNoun,
    Noun,
    Operator,
    Period,
    PropertyNoun,
    Superlative,
)
from clew.tools.queries.reading.measures.slots import Aim, Dimension, places, words_of
from clew.tools.queries.reading.measures.times import time_of
from clew.tools.queries.reading.rules.grammar import Grammar

_EACH = frozenset({"by", "per", "each", "every"})
_TALK = frozenset({
    "split", "broken", "break", "down", "breakdown", "grouped", "group", "divided", "figures", "table", "overview",
    "separately", "respectively", "each", "one", "per",
})  # fmt: skip
"""Words that say no more than that numbers are given for each of several."""
_OFTEN = frozenset({"often", "frequently", "times", "number"})
_BEST = frozenset({"best", "worst", "top", "bottom"})
"""Words for the first of several that leave open by what."""
_TOTALLED = frozenset({"most", "least", "fewest", "more", "less"})
_WHO = frozenset({"who", "whom", "everybody", "everyone", "anybody", "anyone", "people", "person"})
_EARNERS = frozenset(
    {"earners", "sellers", "performers", "spenders", "buyers", "scorers", "earner", "seller", "spender"}
)
_SELLING = {"best": True, "top": True, "most": True, "worst": False, "least": False, "slowest": False}
"""Words before "selling" and "sold", and whether the most is meant."""
_WHICH = frozenset({"which", "what", "whose"})
_SKIPPED = 3
"""Words between "by" and what follows, at most."""
_GROUPING = ("text", "boolean", "identifier")
_KINDS = frozenset({"type", "types", "kind", "kinds", "sort"})
_CHOICES, _DIMENSIONS = 3, 6
_COMPARING = frozenset({
    "than", "or", "do", "did", "work", "worked", "have", "had", "make", "made", "get", "got", "sell", "sold", "bring",
    "brought", "take", "took", "use", "used", "spend", "spent", "earn", "earned", "win", "won", "of",
})  # fmt: skip
"""Words between two things that are compared, and verbs that say no more than that each has its number."""
_SURE = 0.8
"""What a name may cost that is compared."""
MORE = {"more": True, "fewer": False, "less": False}
"""Words by which two are compared, and whether the greater of their numbers is meant."""


class Aims:
    """What one question may ask.

    Args:
        anchors: The words that name something.
        items: What they may be joined to.
        grammar: The question.
    """

    def __init__(self, anchors: Sequence[AnyItem], items: Iterable[AnyItem], grammar: Grammar) -> None:
        self._anchors, self._grammar = anchors, grammar
        self._bounds = [item for item in items if is_amount_bound(item.meaning)]
        self._tokens: Sequence[Token] = grammar.tokens
        self._texts = [token.text for token in grammar.tokens]
        spans = (words_of(i) for i in anchors if time_of(i.meaning) is not None and i.last - i.first > 1)
        self._dated = frozenset[int]().union(*spans)
        """Where times of several words stand: "the *first quarter* of 2024"."""
        firsts = [i for i in anchors if isinstance(i.meaning, Operator) and i.meaning.function == "first"]
        self._first = next((i for i in firsts if i.meaning.limit), None)

    def __iter__(self) -> Iterator[Aim]:
        compared = [*self._compared(), *self._values_compared()]
        if compared or self._grammar.asks_truth:
            yield from compared
            return
        yield from self._each()
        superlatives = [i for i in self._anchors if isinstance(i.meaning, Superlative) and not i.meaning.skip]
        superlatives = [i for i in superlatives if not words_of(i) & self._dated]
        yield from self._best_selling()
        for item in superlatives:
            yield from self._best(item)
        if not superlatives:
            yield Aim("number", frozenset())
            yield from self._those()
            yield from self._over()

    def _each(self) -> Iterator[Aim]:
        talk = places(self._tokens, _TALK)
        for place, text in enumerate(self._texts):
            if text in _EACH:
                for dimension in self._dimensions(place + 1):
                    yield Aim("each", talk | {place} | dimension.words, dimension)

    def _best(self, item: AnyItem) -> Iterator[Aim]:
        how, degree = item.meaning, {token.text for token in self._tokens[item.first : item.last]}
        limit, said = (how.limit, frozenset[int]()) if self._first is None else (
            self._first.meaning.limit, words_of(self._first),
        )  # fmt: skip
        often = frozenset(i for i in places(self._tokens, _OFTEN) if i >= item.first)
        choices = () if degree & _BEST else how.choices
        totalled, amounts = bool(degree & (_TOTALLED | _BEST)), bool(degree & _TOTALLED)
        for dimension in self._asked(said, words_of(item)):
            words = words_of(item) | said | dimension.words | often
            yield Aim("best", words, dimension, how.descending, limit, totalled, amounts, choices)

    def _those(self) -> Iterator[Aim]:
        denials = [i for i in range(len(self._texts)) if denies(self._tokens, i)]
        for dimension in self._asked(frozenset()) if not _EACH & set(self._texts) else ():
            if dimension.label and dimension.choice is None:
                yield Aim("those", dimension.words, dimension)
                for place in denials:
                    yield Aim("those", dimension.words | {place}, dimension, denied=True)

    def _over(self) -> Iterator[Aim]:
        """ "Orders over 8000", "who spent less than 500"."""
        for item in self._bounds:
            for dimension in self._asked(frozenset(), words_of(item)):
                if dimension.label and dimension.choice is None:
                    yield Aim("over", words_of(item) | dimension.words, dimension, bound=item.meaning)

    def _compared(self) -> Iterator[Aim]:
        """ "Did the north sell more than the south?", "who sold more, Ann or Bo?" """
        place = next((i for i, text in enumerate(self._texts) if text in MORE), None)
        named = [
            i for i in self._anchors if isinstance(i.meaning, Noun) and i.meaning.nodes.entities and i.cost < _SURE
        ]
        if place is None or not {"than", "or"} & set(self._texts):
            return
        extra = places(self._tokens, _COMPARING | _WHO | _WHICH)
        for one, other in ((a, b) for a in named for b in named if a.last <= b.first):
            label = one.meaning.nodes.label
            if other.meaning.nodes.label == label and one.meaning.nodes != other.meaning.nodes:
                words = words_of(one) | words_of(other) | {place} | extra
                both = (one.meaning.nodes, other.meaning.nodes)
                descending = MORE[self._texts[place]]
                dimension = Dimension(frozenset(), label)
                yield Aim("compare", words, dimension, descending, 1, totalled=True, amounts=True, compared=both)

    def _values_compared(self) -> Iterator[Aim]:
        """ "Do more patients live in Tuam or in Athenry?": which of two values of a property more things have."""
        place = next((i for i, text in enumerate(self._texts) if text in MORE), None)
        valued = [i for i in self._anchors if isinstance(i.meaning, ConditionNoun) and _is_value(i.meaning)]
        if place is None or "or" not in self._texts or "than" in self._texts:
            return
        extra = places(self._tokens, _COMPARING | _WHICH | {"one", "live", "come"})
        for one, other in ((a, b) for a in valued for b in valued if a.last <= b.first):
            known = {(c.label, c.name) for c in other.meaning.choices}
            for choice in (c for c in one.meaning.choices if (c.label, c.name) in known and not c.of_relation):
                words = words_of(one) | words_of(other) | {place} | extra
                values = (*one.meaning.values[:1], *other.meaning.values[:1])
                yield Aim("compare", words, Dimension(frozenset(), choice.label, choice), MORE[self._texts[place]],
                          totalled=True, amounts=True, values=values)  # fmt: skip

    def _best_selling(self) -> Iterator[Aim]:
        """ "The best selling product", "top sellers", "the worst-selling product"."""
        for i, (one, other) in enumerate(pairwise(self._texts)):
            first, _, second = one.partition("-")
            if first in _SELLING and (second or other) in ("selling", "sold"):
                words = frozenset({i} if second else {i, i + 1})
                limit = 1 if self._first is None else self._first.meaning.limit
                for dimension in self._dimensions(max(words) + 1):
                    yield Aim("best", (words - {i + 1}) | dimension.words, dimension, _SELLING[first], limit, True)

    def _asked(self, limit: Words, degree: Words = frozenset()) -> Iterator[Dimension]:
        """What a question with a superlative asks for: who, or behind "which" or "three", or else its first words."""
        found = list(self._asked_for(limit, degree))
        yield from found or self._dimensions(0, frozenset(), degree)

    def _asked_for(self, limit: Words, degree: Words) -> Iterator[Dimension]:
        for i, token in enumerate(self._tokens):
            if token.text == "who" and any(isinstance(a.meaning, Noun) and a.last == i for a in self._anchors):
                continue  # "customers who …"
            if token.text in _WHO or (limit and i > max(limit) and token.text in _EARNERS):
                for label in sorted(self._grammar.words.persons):
                    yield Dimension(frozenset({i}), label, features=(("guess", 0.2),))
            elif token.text in _WHICH or (limit and i == max(limit)):
                yield from self._dimensions(i + 1, frozenset({i}), degree)

    def _dimensions(self, place: int, said: Words = frozenset(), degree: Words = frozenset()) -> Iterator[Dimension]:
        """What a word at a place may group by; words that say little may stand before it."""
        for first in range(place, min(place + _SKIPPED, len(self._tokens))):
            skipped = range(place, first)
            if any(self._is_heavy(i) and i not in degree for i in skipped):
                return
            found = [each for each in self._anchors if each.first == first]
            for item in sorted(found, key=lambda each: (-(each.last - each.first), each.cost))[:_DIMENSIONS]:
                words = said | words_of(item) | frozenset(skipped)
                yield from _as_dimensions(item, words, self._grammar.words.persons)
            if found and self._is_heavy(first):
                return

    def _is_heavy(self, place: int) -> bool:
        text = self._tokens[place].text
        return text not in FREE and text not in light() and text not in _KINDS


def _is_value(given: ConditionNoun) -> bool:
    """Whether it is one value of a property."""
    return (
        bool(given.choices) and len(given.values) == 1 and given.comparison == "=" and isinstance(given.values[0], str)
    )


def is_amount_bound(meaning: object) -> bool:
    """Whether something is above, or below, an amount: "over 8000"."""
    if not isinstance(meaning, ConditionNoun) or meaning.choices or meaning.test or meaning.than or meaning.average:
        return False
    amount = all(isinstance(value, int | float) and not isinstance(value, bool) for value in meaning.values)
    return bool(meaning.values) and amount and meaning.comparison != "=" and not (meaning.others or meaning.path)


def _is_role_alone(noun: Noun) -> bool:
    """Whether nothing more is said of nodes than what they are for others."""
    nodes = noun.nodes
    bare = replace(nodes, links=()).bare and not noun.named
    return bare and len(nodes.links) == 1 and nodes.links[0].path == noun.role and nodes.links[0].other.bare


def _as_dimensions(item: AnyItem, words: Words, persons: Iterable[str]) -> Iterator[Dimension]:
    meaning = item.meaning
    if isinstance(meaning, Period) and meaning.unit:
        yield Dimension(words, period=meaning.unit, features=item.features)
    elif isinstance(meaning, Noun) and meaning.nodes.bare and not meaning.wild and meaning.role is None:
        yield Dimension(words, meaning.nodes.label, features=item.features)
    elif isinstance(meaning, Noun) and meaning.role is not None and _is_role_alone(meaning):
        yield Dimension(words, meaning.nodes.label, role=meaning.role, features=item.features)
    elif isinstance(meaning, Noun) and meaning.wild == "who":
        for label in sorted(persons):
            yield Dimension(words, label, features=(("guess", 0.2),))
    elif isinstance(meaning, PropertyNoun) and meaning.function is None and not meaning.quantity:
        for choice in [c for c in meaning.choices if c.kind in _GROUPING and not c.of_relation][:_CHOICES]:
            yield Dimension(words, choice.label, choice, features=(*item.features, ("property", choice.cost)))
