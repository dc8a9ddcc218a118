"""Amounts of several nodes compared: numbers of things ("more rivers than Ohio"), values of relationships ("earns more
than X"), and which of two has more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Path, Value
from clew.tools.queries.reading.forms.functions import Function
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    ConditionNoun,
    Feature,
    Item,
    Noun,
    Operator,
    PropertyChoice,
    Ranking,
    Whole,
)
from clew.tools.queries.reading.forms.quantities import adds_up
from clew.tools.queries.reading.rules.agreement import agreement
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.most_often import order_by
from clew.tools.queries.reading.rules.roles import ways, without_way_back
from clew.tools.queries.reading.rules.several_rules import counts_of
from clew.tools.queries.space.query import Comparison

Amount = tuple[Value, list[Feature]]
AVERAGES = frozenset({"average", "mean", "typical"})
"""What stands before a set if something is compared with its average."""
_BEHIND_THAN = frozenset(
    {
        "than",
        "the",
        "in",
        "at",
        "for",
        "on",
        "of",
        "by",
        "to",
        "from",
        "with",
        "does",
        "did",
        "has",
        "our",
        "all",
        "other",
    }
)


def ranking_than(left: Item[Ranking], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "more players than X", "a higher wage than X", "more cities in X than in Y"."""
    ranking, noun = left.meaning, right.meaning
    superlative = ranking.superlative
    average = between.says(*AVERAGES) and not noun.named
    texts = set(between.texts) - AVERAGES
    if "than" not in texts or not texts <= _BEHIND_THAN or ranking.function or superlative.limit != 1:
        return
    if not (noun.named or noun.nodes.order is not None or average):
        return
    comparison: Comparison = ">" if superlative.descending else "<"
    sure = ("guess", -guessed(left))
    meaning = ConditionNoun(ranking.choices, comparison, than=noun.nodes, counted=ranking.counted, average=average)
    yield grammar.item(left, right, meaning, sure)
    if average:
        return
    for form in counts_of(ranking.counted) if ranking.counted is not None else ():
        if form.nodes.label == noun.nodes.label:
            condition = Condition(comparison=comparison, than=noun.nodes, value=form.value)
            yield grammar.item(left, right, Whole(Form("truth", form.nodes.where(condition))), sure)


def ranking_average(left: Item[Ranking], between: Gap, right: Item[Operator], grammar: Grammar) -> Iterator[AnyItem]:
    """ "more orders than average"."""
    ranking = left.meaning
    plain = ranking.counted is not None and ranking.superlative.limit == 1 and not ranking.function
    if right.meaning.function == "avg" and plain and between.texts in (("than",), ("than", "the"), ("than", "on")):
        comparison: Comparison = ">" if ranking.superlative.descending else "<"
        given = ConditionNoun((), comparison, counted=ranking.counted, average=True)
        yield grammar.item(left, right, given, ("guess", -guessed(left)))


def _among(value: Value, nodes: Nodes) -> Value:
    """A value of relationships, of those alone that the nodes are said to have: "was paid more at X, A or B"."""
    if value.edge is None or value.link is None:
        return value
    path = value.link.path
    known = next((link for link in nodes.links if link.path == path and link.positive), None)
    return value if known is None else replace(value, link=known)


def guessed(item: AnyItem) -> float:
    """What it cost to take a comparative, such as "more", for a superlative."""
    return sum(strength for name, strength in item.features if name == "guess")


def compared(
    noun: Noun, given: ConditionNoun, between: Gap, grammar: Grammar
) -> Iterator[tuple[Condition, list[Feature]]]:
    """The conditions that a set has more, or less, of something than other nodes of its label."""
    than = given.than
    if than is not None and than.label != noun.nodes.label:
        yield from _of_two_parts(noun, given, than, grammar)
        return
    if than is None:
        return
    paths = ways(noun, given.counted.label, grammar) if given.counted is not None else ()
    for value, features in amounts(noun.nodes.label, given.choices, given.counted, between, grammar, paths):
        condition = Condition(
            comparison=given.comparison, than=than, value=value, negated=between.negated, average=given.average
        )
        yield condition, features


def _of_two_parts(
    noun: Noun, given: ConditionNoun, than: Nodes, grammar: Grammar
) -> Iterator[tuple[Condition, list[Feature]]]:
    """ "authors with more papers at SODAM than at ICLA": two numbers of each."""
    counted = given.counted
    named = [each for each in counted.links if each.other.label == than.label and each.named] if counted else []
    if counted is None or not named or not than.entities:
        return
    others = replace(
        counted, links=tuple(replace(each, other=than) if each in named else each for each in counted.links)
    )
    for path in ways(noun, counted.label, grammar):
        first, second = (Value(None, "count", Link(path, each)) for each in (counted, others))
        yield Condition(comparison=given.comparison, value=first, beyond=second), []


def amounts(
    label: str,
    choices: Sequence[PropertyChoice],
    counted: Nodes | None,
    between: Gap,
    grammar: Grammar,
    paths: Sequence[Path] = (),
) -> Iterator[Amount]:
    """What the nodes of a label may have so much of, beside their own properties: linked things, over `paths` if they
    are known, and the values of relationships, summed."""
    said = between.words
    if counted is not None:
        for path in paths or grammar.joins.paths(label, counted.label):
            rest = without_way_back(counted, path, label)
            features = [] if rest != counted and not between.heavy else agreement(path, label, said, between, grammar)
            yield Value(None, "count", Link(path, rest)), features
        return
    for choice in choices:
        for step in grammar.joins.from_label(label) if choice.of_relation else ():
            if step.relation == choice.label:
                function: Function = "max" if choice.kind != "number" else "sum" if adds_up(choice.name) else "avg"
                value = Value(choice.name, function, Link((step,), Nodes(step.target)), choice.label, choice.kind)
                missing = 1 - grammar.joins.agreement(said, step) if between.heavy else 0.0
                yield value, [("property", choice.cost), ("linked value", 0.3), ("agreement", missing)]


def either(left: Item[Ranking], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "earns more, X or Y", "more players, X or Y": whichever has more."""
    ranking, noun = left.meaning, right.meaning
    label = noun.nodes.label
    own = [
        (Value(choice.name, kind=choice.kind), [("order", choice.cost)])
        for choice in ranking.choices
        if choice.label == label and not choice.of_relation
    ]
    for value, features in (*own, *amounts(label, ranking.choices, ranking.counted, between, grammar)):
        order = order_by(replace(ranking.superlative, limit=1), _among(value, noun.nodes))
        meaning = replace(noun, nodes=replace(noun.nodes, order=order), asked=True, members=())
        link = value.link
        known = link is not None and grammar.knows(noun.nodes)
        absent = link is not None and known and not grammar.number(noun.nodes, link.path[0])
        features = [*features, *([("absent", 1.0)] if absent else [])]
        yield grammar.item(left, right, meaning, *features, ("guess", -guessed(left)))
