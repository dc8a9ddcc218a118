"""Readings of questions that want one number: "her commits in total" is not a number for each package, and the
"biggest crowd of a race" is no race."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import Span
from clew.tools.queries.reading.english.courtesy import without_courtesy
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.words import (
    COPULAS,
    HAVING,
    RELATIVE,
    is_superlative,
    light,
    tokens,
    unit_measure,
)
from clew.tools.queries.reading.forms.form import Form, Value
from clew.tools.queries.reading.forms.items import PropertyChoice, Reading
from clew.tools.queries.reading.forms.quantities import adds_up, asks_how_many, is_quantity
from clew.tools.queries.reading.forms.scoring import with_features
from clew.tools.queries.reading.question_parts import Parts
from clew.tools.queries.reading.schema.phrases import PREPOSITIONS
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_IN_ALL = re.compile(
    r"\b(?:altogether|in (?:total|all)|all (?:told|together|in all)|(?:added|summed|totalled|counted) (?:up|together)"
    r"|(?P<adds>(?:add|sum|tot|tally) up)|put together|taken together|combined|grand total"
    r"|between them|on one scale|(?:come|comes|amount|amounts|adds? up) to(?=\W*\Z)"
    r"|across (?:all|every)|over all (?:the|its|their)|counting (?:all|every))\b",
    re.IGNORECASE,
)
_OF_EACH = re.compile(
    r"\b(?:each|apiece|which|by(?!\s+(?-i:[A-Z]))|broken|breakdown|respectively"
    r"|per(?! (?:year|annum|month|week|day|hour|night|head|unit)\b)"
    r"|(?<!across )(?<!counting )every(?! \w+ (?:counted|included)))\b",
    re.IGNORECASE,
)
_NUMBERS = ("number", "written number")
_LISTING = re.compile(r"\b(?:list|show|which|each|every|per|who|and how many|name|by)\b", re.IGNORECASE)
_EVERY = re.compile(r"\bevery\b", re.IGNORECASE)
_MEAN = re.compile(r"\b(?:average|mean|typical|typically|normally)\b", re.IGNORECASE)
_THE = re.compile(r"(?:(?:what (?:do|does|did)|the|all|my|our)\s+)+", re.IGNORECASE)
_UNIT_OF = re.compile(r"\A\W*(?:how many\s+)?(\w+) of\s", re.IGNORECASE)
_TAKEN = re.compile(
    r"\bwhat (?:did|have|has) (?:we|they|you|i|he|she) (?:make|made|earn|earned|take|taken|bring in|spend|spent|pay"
    r"|paid|charge|charged|bill|billed|collect|collected)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(r"(?:how|which|who|where|when)", re.IGNORECASE)
_DONE = re.compile(r"\w{3,}ed\Z|\A(?:ever|paid|sold|made|sent|held|bought|won)\Z")
_MEASURES = frozenset({"height", "length", "depth", "width", "area", "weight", "size", "age", "distance", "altitude"})
"""The last words of properties that are measures of what their other words name: a `summit_height`."""
_ARTICLES = frozenset({"per", "a", "an", "the", "any", "we", "our", "you", "they", "anyone", "anybody", "somebody"})
_HOW_MANY = re.compile(r"\b(?:how many|number of)\s+([\w-]+)", re.IGNORECASE)
_PIECES = re.compile(r"\bhow many\s+(\w+)\s+of\s+(?:the\s+|our\s+)?", re.IGNORECASE)
_COUNTED = frozenset(
    {"individuals", "units", "pieces", "copies", "number", "count", "total", "quantity", "participants"}
)
"""Words of quantities that may stand for whatever is counted."""
_SHOWN = frozenset({"show", "list", "find", "display", "name", "get", "give"})
"""What asks for a thing itself, rather than for a number of it."""
_LONGEST_NOUN = 4
"""Words of a noun behind a superlative."""
_OF_REST = ("guess", 0.5)
_SURELY, _KEPT = 1.5, 3
"""Cost below which the reading of the whole stands, and readings of the rest that are tried."""
_NEAR = 1.5
"""What a reading may cost more than the best one that adds up what is said."""
_GUESS, _NOT_ONE = ("guess", 0.2), ("unexplained", 0.6)


def with_one_number(readings: Sequence[Reading], parts: Parts, words: SchemaWords) -> list[Reading]:
    """The readings of a question, those that give several numbers behind their total where one is wanted, and those
    that give what has the greatest number behind that number where it is what the question asks for.

    Args:
        readings: The readings.
        parts: The question, and how its parts are read.
        words: The words of the schema.
    """
    question = parts.question
    readings = _without_counts(readings, question, words)
    in_all = _wants_total(question)
    if not (readings and readings[0].cost < _SURELY and not readings[0].unexplained):
        readings = [*readings, *(_totals_of_rest(parts) if in_all else ()), *_pieces(parts, words)]
    extremes = _extremes(question, words)
    counts = _counted_labels(question, words)

    def numbers(reading: Reading) -> Iterator[Reading]:
        total = _total(reading.form) if in_all else None
        extreme = _extreme(reading.form, extremes, words.nameless)
        if in_all and reading.form.function == "avg" and _MEAN.search(question) is None:
            yield with_features(reading, _NOT_ONE)
        elif total is not None:
            yield with_features(replace(reading, form=total), _GUESS)
            yield with_features(reading, _NOT_ONE)
        elif counts and _lists_all(reading.form, counts):
            yield replace(reading, form=replace(reading.form, asks="number", function="count"))
        else:
            yield reading if extreme is None else replace(reading, form=extreme)

    if not (in_all or extremes or counts):
        return list(readings)
    return sorted((each for reading in readings for each in numbers(reading)), key=lambda each: each.cost)


def _wants_total(question: str) -> bool:
    """Whether words say that numbers are added up, but not for each of several things."""
    unit = _UNIT_OF.match(question)
    if _TAKEN.search(question) is not None or (unit is not None and unit_measure(singular(unit.group(1).lower()))):
        return _OF_EACH.search(question) is None
    found = _IN_ALL.search(question)
    said = question if found is None or found.group("adds") is None else _EVERY.sub("", question)
    return found is not None and _OF_EACH.search(said) is None


def _totals_of_rest(parts: Parts) -> Iterator[Reading]:
    """The totals of what a question lists without the words that ask for a total."""
    spans, at = [], 0
    for each in _IN_ALL.finditer(parts.question):
        spans.append((at, each.start()))
        at = each.end()
    spans.append((at, len(parts.question)))
    rest = [span for span in (_trimmed(parts.question, each) for each in spans) if span[0] < span[1]]
    if not rest:
        return
    the = _THE.match(parts.question, *rest[0])
    named = [(the.end(), rest[0][1]), *rest[1:]] if the is not None else rest
    asks = _ASKS.match(parts.question, *rest[0]) is not None
    for reading in parts.readings(*rest)[:_KEPT] if asks else parts.readings("total", *named)[:_KEPT]:
        total = _total(reading.form)
        if total is not None or reading.form.function == "sum":
            yield with_features(replace(reading, form=total or reading.form), _OF_REST)


def _pieces(parts: Parts, words: SchemaWords) -> Iterator[Reading]:
    """The quantities of a named thing of which pieces are counted: "how many tins of chickpeas did Ann order"."""
    found = _PIECES.search(parts.question)
    named = found is not None and any(each.start == found.end() for each in parts.named[0])
    if found is None or not named or singular(found.group(1).lower()) in words.labels:
        return
    rest = parts.readings((found.start(), found.start(1)), (found.end(), len(parts.question)))
    for reading in rest[:_KEPT]:
        value = reading.form.value
        if value is not None and "sum" in (reading.form.function, value.function) and is_quantity(value.property or ""):
            yield with_features(reading, _GUESS)


def _trimmed(question: str, span: Span) -> Span:
    part = question[slice(*span)]
    return span[0] + len(part) - len(part.lstrip(" ,:;-\u2013")), span[0] + len(part.rstrip(" ,:;?.!-\u2013"))


def _without_counts(readings: Sequence[Reading], question: str, words: SchemaWords) -> Sequence[Reading]:
    """The readings, without those that count things where the words say that a quantity is meant: "how many copies",
    "how many animals were counted" in surveys that have a number of `individuals_counted`."""
    found = _HOW_MANY.search(question)
    if found is None:
        return readings
    best = readings[0] if readings else None
    near = [each.form for each in readings if best and each.cost <= best.cost + _NEAR and not _loses(each, best)]
    if not any(_is_said(form, question, found.group(1), words) for form in near):
        return readings
    return [each for each in readings if not _counts(each.form)]


def _loses(reading: Reading, other: Reading) -> bool:
    """Whether a reading leaves more words unexplained than another."""
    return not set(reading.unexplained) <= set(other.unexplained)


def _counted_labels(question: str, words: SchemaWords) -> set[str]:
    """The labels of what is counted where "how many" stands behind other words: "Ann sold how many policies?"."""
    found = _HOW_MANY.search(question)
    if found is None or _LISTING.search(question) is not None or not question[: found.start()].strip():
        return set()
    noun = found.group(1).lower()
    return {label for form in (noun, singular(noun)) for label, _ in words.labels.get(form, ())}


def _lists_all(form: Form, labels: Container[str]) -> bool:
    """Whether a form lists all nodes of one of some labels of which something is true."""
    plain = form.limit is None and form.nodes.order is None and not form.columns
    return form.asks == "nodes" and plain and form.nodes.label in labels and not form.nodes.entities


def _counts(form: Form) -> bool:
    """Whether a form counts nodes or relationships."""
    return form.asks == "number" and (form.value is None or form.value.function == "count")


def _is_said(form: Form, question: str, head: str, words: SchemaWords) -> bool:
    """Whether a form adds up a property that is called as what a question counts, or as what is done with it."""
    value = form.value
    if value is None or value.property is None or "sum" not in (form.function, value.function):
        return False
    if not adds_up(value.property):
        return False
    words_of_name = identifier_words(value.property)
    head = head.lower().replace("-", "")
    if singular("".join(words_of_name)) == singular(head):
        return True
    if any(each.name == value.property for each in words.property(head)) and head not in words.labels:
        return True
    of = value.link.other if value.link is not None else form.nodes
    if is_quantity(value.property) and asks_how_many(of, tokens(question), form.nodes.label):
        return True
    named = [word for word in words_of_name if word not in _COUNTED]
    done = {root(token.text) for token in tokens(question) if _DONE.search(token.text)}
    return bool(named) and all(root(word) in done for word in named)


def _total(form: Form) -> Form | None:
    """The total of the numbers that a form gives; None where it gives no several numbers that add up."""
    value = form.value
    if value is None or form.since is not None or form.columns or value.kind not in _NUMBERS:
        return None
    of_each = form.asks == "groups" and form.group is None and value.function in ("sum", "count")
    of_several = form.asks == "value" and not form.nodes.entities and value.function in (None, "sum", "count")
    several = of_each or (of_several and form.nodes.order is None)
    return replace(form, asks="number", function="sum", limit=None) if several else None


def _extreme(form: Form, named: Sequence[PropertyChoice], nameless: Container[str]) -> Form | None:
    """The number of the first one by a property; None where it is not the first one of all, or by another property."""
    order = form.nodes.order
    if form.asks != "nodes" or order is None or order.limit != 1 or order.skip or order.grouped or form.columns:
        return None
    by = order.by
    if by.link is not None or by.edge is not None or by.kind not in _NUMBERS:
        return None
    if all((each.label, each.name) != (form.nodes.label, by.property) for each in named):
        return None
    value = Value(by.property, kind=by.kind)
    if form.nodes.label in nameless:
        return Form("value", form.nodes, value)  # "The biggest invoice" tells the amount, and of which invoice.
    return Form("number", replace(form.nodes, order=None), value, "max" if order.descending else "min")


def _extremes(question: str, words: SchemaWords) -> list[PropertyChoice]:
    """The properties of which a question asks for the greatest or the least value: the "biggest crowd"."""
    said = tokens(without_courtesy(question))
    at = next((i for i, token in enumerate(said) if is_superlative(token.text) or token.text == "top"), len(said))
    before = [token.text for token in said[:at]]
    before = before[max((i for i, text in enumerate(before) if text == "what"), default=0) :]
    if any(
        text in RELATIVE or text in HAVING or text in ("which", "who", "where", "when") or _names(text, words)
        for text in before
    ):
        return []
    noun: list[str] = []
    for token in said[at + 1 : at + 1 + _LONGEST_NOUN]:
        ends = token.text in PREPOSITIONS or token.text in COPULAS or token.text in RELATIVE or token.text in _ARTICLES
        if ends or _DONE.search(token.text) or question[token.start].isupper():
            break
        if token.text != "single":
            noun.append(token.text)
    heads = [label for form in (*noun[-1:], *map(singular, noun[-1:])) for label, _ in words.labels.get(form, ())]
    if heads and _SHOWN & set(before):
        return []
    if heads:
        return [each for each in words.choices if each.label in heads and each.label in words.nameless]
    phrases = (" ".join(noun[first:]) for first in range(len(noun)))
    found = next((found for each in phrases if (found := words.property(each))), [])
    return [each for each in found if not _MEASURES & set(identifier_words(each.name)[-1:]) - set(noun)]


def _names(text: str, words: SchemaWords) -> bool:
    """Whether a word names a kind of thing, or a number."""
    if text in words.labels or singular(text) in words.labels or text in words.roles:
        return True
    return text not in light() and any(each.kind in _NUMBERS for each in words.property(text))
