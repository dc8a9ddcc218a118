"""Verbs behind a set without a second set: "products that have been ordered", "X and Y act together"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.reading.english.durations import lasts
from clew.tools.queries.reading.forms.form import Link, Nodes
from clew.tools.queries.reading.forms.items import AnyItem, Feature, Item, Noun
from clew.tools.queries.reading.rules.agreement import attached, comparing
from clew.tools.queries.reading.rules.grammar import Grammar

_LEAST_AGREEMENT = 0.5
_MORE_BEHIND = 2.1
"""How bare a set is that only a synonym of a relation says, before what the verb may belong to: "studied *at Durham*"
of archaeologists who are somebody's students."""
_DO = frozenset({"do", "does", "did"})


def done(item: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "products that have been ordered", "ships that never sailed": a verb behind a noun without a second noun."""
    noun = item.meaning
    if noun.members and noun.every:
        yield from _together(item, grammar)
    if item.last < len(grammar.tokens) and lasts(grammar.tokens, item.last):
        return
    if noun.wild or noun.named or grammar.gap(item.last, item.last + 1).says("by", "per"):
        return
    asked = any(token.text in _DO for token in grammar.tokens[item.first : item.last])
    if asked and not grammar.gap(item.last, item.last + 1).relative:
        return  # "Which companies does X buy from": the verb says how they and X are related.
    for last in grammar.verb_ends(item.last, negated=True):
        behind = grammar.gap(item.last, last)
        neither = behind.conjunction in ("or", "nor") and bool(noun.nodes.links) and noun.nodes.links[-1].negated
        if not behind.words or (behind.conjunction and not neither) or comparing() & set(behind.words):
            continue
        if not (behind.heavy or behind.negated):
            continue
        for step in grammar.joins.from_label(noun.nodes.label):
            if grammar.joins.voices.opposes_alone(step, noun.nodes.label, behind):
                continue
            best = max(grammar.joins.agreement(behind.words, step), grammar.words.likeness(behind.words, step.target))
            if best > _LEAST_AGREEMENT:
                link = Link((step,), Nodes(step.target), negated=behind.negated or neither)
                following = [token.text for token in grammar.tokens[last : last + 1]]
                sure = (
                    best == 1.0
                    or behind.negated
                    or grammar.asks_truth
                    or following in ([], ["something"], ["anything"])
                )
                bare = 1.0 if sure else _MORE_BEHIND
                own: list[Feature] = [("agreement", 1 - best), ("bare set", bare), *attached(noun, behind)]
                yield grammar.item(item, replace(item, last=last, cost=0.0, features=()),
                                   replace(noun, nodes=noun.nodes.linked(link)), *own)  # fmt: skip


def _together(item: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "X and Y act together": both are related to one thing."""
    noun, label = item.meaning, item.meaning.nodes.label
    one, *others = noun.members
    for last in grammar.verb_ends(item.last):
        behind = grammar.gap(item.last, last)
        for step in grammar.joins.from_label(label) if behind.says("together") and behind.heavy else ():
            best = grammar.joins.agreement(behind.heavy, step)
            if best > _LEAST_AGREEMENT:
                shared = Nodes(step.target, links=tuple(Link((step.back(label),), other) for other in others))
                meaning = replace(noun, nodes=one.linked(Link((step,), shared)))
                end = replace(item, last=last, cost=0.0, features=())
                yield grammar.item(item, end, meaning, ("agreement", 1 - best))
