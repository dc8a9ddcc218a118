"""Readings of questions for durations: the rest of the question is read, and the interval is a property of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.calculated import Calculated
from clew.tools.queries.lexical import Span, Token
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.durations.at_events import at_events
from clew.tools.queries.reading.durations.ends import ends_of
from clew.tools.queries.reading.durations.intervals import interval, moments, own_durations, table
from clew.tools.queries.reading.durations.question import Question
from clew.tools.queries.reading.durations.said import Asked, asked_of_time
from clew.tools.queries.reading.english.inflection import plural_of
from clew.tools.queries.reading.english.words import FREE, tokens
from clew.tools.queries.reading.forms.form import Condition, Form, Order, Value
from clew.tools.queries.reading.forms.items import PropertyChoice, Reading
from clew.tools.queries.reading.forms.scoring import cost
from clew.tools.queries.reading.number_lists import Named, Read
from clew.tools.queries.reading.schema.calculated_words import Owner
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_OWNERS, _READINGS = 4, 4
"""Rests of a question, and readings of each, that are tried."""
_AGREES = 0.45
"""Cost below which a reading of the whole question leaves no doubt."""
_DEAREST = 4.5
"""Cost of the reading of the rest above which it is not trusted."""
_UNSAID, _LED, _NOT_OF_TIME = ("guess", 0.15), ("guess", 0.6), ("unexplained", 1.0)
_OF_TIME = frozenset({"date", "dates", "day", "time"})
"""Words behind one that says a time."""
_WHICH = frozenset({"which", "who", "whose", "name", "list", "show", "find", "whom"})


@dataclass(frozen=True, slots=True)
class _Span:
    """An interval that a question may mean."""

    choice: PropertyChoice
    said: int
    """How many of its ends are said …"""
    places: frozenset[int]
    """… and where."""

    @property
    def owner(self) -> Owner:
        return self.choice.label, self.choice.of_relation

    def likely(self, question: Question) -> tuple[float, float]:
        """What it is sorted by, the likeliest first: its ends, and whether its kind of thing is named."""
        texts = {token.text for token in question.tokens}
        words = identifier_words(self.choice.label)
        return -self.said, -sum(word in texts or plural_of(word) in texts for word in words)


def with_durations(
    readings: Sequence[Reading], question: str, named: Named, read: Read, words: SchemaWords
) -> list[Reading]:
    """The readings of a question, with those in which a duration is asked of what the rest of it means.

    Args:
        readings: Those of the question as a whole.
        question: The question.
        named: What it names.
        read: Reads a part of it.
        words: The words of the schema.
    """
    said = tokens(question)
    asked = asked_of_time(said)
    least = min((each.cost for each in readings if not each.unexplained), default=_AGREES)
    if asked is None or least < _AGREES:
        return list(readings)
    of_time = Question(question, said, asked, named, read, words)
    found = sorted([*at_events(of_time), *_measured(of_time)], key=lambda each: each.cost)
    if not found:
        return list(readings)
    others = [each if _is_of_time(each.form) else _against(each) for each in readings]
    return sorted([*found, *others], key=lambda each: each.cost)


def _measured(question: Question) -> Iterator[Reading]:
    """The readings by the times of the likeliest kinds of things."""
    tried: dict[str, list[Reading]] = {}
    for span in sorted(_spans(question), key=lambda each: each.likely(question))[: 2 * _OWNERS]:
        spans = _rest(question, span)
        rest = " ".join(question.text[start:end] for start, end in spans)
        for text, shift in ((rest, 0), _of_owner(rest, span.owner)):
            if text not in tried and len(tried) < _OWNERS:
                tried[text] = question.part(text, spans, shift)
            for reading in tried.get(text, ())[:_READINGS]:
                form = _form(reading.form, span, question)
                if form is not None and reading.cost <= _DEAREST:
                    features = [_UNSAID] * (2 - span.said) + [_LED] * (shift > 0)
                    dearer = reading.cost + cost(features)
                    yield replace(reading, form=form, cost=dearer, features=(*reading.features, *features))


def _spans(question: Question) -> Iterator[_Span]:
    """The intervals that the question may mean, of all kinds of things."""
    asked, unit = question.asked, question.asked.unit
    names = {i for i, token in enumerate(question.tokens) if _is_named(token, question)}
    kept = names | set(_kinds(question))
    for times in moments(question.words).values():
        for ends in ends_of(times, question.tokens, asked, kept, names):
            choice = interval(ends.first, ends.last, unit) if ends.said or _is_enough(asked) else None
            if choice is not None:
                yield _Span(choice, ends.said, ends.places)
    for choice in own_durations(question.words, unit) if unit and asked.passing else ():
        yield _Span(choice, 0, frozenset())


def _is_enough(asked: Asked) -> bool:
    """Whether a duration is asked for by words that say neither of its ends."""
    return asked.passing or asked.late or asked.early or asked.aim in ("value", "average")


def _is_named(token: Token, question: Question) -> bool:
    names = [m for m in question.named[0] if " " in m.text or not m.text.islower()]
    return any(m.start <= token.start < m.end for m in names)


def _kinds(question: Question) -> Iterator[int]:
    """The places of words that are no ends of a duration: kinds of things, and what stands before one."""
    labels = question.words.labels
    opened = {"between", "from", "to", "until", "and", "after", "of", "before", "past", "since", "its", "their", "the"}
    for i, token in enumerate(question.tokens):
        behind = question.tokens[i + 1 : i + 2]
        of_kind = token.text in labels and not (i and question.tokens[i - 1].text in opened - {"the"})
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
    leads = question.asked.aim != "condition"
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


def _of_owner(rest: str, owner: Owner) -> tuple[str, int]:
    """The rest as what is said of a kind of thing, and by how much it moves."""
    label = " ".join(identifier_words(owner[0]))
    lead = f"{plural_of(label)} "
    return f"{lead}{rest}".strip(), len(lead)


def _form(form: Form, span: _Span, question: Question) -> Form | None:
    """What is asked of the interval of a set; None where the set has no such times."""
    asked, nodes, choice, owner = question.asked, form.nodes, span.choice, span.owner
    link = next((each for each in nodes.links if each.path[-1].relation == owner[0]), None) if owner[1] else None
    if nodes.label != owner[0] and link is None:
        return None
    value = Value(choice.name) if link is None else Value(choice.name, link=link, edge=owner[0])
    if asked.aim == "condition":
        return _narrowed(form, value, asked)
    if form.asks == "groups" and form.group is not None and form.value is None and asked.aim == "average":
        return replace(form, value=value, function="avg")
    if form.asks != "nodes" or form.columns:
        return None
    texts = [token.text for token in question.tokens]
    if asked.aim == "longest":
        if _WHICH.isdisjoint(texts) and link is None and not nodes.entities:
            return Form("number", nodes, value, "min" if asked.shortest else "max")
        told = (value,) if "how" in texts else ()
        return Form("nodes", replace(nodes, order=Order(value, not asked.shortest)), columns=told)
    several = not nodes.entities and nodes.order is None and form.limit is None
    if asked.aim == "average" or (several and not {"each", "every"} & set(texts)):
        return Form("number", nodes, value, "avg")
    return Form("value", nodes, value)


def _narrowed(form: Form, value: Value, asked: Asked) -> Form | None:
    """A form of those of which an interval is longer, or shorter, than so long."""
    amount = int(asked.amount) if asked.amount == int(asked.amount) else asked.amount
    test = Predicate(value.property or "", asked.comparison, amount, "number")
    if value.link is not None:
        links = [
            replace(link, conditions=(*link.conditions, test)) if link is value.link else link
            for link in form.nodes.links
        ]
        return replace(form, nodes=replace(form.nodes, links=tuple(links)))
    return replace(form, nodes=form.nodes.where(Condition(test, property=test.property)))


def _is_of_time(form: Form) -> bool:
    """Whether a form speaks of an interval."""
    values = [form.value, *form.columns, form.nodes.order.by if form.nodes.order is not None else None]
    names = [each.property for each in values if each is not None]
    names += [each.property for each in form.nodes.conditions]
    return any(isinstance(name, Calculated) for name in names)


def _against(reading: Reading) -> Reading:
    return replace(reading, cost=reading.cost + cost([_NOT_OF_TIME]), features=(*reading.features, _NOT_OF_TIME))
