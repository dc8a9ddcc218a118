"""Values compared with those of the one that each is related to, or of the node that was named before: "older than
their boss", "longer than Heat but cheaper"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.english.words import adjectives
from clew.tools.queries.reading.forms.form import turned
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    Comparator,
    ConditionNoun,
    Feature,
    Item,
    Noun,
    Ranking,
    Superlative,
)
from clew.tools.queries.reading.rules.agreement import agreement, direction
from clew.tools.queries.reading.rules.comparison_rules import guessed
from clew.tools.queries.reading.rules.condition_rules import conditioned
from clew.tools.queries.reading.rules.grammar import Grammar, Pair

_OF_EACH = frozenset({"their", "his", "her", "its", "his/her", "they", "them"})
_OWN = frozenset({"own", "direct", "immediate", "respective", "current", "the", "than"})
_WHOM = frozenset({"them", "him", "her", "it"})
_LONGEST_CLAUSE = 5
_MORE = frozenset({"more", "less", "fewer"})
_AND = frozenset({"and", "but", "yet"})
_BESIDE_AND = frozenset({"also", "still", "is", "are", "was", "were", "has", "have", "had", "with", "a", "of"})


def comparator_related(left: Item[Comparator], between: Gap, right: Item[Noun], grammar: Grammar) -> Iterator[AnyItem]:
    """The comparison with the boss that each has, or the one "who manages them"."""
    comparator, noun = left.meaning, right.meaning
    own = tuple(choice for choice in comparator.choices if not choice.of_relation)
    if noun.named or noun.wild or not set(between.texts) <= _OF_EACH | _OWN or (comparator.choices and not own):
        return
    label = noun.nodes.label
    if noun.role is not None and noun.role[-1].target == label and _OF_EACH & set(between.texts):
        path = turned(noun.role, label)
        yield grammar.item(left, right, ConditionNoun(own, comparator.comparison, path=path))
        return
    clause = _clause(right.last, grammar)
    for step in grammar.joins.from_label(label) if clause else ():
        if grammar.joins.alike(step.target, label):
            said = clause[:-1]
            features: list[Feature] = [*agreement((step,), label, said, between, grammar)]
            features += direction((step,), said, False, grammar)
            meaning = ConditionNoun(own, comparator.comparison, path=(step,))
            yield grammar.item(left, right, meaning, *features, last=right.last + len(clause) + 1)


def _clause(first: int, grammar: Grammar) -> tuple[str, ...]:
    """The words of "who teaches them" behind "who", up to whom it is done to; none where no such clause follows."""
    texts = [token.text for token in grammar.tokens[first : first + _LONGEST_CLAUSE]]
    end = next((i for i, text in enumerate(texts) if text in _WHOM), 0)
    return tuple(texts[1 : end + 1]) if end > 1 and texts[0] in ("who", "that", "which") else ()


def noun_also(
    left: Item[Noun], between: Gap, right: Item[Superlative] | Item[Ranking], grammar: Grammar
) -> Iterator[AnyItem]:
    """ "longer than Heat" + "but cheaper", "and with fewer seats": compared with the same node."""
    noun, degree = left.meaning, right.meaning
    than = next((each.than for each in reversed(noun.nodes.conditions) if each.than and not each.average), None)
    superlative = degree.superlative if isinstance(degree, Ranking) else degree
    said = {token.text for token in grammar.tokens[right.first : right.last]}
    comparative = bool(said & _MORE) or any(adjectives()[each].comparative for each in said & adjectives().keys())
    texts = set(between.texts)
    if than is None or not comparative or not (texts & _AND and texts <= _AND | _BESIDE_AND):
        return
    counted = degree.counted if isinstance(degree, Ranking) else None
    for descending in (True, False):
        choices = tuple(each for each in degree.choices if each.descending == descending and not each.of_relation)
        if isinstance(degree, Ranking) or superlative.counts:
            choices = degree.choices if descending == superlative.descending else ()
        if choices or (counted is not None and descending == superlative.descending):
            given = ConditionNoun(choices, ">" if descending else "<", than=than, counted=counted)
            pair = Pair(left, replace(between, texts=(), words=()), right, grammar)
            yield from conditioned(pair, noun, given, False, [("guess", -guessed(right))])
