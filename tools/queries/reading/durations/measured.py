"""Readings of questions for durations: the rest of the question is read, and the interval is a property of it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.calculated import Calculated
from clew.tools.queries.lexical import Span, Token
from clew.tools.queries.reading.durations.across import across_relations
from clew.tools.queries.reading.durations.at_events import at_events
from clew.tools.queries.reading.durations.ends import ends_of, said_moments
from clew.tools.queries.reading.durations.interval_forms import with_interval
from clew.tools.queries.reading.durations.intervals import (
    Moment,
    began,
    begin_and_end,
    holds_durations,
    interval,
    moments,
    own_durations,
    so_far,
    table,
)
from clew.tools.queries.reading.durations.question import Question
from clew.tools.queries.reading.durations.said import Asked, asked_of_time
from clew.tools.queries.reading.english.inflection import plural_of
from clew.tools.queries.reading.english.words import FREE, tokens
from clew.tools.queries.reading.forms.form import Form, Nodes, Value, sets
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.forms.scoring import cost, with_features
from clew.tools.queries.reading.presentation.said import LONGEST
from clew.tools.queries.reading.question_parts import Named, Parts, Piece
from clew.tools.queries.reading.schema.births import is_birth
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_OWNERS, _READINGS = 4, 4
"""Rests of a question, and readings of each, that are tried."""
_AGREES = 0.45
"""Cost below which a reading of the whole question leaves no doubt."""
_PLAIN = 2.0
"""Cost up to which a reading that speaks of a time leaves no room for one of which no word says an end."""
_DEAREST = 7.0
"""Cost of the reading of the rest above which it is not trusted."""
_UNSAID, _LED, _NOT_OF_TIME = ("guess", 0.15), ("guess", 0.6), ("unexplained", 1.0)
_ALONE, _LEFT, _FEW = ("guess", 0.8), ("unexplained", 0.5), 3
"""What it costs to take a name for all that the rest says, what each other word of it costs, and how many may be."""
_OF_TIME = frozenset({"date", "dates", "day", "time"})
"""Words behind one that says a time."""


@dataclass(frozen=True, slots=True)
class _Span:
    """An interval that a question may mean."""

    label: str
    """The label, or the relationship type, that has it …"""
    of_relation: bool
    value: Value
    said: int
    """How many of its ends are said …"""
    places: frozenset[int]
    """… and where."""
    across: bool = False
    """Whether it is from a date of one thing to that of another."""

    def likely(self, question: Question) -> tuple[float, bool]:
        """What it is sorted by, the likeliest first: its ends, and whether its kind of thing is named."""
        labels = question.words.labels
        named = {label for token in question.tokens for label, _ in labels.get(token.text, ())}
        named |= {each.candidates[0].entity.label for each in question.named[0] if each.candidates}
        return -self.said, self.label not in named


def with_durations(readings: Sequence[Reading], parts: Parts, words: SchemaWords) -> list[Reading]:
    """The readings of a question, with those in which a duration is asked of what the rest of it means.

    Args:
        readings: Those of the question as a whole.
        parts: The question, and how its parts are read.
        words: The words of the schema.
    """
    said = tokens(parts.question)
    names = _places_of_names(said, parts.named)
    asked = asked_of_time(said, names) if len(parts.question) <= LONGEST else None
    if asked is None or (not asked.so_far and any(_agrees(each, asked) for each in readings)):
        return list(readings)
    of_time = Question(parts, said, asked, frozenset(names), words)
    plain = not asked.so_far and any(_is_plain(each, asked) for each in readings)
    events = list(at_events(of_time))
    found = [*events, *_measured(of_time, unsaid=not plain, events=bool(events))]
    if not found:
        return list(readings)
    others = [each if _is_of_time(each.form) and not asked.so_far else _against(each, asked) for each in readings]
    return sorted([*found, *others], key=lambda each: each.cost)


def _is_plain(reading: Reading, asked: Asked) -> bool:
    """Whether a reading speaks of a property that is a duration, or of a length where none of time is asked for."""
    value = reading.form.value
    long = reading.form.asks == "value" and value is not None and value.kind == "number" and not asked.unit
    return (long or _is_of_time(reading.form)) and not reading.unexplained and reading.cost < _PLAIN


def _agrees(reading: Reading, asked: Asked) -> bool:
    """Whether a reading of the whole question leaves no doubt; "how many days" asks for no things."""
    asks_for_things = reading.form.asks == "nodes" and asked.aim == "value" and asked.unit != ""
    functions = {reading.form.function, reading.form.value.function if reading.form.value is not None else None}
    added_up = "sum" in functions and asked.function != "sum"
    return reading.cost < _AGREES and not (reading.unexplained or asks_for_things or added_up)


def _measured(question: Question, *, unsaid: bool, events: bool) -> Iterator[Reading]:
    """The readings by the times of the likeliest kinds of things.

    Args:
        question: The question.
        unsaid: Whether they may be times of which neither end is said.
        events: Whether the question names two events, so that one end is not enough.
    """
    tried: dict[tuple[Piece, ...], Sequence[Reading]] = {}
    spans_found = [each for each in _spans(question) if each.said or unsaid]
    for span in sorted(spans_found, key=lambda each: each.likely(question))[: 2 * _OWNERS]:
        spans = _rest(question, span)
        read = [(each, False) for each in _named_alone(question, spans, span)]
        own = question.asked.aged or _names_one(question, spans, span)  # An age is that of what is named.
        led = [] if own else [_things(span.label)]
        for lead in ("", *led):
            pieces: tuple[Piece, ...] = (*([lead] if lead else []), *spans)
            if pieces not in tried and len(tried) < _OWNERS:
                tried[pieces] = question.part(*pieces)
            read += [(each, bool(lead)) for each in tried.get(pieces, ())[:_READINGS]]
        for reading, prefixed in read:
            form = with_interval(reading.form, span.value, span.label, question)
            if form is not None and reading.cost <= _DEAREST:
                open_links = sum(link.open for link in reading.form.nodes.links)
                unnamed = span.likely(question)[1]
                features = [_UNSAID] * (2 - span.said + unnamed) + [_LED] * ((1 + open_links) * prefixed + span.across)
                features += [_NOT_OF_TIME] * (events and span.said < 2)
                yield with_features(replace(reading, form=form), *features)


def _names_one(question: Question, spans: Sequence[Span], span: _Span) -> bool:
    """Whether the rest names a thing that has the interval."""
    inside = [m for m in question.named[0] if any(s <= m.start and m.end <= e for s, e in spans)]
    return any(each.candidates and each.candidates[0].entity.label == span.label for each in inside)


def _named_alone(question: Question, spans: Sequence[Span], span: _Span) -> Iterator[Reading]:
    """The thing that the rest names, where it says little else."""
    inside = [m for m in question.named[0] if any(s <= m.start and m.end <= e for s, e in spans)]
    for mention in inside if not span.of_relation else ():
        of = [each.entity for each in mention.candidates if each.entity.label == span.label]
        same = tuple(each for each in of if each.name == of[0].name)
        others = [
            token.text
            for token in question.tokens
            if any(s <= token.start < e for s, e in spans) and not mention.start <= token.start < mention.end
            if token.text not in FREE
        ]
        if same and mention.candidates[0].entity.label == span.label and len(others) <= _FEW:
            features = (_ALONE, *[_LEFT] * len(others))
            yield Reading(Form("nodes", Nodes(span.label, same)), cost(features), features, tuple(others))


def _spans(question: Question) -> Iterator[_Span]:
    """The intervals that the question may mean, of all kinds of things."""
    asked, unit = question.asked, question.asked.unit
    kept = question.names | set(_kinds(question))
    if asked.so_far:
        yield from _so_far(question, kept)
        return
    found = []
    for times in moments(question.words).values():
        for ends in ends_of(times, question.tokens, asked, kept, question.names):
            choice = interval(ends.first, ends.last, unit) if ends.said or _is_enough(asked) else None
            if choice is not None:
                found.append(_Span(choice.label, choice.of_relation, Value(choice.name), ends.said, ends.places))
    yield from found
    both = any(each.said > 1 for each in found)
    for across in () if both else across_relations(question, kept):
        yield _Span(across.label, False, across.value, 2, across.places, across=True)
    for choice in own_durations(question.words, unit) if unit and asked.passing else ():
        yield _Span(choice.label, choice.of_relation, Value(choice.name), 0, frozenset())


def _so_far(question: Question, kept: Container[int]) -> Iterator[_Span]:
    """The times until today since something began."""
    for every in moments(question.words).values():
        said = said_moments(every, question.tokens, question.asked, kept)
        named = max(said, key=lambda each: each.likeness) if said else None
        first = named.moment if named is not None else began(_starts(every, question), "")
        if first is None or first.planned:
            continue
        pairs = (begin_and_end([first, each]) for each in every if each is not first and not each.planned)
        last = next((pair[1] for pair in pairs if pair is not None and pair[0] is first), None)
        choice = so_far(first, last, question.asked.unit)
        if choice is not None:
            places = frozenset(each.place for each in said if each.moment is first)
            yield _Span(choice.label, choice.of_relation, Value(choice.name), 1 + bool(said), places)


def _starts(every: Sequence[Moment], question: Question) -> list[Moment]:
    """The times of one kind of thing from which the time until today counts: of people, births for ages and none of
    them for what they do."""
    if not question.asked.aged:
        return [each for each in every if not is_birth(each.name)]
    of_person = every[0].owner[0] in question.words.persons
    return [each for each in every if is_birth(each.name) or not of_person]


def _is_enough(asked: Asked) -> bool:
    """Whether a duration is asked for by words that say neither of its ends."""
    return asked.passing or asked.late or asked.early or asked.aim in ("value", "average", "condition")


def _places_of_names(said: Sequence[Token], named: Named) -> set[int]:
    """The places of the words of names."""
    names = [m for m in named[0] if " " in m.text or not m.text.islower()]
    return {i for i, token in enumerate(said) if any(m.start <= token.start < m.end for m in names)}


def _kinds(question: Question) -> Iterator[int]:
    """The places of words that are no ends of a duration: kinds of things, and what stands before one."""
    labels = question.words.labels
    opened = {"between", "from", "to", "until", "and", "after", "before", "past", "since", "against"}
    for i, token in enumerate(question.tokens):
        behind = question.tokens[i + 1 : i + 2]
        before = [each.text for each in question.tokens[max(0, i - 2) : i] if each.text not in ("the", "its", "their")]
        of_kind = token.text in labels and not (before and before[-1] in opened)
        before_kind = bool(behind) and behind[0].text in labels and behind[0].text not in FREE
        if of_kind or before_kind:
            yield i


def _rest(question: Question, ends: _Span) -> list[Span]:
    """What is left of the question without the words that say the duration, as spans of its text."""
    said, gone = question.tokens, set(question.asked.places | ends.places)
    marks, joining = sorted(gone), FREE | _words("trailing") | _OF_TIME
    for first, last in zip(marks, [*marks[1:], len(said)], strict=True):
        between = range(first + 1, last)
        if first in ends.places and between and said[first + 1].text in _OF_TIME:
            gone.add(first + 1)
        if last < len(said) and all(said[i].text in joining for i in between):
            gone.update(between)
    left = [i for i in range(len(said)) if i not in gone]
    while left and said[left[-1]].text in _words("trailing") and not said[left[-1]].quoted:
        left.pop()
    leads = question.asked.aim != "condition" or "any" in {token.text for token in said[:3]}
    while left and leads and said[left[0]].text in _words("leading") and not said[left[0]].quoted:
        left.pop(0)
    spans: list[Span] = []
    for i in left:
        if spans and i - 1 in left:
            spans[-1] = (spans[-1][0], said[i].end)
        else:
            spans.append((said[i].start, said[i].end))
    return spans


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(table()["rest"][name])


def _things(name: str) -> str:
    """What the things of a label, or the relationships of a type, are called."""
    return plural_of(" ".join(identifier_words(name)))


def _is_of_time(form: Form) -> bool:
    """Whether a form speaks of an interval, or of a property that holds durations."""
    values = [form.value, *form.columns, *(each.order.by for each in sets(form.nodes) if each.order is not None)]
    names = [each.property for each in values if each is not None]
    names += [each.property for nodes in sets(form.nodes) for each in nodes.conditions]
    return any(isinstance(name, Calculated) or holds_durations(name or "") for name in names)


def _against(reading: Reading, asked: Asked) -> Reading:
    """A reading that speaks of no time, at a cost; "how many days" asks for no things."""
    features = [_NOT_OF_TIME] * (2 if reading.form.asks == "nodes" and asked.aim == "value" and asked.unit else 1)
    return with_features(reading, *features)
