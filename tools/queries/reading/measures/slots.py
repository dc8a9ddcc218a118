"""The slots of an analytic question: what is measured, for each of what, and which of those."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal

from clew.tools.graph.identifiers import identifier_words
from clew.tools.linking.ordinary import QUESTION_WORDS
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.anchors.spending import as_sum
from clew.tools.queries.reading.english.gap import denies
from clew.tools.queries.reading.english.words import FREE, light
from clew.tools.queries.reading.floating.parts import Words
from clew.tools.queries.reading.forms.form import WORKED_OUT, Function, PeriodUnit
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    ConditionNoun,
    Feature,
    Noun,
    Operator,
    Period,
    PropertyChoice,
    PropertyNoun,
    Superlative,
)
from clew.tools.queries.reading.forms.quantities import adds_up, is_quantity
from clew.tools.queries.reading.rules.edge_amounts import is_calculated
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
_TRADE = frozenset({
    "sold", "sell", "sells", "bought", "buy", "buys", "purchased", "purchase", "ordered", "order", "sales",
    "selling", "booked",
})  # fmt: skip
_MONEY_VERBS = frozenset({
    "spent", "spend", "spends", "paid", "pay", "pays", "bring", "brings", "brought", "generate", "generates",
    "generated", "make", "makes", "made", "earn", "earns", "earned", "money", "sold", "sell", "sells", "bought", "buy",
    "cost", "costs",
})  # fmt: skip
_POPULAR = frozenset({"popular", "common", "frequent", "busiest", "often", "frequently"})
_RETURNED = frozenset({"return", "returns", "returned", "refund", "refunds", "cancelled"})
_WHO = frozenset({"who", "whom", "everybody", "everyone", "anybody", "anyone", "people", "person"})
_TAKINGS = frozenset({
    "revenue", "turnover", "takings", "sales", "income", "invoiced", "billed", "charged", "money", "value", "spend",
    "spent", "paid", "earned", "claimed", "refunded",
})  # fmt: skip
"""Words for money that came in or went out."""
_WHOLE = frozenset({"total"})
_EARNERS = frozenset(
    {"earners", "sellers", "performers", "spenders", "buyers", "scorers", "earner", "seller", "spender"}
)
_HEADS = frozenset({"headcount", "headcounts"})
_EXPENSIVE = "expensive"
"""The adjective of amounts of money."""
_BEST_SELLING = {(one, other) for one in ("best", "top", "most") for other in ("selling", "sold")}
_WHICH = frozenset({"which", "what", "whose"})
_BESIDE = 2
"""Words from "how much" to what is measured, at most."""
_SKIPPED = 3
"""Words between "by" and what follows, at most."""
_GROUPING = ("text", "boolean", "identifier")
_MEASURED = ("number", "written number")
_CHOICES, _DIMENSIONS = 3, 6
_NEAR = 0.5
"""What a property may cost that is measured, or whose owner is a kind of facts that is meant …"""
_FAR = 0.75
"""… and where "most" is said: "refunded the most"."""
_CALLED = 0.05
"""What it may cost where nothing says that it is added up."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """What a number is given for each of: nodes of a label, values of a property, or periods of the facts' date."""

    words: Words
    label: str = ""
    choice: PropertyChoice | None = None
    period: PeriodUnit = ""
    features: tuple[Feature, ...] = ()


@dataclass(frozen=True, slots=True)
class Aim:
    """Whether one number is asked for, a number for each of several, or the best of these."""

    kind: Literal["number", "each", "best", "those"]
    """"those" asks for what the facts refer to: who has handed in a claim."""
    words: Words
    dimension: Dimension | None = None
    descending: bool = True
    limit: int = 1
    totalled: bool = False
    """Whether amounts are added up: of "most", or of "best", which may be so by any …"""
    amounts: bool = False
    """… and whether "most" or "least" is said."""
    choices: tuple[PropertyChoice, ...] = ()
    """What an adjective, such as "most expensive", means; empty where "most" or "highest" says nothing of it."""
    denied: bool = False
    """Whether those are asked for that have no such facts."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What is worked out over facts: a function of a property, or their number."""

    label: str
    """The facts, or the type of the relationships."""
    choice: PropertyChoice | None
    function: Function
    words: Words
    features: tuple[Feature, ...] = ()


class Slots:
    """The slots of one question.

    Args:
        anchors: The words that name something.
        grammar: The question.
    """

    def __init__(self, anchors: Sequence[AnyItem], grammar: Grammar) -> None:
        self._anchors, self._grammar = anchors, grammar
        self._tokens: Sequence[Token] = grammar.tokens
        self.operators = [(i.meaning, _words(i)) for i in anchors if isinstance(i.meaning, Operator)]

    def aims(self) -> Iterator[Aim]:
        """What may be asked for."""
        texts = [token.text for token in self._tokens]
        superlatives = [i for i in self._anchors if isinstance(i.meaning, Superlative) and not i.meaning.skip]
        talk = frozenset(i for i, text in enumerate(texts) if text in _TALK)
        for place, text in enumerate(texts):
            if text in _EACH:
                for dimension in self._dimensions(place + 1):
                    yield Aim("each", talk | {place} | dimension.words, dimension)
        yield from self._best_selling()
        for item in superlatives:
            limit, said = self._limit(item)
            degree = {token.text for token in self._tokens[item.first : item.last]}
            totalled = bool(degree & (_TOTALLED | _BEST))
            also = frozenset(i for i, text in enumerate(texts) if text in _OFTEN and i >= item.first)
            for dimension in self._asked(said, _words(item)):
                words = _words(item) | said | dimension.words | also
                how = item.meaning
                choices = () if degree & _BEST else how.choices
                amounts = bool(degree & _TOTALLED)
                yield Aim("best", words, dimension, how.descending, limit, totalled, amounts, choices)
        if not superlatives:
            yield Aim("number", frozenset())
            denials = [i for i in range(len(texts)) if denies(self._tokens, i)]
            for dimension in self._asked(frozenset()) if not _EACH & set(texts) else ():
                if dimension.label and dimension.choice is None:
                    yield Aim("those", dimension.words, dimension)
                    for place in denials:
                        yield Aim("those", dimension.words | {place}, dimension, denied=True)

    def _best_selling(self) -> Iterator[Aim]:
        """ "The best selling product", "top sellers"."""
        texts = [token.text for token in self._tokens]
        for i, pair in enumerate(pairwise(texts)):
            if pair in _BEST_SELLING or texts[i] == "best-selling":
                words = frozenset({i} if "-" in texts[i] else {i, i + 1})
                limit = next((o.limit for o, _ in self.operators if o.function == "first" and o.limit), 1)
                for dimension in self._dimensions(max(words) + 1):
                    yield Aim("best", (words - {i + 1}) | dimension.words, dimension, True, limit, True)

    def _limit(self, item: AnyItem) -> tuple[int, Words]:
        """How many of the best are asked for, with the words that say so."""
        for operator, words in self.operators:
            if operator.function == "first" and operator.limit:
                return operator.limit, words
        return item.meaning.limit, frozenset()

    def _asked(self, limit: Words, degree: Words = frozenset()) -> Iterator[Dimension]:
        """What a question with a superlative asks for: behind "which" or "three", or who."""
        for i, token in enumerate(self._tokens):
            if token.text in _WHO or (limit and i > max(limit) and token.text in _EARNERS):
                for label in sorted(self._grammar.words.persons):
                    yield Dimension(frozenset({i}), label, features=(("guess", 0.2),))
            elif token.text in _WHICH or (limit and i == max(limit)):
                yield from self._dimensions(i + 1, frozenset({i}), degree)
        if limit and max(limit) + 1 < len(self._tokens):
            return
        yield from self._dimensions(0, frozenset(), degree)

    def _dimensions(self, place: int, said: Words = frozenset(), degree: Words = frozenset()) -> Iterator[Dimension]:
        """What a word at a place may group by; words that say little may stand before it."""
        for first in range(place, min(place + _SKIPPED, len(self._tokens))):
            skipped = range(place, first)
            if any(self._is_heavy(i) and i not in degree for i in skipped):
                return
            found = [each for each in self._anchors if each.first == first]
            for item in sorted(found, key=lambda each: (-(each.last - each.first), each.cost))[:_DIMENSIONS]:
                words = said | _words(item) | frozenset(skipped)
                yield from _as_dimensions(item, words, self._grammar.words.persons)
            if found and self._is_heavy(first):
                return

    def _is_heavy(self, place: int) -> bool:
        text = self._tokens[place].text
        return text not in FREE and text not in light() and text not in ("type", "types", "kind", "kinds", "sort")

    def measures(self, aim: Aim) -> Iterator[Measure]:
        """What may be measured, of words that the aim does not use, with further words that say no more of it."""
        for measure in self._measures(aim):
            yield replace(measure, words=measure.words | self._money_words(measure, aim))

    def _money_words(self, measure: Measure, aim: Aim) -> Words:
        """Verbs such as "spent" beside an amount of money."""
        choice = measure.choice
        if choice is None or not (is_calculated(choice) or (choice.label, choice.name) in self._money):
            return frozenset()
        return frozenset(i for i, token in enumerate(self._tokens) if token.text in _MONEY_VERBS) - aim.words

    @cached_property
    def _money(self) -> set[tuple[str, str]]:
        return {(choice.label, choice.name) for choice in self._grammar.words.adjective(_EXPENSIVE)}

    def _measures(self, aim: Aim) -> Iterator[Measure]:
        if aim.kind == "those":
            yield from self._kinds(aim)
            return
        for item in self._anchors:
            words = _words(item)
            if words & aim.words:
                continue
            meaning = item.meaning
            if isinstance(meaning, PropertyNoun) and not meaning.quantity:
                yield from self._of_property(item, meaning, words, aim)
            elif isinstance(meaning, Noun) and meaning.nodes.bare and not meaning.wild and meaning.role is None:
                yield from self._number(item, meaning.nodes.label, words, aim)
                yield from self._amount_of(item, meaning.nodes.label, words, aim)
            elif isinstance(meaning, ConditionNoun) and aim.kind == "best" and aim.totalled and meaning.values:
                for label in dict.fromkeys(c.label for c in meaning.choices if not c.of_relation):
                    yield from self._number(item, label, frozenset(), aim)  # "off sick most often"
        yield from self._traded(aim)
        yield from self._takings(aim)
        yield from self._heads(aim)

    def _of_property(self, item: AnyItem, owned: PropertyNoun, words: Words, aim: Aim) -> Iterator[Measure]:
        meant = {(c.label, c.name) for c in aim.choices}
        most = _FAR if aim.amounts else _NEAR
        choices = [c for c in owned.choices if c.kind in _MEASURED and (c.cost <= most or is_calculated(c))]
        choices = [c for c in choices if not meant or (c.label, c.name) in meant]
        for choice in choices[:_CHOICES]:
            for function, said, features in self._functions(owned, choice, aim, item.first):
                features = (*item.features, ("property", choice.cost), *features)
                yield Measure(choice.label, choice, function, words | said, features)

    def _functions(
        self, owned: PropertyNoun, choice: PropertyChoice, aim: Aim, place: int
    ) -> Iterator[tuple[Function, Words, tuple[Feature, ...]]]:
        """How the values become one number: as words say, or else as the property's numbers usually do."""
        if owned.function in WORKED_OUT:
            yield owned.function, frozenset(), ()
            return
        said = [(o.function, words) for o, words in self.operators if o.function in WORKED_OUT]
        for function, words in said:
            yield function, words - aim.words, ()
        if said:
            return
        if aim.kind == "best" and not (aim.totalled or is_calculated(choice)):
            yield ("max" if aim.descending else "min"), frozenset(), ()
        elif adds_up(choice.name):
            much = frozenset(i for i in self._much() if place - _BESIDE <= i < place)
            if much or aim.kind != "number" or is_calculated(choice):
                yield "sum", much, ()
            elif choice.cost <= _CALLED and self._tokens[0].text not in QUESTION_WORDS:
                yield "sum", much, (("guess", 1.0),)
        elif aim.kind != "number":
            yield "avg", frozenset(), (("guess", 0.5),)

    def _much(self) -> Words:
        texts = [token.text for token in self._tokens]
        return frozenset(
            place
            for i, (one, other) in enumerate(pairwise(texts))
            if one == "how" and other in ("much", "many")
            for place in (i, i + 1)
        )

    def _kinds(self, aim: Aim) -> Iterator[Measure]:
        """The kinds of facts that are said, or whose values are."""
        assert aim.dimension is not None
        for item in self._anchors:
            meaning, words = item.meaning, _words(item)
            if words & aim.words:
                continue
            if isinstance(meaning, Noun) and meaning.nodes.bare and not meaning.wild and meaning.role is None:
                if meaning.nodes.label != aim.dimension.label:
                    yield Measure(meaning.nodes.label, None, "count", words, item.features)
            elif isinstance(meaning, ConditionNoun | PropertyNoun):
                near = [c for c in meaning.choices[:_CHOICES] if not c.of_relation and c.cost <= _NEAR]
                for label in dict.fromkeys(c.label for c in near):
                    if label != aim.dimension.label:
                        yield Measure(label, None, "count", frozenset(), (("guess", 0.3),))

    def _amount_of(self, item: AnyItem, label: str, words: Words, aim: Aim) -> Iterator[Measure]:
        """The amount of money that a node is: the pay of a Salary, the total of an Invoice."""
        own = [choice for choice in self._amounts if choice.label == label]
        for choice in own[:1] if not aim.totalled else ():
            for function, said, features in self._functions(PropertyNoun((choice,)), choice, aim, 0):
                if said or (aim.kind == "best" and not aim.choices):
                    yield Measure(label, choice, function, words | said, (*item.features, ("guess", 0.3), *features))

    @cached_property
    def _amounts(self) -> list[PropertyChoice]:
        """The amounts of money of nodes: totals before their parts, and before what one thing costs."""
        words = self._grammar.words
        money = [c for form in ("paid", _EXPENSIVE) for c in words.adjective(form) if c.kind in _MEASURED]
        money += [c for c in words.choices() if c.kind in _MEASURED and _WHOLE & set(identifier_words(c.name))]
        whole = {(c.label, c.name): c for c in filter(None, map(as_sum, money)) if not c.of_relation}
        return sorted(whole.values(), key=lambda choice: choice.cost)

    def _takings(self, aim: Aim) -> Iterator[Measure]:
        """ "Turnover", "how much was paid": the amount of whatever has one, if no property is called so."""
        said = frozenset(i for i, token in enumerate(self._tokens) if token.text in _TAKINGS) - aim.words
        much = self._much()
        for place, choice in enumerate(self._amounts[:_CHOICES] if said and (aim.kind != "number" or much) else ()):
            summed = replace(aim, totalled=True)
            for function, words, features in self._functions(PropertyNoun((choice,)), choice, summed, max(said)):
                guess = ("guess", 0.5 + 0.5 * place)
                yield Measure(choice.label, choice, function, said | words | much, (guess, *features))

    def _heads(self, aim: Aim) -> Iterator[Measure]:
        """ "Headcount": the number of people who work there."""
        said = frozenset(i for i, token in enumerate(self._tokens) if token.text in _HEADS)
        words = self._grammar.words
        employed = [label for label, _ in (*words.labels.get("employee", ()), *words.labels.get("staff", ()))]
        for label in (employed or sorted(words.persons))[:1] if said and not said & aim.words else ():
            yield Measure(label, None, "count", said)

    def _traded(self, aim: Aim) -> Iterator[Measure]:
        """How much was bought or sold, by the quantity that the schema has for it."""
        said = frozenset(i for i, token in enumerate(self._tokens) if token.text in _TRADE)
        if not said or not (aim.kind != "number" or self._much()):
            return
        for choice in self._grammar.words.choices():
            if choice.kind == "number" and is_quantity(choice.name) and not aim.choices:
                back = _RETURNED & set(identifier_words(choice.label))
                yield Measure(choice.label, choice, "sum", said | self._much(), (("guess", 1.5 if back else 0.3),))

    def _number(self, item: AnyItem, label: str, words: Words, aim: Aim) -> Iterator[Measure]:
        """The number of nodes of a label."""
        if any(o.function in WORKED_OUT for o, _ in self.operators):
            return
        counting = frozenset().union(*(w for o, w in self.operators if o.function == "count")) | self._much()
        popular = any(token.text in _POPULAR for token in self._tokens)
        if counting or aim.kind == "each" or (aim.kind == "best" and (aim.totalled or popular)):
            guess: tuple[Feature, ...] = () if counting or aim.totalled else (("guess", 0.5),)
            yield Measure(label, None, "count", words | counting, (*item.features, *guess))


def _as_dimensions(item: AnyItem, words: Words, persons: Iterable[str]) -> Iterator[Dimension]:
    meaning = item.meaning
    if isinstance(meaning, Period) and meaning.unit:
        yield Dimension(words, period=meaning.unit, features=item.features)
    elif isinstance(meaning, Noun) and meaning.nodes.bare and not meaning.wild and meaning.role is None:
        yield Dimension(words, meaning.nodes.label, features=item.features)
    elif isinstance(meaning, Noun) and meaning.wild == "who":
        for label in sorted(persons):
            yield Dimension(words, label, features=(("guess", 0.2),))
    elif isinstance(meaning, PropertyNoun) and meaning.function is None and not meaning.quantity:
        for choice in [c for c in meaning.choices if c.kind in _GROUPING and not c.of_relation][:_CHOICES]:
            yield Dimension(words, choice.label, choice, features=(*item.features, ("property", choice.cost)))


def _words(item: AnyItem) -> Words:
    return frozenset(range(item.first, item.last))
