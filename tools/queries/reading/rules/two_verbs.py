"""Two verbs between two sets: "who wrote and directed Inception", "films written and directed by X"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from heapq import nsmallest

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.forms.form import Link
from clew.tools.queries.reading.forms.items import AnyItem, Item, Noun
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.noun_rules import join_nouns

_MOST = 3
"""Relations that the first verb may say."""
_LEAST_AGREEMENT = 0.5


def both_verbs(left: Item[Noun], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """The head with a link for each of two verbs that "and" joins."""
    if "and" not in between.texts[1:-1] or between.negated or grammar.statement:
        return
    place = between.first + between.texts.index("and", 1)
    first, second = grammar.gap(between.first, place), grammar.gap(place + 1, between.last)
    if not (first.heavy and second.heavy):
        return
    joined = (item for item in join_nouns(left, first, right, grammar) if _heads(item, left, right))
    for item in nsmallest(_MOST, joined, key=lambda each: each.cost):
        own = item.features[len(left.features) + len(right.features) :]
        features = (*left.features, *own)  # The second set counts once.
        head = replace(item, last=left.last, cost=item.cost - right.cost, features=features)
        for both in join_nouns(head, second, right, grammar):
            if _heads(both, left, right) and len(both.meaning.nodes.links) > len(item.meaning.nodes.links):
                yield both


def _heads(item: AnyItem, left: Item[Noun], right: Item[Noun]) -> bool:
    """Whether an item is the first set, with a link to the second one, and no word behind it."""
    noun = item.meaning
    if not isinstance(noun, Noun) or noun.wild or item.last != right.last or not noun.nodes.links:
        return False
    return left.meaning.wild != "" or noun.nodes.label == left.meaning.nodes.label


def second_behind(item: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """ "films that X wrote" + "and acted in": one more relation to X."""
    nodes = item.meaning.nodes
    link = nodes.links[-1] if nodes.links else None
    at_and = item.last < len(grammar.tokens) and grammar.tokens[item.last].text == "and"
    if not at_and or link is None or not link.positive or not link.other.entities or grammar.statement:
        return
    for last in grammar.verb_ends(item.last + 1):
        said = grammar.gap(item.last + 1, last)
        if not said.heavy or said.negated:
            continue
        for path in grammar.joins.paths(nodes.label, link.other.label):
            best = grammar.joins.agreement(said.words, path[0]) if len(path) == 1 and path != link.path else 0.0
            if best > _LEAST_AGREEMENT:
                both = replace(item.meaning, nodes=nodes.linked(Link(path, link.other)))
                yield grammar.item(item, replace(item, last=last, cost=0.0, features=()), both, ("agreement", 1 - best))
