"""The time from one date to that of another thing: "how old was Ann when she became captain".

Each date is read as a question of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from clew.tools.queries.calculated import Operator
from clew.tools.queries.lexical import Span
from clew.tools.queries.reading.durations.ends import said_moments
from clew.tools.queries.reading.durations.intervals import began, kind_of, moments, table
from clew.tools.queries.reading.durations.question import Question
from clew.tools.queries.reading.durations.said import Asked
from clew.tools.queries.reading.english.words import FREE
from clew.tools.queries.reading.forms.form import Form, Nodes, Since, Value
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.forms.scoring import cost

_DEAREST = 5.0
"""Cost of the reading of a date above which it is not trusted to be one."""
_OPERATORS: dict[str, Operator] = {"year": "years", "day": "days", "hour": "hours", "minute": "minutes"}
_ALONE, _LEFT, _FEW = ("guess", 0.8), ("unexplained", 0.5), 2
"""What it costs to take a name for all that a part says, and each other word of it; and how many may be."""
_PRONOUNS = re.compile(r"\b(?:he|she|it|they|him|her|them|there|his|its|their)\b", re.IGNORECASE)
_BEING = re.compile(r"(?:being|getting|having been|getting themselves)\s+", re.IGNORECASE)
_IN_UNIT = re.compile(r",?\s*\(?(?:in )?(?:full )?(?:years|days|hours|minutes)\)?(?: please)?\W*\Z", re.IGNORECASE)
_ASIDE = re.compile(r",? in (?:full )?(?:years|days|hours|minutes),", re.IGNORECASE)
_CLAUSE = re.compile(r"(?:did|was|were|is|are|had|has|does)\b", re.IGNORECASE)


def at_events(question: Question) -> Iterator[Reading]:
    """The readings of a question as one for the time between the dates of two things.

    Args:
        question: The question.
    """
    for aim, pattern in _patterns():
        found = pattern.search(_IN_UNIT.sub("", _ASIDE.sub(lambda each: " " * len(each.group()), question.text)))
        if found is None:
            continue
        dates = _of_age(question, found) if aim == "age" else _of_two(question, found)
        if dates is not None:
            first, last = dates if found.groupdict().get("before") is None else dates[::-1]
            reading = _between(question, first, last, of_age=aim == "age")
            if reading is not None:
                yield reading
            return


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    pieces = table()["pieces"]
    return [
        (
            aim,
            re.compile(re.sub(r"\{([a-z]+)\}", lambda name: pieces[name[1]], said).replace(" ", r"\s+"), re.IGNORECASE),
        )
        for aim in ("age", "two")
        for said in table()["events"][aim]
    ]


def _of_age(question: Question, found: re.Match[str]) -> tuple[Reading, Reading] | None:
    """The date when the first thing began, and that of the event."""
    whose = question.part(found.span("whose"))
    named = next((each for each in whose if each.form.asks == "nodes" and each.form.nodes.entities), None)
    if named is None:
        return None
    own = moments(question.words).get((named.form.nodes.label, False), [])
    born = began(own, found.groupdict().get("verb") or "")
    if born is None:
        return None
    since = Form("value", named.form.nodes, Value(born.name, kind="date"))
    last = _dated(question, found.span("event"), found.span("whose"), since)
    if last is None:
        return None
    return Reading(since, min(named.cost, 1.0), named.features, named.unexplained), last


def _of_two(question: Question, found: re.Match[str]) -> tuple[Reading, Reading] | None:
    """The dates of two things of which both are said."""
    one, other = found.span("first"), found.span("last")
    begins, ends = _name_in(question, one), _name_in(question, other)
    first = _dated(question, one, ends if begins is None else None)
    last = _dated(question, other, begins, first.form if first is not None else None)
    return None if first is None or last is None else (first, last)


def _name_in(question: Question, span: Span) -> Span | None:
    """The first name within a part of the question."""
    inside = question.parts.named_in(span)
    return (inside[0].start, inside[0].end) if inside else None


def _dated(question: Question, span: Span, name: Span | None, other: Form | None = None) -> Reading | None:
    """The date of what a part of the question tells.

    Args:
        question: The question.
        span: The part.
        name: Another name that its pronouns, or its missing subject, stand for.
        other: The form of the other date.
    """
    own = _date_of_one(question, span, other)
    if own is not None and not own.unexplained:
        return own
    for lead, spans in _said_as_dates(question.text, span, name):
        trimmed = [_trimmed(question.text, each) for each in spans]
        for reading in question.part(lead, *trimmed)[:3]:
            dated = reading.form.asks == "value" and reading.cost <= _DEAREST and _kind(question, reading.form)
            if dated and (other is None or not _same(reading.form, other)):
                return reading
    return own


def _date_of_one(question: Question, span: Span, other: Form | None) -> Reading | None:
    """The date of the only thing that a part names, by its words, or else the one on which it began."""
    named = [each for each in question.parts.named_in(span) if each.candidates]
    if len({(each.start, each.end) for each in named}) != 1:
        return None
    entity = named[0].candidates[0].entity
    every = moments(question.words).get((entity.label, False), [])
    inside = [
        t for t in question.tokens if span[0] <= t.start < span[1] and not named[0].start <= t.start < named[0].end
    ]
    said = said_moments(every, inside, Asked(), ())
    moment = max(said, key=lambda each: each.likeness).moment if said else began(every, "")
    left = tuple(token.text for token in inside if token.text not in FREE) if not said else ()
    if moment is None or len(left) > _FEW:
        return None
    form = Form("value", Nodes(entity.label, (entity,)), Value(moment.name, kind="date"))
    features = [_ALONE, *[_LEFT] * len(left)]
    same = other is not None and _same(form, other)
    return None if same else Reading(form, cost(features), tuple(features), left)


def _said_as_dates(text: str, span: Span, name: Span | None) -> Iterator[tuple[str, list[Span]]]:
    """The questions for the date of a part of a question, likeliest first: how each begins, and what else it says."""
    part = text[span[0] : span[1]]
    pronoun, being = _PRONOUNS.search(part), _BEING.match(part)
    if being is not None and name is not None:
        yield "when was", [name, (span[0] + being.end(), span[1])]
        return
    if pronoun is not None and name is not None:
        parts = [(span[0], span[0] + pronoun.start()), name, (span[0] + pronoun.end(), span[1])]
        yield "when", [(start, end) for start, end in parts if text[start:end].strip()]
        return
    further = [[span, name]] if name is not None and not (span[0] <= name[0] < span[1]) else []
    for spans in [*further, [span]]:
        if not _CLAUSE.match(part) and re.match(r"(?:the|its|their)\b", part, re.IGNORECASE):
            yield "when was", spans
        yield "when", spans


def _same(form: Form, other: Form) -> bool:
    """Whether two forms are one date of one thing."""
    return form.nodes.entities == other.nodes.entities and form.value == other.value


def _trimmed(text: str, span: Span) -> Span:
    part = text[span[0] : span[1]]
    start = span[0] + len(part) - len(part.lstrip())
    return start, start + len(part.strip(" ?.!,"))


def _kind(question: Question, form: Form) -> str:
    """What the value of a form tells of time."""
    value = form.value
    if value is None or value.property is None or value.period:
        return ""
    label = value.edge or (value.link.other.label if value.link is not None else form.nodes.label)
    owned = question.words.choice(label, value.property)
    return "" if owned is None else kind_of(owned) or ""


def _between(question: Question, first: Reading, last: Reading, *, of_age: bool) -> Reading | None:
    """The time between two dates that were read."""
    kinds, said = {_kind(question, first.form), _kind(question, last.form)}, question.asked.unit
    unit = _OPERATORS.get(said or ("year" if of_age else "day"))
    if "year" in kinds:
        unit = "calendar years" if said in ("", "year") else None
    if unit is None or "clock" in kinds or (unit in ("hours", "minutes") and "day" in kinds):
        return None
    if first.form.value is None or not (first.form.entities and last.form.entities):
        return None  # "Between order and shipping" are no two events.
    form = Form("value", last.form.nodes, last.form.value, since=Since(first.form.nodes, first.form.value, unit))
    features = (*first.features, *last.features)
    return Reading(form, (first.cost + last.cost) / 2, features, (*first.unexplained, *last.unexplained))
