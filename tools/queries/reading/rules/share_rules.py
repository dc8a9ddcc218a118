"""Percentages of a set: "what percentage of the films are in French"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Form
from clew.tools.queries.reading.forms.items import AnyItem, Item, Noun, Operator, Share, Whole
from clew.tools.queries.reading.rules.grammar import Grammar, Rule

_AMONG = ("among", "amongst", "in", "of", "from")


def share_of(left: Item[Operator], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "what percentage of" + "the films"."""
    noun = right.meaning
    plain = not (between.heavy or between.negated or noun.named or noun.wild)
    if left.meaning.function == "share" and plain and noun.nodes.order is None:
        yield grammar.item(left, right, Share(noun))


def shared(
    left: Item[Share], between: Gap, right: AnyItem, grammar: Grammar, rules: tuple[Rule, ...]
) -> Iterator[AnyItem]:
    """ "what percentage of the films" + "are in French": whatever joins the films and the words behind them."""
    noun = left.meaning.noun
    if isinstance(right.meaning, Noun) and right.meaning.nodes.label == noun.nodes.label and between.says(*_AMONG):
        every = right.meaning.nodes  # "The share of one-star reviews" + "among all reviews"
        if every != noun.nodes and every.order is None and between.plain and not between.negated:
            yield grammar.item(left, right, Whole(Form("number", noun.nodes, function="share", whole=every)))
    whole = Item(left.first, left.last, noun, left.cost, left.features)
    for rule in rules:
        for item in rule(whole, between, right, grammar):
            part = item.meaning.nodes if isinstance(item.meaning, Noun) else None
            if part is not None and part.label == noun.nodes.label and part.order is None and part != noun.nodes:
                yield replace(item, meaning=Whole(Form("number", part, function="share", whole=noun.nodes)))
