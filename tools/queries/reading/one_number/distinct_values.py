"""Numbers of different values: "how many different languages do our films have" counts no films."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.lexical import Span
from clew.tools.queries.reading.english.inflection import is_plural, singular
from clew.tools.queries.reading.forms.form import Form
from clew.tools.queries.reading.forms.items import PropertyChoice, Reading
from clew.tools.queries.reading.forms.scoring import with_features
from clew.tools.queries.reading.question_parts import Parts, trimmed
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_COUNTED = re.compile(
    r"\b(?:how many|(?:the )?number of|count (?:of )?(?:the |our )?)\s*"
    r"(?P<different>different|distinct|unique|separate)?\s*(?P<noun>[\w-]+(?: [\w-]+){0,2})",
    re.IGNORECASE,
)
_TEXTS = frozenset({"text", "texts"})
_LISTED = re.compile(r"\b(?:each|every|per|by|respectively)\b", re.IGNORECASE)
_OF_THINGS = frozenset({"id", "name", "title", "number", "code", "key"})
"""How properties end that hold what things are called."""
_SURELY = 1.5
_GUESS, _UNSAID = ("guess", 0.3), ("guess", 0.8)
_KEPT = 3
"""Readings of the question for the values themselves that are tried."""


def distinct_values(readings: Sequence[Reading], parts: Parts, words: SchemaWords) -> list[Reading]:
    """The readings of a question, and those that count the different values of a property where the question says the
    property, and asks how many there are.

    Args:
        readings: The readings.
        parts: The question, and how its parts are read.
        words: The words of the schema.
    """
    found = _COUNTED.search(parts.question)
    counted = None if found is None or _LISTED.search(parts.question) else _property(found, words)
    if found is None or counted is None:
        return list(readings)
    different = found["different"] is not None
    if not different and readings and readings[0].cost < _SURELY and readings[0].form.asks == "number":
        return list(readings)
    names = {(each.label, str(each.name)) for each in counted}
    before = trimmed(parts.question, (0, found.start()))
    rest = "which", (found.start("noun"), len(parts.question))
    listed = parts.readings(*([before] if _says_more(parts.question, before) else []), *rest)
    numbers = [
        with_features(replace(reading, form=number), _GUESS if different else _UNSAID)
        for reading in listed[:_KEPT]
        if (number := _number_of(reading.form, names)) is not None
    ]
    kept = [each for each in readings if not (different and _number_of(each.form, names))]
    return sorted([*kept, *numbers], key=lambda each: each.cost)


def _says_more(question: str, before: Span) -> bool:
    """Whether there is more than a preposition before what is counted: "for Ann, how many different …"."""
    return len(question[slice(*before)].split()) > 1


def _property(found: re.Match[str], words: SchemaWords) -> Sequence[PropertyChoice] | None:
    """The properties of texts that the longest beginning of a noun names; None where it names a kind of thing first."""
    said = found["noun"].lower().split()
    for length in range(len(said), 0, -1):
        phrase = " ".join([*said[: length - 1], singular(said[length - 1])])
        if not is_plural(said[length - 1]):
            continue
        if words.labels.get(phrase) or words.roles.get(phrase):
            return None
        choices = [each for each in words.property(phrase) if each.kind in _TEXTS and _is_named(each, phrase)]
        if choices:
            return choices
    return None


def _is_named(choice: PropertyChoice, phrase: str) -> bool:
    """Whether a phrase is how the name of a property ends: "towns", of a `home_town`, but not "tickets" of a
    `ticket_type`; the names of things are counted by counting the things."""
    last = phrase.split()[-1]
    if not isinstance(choice.name, str) or last in _OF_THINGS:
        return False
    return last in (own := identifier_words(choice.name)[-1], singular(own))


def _number_of(form: Form, names: set[tuple[str, str]]) -> Form | None:
    """How many values a form tells; None where it tells none of these properties."""
    if form.columns or form.limit is not None or form.nodes.order is not None or form.best or form.bound is not None:
        return None
    value = form.value
    if form.asks == "groups" and form.group is not None and not form.group_path and value is None and not form.period:
        told = (form.nodes.label, form.group)
        return replace(form, asks="number", function=None) if told in names else None
    if form.asks != "value" or value is None or value.function or value.link is not None or value.period:
        return None
    if value.property is None or (form.nodes.label, value.property) not in names:
        return None
    return Form("number", form.nodes, group=value.property)
