"""What statements say beside what questions ask: "X is the largest Y", "the population of X is 5", and relations
between things of the wrong kind, which are false.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.english.words import COPULAS, NEGATIVE
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    ConditionNoun,
    CountOf,
    Feature,
    Item,
    Noun,
    Number,
    PropertyChoice,
    PropertyNoun,
    Ranking,
    Whole,
)
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.most_often import order_by
from clew.tools.queries.reading.rules.order_rules import value_of
from clew.tools.queries.reading.rules.property_tests import is_far_off
from clew.tools.queries.reading.rules.truths import IS, STATED, counted_truth, said_of
from clew.tools.queries.values import Scalar, holds_years

_SURE = 0.75
"""Agreement from which words mean a relation even between things of other kinds."""
_LONGEST_TEXT = 8
_NAMED = 0.3
"""Cost of a property up to which a question names it."""


def among(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "Alaska is the largest state", "the longest river is the Missouri": a thing among the first of a set."""
    a, b = left.meaning, right.meaning
    if a.nodes.label != b.nodes.label or a.wild or b.wild or between.negated:
        return
    if not between.copula or not set(between.texts) <= IS or bool(a.nodes.order) == bool(b.nodes.order):
        return
    one, ordered = (a, b) if b.nodes.order is not None else (b, a)
    yield grammar.item(left, right, replace(one, nodes=replace(one.nodes, within=(*one.nodes.within, ordered.nodes))))


def includes(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "the cast of Heat includes Al Pacino"."""
    a, b = left.meaning, right.meaning
    if a.role is None or a.nodes.label != b.nodes.label or not b.named or not _plain(b.nodes) or between.negated:
        return
    if set(between.texts) <= {"includes", "include", "included", "contains", "both", "the"} and not between.empty:
        yield grammar.item(left, right, replace(a, nodes=replace(a.nodes, entities=b.nodes.entities), named=True))


def has_most(left: Item[Noun], between: Gap, right: Item[Ranking], grammar: Grammar) -> Iterator[AnyItem]:
    """ "Alaska has the largest area", "Texas has the most rivers"."""
    noun, ranking = left.meaning, right.meaning
    if not noun.named or noun.wild or between.heavy or between.negated or not between.says("has", "have", "had"):
        return
    label = noun.nodes.label
    found: list[tuple[Nodes, tuple[Feature, ...]]] = []
    if ranking.counted is None and ranking.function is None:
        for choice in ranking.choices:
            sure = grammar.statement or choice.cost <= _NAMED
            if choice.label == label and not choice.of_relation and sure:
                order = order_by(ranking.superlative, value_of(choice))
                found.append((Nodes(label, order=order), (("order", choice.cost),)))
    for nodes, features in found:
        within = replace(noun.nodes, within=(*noun.nodes.within, nodes))
        yield grammar.item(left, right, replace(noun, nodes=within), *features)


def wrong_kind(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """A name in a place where the schema has things of another kind: "Heat was directed by Paris"."""
    a, b = left.meaning, right.meaning
    if a.wild or b.wild or between.negated or between.empty or between.conjunction:
        return
    if a.nodes.label != b.nodes.label and between.copula and set(between.texts) <= IS - {"of"}:
        yield from _other_label(left, right, grammar)
    if b.named and a.role is not None and between.says("of") and not between.heavy:
        for step in a.role:
            other = replace(b.nodes, label=step.target)
            if step.target != b.nodes.label and _plain(b.nodes):
                links = tuple(replace(each, other=other) if each.path == a.role else each for each in a.nodes.links)
                yield grammar.item(left, right, replace(a, nodes=replace(a.nodes, links=links)), ("wrong kind", 1.0))
    if not between.heavy or not b.named or grammar.skips_thing(between):
        return
    for step in grammar.joins.from_label(a.nodes.label):
        agreed = grammar.joins.agreement(between.words, step)
        if step.target != b.nodes.label and agreed >= _SURE and _plain(b.nodes):
            starts_left = grammar.joins.voices.starts_left(step, between)
            if starts_left is not None and starts_left != step.forward:
                continue
            link = Link((step,), replace(b.nodes, label=step.target))
            yield _mistaken(left, right, replace(a, nodes=a.nodes.linked(link)), agreed, grammar)
    for step in grammar.joins.from_label(b.nodes.label) if a.named and _plain(a.nodes) else ():
        agreed = grammar.joins.agreement(between.words, step)
        if step.target != a.nodes.label and agreed >= _SURE:
            back = step.back(b.nodes.label)
            starts_left = grammar.joins.voices.starts_left(back, between)
            if starts_left is not None and starts_left != back.forward:
                continue
            nodes = replace(a.nodes, label=step.target).linked(Link((back,), b.nodes))
            yield _mistaken(left, right, replace(a, nodes=nodes), agreed, grammar)


def _mistaken(left: AnyItem, right: AnyItem, noun: Noun, agreed: float, grammar: Grammar) -> AnyItem:
    return grammar.item(left, right, noun, ("wrong kind", 1.0), ("agreement", 1 - agreed))


def _other_label(left: Item[Noun], right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "Heat is a city", "the capital of Texas is Ohio"."""
    a, b = left.meaning, right.meaning
    for name, kind in ((a, b), (b, a)):
        if name.named and _plain(name.nodes) and not kind.named and kind.nodes.order is None:
            nodes = replace(kind.nodes, entities=name.nodes.entities)
            yield grammar.item(left, right, replace(kind, nodes=nodes, named=True), ("wrong kind", 1.0))


def _plain(nodes: Nodes) -> bool:
    """Whether a set is a name and nothing else."""
    return bool(nodes.entities) and replace(nodes, entities=()).bare


def number_of_units(left: Item[Number], between: Gap, right: Item[PropertyNoun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "5000 inhabitants"."""
    if between.plain and not right.meaning.function and not left.meaning.text and len(between.texts) < 2:
        told = [each for each in right.meaning.choices if each.kind in ("number", "written number")]
        numbers = tuple(each for each in told if not _is_no_year(left.meaning.value, each, grammar))
        if numbers:
            yield grammar.item(left, right, ConditionNoun(numbers, "=", (left.meaning.value,)))


def _is_no_year(value: Scalar, choice: PropertyChoice, grammar: Grammar) -> bool:
    """Whether a property holds years, and a number is far from any: "41 years old"."""
    owned = grammar.words.choice(choice.label, choice.name)
    return owned is not None and holds_years(owned) and is_far_off(value, owned)


def value_is(
    left: Item[Whole], between: Gap, right: Item[Number] | Item[ConditionNoun], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "the population of Texas is 5", "the area of Texas is larger than that of Ohio"."""
    form = left.meaning.form
    if not between.copula or not set(between.texts) <= STATED or between.negated:
        return
    given = right.meaning
    if isinstance(given, Number):
        given = ConditionNoun((), "=", (given.value,))
    if given.than is not None and form.asks == "value" and form.value is not None and form.value.link is None:
        name = form.value.property or ""
        if given.than.label == form.nodes.label:
            condition = Condition(property=name, comparison=given.comparison, than=given.than)
            yield grammar.item(left, right, Whole(Form("truth", form.nodes.where(condition))))
    if given.test or given.than is not None or given.upper is not None:
        return
    if form.asks == "value" and (said := said_of(form, given.values, grammar, given)) is not None:
        yield grammar.item(left, right, said)


def stated(item: AnyItem, tokens: Sequence[Token], text: str, grammar: Grammar) -> Iterator[tuple[AnyItem, Form]]:
    """The truth forms that an item is as a whole statement: the item, longer by a text that it takes as a value, and
    the form."""
    meaning = item.meaning
    match meaning:
        case Noun() if not meaning.wild and (not meaning.nodes.bare or meaning.named):
            yield item, Form("truth", meaning.nodes)
        case CountOf():
            yield item, counted_truth(meaning)
        case Whole() if meaning.form.asks == "truth":
            yield item, meaning.form
        case Whole() if meaning.form.asks == "value" and (taken := _text_behind(item, tokens, text)):
            said = said_of(meaning.form, (taken,), grammar, ConditionNoun(()))
            if said is not None:
                yield replace(item, last=len(tokens)), said.form
        case _:
            return


def _text_behind(item: AnyItem, tokens: Sequence[Token], text: str) -> str:
    """ "… is TEXT": the rest of a statement as the value of a property."""
    rest = tokens[item.last :]
    if len(rest) < 2 or rest[0].text not in COPULAS or len(rest) > _LONGEST_TEXT:
        return ""
    if any(token.text in NEGATIVE for token in rest):
        return ""
    first = 2 if rest[1].text in ("the", "a", "an") and len(rest) > 2 else 1
    return rest[first].text if rest[first].quoted else text[rest[first].start : rest[-1].end]
