"""A beam search over sets: a head is linked to others, narrowed by conditions, ordered, and asked for a property."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from heapq import nsmallest
from math import inf
from time import monotonic

from clew.tools.queries.reading.english.gap import Gap, denies
from clew.tools.queries.reading.floating.asked_of import IMPLIED, AskedOf
from clew.tools.queries.reading.floating.parts import (
    Floated,
    Part,
    State,
    Words,
    best_parts,
    functions,
    needs_reason,
    of_what_is_counted,
    with_nodes,
    worth,
)
from clew.tools.queries.reading.floating.relations import Relations, may_say_relations
from clew.tools.queries.reading.forms.form import Link, Nodes, Value
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    ConditionNoun,
    CountOf,
    Feature,
    Item,
    Noun,
    Number,
    PropertyNoun,
    Ranking,
    Superlative,
)
from clew.tools.queries.reading.forms.scoring import cost, with_features
from clew.tools.queries.reading.rules.condition_parts import fitting
from clew.tools.queries.reading.rules.condition_rules import noun_condition, noun_count
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.most_often import limited, order_by
from clew.tools.queries.reading.rules.number_rules import noun_number
from clew.tools.queries.reading.rules.order_rules import noun_ranking, superlative_noun
from clew.tools.queries.reading.rules.same_label import merged

_APART: Feature = ("guess", 0.3)
"""What it costs that a number does not stand beside its property."""
_COMPARED = frozenset({"number", "date"})
_BEAM, _DEPTH, _ENDS, _OWNERS = 24, 4, 40, 4
_PRUNED = 4 * _BEAM
"""States from which on only the best ones are kept."""
_ROUNDING = 1e-6
_NEGATED_WITHIN = 5
"""Words between a negation and what it negates, at most."""
_OF_WORD_ORDER = frozenset({"attached high", "head"})
_OF_THE_HEAD = (Ranking, Superlative, CountOf)
_NONE: Words = frozenset()


class Floating:
    """The parts of one question, and what they may be joined to.

    Args:
        chart: All items of the question.
        grammar: The question.
        until: When the time is over (`time.monotonic`).
    """

    def __init__(self, chart: Sequence[AnyItem], grammar: Grammar, until: float) -> None:
        self.grammar, self._until = grammar, until
        tokens = grammar.tokens
        self._heavy = frozenset(i for i in range(len(tokens)) if needs_reason(tokens, i))
        self._negative = [i for i in range(len(tokens)) if denies(tokens, i)]
        self._parts = best_parts(chart, self._heavy)
        self._relations = Relations(grammar, self._heavy, may_say_relations(self._parts, self._heavy, grammar))
        self._bar = inf
        """The outlook of the last state that is kept, as far as it is known."""
        self._asked = AskedOf(grammar, self._parts, functions(chart))

    def items(self) -> Iterator[Floated]:
        """What the question may ask for, with the words that are explained."""
        states = self._best(self._heads())
        ended = list(states)
        for _ in range(_DEPTH):
            if monotonic() > self._until:
                return
            states = self._best(each for state in states for each in self._longer(state))
            ended += states
        for state in nsmallest(_ENDS, ended, key=self._outlook):
            yield from self._asked.items(state)

    def _outlook(self, state: State) -> float:
        return worth(state.head.cost, state.words, self._heavy)

    def _best(self, states: Iterable[State]) -> list[State]:
        best: dict[object, State] = {}
        self._bar = inf
        for state in states:
            if self._outlook(state) > self._bar:
                continue
            key = (state.head.meaning.nodes, state.words)
            known = best.get(key)
            if known is None or state.head.cost < known.head.cost:
                best.pop(key, None)  # The order of those that are as good as each other is that of the last ones.
                best[key] = state
            if len(best) >= _PRUNED:
                kept = nsmallest(_BEAM, best.items(), key=lambda each: self._outlook(each[1]))
                best, self._bar = dict(kept), self._outlook(kept[-1][1])
        return nsmallest(_BEAM, best.values(), key=self._outlook)

    # ---- heads ------------------------------------------------------------------------------------------------------

    def _heads(self) -> Iterator[State]:
        """The sets that are said, and the owners of what is said: of a property, of a value, of a relation."""
        for part in self._parts:
            if isinstance(part.item.meaning, Noun):
                yield State(part.item, part.words)
        who = frozenset(i for i, token in enumerate(self.grammar.tokens) if token.text in ("who", "whom", "whose"))
        persons = self.grammar.words.persons
        for label in sorted(self._owners()):
            words = who if label in persons else _NONE
            yield State(Item(0, 1, Noun(Nodes(label), plural=True), cost([IMPLIED]), (IMPLIED,)), words)

    def _owners(self) -> set[str]:
        schema = self.grammar.words.schema
        found: set[str] = set()
        for part in self._parts:
            choices = getattr(part.item.meaning, "choices", ())
            found |= {choice.label for choice in choices[:_OWNERS] if not choice.of_relation}
        found |= self._relations.ends()
        nouns = [part.item.meaning for part in self._parts if isinstance(part.item.meaning, Noun)]
        return (found & set(schema.labels)) - {noun.nodes.label for noun in nouns if noun.nodes.bare}

    # ---- longer states ----------------------------------------------------------------------------------------------

    def _longer(self, state: State) -> Iterator[State]:
        for i, part in enumerate(self._parts):
            if part.words & state.words or (i < state.last and not isinstance(part.item.meaning, Noun)):
                continue
            negation = self._negation(state, part.item.first)
            words = state.words | part.words | negation
            for item, also in self._anywhere(state, part, bool(negation)):
                if isinstance(item.meaning, Noun):
                    yield self._with(state, item.meaning, item.features, words | also, max(i, state.last))
        yield from self._related(state)
        yield from self._unrelated(state)

    def _anywhere(self, state: State, part: Part, negated: bool) -> Iterator[Floated]:
        """A part joined to the head, to a set that the head is linked to, or to what the head is ordered by."""
        yield from self._joined(state, part, negated)
        nodes = state.head.meaning.nodes
        if isinstance(part.item.meaning, _OF_THE_HEAD):
            return
        order = nodes.order
        by = order.by.link if order is not None and of_what_is_counted(part.item.meaning) else None
        for i, link in enumerate(nodes.links):
            if link.positive and (by is None or link.path != by.path):
                for other, item, also in self._inside(link, state, part, negated):
                    links = (*nodes.links[:i], replace(link, other=other), *nodes.links[i + 1 :])
                    yield with_nodes(item, state, replace(nodes, links=links)), also
        if order is not None and by is not None:
            for other, item, also in self._inside(by, state, part, negated):
                value = replace(order.by, link=replace(by, other=other))
                yield with_nodes(item, state, replace(nodes, order=replace(order, by=value))), also

    def _inside(self, link: Link, state: State, part: Part, negated: bool) -> Iterator[tuple[Nodes, AnyItem, Words]]:
        """The set that a link leads to with a part joined to it, and the words that are explained beside the part's."""
        if link.other.entities:
            return
        head = state.head
        inner = Item(head.first, head.last, Noun(link.other, plural=True), head.cost, head.features)
        for item, also in self._joined(State(inner, state.words), part, negated):
            if isinstance(item.meaning, Noun) and item.meaning.nodes.label == link.other.label:
                yield item.meaning.nodes, item, also

    @staticmethod
    def _with(state: State, noun: Noun, features: Iterable[Feature], words: Words, last: int) -> State:
        """The state with another head, whose cost is that of its features without those of word order."""
        kept = tuple([each for each in features if each[0] not in _OF_WORD_ORDER])
        return State(Item(state.head.first, state.head.last, noun, cost(kept), kept), words, last)

    def _negation(self, state: State, place: int) -> Words:
        """The negation that a word stands behind."""
        near = [n for n in self._negative if n not in state.words and 0 < place - n <= _NEGATED_WITHIN]
        return frozenset(near[-1:])

    def _joined(self, state: State, part: Part, negated: bool) -> Iterator[Floated]:
        head, item, grammar = state.head, part.item, self.grammar
        gap = Gap(item.first, item.first, (), (), negated)
        meaning = item.meaning
        if isinstance(meaning, Noun):
            yield from self._linked(state, part, negated)
            return
        found: Iterable[AnyItem] = ()
        if isinstance(meaning, ConditionNoun):
            found = noun_condition(head, gap, item, grammar)
        elif isinstance(meaning, Number) and meaning.date:
            found = noun_number(head, replace(gap, texts=("in",)), item, grammar)
        elif isinstance(meaning, CountOf):
            found = noun_count(head, gap, item, grammar)
        elif isinstance(meaning, Ranking):
            found = noun_ranking(head, gap, item, grammar)
        elif isinstance(meaning, Superlative):
            found = superlative_noun(item, gap, head, grammar)
            if meaning.counts:
                yield from self._most(state, part)
        yield from ((each, _NONE) for each in found)
        yield from self._of_property(state, part, gap)

    def _of_property(self, state: State, part: Part, gap: Gap) -> Iterator[Floated]:
        """A number whose property is said elsewhere: "queens *scoring 5* for *temper*"."""
        value = given = part.item.meaning
        if isinstance(given, Number) and not given.text:
            given = ConditionNoun((), "=", (given.value,))
        if not isinstance(given, ConditionNoun) or given.choices or given.test or given.than or not given.values:
            return
        for other in self._parts:
            owned = other.item.meaning
            if not isinstance(owned, PropertyNoun) or owned.function or other.words & (state.words | part.words):
                continue
            choices = tuple(each for each in owned.choices if each.kind in _COMPARED)
            if isinstance(value, Number):
                choices = fitting(choices, value, self.grammar)
            if choices:
                item = replace(part.item, meaning=replace(given, choices=choices))
                found = noun_condition(state.head, gap, item, self.grammar)
                yield from ((with_features(each, _APART), other.words) for each in found)

    def _linked(self, state: State, part: Part, negated: bool) -> Iterator[Floated]:
        head, other = state.head, part.item
        a, b = head.meaning, other.meaning
        if a.nodes.label == b.nodes.label and not negated and not (a.named and b.named):
            both = merged(a.nodes, b.nodes)
            if both is not None:
                noun = replace(a, nodes=both, named=a.named or b.named)
                yield self.grammar.item(head, other, noun, ("guess", 0.5)), _NONE
        own: list[Feature] = [("bare set", 1.0)] * b.nodes.bare + [("named head", 1.0)] * a.named
        free = self._heavy - state.words - part.words
        known = cost(each for each in (*head.features, *other.features, *own) if each[0] not in _OF_WORD_ORDER)
        least = worth(known, state.words | part.words, self._heavy) - _ROUNDING
        for path, said, features, more in self._relations.ways(a.nodes, b.nodes, free):
            if worth(least + more, said, self._heavy) > self._bar:
                continue
            nodes = a.nodes
            for each in b.members if b.every and not negated else (b.nodes,):
                nodes = nodes.linked(Link(path, each, negated=negated))
            for each in b.denied:
                nodes = nodes.linked(Link(path, each, negated=True))
            noun = replace(a, nodes=nodes)
            yield self.grammar.item(head, other, noun, *features, *own), said

    def _related(self, state: State) -> Iterator[State]:
        """The set of those that have a relation which a free word says, to anything: "who has made a reservation"."""
        noun = state.head.meaning
        for step, said, best in self._relations.steps(noun.nodes.label, self._heavy - state.words):
            if any(link.path[0].relation == step.relation for link in noun.nodes.links):
                continue
            negation = self._negation(state, min(said))
            linked = replace(noun, nodes=noun.nodes.linked(Link((step,), Nodes(step.target), negated=bool(negation))))
            features = (*state.head.features, ("agreement", 1 - best), ("bare set", 1.0))
            yield self._with(state, linked, features, state.words | said | negation, state.last)

    def _unrelated(self, state: State) -> Iterator[State]:
        """The set of those without a relation that only an unknown verb says: "carriers that we have never used"."""
        noun = state.head.meaning
        if noun.named or noun.nodes.links or noun.nodes.order is not None:
            return
        for place in self._negative:
            said = frozenset(i for i in self._heavy - state.words if place < i <= place + _NEGATED_WITHIN)
            known = place in state.words or any(self._relations.steps(noun.nodes.label, said))
            for step, rare in self._relations.by_number(noun.nodes.label) if said and not known else ():
                linked = replace(noun, nodes=noun.nodes.linked(Link((step,), Nodes(step.target), negated=True)))
                unsaid: tuple[Feature, ...] = (("agreement", 1.0), ("bare set", 1.0), ("rivals", rare))
                features = (*state.head.features, *unsaid)
                yield self._with(state, linked, features, state.words | {place, min(said)}, state.last)

    def _most(self, state: State, part: Part) -> Iterator[Floated]:
        """The nodes that have most of what another part, or a relation, says: "who has borrowed the most"."""
        head, noun, grammar = state.head, state.head.meaning, self.grammar
        superlative = part.item.meaning
        if noun.nodes.order is not None or noun.named:
            return

        def ordered(link: Link) -> Noun:
            order = order_by(limited(superlative, noun), Value(None, "count", link))
            return replace(noun, nodes=replace(noun.nodes, order=order))

        free = self._heavy - state.words - part.words
        for step, said, best in self._relations.steps(noun.nodes.label, free):
            most = ordered(Link((step,), Nodes(step.target)))
            yield grammar.item(head, part.item, most, ("agreement", 1 - best)), said
        for other in self._parts:
            counted = other.item.meaning
            if isinstance(counted, Noun) and not (counted.named or other.words & (state.words | part.words)):
                for path, said, features, _ in self._relations.ways(noun.nodes, counted.nodes, free - other.words):
                    most = ordered(Link(path, counted.nodes))
                    yield grammar.item(head, other.item, most, *features), said | other.words
