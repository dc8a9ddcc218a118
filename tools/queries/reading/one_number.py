"""Readings of questions that want one number: "her commits in total" is not a number for each package, and the
"biggest crowd of a race" is no race."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.reading.english.courtesy import without_courtesy
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.words import COPULAS, RELATIVE, is_superlative, light, tokens
from clew.tools.queries.reading.forms.form import Form, Value
from clew.tools.queries.reading.forms.items import PropertyChoice, Reading
from clew.tools.queries.reading.forms.scoring import with_features
from clew.tools.queries.reading.schema.phrases import PREPOSITIONS
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_IN_ALL = re.compile(
    r"\b(?:altogether|in (?:total|all)|all (?:told|together|in all)|(?:added|summed|totalled|counted) (?:up|together)"
    r"|add up|sum up|put together|taken together|combined|grand total"
    r"|across (?:all|every)|over all (?:the|its|their)|counting (?:all|every))\b",
    re.IGNORECASE,
)
_OF_EACH = re.compile(
    r"\b(?:each|apiece|which|by|broken|breakdown|respectively"
    r"|per(?! (?:year|annum|month|week|day|hour|night|head|unit)\b)"
    r"|(?<!across )(?<!counting )every(?! \w+ (?:counted|included)))\b",
    re.IGNORECASE,
)
_NUMBERS = ("number", "written number")
_DONE = re.compile(r"\w{3,}ed\Z|\A(?:ever|paid|sold|made|sent|held|bought|won)\Z")
_MEASURES = frozenset({"height", "length", "depth", "width", "area", "weight", "size", "age", "distance", "altitude"})
"""The last words of properties that are measures of what their other words name: a `summit_height`."""
_ARTICLES = frozenset({"a", "an", "the", "any", "we", "our", "you", "they"})
_LONGEST_NOUN = 4
"""Words of a noun behind a superlative."""
_GUESS, _NOT_ONE = ("guess", 0.2), ("unexplained", 0.6)


def with_one_number(readings: Sequence[Reading], question: str, words: SchemaWords) -> list[Reading]:
    """The readings of a question, those that give several numbers behind their total where one is wanted, and those
    that give what has the greatest number behind that number where it is what the question asks for.

    Args:
        readings: The readings.
        question: The question.
        words: The words of the schema.
    """
    in_all = _IN_ALL.search(question) is not None and _OF_EACH.search(question) is None
    extremes = _extremes(question, words)

    def numbers(reading: Reading) -> Iterator[Reading]:
        total = _total(reading.form) if in_all else None
        extreme = _extreme(reading.form, extremes)
        if total is not None:
            yield with_features(replace(reading, form=total), _GUESS)
            yield with_features(reading, _NOT_ONE)
        else:
            yield reading if extreme is None else replace(reading, form=extreme)

    if not in_all and not extremes:
        return list(readings)
    return sorted((each for reading in readings for each in numbers(reading)), key=lambda each: each.cost)


def _total(form: Form) -> Form | None:
    """The total of the numbers that a form gives; None where it gives no several numbers that add up."""
    value = form.value
    if value is None or form.since is not None or form.columns or value.kind not in _NUMBERS:
        return None
    of_each = form.asks == "groups" and form.group is None and value.function in ("sum", "count")
    of_several = form.asks == "value" and not form.nodes.entities and value.function in (None, "sum", "count")
    several = of_each or (of_several and form.nodes.order is None)
    return replace(form, asks="number", function="sum", limit=None) if several else None


def _extreme(form: Form, named: Sequence[PropertyChoice]) -> Form | None:
    """The number of the first one by a property; None where it is not the first one of all, or by another property."""
    order = form.nodes.order
    if form.asks != "nodes" or order is None or order.limit != 1 or order.skip or order.grouped or form.columns:
        return None
    by = order.by
    if by.link is not None or by.edge is not None or by.kind not in _NUMBERS:
        return None
    if all((each.label, each.name) != (form.nodes.label, by.property) for each in named):
        return None
    nodes = replace(form.nodes, order=None)
    return Form("number", nodes, Value(by.property, kind=by.kind), "max" if order.descending else "min")


def _extremes(question: str, words: SchemaWords) -> list[PropertyChoice]:
    """The properties of which a question asks for the greatest or the least value: the "biggest crowd"."""
    said = tokens(without_courtesy(question))
    at = next((i for i, token in enumerate(said) if is_superlative(token.text)), len(said))
    before = [token.text for token in said[:at]]
    if any(text in RELATIVE or text in ("which", "who", "where", "when") or _names(text, words) for text in before):
        return []
    noun: list[str] = []
    for token in said[at + 1 : at + 1 + _LONGEST_NOUN]:
        ends = token.text in PREPOSITIONS or token.text in COPULAS or token.text in RELATIVE or token.text in _ARTICLES
        if ends or _DONE.search(token.text) or question[token.start].isupper():
            break
        noun.append(token.text)
    if not noun or noun[-1] in words.labels or singular(noun[-1]) in words.labels:
        return []
    phrases = (" ".join(noun[first:]) for first in range(len(noun)))
    found = next((found for each in phrases if (found := words.property(each))), [])
    return [each for each in found if not _MEASURES & set(identifier_words(each.name)[-1:]) - set(noun)]


def _names(text: str, words: SchemaWords) -> bool:
    """Whether a word names a kind of thing, or a number."""
    if text in words.labels or singular(text) in words.labels or text in words.roles:
        return True
    return text not in light() and any(each.kind in _NUMBERS for each in words.property(text))
