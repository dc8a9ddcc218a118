"""What an analytic question measures: a property of facts, how many there are, what was sold, or what came in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

from clew.tools.graph.identifiers import identifier_words
from clew.tools.linking.ordinary import QUESTION_WORDS
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.floating.parts import Words
from clew.tools.queries.reading.forms.functions import WORKED_OUT, Function
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    ConditionNoun,
    Feature,
    Noun,
    Operator,
    PropertyChoice,
    PropertyNoun,
)
from clew.tools.queries.reading.forms.quantities import adds_up, is_quantity
from clew.tools.queries.reading.measures.money import CALLED, Money
from clew.tools.queries.reading.measures.slots import MEASURED, Aim, Measure, places, words_of
from clew.tools.queries.reading.rules.edge_amounts import is_calculated
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.schema.property_names import root

_TRADE = frozenset({
    "sold", "sell", "sells", "bought", "buy", "buys", "purchased", "purchase", "ordered", "order", "sales",
    "selling", "booked",
})  # fmt: skip
_PIECES = frozenset({"quantity", "units", "pieces", "items", "volume"})
_POPULAR = frozenset({"popular", "common", "frequent", "busiest", "often", "frequently"})
_RETURNED = frozenset({"return", "returns", "returned", "refund", "refunds", "cancelled"})
_TAKINGS = frozenset({
    "revenue", "turnover", "takings", "sales", "income", "invoiced", "billed", "charged", "money", "value", "spend",
    "spent", "paid", "earned", "claimed", "euro", "euros", "eur", "dollars", "usd", "pounds", "gbp",
})  # fmt: skip
"""Words for money that came in or went out …"""
_BILLING = frozenset({"invoice", "bill", "charge", "earn"})
"""… and verbs behind "we" for the same."""
_COME = frozenset({"come", "comes", "came", "add", "adds", "amount", "amounts"})
_WORTH = _COME | {"worth", "total", "totals", "sum"}
_HEADS = frozenset({"headcount", "headcounts"})
_BESIDE = 2
"""Words from "how much" to what is measured, at most."""
_CHOICES = 3
_NEAR = 0.5
"""What a property may cost that is measured, or whose owner is a kind of facts that is meant …"""
_FAR = 0.75
"""… and where "most" is said: "refunded the most"."""

_OTHER_COUNTED = 1.5
"""What it costs to count other things than those behind "how many"."""
_OF_ANOTHER = 0.5
"""What a property costs more than one of a kind of thing that is said: the score of a *review*."""


class Amounts:
    """What one question may measure.

    Args:
        anchors: The words that name something.
        grammar: The question.
        heavy: The places of words that must be explained.
    """

    def __init__(self, anchors: Sequence[AnyItem], grammar: Grammar, heavy: Words) -> None:
        self._anchors, self._grammar = anchors, grammar
        self._tokens: Sequence[Token] = grammar.tokens
        self._money = Money(grammar)
        self._operators = [(i.meaning, words_of(i)) for i in anchors if isinstance(i.meaning, Operator)]

    def measures(self, aim: Aim) -> Iterator[Measure]:
        """What may be measured, of words that the aim does not use, with further words that say no more of it."""
        for measure in self._measures(aim):
            yield replace(measure, words=measure.words | (self._money.beside(measure.choice) - aim.words))

    def _measures(self, aim: Aim) -> Iterator[Measure]:
        if aim.kind == "those":
            yield from self._kinds(aim)
            return
        for item in self._anchors:
            words = words_of(item)
            if words & aim.words:
                continue
            meaning = item.meaning
            if isinstance(meaning, PropertyNoun) and not meaning.quantity:
                yield from self._of_property(item, meaning, words, aim)
            elif isinstance(meaning, Noun) and meaning.nodes.bare and not meaning.wild and meaning.role is None:
                yield from self._number(item, meaning.nodes.label, words, aim)
                yield from self._amount_of(item, meaning.nodes.label, words, aim)
            elif isinstance(meaning, ConditionNoun) and aim.kind == "best" and aim.totalled and _is_test(meaning):
                for label in dict.fromkeys(c.label for c in meaning.choices if not c.of_relation):
                    yield from self._number(item, label, frozenset(), aim)  # "off sick most often"
        if aim.bound is not None:
            yield from self._worth(aim)
            return
        yield from self._traded(aim)
        yield from self._takings(aim)
        yield from self._given_away(aim)
        yield from self._heads(aim)

    def _of_property(self, item: AnyItem, owned: PropertyNoun, words: Words, aim: Aim) -> Iterator[Measure]:
        meant = {(c.label, c.name) for c in aim.choices}
        most = _FAR if aim.amounts else _NEAR
        choices = [c for c in owned.choices if c.kind in MEASURED and (c.cost <= most or is_calculated(c))]
        choices = [c for c in choices if not meant or (c.label, c.name) in meant]
        of_said = any(choice.label in self._labels for choice in choices)
        choices.sort(key=lambda choice: choice.label not in self._labels)
        for choice in choices[:_CHOICES]:
            other = ("guess", _OF_ANOTHER * (of_said and choice.label not in self._labels))
            for function, said, features in self._functions(owned, choice, aim, item.first):
                features = (*item.features, ("property", choice.cost), other, *features)
                yield Measure(choice.label, choice, function, words | said, features)

    @cached_property
    def _labels(self) -> set[str]:
        """The kinds of things that the question says."""
        nouns = (item.meaning for item in self._anchors if isinstance(item.meaning, Noun))
        return {noun.nodes.label for noun in nouns if noun.nodes.bare and not noun.wild}

    def _functions(
        self, owned: PropertyNoun, choice: PropertyChoice, aim: Aim, place: int
    ) -> Iterator[tuple[Function, Words, tuple[Feature, ...]]]:
        """How the values become one number: as words say, or else as the property's numbers usually do."""
        if owned.function in WORKED_OUT:
            yield owned.function, frozenset(), ()
            return
        said = [(o.function, words) for o, words in self._operators if o.function in WORKED_OUT]
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
            elif choice.cost <= CALLED and self._tokens[0].text not in QUESTION_WORDS:
                yield "sum", much, (("guess", 1.0),)
        elif aim.kind != "number":
            yield "avg", frozenset(), (("guess", 0.5),)

    @cached_property
    def _counted(self) -> str:
        """The kind of thing that stands behind "how many"; empty where none does."""
        behind = max(self._much(), default=-2) + 1
        nouns = [i for i in self._anchors if isinstance(i.meaning, Noun) and i.first == behind]
        bare = [i.meaning.nodes.label for i in nouns if i.meaning.nodes.bare and not i.meaning.wild and not i.cost]
        return bare[0] if bare else ""

    def _worked_out(self, choice: PropertyChoice, aim: Aim) -> Iterator[tuple[Function, Words, tuple[Feature, ...]]]:
        return self._functions(PropertyNoun((choice,)), choice, aim, 0)

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
            meaning, words = item.meaning, words_of(item)
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
        own = [choice for choice in self._money.amounts if choice.label == label]
        if own and aim.kind == "number" and (come := self._come_to()):
            yield Measure(label, own[0], "sum", words | come, (*item.features, ("guess", 0.3)))
        for choice in own[:1] if aim.kind == "compare" or not aim.totalled else ():
            for function, said, features in self._functions(PropertyNoun((choice,)), choice, aim, 0):
                if said or aim.kind == "compare" or (aim.kind == "best" and not aim.choices):
                    yield Measure(label, choice, function, words | said, (*item.features, ("guess", 0.3), *features))

    def _come_to(self) -> Words:
        """ "What do the invoices *come to*?", "add up to"."""
        texts = [token.text for token in self._tokens]
        come = next((i for i, text in enumerate(texts) if text in _COME), len(texts))
        to = next((i for i in range(come + 1, min(come + 3, len(texts))) if texts[i] == "to"), None)
        return frozenset(range(come, to + 1)) if to is not None else frozenset()

    def _takings(self, aim: Aim) -> Iterator[Measure]:
        """ "Turnover", "how much was paid": the amount of whatever has one, if no property is called so."""
        billed = self._billed()
        said = (places(self._tokens, _TAKINGS) | billed) - (frozenset() if aim.compared else aim.words)
        much = self._much()
        asks = bool(much or billed) or aim.kind != "number" or any(o.function in WORKED_OUT for o, _ in self._operators)
        called = {root(self._tokens[i].text) for i in said}  # "Invoiced" is rather of invoices.
        amounts = sorted(
            self._money.amounts, key=lambda each: not called & set(map(root, identifier_words(each.label)))
        )
        for place, choice in enumerate(amounts[:_CHOICES] if said and asks and not aim.choices else ()):
            summed = replace(aim, totalled=True)
            for function, words, features in self._functions(PropertyNoun((choice,)), choice, summed, max(said)):
                guess = ("guess", 0.5 + 0.5 * place)
                yield Measure(choice.label, choice, function, said | words | much, (guess, *features))

    def _worth(self, aim: Aim) -> Iterator[Measure]:
        """The amounts of money of "orders over 8000", of those that have one themselves before the others."""
        assert aim.dimension is not None
        label, said = aim.dimension.label, places(self._tokens, _TAKINGS | _WORTH) - aim.words
        own = sorted(self._money.amounts, key=lambda choice: choice.label != label)
        for place, choice in enumerate(own[:_CHOICES]):
            yield Measure(choice.label, choice, "sum", said, (("guess", 0.3 + 0.3 * place),))

    def _billed(self) -> Words:
        """ "What did we *invoice* in March"."""
        texts = [token.text for token in self._tokens]
        return frozenset(i for i in range(1, len(texts)) if texts[i] in _BILLING and texts[i - 1] == "we")

    def _given_away(self, aim: Aim) -> Iterator[Measure]:
        """The discounts that were given, as an amount."""
        said, choices = self._money.given_away()
        for choice in choices if not said & aim.words else ():
            yield Measure(choice.label, choice, "sum", said | self._much(), (("property", 0.1),))

    def _heads(self, aim: Aim) -> Iterator[Measure]:
        """ "Headcount": the number of people who work there."""
        said = places(self._tokens, _HEADS)
        words = self._grammar.words
        employed = [label for label, _ in (*words.labels.get("employee", ()), *words.labels.get("staff", ()))]
        for label in (employed or sorted(words.persons))[:1] if said and not said & aim.words else ():
            yield Measure(label, None, "count", said)

    def _traded(self, aim: Aim) -> Iterator[Measure]:
        """How much was bought or sold, by the quantity that the schema has for it."""
        said = places(self._tokens, _TRADE)
        pieces = places(self._tokens, _PIECES) - aim.words
        counted = any(o.function in ("sum", "count") for o, _ in self._operators)
        if not said or not (aim.kind != "number" or self._much() or counted):
            return
        for choice in self._grammar.words.choices:
            if choice.kind == "number" and is_quantity(choice.name) and not aim.choices:
                back = _RETURNED & set(identifier_words(choice.label))
                other = aim.kind == "number" and self._counted in self._grammar.words.persons
                guess = (("guess", 1.5 if back else 0.3), ("guess", _OTHER_COUNTED * other))
                yield Measure(choice.label, choice, "sum", said | pieces | self._much(), guess)

    def _number(self, item: AnyItem, label: str, words: Words, aim: Aim) -> Iterator[Measure]:
        """The number of nodes of a label."""
        if any(o.function in WORKED_OUT for o, _ in self._operators):
            return
        counting = frozenset().union(*(w for o, w in self._operators if o.function == "count")) | self._much()
        popular = any(token.text in _POPULAR for token in self._tokens)
        if counting or aim.kind == "each" or (aim.kind in ("best", "compare") and (aim.totalled or popular)):
            guess: tuple[Feature, ...] = () if counting or aim.totalled else (("guess", 0.5),)
            guess += (("guess", _OTHER_COUNTED),) * (aim.kind == "number" and self._counted not in ("", label))
            yield Measure(label, None, "count", words | counting, (*item.features, *guess))


def _is_test(given: ConditionNoun) -> bool:
    """Whether it is a value, or another property, that a property is compared with."""
    return bool(given.values or given.others)
