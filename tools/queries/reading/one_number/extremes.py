"""Greatest and least values: the "biggest crowd of a race" is no race."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.courtesy import without_courtesy
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.words import COPULAS, HAVING, RELATIVE, is_superlative, light, tokens
from clew.tools.queries.reading.forms.form import Form, Value
from clew.tools.queries.reading.forms.items import PropertyChoice
from clew.tools.queries.reading.one_number.totals import NUMBERS
from clew.tools.queries.reading.schema.phrases import PREPOSITIONS
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

DONE = re.compile(r"\w{3,}ed\Z|\A(?:ever|paid|sold|made|sent|held|bought|won)\Z")
"""What has been done to something, or a word before that."""
_MEASURES = frozenset({"height", "length", "depth", "width", "area", "weight", "size", "age", "distance", "altitude"})
"""The last words of properties that are measures of what their other words name: a `summit_height`."""
_ARTICLES = frozenset({"per", "a", "an", "the", "any", "we", "our", "you", "they", "anyone", "anybody", "somebody"})
_SHOWN = frozenset({"show", "list", "find", "display", "name", "get", "give"})
"""What asks for a thing itself, rather than for a number of it."""
_LONGEST_NOUN = 4
"""Words of a noun behind a superlative."""


def extremes(question: str, words: SchemaWords) -> list[PropertyChoice]:
    """The properties of which a question asks for the greatest or the least value: the "biggest crowd"."""
    said = tokens(without_courtesy(question))
    at = next((i for i, token in enumerate(said) if _begins(said, i, words)), len(said))
    before = [token.text for token in said[:at]]
    before = before[max((i for i, text in enumerate(before) if text == "what"), default=0) :]
    asking = RELATIVE | HAVING | {"which", "who", "where", "when"}
    if any(text in asking or _names(text, words) for text in before):
        return []
    noun = _noun(said[at + 1 : at + 1 + _LONGEST_NOUN], question)
    heads = [label for form in (*noun[-1:], *map(singular, noun[-1:])) for label, _ in words.labels.get(form, ())]
    if heads and _SHOWN & set(before):
        return []
    if heads:
        return [each for each in words.choices if each.label in heads and each.label in words.nameless]
    phrases = (" ".join(noun[first:]) for first in range(len(noun)))
    found = next((found for each in phrases if (found := words.property(each))), [])
    return [each for each in found if not _MEASURES & set(identifier_words(each.name)[-1:]) - set(noun)]


def _begins(said: Sequence[Token], place: int, words: SchemaWords) -> bool:
    """Whether a word is a superlative, or "most" before what is a number: "most passengers on one shift"."""
    text, behind = said[place].text, [token.text for token in said[place + 1 : place + 2]]
    most = text in ("most", "fewest") and any(each not in words.labels and _names(each, words) for each in behind)
    return is_superlative(text) or text == "top" or most


def _noun(said: Sequence[Token], question: str) -> list[str]:
    """The words of the noun with which some words begin."""
    found: list[str] = []
    of_number = [token.text for token in said[:2]] in (["number", "of"], ["amount", "of"])
    for token in said[2:] if of_number else said:
        ends = token.text in PREPOSITIONS or token.text in COPULAS or token.text in RELATIVE or token.text in _ARTICLES
        if ends or DONE.search(token.text) or question[token.start].isupper():
            break
        if token.text != "single":
            found.append(token.text)
    return found


def extreme_of(form: Form, named: Sequence[PropertyChoice], nameless: Container[str]) -> Form | None:
    """The number of the first one by a property; None where it is not the first one of all, or by another property."""
    order = form.nodes.order
    if form.asks != "nodes" or order is None or order.limit != 1 or order.skip or order.grouped or form.columns:
        return None
    by = order.by
    if by.link is not None or by.edge is not None or by.kind not in NUMBERS:
        return None
    if all((each.label, each.name) != (form.nodes.label, by.property) for each in named):
        return None
    value = Value(by.property, kind=by.kind)
    if form.nodes.label in nameless:
        return Form("value", form.nodes, value)  # "The biggest invoice" tells the amount, and of which invoice.
    return Form("number", replace(form.nodes, order=None), value, "max" if order.descending else "min")


def _names(text: str, words: SchemaWords) -> bool:
    """Whether a word names a kind of thing, or a number."""
    if text in words.labels or singular(text) in words.labels or text in words.roles:
        return True
    return text not in light() and any(each.kind in NUMBERS for each in words.property(text))
