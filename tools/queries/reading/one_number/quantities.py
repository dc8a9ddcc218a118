"""Quantities that are added up: "how many tins of chickpeas did Ann order" counts no orders."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.words import tokens, unit_measure
from clew.tools.queries.reading.forms.form import Form
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.forms.named_quantities import asks_how_many
from clew.tools.queries.reading.forms.quantities import adds_up, is_quantity
from clew.tools.queries.reading.forms.scoring import with_features
from clew.tools.queries.reading.one_number.extremes import DONE
from clew.tools.queries.reading.question_parts import Parts
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_HOW_MANY = re.compile(r"\b(?:how many|number of)\s+([\w-]+)", re.IGNORECASE)
_FIRST = re.compile(r"\W*(?:(?:the|total|all)\s+)*(\w+)\b", re.IGNORECASE)
_PIECES = re.compile(r"\bhow many\s+(\w+)\s+of\s+(?:the\s+|our\s+)?", re.IGNORECASE)
_COUNTED = frozenset(
    {"individuals", "units", "pieces", "copies", "number", "count", "total", "quantity", "participants"}
)
"""Words of quantities that may stand for whatever is counted."""
_LISTING = re.compile(r"\b(?:list|show|which|each|every|per|who|and how many|name|by)\b", re.IGNORECASE)
_TALLIED = re.compile(
    r"(?:[-\u2013\u2014:,]|\s-)\s*(?:what(?:'s| is) the )?(?:number|count|tally|how many)(?: please| pls| plz)?\W*\Z"
    r"|\A\W*(?:the )?(?:number|count)\s+(?!of\b)\w+ed\b",
    re.IGNORECASE,
)
_NEAR = 1.5
"""What a reading may cost more than the best one that adds up what is said."""
_KEPT = 3
"""Readings without the word for pieces that are tried."""
_GUESS = ("guess", 0.2)


def without_counts(readings: Sequence[Reading], question: str, words: SchemaWords) -> Sequence[Reading]:
    """The readings, without those that count things where the words say that a quantity is meant: "how many copies",
    "how many animals were counted" in surveys that have a number of `individuals_counted`."""
    found = _HOW_MANY.search(question) or _unit_first(question)
    if found is None:
        return readings
    best = readings[0] if readings else None
    near = [each.form for each in readings if best and each.cost <= best.cost + _NEAR and not _loses(each, best)]
    if not any(_is_said(form, question, found.group(1), words) for form in near):
        return readings
    return [each for each in readings if not _counts(each.form)]


def _unit_first(question: str) -> re.Match[str] | None:
    """The unit that a question begins with: "kg harvested per crop"."""
    found = _FIRST.match(question)
    return found if found is not None and unit_measure(singular(found.group(1).lower())) else None


def _loses(reading: Reading, other: Reading) -> bool:
    """Whether a reading leaves more words unexplained than another."""
    return not set(reading.unexplained) <= set(other.unexplained)


def _counts(form: Form) -> bool:
    """Whether a form counts nodes or relationships, or those of each group."""
    counted = form.value is None or form.value.function == "count"
    return counted and (form.asks == "number" or (form.asks == "groups" and form.function in (None, "count")))


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
    if is_quantity(value.property) and asks_how_many(
        [each.name for each in of.entities], tokens(question), form.nodes.label
    ):
        return True
    named = [word for word in words_of_name if word not in _COUNTED]
    done = {root(token.text) for token in tokens(question) if DONE.search(token.text)}
    return bool(named) and all(root(word) in done for word in named)


def pieces(parts: Parts, words: SchemaWords) -> Iterator[Reading]:
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


def asks_how_many_at_all(question: str) -> bool:
    """Whether a word for a number stands where a question ends, or begins: "subscribers in York - number please",
    "number failed by Ann"."""
    return _TALLIED.search(question) is not None


def counted_labels(question: str, words: SchemaWords) -> set[str]:
    """The labels of what is counted where "how many" stands behind other words: "Ann sold how many policies?"."""
    found = _HOW_MANY.search(question)
    if found is None or _LISTING.search(question) is not None or not question[: found.start()].strip():
        return set()
    noun = found.group(1).lower()
    return {label for form in (noun, singular(noun)) for label, _ in words.labels.get(form, ())}


def lists_all(form: Form, labels: Container[str] | None) -> bool:
    """Whether a form lists all nodes of one of some labels, or of any, of which something is true."""
    plain = form.limit is None and form.nodes.order is None and not form.columns
    return form.asks == "nodes" and plain and (labels is None or form.nodes.label in labels) and not form.nodes.entities
