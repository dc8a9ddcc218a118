"""Readings of everyday ways to ask for what something has: "who answers to Ann" for her manager. Data: everyday.toml.

They are tried where the words of a question say less: a graph has a manager, and nobody asks for one by that noun.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from clew.tools.graph.entity import Mention
from clew.tools.queries.lexical import Span, load_toml
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.words import FREE, tokens
from clew.tools.queries.reading.forms.form import Form
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.forms.scoring import with_features
from clew.tools.queries.reading.presentation.said import LONGEST
from clew.tools.queries.reading.question_parts import Parts
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_AGREES, _DEAREST, _MOST = 1.7, 1.6, 4
"""Cost of a reading of the whole question below which no other is looked for, cost of that of a noun above which it is
not trusted, and how many nouns are tried."""
_BESIDE = 1
"""Words that may stand beside a name."""
_GUESS, _FURTHER, _LOST = 0.5, 0.15, ("unexplained", 0.6)
"""What a noun costs, what each that is likelier adds, and what it costs that a reading uses none of them."""


_BEGINS = r"(?:\A|[,.;:!?\u2013-]\s+|\b(?:me|know|say|ask|tell|wonder|wondering|the name of|is it|out|see|of) )"
"""What may stand before such a wording."""


@dataclass(frozen=True, slots=True)
class _Asked:
    patterns: tuple[re.Pattern[str], ...]
    nouns: tuple[str, ...]
    of_people: bool
    """Whether it asks for somebody …"""
    of_number: bool
    """… or for a number."""


def with_everyday(readings: Sequence[Reading], parts: Parts, words: SchemaWords) -> list[Reading]:
    """The readings of a question, with those by the nouns that stand for its everyday verb.

    Args:
        readings: Those of the question as a whole.
        parts: The question, and how its parts are read.
        words: The words of the schema.
    """
    sure = readings and readings[0].cost < _AGREES and not readings[0].unexplained
    if sure or len(parts.question) > LONGEST or not parts.named[0]:
        return list(readings)
    found = list(_found(parts, words))
    others = [with_features(each, _LOST) for each in readings] if found else readings
    return sorted([*found, *others], key=lambda each: each.cost)


def _found(parts: Parts, words: SchemaWords) -> Iterator[Reading]:
    tried = 0
    for asked, span in _meant(parts.question):
        inside = parts.named_in(span)
        if not inside or len(inside) < len(parts.named[0]) or not _is_name(parts.question, span, inside):
            continue
        for noun in asked.nouns:
            if tried == _MOST or not _is_known(noun, words):
                continue
            best = next((each for each in parts.readings(noun, "of", span)[:2] if _tells(each)), None)
            if best is not None and _fits(best.form, asked, words):
                yield with_features(best, ("guess", _GUESS + _FURTHER * tried))
                tried += 1


def _is_name(question: str, span: Span, names: Sequence[Mention]) -> bool:
    """Whether a part of a question says little beside a name: "the show Orbiters"."""
    beside = [
        token.text
        for token in tokens(question[slice(*span)])
        if not any(each.start <= span[0] + token.start < each.end for each in names)
    ]
    return len([text for text in beside if text not in FREE]) <= _BESIDE


def _meant(question: str) -> Iterator[tuple[_Asked, Span]]:
    """What a question may ask for, and the thing of which it asks."""
    for asked in _table():
        for pattern in asked.patterns:
            if (match := pattern.search(question)) is not None:
                yield asked, match.span("x")
                break


def _is_known(noun: str, words: SchemaWords) -> bool:
    """Whether the graph has a word for a relation, a property or a label."""
    return bool(noun in words.roles or words.property(noun) or noun in words.labels or singular(noun) in words.labels)


def _tells(reading: Reading) -> bool:
    """Whether a reading tells what something has, by all that is said."""
    return reading.cost <= _DEAREST and not reading.unexplained and _is_of_one(reading.form)


def _is_of_one(form: Form) -> bool:
    """Whether a form asks for what is linked to a named thing, or for a property of one."""
    if form.asks == "value":
        return bool(form.nodes.entities)
    return form.asks == "nodes" and any(link.other.entities for link in form.nodes.links)


def _fits(form: Form, asked: _Asked, words: SchemaWords) -> bool:
    """Whether a form asks for somebody, or for a number, where that is asked for."""
    if form.asks == "value" and form.value is not None:
        return (form.value.kind == "text") != asked.of_number
    return not asked.of_number and (not asked.of_people or form.nodes.label in words.persons)


@cache
def _table() -> tuple[_Asked, ...]:
    return tuple(
        _Asked(tuple(map(_pattern, row["said"])), tuple(row["nouns"]), "people" in row, "number" in row)
        for row in load_toml("reading", "everyday.toml")["asked"]
    )


def _pattern(said: str) -> re.Pattern[str]:
    named = said.replace("<x>", r"(?P<x>\S.*?)").replace("'", "['\u2019]")
    return re.compile(rf"{_BEGINS}{named}\W*\Z" if not said.startswith("<x>") else rf"\A\W*{named}\W*\Z", re.IGNORECASE)
