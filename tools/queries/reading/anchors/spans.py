"""Which words of a question may say a relation, given the anchors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from clew.tools.graph.entity import Entity, Mention
from clew.tools.linking.ordinary import QUESTION_WORDS
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.gap import KEPT, content
from clew.tools.queries.reading.english.words import FREE
from clew.tools.queries.reading.forms.dropped_values import AS_WRITTEN
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, Noun, PropertyNoun
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_MOST_LOOKED_AT = 20
"""Nodes of one name whose relations are looked at."""


def claimed(items: Iterable[AnyItem], count: int) -> list[bool]:
    """Which tokens belong to some anchor that names a thing, so that a verb ends before them."""
    found = [False] * count
    for item in items:
        if isinstance(item.meaning, Noun) and not item.meaning.wild:
            found[item.first : item.last] = [True] * (item.last - item.first)
    return found


def undivided(tokens: Sequence[Token], mentions: Iterable[Mention]) -> list[Token]:
    """The words with each name that has no blanks as one: "20-3721" is an account, and no range; a name that is also a
    word like "it" stays in capitals, so that it must be explained."""
    found = list(tokens)
    for mention in mentions:
        inside = [i for i, each in enumerate(found) if mention.start <= each.start < each.end <= mention.end]
        parts = found[inside[0] : inside[-1] + 1] if inside else []
        whole = bool(parts) and (parts[0].start, parts[-1].end) == (mention.start, mention.end)
        written = any(each.matched.lower() == mention.text.lower() for each in mention.candidates)
        if written and whole and len(parts) > 1 and all(one.end == other.start for one, other in pairwise(parts)):
            one = Token(mention.text.lower(), mention.start, mention.end)
            found[inside[0] : inside[-1] + 1] = [one]
        elif whole and len(parts) == 1 and parts[0].text in FREE and mention.text.isupper():
            found[inside[0]] = replace(parts[0], text=mention.text)
    return found


def of_several_words(items: Iterable[AnyItem], count: int) -> list[bool]:
    """Which tokens belong to a value or the name of a property of several words, so that none of them says little: "on
    hold", "ship type"."""
    found = [False] * count
    for item in items:
        several = item.last - item.first > 1 and item.cost <= AS_WRITTEN
        meaning = item.meaning
        value = isinstance(meaning, ConditionNoun) and bool(meaning.values and meaning.choices)
        named = isinstance(meaning, PropertyNoun) and not item.cost and any(not c.cost for c in meaning.choices)
        if several and (value or named):
            found[item.first : item.last] = [True] * (item.last - item.first)
    return found


def valued(items: Iterable[AnyItem], tokens: Sequence[Token], words: SchemaWords) -> list[bool]:
    """Which tokens are the value of a property, and not a verb of some relation: no verb goes on over them."""
    found = [False] * len(tokens)
    for item in items:
        if isinstance(item.meaning, ConditionNoun) and item.meaning.values and item.cost <= AS_WRITTEN:
            verbal = all(root(token.text) in words.verbs for token in tokens[item.first : item.last])
            found[item.first : item.last] = [not verbal] * (item.last - item.first)
    return found


def of_unknown_kind(item: AnyItem) -> bool:
    """Whether an item is "which" with words that the schema does not have."""
    return isinstance(item.meaning, Noun) and item.meaning.wild == "what" and item.last - item.first > 1


def unknown_names(
    question: str, tokens: Sequence[Token], items: Iterable[AnyItem], words: SchemaWords
) -> frozenset[str]:
    """The words in capitals that no anchor covers and no relation's name has: names that the graph does not know."""
    taken = {i for item in items if not of_unknown_kind(item) for i in range(item.first, item.last)}
    capitals = [question[token.start].isupper() for token in tokens]
    if sum(capitals) > len(tokens) / 2:
        return frozenset()  # A headline.
    return frozenset(
        token.text
        for i, token in enumerate(tokens)
        if i and capitals[i] and i not in taken and token.text not in FREE and root(token.text) not in words.verbs
    )


def windows(tokens: Sequence[Token], items: Iterable[AnyItem]) -> Iterator[str]:
    """The runs of words that may say how two nouns are related, without the free words around them."""
    taken = [False] * len(tokens)
    leads = {a.text for a, b in pairwise(tokens) if a.text in KEPT and b.text in QUESTION_WORDS}
    for item in items:
        if isinstance(item.meaning, Noun) and (item.meaning.named or (item.meaning.nodes.bare and not item.cost)):
            taken[item.first : item.last] = [True] * (item.last - item.first)
    for first in range(len(tokens)):
        for last in range(first + 1, min(first + 4, len(tokens)) + 1):
            if any(taken[first:last]):
                break
            kept = content(tokens[first:last])
            if kept:
                yield " ".join(kept)
                yield from (" ".join((*kept, lead)) for lead in leads if lead not in kept)


def named_entities(anchors: Iterable[AnyItem]) -> list[Entity]:
    """The first nodes of each name."""
    nouns = [item.meaning.nodes for item in anchors if isinstance(item.meaning, Noun)]
    return [entity for nodes in nouns for entity in nodes.entities[:_MOST_LOOKED_AT]]


def explained(said: Sequence[Token], item: AnyItem) -> bool:
    """Whether a noun has a relative clause, or stands between "of" and "of": "the actor who …", "of the son of"."""
    behind = said[item.last].text if item.last < len(said) else ""
    before = [token.text for token in said[max(0, item.first - 2) : item.first] if token.text != "the"]
    return behind in ("who", "that", "which") or (behind == "of" and before[-1:] == ["of"])
