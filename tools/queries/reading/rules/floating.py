"""Parts of a question joined over the schema, wherever they stand in it.

The chart of `composer.py` joins what stands together as its rules of English allow. Sentences that no rule foresees
("what salary is X on", "credit limit with X?") have the same parts, and the schema allows few ways to join them. So the
parts float (Pasupat and Liang 2015): a head set is linked to other sets, narrowed by conditions, ordered, and asked for
a property, in any order of the words. A beam keeps the states that explain most words at the least cost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import nsmallest
from time import monotonic

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.english.words import FREE, NEGATIVE, light
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Path
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    ConditionNoun,
    CountOf,
    Feature,
    Item,
    Noun,
    Number,
    Operator,
    PropertyNoun,
    Ranking,
    Superlative,
    Whole,
)
from clew.tools.queries.reading.forms.scoring import WEIGHTS, cost
from clew.tools.queries.reading.rules.agreement import agreement
from clew.tools.queries.reading.rules.condition_rules import noun_condition, noun_count
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.number_rules import noun_number
from clew.tools.queries.reading.rules.order_rules import noun_ranking, superlative_noun
from clew.tools.queries.reading.rules.same_label import merged
from clew.tools.queries.reading.rules.value_rules import values_of

FLOATS = ("floats", 1.0)
"""What it costs that word order is not looked at."""
_IMPLIED = ("guess", 0.3)
"""What it costs that the head set is not said, only its property."""
_KINDS = (Noun, PropertyNoun, ConditionNoun, Number, Ranking, Superlative, CountOf)
_MOST_PARTS, _BEAM, _DEPTH, _EACH, _ENDS = 40, 24, 4, 2, 40
_LEAST_OF_VERB = 0.3
_NEGATED_FROM = 5
"""Words between a negation and what it negates, at most."""
_UNSAID = frozenset({"attached high", "head"})
"""Features of word order."""
Floated = tuple[AnyItem, frozenset[int]]
"""An item, and the words that it explains."""


@dataclass(frozen=True, slots=True)
class _Part:
    item: AnyItem
    words: frozenset[int]

    @property
    def first(self) -> int:
        return self.item.first


@dataclass(frozen=True, slots=True)
class _State:
    head: Item[Noun]
    words: frozenset[int]
    last: int
    """The last part that was taken: parts are taken in their order."""
    promised: Item[PropertyNoun] | None = None
    """The property whose owner the head is, where no word says the head."""


class Floating:
    """The parts of one question, and what they may be joined to."""

    def __init__(self, chart: Iterable[AnyItem], grammar: Grammar, until: float) -> None:
        self.grammar, self._until = grammar, until
        self._heavy = frozenset(i for i, token in enumerate(grammar.tokens) if _needs_reason(token))
        self._negative = [i for i, token in enumerate(grammar.tokens) if token.text in NEGATIVE]
        self._parts = self._best_parts(list(chart))

    def items(self) -> Iterator[Floated]:
        """Whole questions, or sets, with the words that they explain."""
        states = list(self._heads())
        ended: list[_State] = list(states)
        for _ in range(_DEPTH):
            if monotonic() > self._until:
                return
            states = self._best(each for state in states for each in self._longer(state))
            ended += states
        for state in nsmallest(_ENDS, ended, key=self._outlook):
            yield from self._ends(state)
            if monotonic() > self._until:
                return

    # ---- parts ------------------------------------------------------------------------------------------------------

    def _best_parts(self, items: list[AnyItem]) -> list[_Part]:
        by_span: dict[tuple[int, int, type], list[AnyItem]] = defaultdict(list)
        for item in items:
            meaning = item.meaning
            if isinstance(meaning, _KINDS) and not (isinstance(meaning, Noun) and meaning.wild):
                by_span[item.first, item.last, type(meaning)].append(item)
        parts = []
        for same in by_span.values():
            for item in nsmallest(_EACH, same, key=lambda each: each.cost):
                words = frozenset(range(item.first, item.last))
                said = len(words & self._heavy)
                if (said or isinstance(item.meaning, PropertyNoun | Superlative | Number)) and item.cost < 0.5 + said:
                    parts.append(_Part(item, words))
        best = nsmallest(_MOST_PARTS, parts, key=lambda part: self._worth(part.item.cost, part.words))
        return sorted(best, key=lambda part: part.first)

    def _worth(self, own: float, words: frozenset[int]) -> float:
        """A cost, less that of the words which are explained for it."""
        return own - WEIGHTS["unexplained"] * len(words & self._heavy)

    def _outlook(self, state: _State) -> float:
        return self._worth(state.head.cost, state.words)

    def _best(self, states: Iterable[_State]) -> list[_State]:
        best: dict[object, _State] = {}
        for state in states:
            key = (state.head.meaning.nodes, state.words, state.promised is None)
            known = best.get(key)
            if known is None or state.head.cost < known.head.cost:
                best[key] = state
        return nsmallest(_BEAM, best.values(), key=self._outlook)

    # ---- heads ------------------------------------------------------------------------------------------------------

    def _heads(self) -> Iterator[_State]:
        for part in self._parts:
            if isinstance(part.item.meaning, Noun):
                yield _State(part.item, part.words, -1)
        said = {part.item.meaning.nodes.label for part in self._parts if isinstance(part.item.meaning, Noun)}
        for label, part in sorted(self._owners().items()):
            if label not in said:
                place = part.item.first
                noun = Noun(Nodes(label), plural=True)
                yield _State(Item(place, place, noun, cost([_IMPLIED]), (_IMPLIED,)), frozenset(), -1)

    def _owners(self) -> dict[str, _Part]:
        """The labels that have a property which is named, or a value; and people, where "who" asks for them."""
        found: dict[str, _Part] = {}
        for part in self._parts:
            choices = getattr(part.item.meaning, "choices", ())
            for choice in choices[:4]:
                if not choice.of_relation and choice.label in self.grammar.words.schema.labels:
                    found.setdefault(choice.label, part)
        return found

    # ---- longer states ----------------------------------------------------------------------------------------------

    def _longer(self, state: _State) -> Iterator[_State]:
        for i, part in enumerate(self._parts):
            if i == state.last or part.words & state.words:
                continue
            if i < state.last and not isinstance(part.item.meaning, Noun):
                continue
            negated = self._negation(state, part)
            words = state.words | part.words | negated
            for item, also in self._joined(state, part, bool(negated)):
                if not isinstance(item.meaning, Noun):
                    continue
                kept = tuple(each for each in item.features if each[0] not in _UNSAID)
                head = Item(state.head.first, state.head.last, item.meaning, cost(kept), kept)
                yield _State(head, words | also, max(i, state.last))

    def _negation(self, state: _State, part: _Part) -> frozenset[int]:
        """The negation that a part stands behind."""
        near = [n for n in self._negative if n not in state.words and 0 < part.first - n <= _NEGATED_FROM]
        return frozenset(near[-1:])

    def _joined(self, state: _State, part: _Part, negated: bool) -> Iterator[Floated]:
        head, item, grammar = state.head, part.item, self.grammar
        gap = Gap(item.first, item.first, (), (), negated)
        none: frozenset[int] = frozenset()
        if isinstance(item.meaning, Noun):
            yield from self._linked(state, part, negated)
        elif isinstance(item.meaning, ConditionNoun):
            yield from ((each, none) for each in noun_condition(head, gap, item, grammar))
        elif isinstance(item.meaning, Number) and item.meaning.date:
            dated = replace(gap, texts=("in",))
            yield from ((each, none) for each in noun_number(head, dated, item, grammar))
        elif isinstance(item.meaning, CountOf):
            yield from ((each, none) for each in noun_count(head, gap, item, grammar))
        elif isinstance(item.meaning, Ranking):
            yield from ((each, none) for each in noun_ranking(head, gap, item, grammar))
        elif isinstance(item.meaning, Superlative):
            yield from ((each, none) for each in superlative_noun(item, gap, head, grammar))

    def _linked(self, state: _State, part: _Part, negated: bool) -> Iterator[Floated]:
        """A set with a link to another; a word that nothing else explains may say the relation."""
        head, other = state.head, part.item
        a, b = head.meaning, other.meaning
        none: frozenset[int] = frozenset()
        if a.nodes.label == b.nodes.label and not negated and not (a.named and b.named):
            both = merged(a.nodes, b.nodes)
            if both is not None:
                noun = replace(a, nodes=both, named=a.named or b.named)
                yield self.grammar.item(head, other, noun, ("guess", 0.5)), none
        bare: tuple[Feature, ...] = (("bare set", 1.0),) if b.nodes.bare else ()
        named: tuple[Feature, ...] = (("named head", 1.0),) if a.named else ()
        for path in self.grammar.joins.paths(a.nodes.label, b.nodes.label):
            noun = replace(a, nodes=a.nodes.linked(Link(path, b.nodes, negated=negated)))
            for said in [(), *self._verbs(state, part)]:
                features = (*self._agreement(path, a.nodes, b.nodes, said), *bare, *named)
                yield self.grammar.item(head, other, noun, *features), frozenset(said)

    def _verbs(self, state: _State, part: _Part) -> Iterator[tuple[int, ...]]:
        """The runs of one or two words that may say a relation."""
        free = [i for i in sorted(self._heavy) if i not in state.words and i not in part.words]
        yield from ((i,) for i in free)
        yield from ((i, i + 1) for i in free if i + 1 < len(self.grammar.tokens) and i + 1 not in state.words | part.words)

    def _agreement(self, path: Path, start: Nodes, end: Nodes, said: Sequence[int]) -> list[Feature]:
        words = tuple(self.grammar.tokens[i].text for i in said)
        empty = Gap(0, 0, (), (), False)
        found = agreement(path, start.label, words, empty, self.grammar, end)
        if not self.grammar.knows(end) or start.entities:
            return found
        last = path[-1].back(path[-2].target if len(path) > 1 else start.label)
        return found if self.grammar.number(end, last) else [*found, ("absent", 1.0)]

    # ---- ends -------------------------------------------------------------------------------------------------------

    def _ends(self, state: _State) -> Iterator[Floated]:
        """What is asked of a set: itself, how many there are, or a property."""
        head, grammar = state.head, self.grammar
        floated = replace(head, cost=head.cost + cost([FLOATS]), features=(*head.features, FLOATS))
        yield floated, state.words
        if self._counts and not head.meaning.named:
            yield grammar.item(floated, _nothing(head), Whole(Form("number", head.meaning.nodes, None, "count"))), state.words
        for part in self._parts:
            owned = part.item.meaning
            if not isinstance(owned, PropertyNoun) or part.words & state.words:
                continue
            for each, words in self._with_function(owned):
                for item in values_of(floated, part.item, each, head.meaning, grammar):
                    yield item, state.words | part.words | words

    @cached_property
    def _counts(self) -> bool:
        texts = [token.text for token in self.grammar.tokens]
        return any(pair in (["how", "many"], ["number", "of"]) for pair in (texts[i : i + 2] for i in range(len(texts))))

    def _with_function(self, owned: PropertyNoun) -> Iterator[tuple[PropertyNoun, frozenset[int]]]:
        yield owned, frozenset()

def _nothing(head: AnyItem) -> AnyItem:
    return Item(head.last, head.last, head.meaning, 0.0)


def _needs_reason(token: Token) -> bool:
    return token.text not in FREE and token.text not in light() and token.text not in NEGATIVE
