"""Relative clauses without a pronoun: "the packages X uses", and "everything X uses" as what the verb leads to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.tools.graph.entity import Mention
from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.inflection import is_plural, plural_of, singular
from clew.tools.queries.reading.schema.joins import Joins
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_ANYTHING = frozenset({"anything", "everything", "whatever"})
_PRONOUNS = frozenset({"that", "which"})
_AUXILIARIES = frozenset({"has", "have", "had"})
_SURE = 0.6
"""Agreement of a verb with a relation that it says."""


def with_pronouns(
    tokens: Sequence[Token], mentions: Sequence[Mention], words: SchemaWords, joins: Joins
) -> list[Token]:
    """The words with the pronoun of each relative clause whose subject is named.

    Args:
        tokens: The words of a question.
        mentions: What it names.
        words: The words of the schema.
        joins: The steps between labels.
    """
    found = list(tokens)
    for mention in reversed(mentions):
        inside = [i for i, each in enumerate(found) if mention.start <= each.start and each.end <= mention.end]
        labels = {each.entity.label for each in mention.candidates}
        if inside and inside[0] and labels:
            found = _with_pronoun(found, inside[0], inside[-1] + 1, labels, words, joins)
    return found


def _with_pronoun(
    tokens: list[Token], first: int, last: int, labels: set[str], words: SchemaWords, joins: Joins
) -> list[Token]:
    """The same of one name, which stands from `first` to `last`."""
    verb = next((token for token in tokens[last : last + 2] if token.text not in _AUXILIARIES), None)
    if verb is None or root(verb.text) not in words.verbs:
        return tokens
    said = tokens[first - 1].text in _PRONOUNS
    place = first - 1 - said
    noun = tokens[place]
    that = replace(noun, text="that")
    if noun.text in _ANYTHING and place:
        kinds = _led_to(verb.text, labels, joins)
        things = [replace(noun, text=text) for text in ("the", *kinds)]
        return [*tokens[:place], *things, that, *tokens[first:]] if kinds else tokens
    if said or not _is_kind(noun.text, labels, words, joins):
        return tokens
    return [*tokens[:first], that, *tokens[first:]]


def _is_kind(text: str, labels: set[str], words: SchemaWords, joins: Joins) -> bool:
    """Whether a noun is of what the name does something with; "the actor Tom Hanks" is one person."""
    named = {label for label, _ in words.labels.get(text, ())}
    named |= {role.step.target for role in words.roles.get(text, ())}
    own = any(joins.alike(one, other) for one in named for other in labels)
    return bool(named) and (is_plural(text) or singular(text) != text or not own)


def _led_to(verb: str, labels: set[str], joins: Joins) -> list[str]:
    """The words, in the plural, of the label that a verb leads to from one of some labels."""
    every = [step for label in sorted(labels) for step in joins.from_label(label)]
    steps = [(joins.agreement((verb,), step), step.target) for step in every]
    sure = [(agreed, target) for agreed, target in steps if agreed >= _SURE and "|" not in target]
    if not sure:
        return []
    *lead, head = identifier_words(max(sure)[1])
    return [*lead, plural_of(head)]
