"""Analytic questions as forms: a number over facts, for each of several, or the best of these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import monotonic

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.english.gap import denies
from clew.tools.queries.reading.english.short_forms import full_words
from clew.tools.queries.reading.floating.parts import Floated, Words, best_parts, needs_reason
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Order, Path, Value, turned
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    ConditionNoun,
    Feature,
    Item,
    Noun,
    Number,
    Period,
    PropertyChoice,
    Whole,
)
from clew.tools.queries.reading.forms.quantities import adds_up
from clew.tools.queries.reading.forms.scoring import cost
from clew.tools.queries.reading.measures.aims import Aims
from clew.tools.queries.reading.measures.amounts import Amounts
from clew.tools.queries.reading.measures.facts import Facts, Narrowing, at_end, split, with_end
from clew.tools.queries.reading.measures.slots import Aim, Dimension, Measure
from clew.tools.queries.reading.rules.edge_amounts import is_calculated, owners, total_of
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.period_rules import dates_of
from clew.tools.queries.space.query import Comparison
from clew.tools.queries.values import Scalar

_MEASURED: Feature = ("floats", 0.8)
"""What it costs that word order is not looked at."""
_RARER = 1.0
"""What it costs that a measure of relationships is one between labels that fewer of them join."""
_OFTEN = 0.2
"""Share of the relationships of a type, of those between the labels that most of them join, from which on a measure
of the type is also of these: the products returned have no price."""
_NAME = "name"
_TOLD = frozenset({"salary", "annual", "yearly", "year", "month", "monthly", "rent", "premium", "rate", "annum"})
"""Words of properties that are told for a period already."""
_KEPT = 4
"""Ways of narrowing the facts of one measure that are tried."""


class Measured:
    """One question as a question about facts.

    Args:
        anchors: The words that name something.
        items: All that they may be joined to.
        grammar: The question.
        until: When the time is over (`time.monotonic`).
    """

    def __init__(self, anchors: Sequence[AnyItem], items: Sequence[AnyItem], grammar: Grammar, until: float) -> None:
        self._grammar, self._until = grammar, until
        tokens = grammar.tokens
        heavy: Words = frozenset(i for i in range(len(tokens)) if needs_reason(tokens, i))
        negative = [i for i in range(len(tokens)) if denies(tokens, i)]
        self._aims, self._amounts = Aims(anchors, items, grammar), Amounts(anchors, grammar, heavy)
        self._narrowing = Narrowing(grammar, best_parts(filter(self._narrows, items), heavy), negative, heavy)

    def _narrows(self, item: AnyItem) -> bool:
        """Whether an item may say which facts are meant: a value, a time, a name or a kind of thing."""
        meaning = item.meaning
        if isinstance(meaning, Noun):
            return meaning.nodes.order is None and (meaning.named or not meaning.nodes.links)
        if isinstance(meaning, ConditionNoun):  # "Since" before a time is a bound, and no `customer_since`.
            return not meaning.choices or self._grammar.tokens[item.first].text != "since"
        return isinstance(meaning, Number) and meaning.date

    def items(self) -> Iterator[Floated]:
        """What the question may ask for, with the words that are explained."""
        for aim in dict.fromkeys(self._aims):
            for measure in self._amounts.measures(aim):
                if monotonic() > self._until:
                    return
                for place, sides in enumerate(self._sides(measure)):
                    rarer: tuple[Feature, ...] = (("rivals", _RARER),) if place else ()
                    start = Facts(sides, aim.words | measure.words, (*measure.features, *rarer))
                    for facts in self._narrowing.narrowed(start)[:_KEPT]:
                        yield from self._asked(aim, measure, facts)

    def _sides(self, measure: Measure) -> Iterator[tuple[Nodes, ...]]:
        """The facts of a measure; of relationships their two ends, those of the most frequent kind first."""
        choice = measure.choice
        if choice is None or not choice.of_relation:
            yield (Nodes(measure.label),)
            return
        if measure.function not in ("sum", "avg") or not (is_calculated(choice) or adds_up(choice.name)):
            return
        numbers = {r.source: r.count for r in self._grammar.words.schema.relations if r.type == choice.label}
        most = max(numbers.values(), default=0)
        often = [each for each in owners(choice, self._grammar) if numbers.get(each, 0) >= _OFTEN * most]
        for label in sorted(often, key=lambda each: -numbers.get(each, 0)):
            for form in total_of(Nodes(label), choice, self._grammar):
                assert form.value is not None
                assert form.value.link is not None
                yield Nodes(label), form.value.link.other

    def _asked(self, aim: Aim, measure: Measure, facts: Facts) -> Iterator[Floated]:
        for form, features in self._forms(aim, measure, facts):
            every = (_MEASURED, *facts.features, *features)
            yield Item(0, 1, Whole(form), cost(every), every), facts.words

    def _forms(self, aim: Aim, measure: Measure, facts: Facts) -> Iterator[tuple[Form, tuple[Feature, ...]]]:
        number = self._number(measure, facts)
        dimension = aim.dimension
        if dimension is None:
            if number.value is not None or not number.nodes.entities:
                yield number, ()
        elif dimension.period:
            if measure.choice is not None and _TOLD & set(full_words(identifier_words(measure.choice.name))):
                return  # "What do they cost per year?"
            for choice, features in dates_of(number.nodes, Period(dimension.period), (), self._grammar):
                grouped = replace(number, asks="groups", group=choice.name, period=dimension.period)
                yield _best(grouped, aim), (*dimension.features, *features)
        else:
            turned_number = self._turned(number)
            for form in (number, turned_number) if turned_number is not None else (number,):
                yield from self._by(form, aim, measure)

    def _by(self, number: Form, aim: Aim, measure: Measure) -> Iterator[tuple[Form, tuple[Feature, ...]]]:
        """The number for each node of a label, or for each value of a property that the facts, or what they refer to,
        have."""
        dimension, start = aim.dimension, number.nodes.label
        assert dimension is not None
        for path in self._paths(start, dimension):
            features = (*dimension.features, *(self._narrowing.way_features(path, start) if path else ()))
            if dimension.choice is not None:
                of = number.nodes
                if aim.values:
                    of = with_end(of, path, at_end(of, path).where(_one_of(dimension.choice, aim.values)))
                grouped = replace(number, nodes=of, asks="groups", group=dimension.choice.name, group_path=path)
                yield _best(grouped, aim), features
            elif not path:
                by = number.value
                if by is not None and by.link is not None:
                    by = replace(by, function=number.function)
                if by is not None and aim.bound is not None:
                    yield Form("nodes", _within(number.nodes, by, aim.bound)), features
                elif by is not None and aim.compared:
                    yield self._compared(aim, by), features
                elif by is not None and aim.kind == "best":
                    yield Form("nodes", replace(number.nodes, order=_order(aim, by))), features
                elif by is not None and by.link is not None:
                    yield Form("groups", number.nodes, by), features
            elif number.value is not None and number.value.edge is not None and not _far_is_open(number.value):
                named = self._grammar.words.naming.get(dimension.label) or (_NAME,)
                if len(named) == 1 and not (aim.compared and self._is_truth()):
                    of = number.nodes.linked(Link(path, _either(aim))) if aim.compared else number.nodes
                    grouped = replace(number, nodes=of, asks="groups", group=named[0], group_path=path)
                    yield _best(grouped, aim), features
            else:
                nodes, facts = split(number.nodes, path)
                if aim.kind == "those" and (
                    nodes.entities or facts.entities or not (facts.conditions or measure.words)
                ):
                    continue  # "Who is in the Security team?" asks for its members.
                link = Link(turned(path, start), facts, negated=aim.denied)
                value = number.value or Value()
                step = value.link.path[0] if value.edge is not None and value.link is not None else None
                each = replace(value, function=number.function, link=link, step=step)
                if aim.kind == "compare":
                    yield self._compared(aim, each), features
                elif aim.kind == "those":
                    yield Form("nodes", nodes.linked(link)), features
                elif aim.bound is not None:
                    if number.value is not None and not aim.bound.counted:
                        yield Form("nodes", _within(nodes, each, aim.bound)), features
                elif aim.kind == "each":
                    yield Form("groups", nodes, each), features
                elif nodes.order is None:
                    yield Form("nodes", replace(nodes, order=_order(aim, each))), features

    def _paths(self, start: str, dimension: Dimension) -> list[Path]:
        """The ways from facts to what their number is given for."""
        if not dimension.role:
            return [()] if dimension.label == start else self._narrowing.paths(start, dimension.label)
        end, last = dimension.role[-1].target, turned(dimension.role, dimension.label)
        ways: list[Path] = [()] if end == start else self._narrowing.paths(start, end)
        return [(*way, *last) for way in ways]

    def _compared(self, aim: Aim, by: Value) -> Form:
        """Whether the first of two has more than the second, or which of the two has more."""
        one, other = aim.compared
        if self._is_truth():
            more = Condition(comparison=">" if aim.descending else "<", value=by, than=other)
            return Form("truth", one.where(more))
        return Form("nodes", replace(_either(aim), order=_order(aim, by)))

    def _is_truth(self) -> bool:
        """Whether it is asked if one has more "than" another, rather than which of the two has more."""
        return self._grammar.asks_truth and any(token.text == "than" for token in self._grammar.tokens)

    def _number(self, measure: Measure, facts: Facts) -> Form:
        """The number over all facts."""
        choice = measure.choice
        if choice is None:
            return Form("number", facts.sides[0], None, "count")
        if not choice.of_relation:
            return Form("number", facts.sides[0], Value(choice.name, kind=choice.kind), measure.function)
        near, far = facts.sides
        form = next(iter(total_of(near, choice, self._grammar)))
        assert form.value is not None
        assert form.value.link is not None
        total = replace(form.value, link=replace(form.value.link, other=far))
        return replace(form, value=total, function=measure.function)  # An average is of the totals of each node.

    def _turned(self, number: Form) -> Form | None:
        """A total of relationships from their other end."""
        value = number.value
        if value is None or value.edge is None or value.link is None:
            return None
        path = turned(value.link.path, number.nodes.label)
        return replace(number, nodes=value.link.other, value=replace(value, link=Link(path, number.nodes)))


def _within(nodes: Nodes, by: Value, given: ConditionNoun) -> Nodes:
    """Those of some nodes whose number is within the bounds."""
    bounds: list[tuple[Comparison, Scalar]] = [(given.comparison, given.values[0])]
    bounds += [("<=", given.upper)] if given.upper is not None else []
    worked_out = by if by.link is not None else None
    conditions = [
        Condition(Predicate(by.property or "", sign, bound, "number"), comparison=sign, value=worked_out)
        for sign, bound in bounds
    ]
    return replace(nodes, conditions=(*nodes.conditions, *conditions))


def _one_of(choice: PropertyChoice, values: Sequence[Scalar]) -> Condition:
    """That a property has one of some values."""
    first, *others = (Predicate(choice.name, "=", value, "text") for value in values)
    return Condition(first, property=choice.name, alternatives=tuple(others))


def _far_is_open(value: Value) -> bool:
    """Whether nothing is said of the far end of a total of relationships."""
    return value.link is not None and value.link.other.bare


def _either(aim: Aim) -> Nodes:
    """Both of the two that are compared."""
    one, other = aim.compared
    return replace(one, entities=(*one.entities, *other.entities))


def _best(form: Form, aim: Aim) -> Form:
    """Of numbers for each of several those that are asked for."""
    if aim.kind not in ("best", "compare"):
        return form
    return replace(form, best="highest" if aim.descending else "lowest", limit=aim.limit)


def _order(aim: Aim, by: Value) -> Order:
    return Order(by, aim.descending, aim.limit, ties=aim.limit == 1)
