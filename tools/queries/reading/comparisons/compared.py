"""Readings of questions that compare: what is compared is read as a question about one of the things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.graph.entity import Entity, Mention
from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.reading.comparisons.described import Sides, sides
from clew.tools.queries.reading.comparisons.question import Question
from clew.tools.queries.reading.comparisons.said import Aim, Compared, comparisons
from clew.tools.queries.reading.comparisons.sides import Measured, measured
from clew.tools.queries.reading.durations.intervals import moments
from clew.tools.queries.reading.english.words import FREE, adjectives, tokens
from clew.tools.queries.reading.forms.form import Asks, Condition, Form, Nodes, Order, Value
from clew.tools.queries.reading.forms.form import sets as every_set
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.forms.scoring import cost, with_features
from clew.tools.queries.reading.presentation.said import LONGEST
from clew.tools.queries.reading.question_parts import Parts, Piece
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.running_times import Lasting
from clew.tools.queries.space.query import Comparison

_AGREES = 0.45
"""Cost below which a reading of the whole question that compares leaves no doubt."""
_DEAREST, _READINGS = 4.0, 3
"""Cost of a reading of a part above which it is not trusted, and how many of each are tried."""
_GUESS, _NOT_COMPARED, _LEFT = ("guess", 0.4), ("unexplained", 1.0), ("unexplained", 0.5)
_ALONE, _FEW = ("guess", 0.8), 2
"""What it costs to take the words for a set for those for all of a kind, and how many they may be."""
_LONG_AGO = frozenset({"long", "old"})
_TURNED: dict[Comparison, Comparison] = {">": "<", "<": ">", ">=": "<=", "<=": ">="}


def with_comparisons(readings: Sequence[Reading], parts: Parts, words: SchemaWords) -> list[Reading]:
    """The readings of a question, with those in which what it compares is read by itself.

    Args:
        readings: Those of the question as a whole.
        parts: The question, and how its parts are read.
        words: The words of the schema.
    """
    if len(parts.question) > LONGEST:
        return list(readings)
    said = Question(parts.question, [each for each in parts.named[0] if each.candidates], words.labels)
    for compared in comparisons(said):
        every = [_in_time(each, compared, words) for each in readings]
        if any(_agrees(each, compared.aim) for each in every):
            return every
        if found := list(_compared(compared, parts, words)):
            return _among(found, every, compared.aim)
    for two in sides(said):
        if any(_agrees(each, two.aim) for each in readings):
            return list(readings)
        if found := list(_of_sides(two, parts)):
            return _among(found, readings, two.aim)
    return list(readings)


def _likely(parts: Parts, pieces: Sequence[Piece]) -> list[Reading]:
    """The likely readings of some pieces."""
    return [each for each in parts.readings(*pieces)[:_READINGS] if each.cost <= _DEAREST]


def _among(found: Sequence[Reading], readings: Sequence[Reading], aim: Aim) -> list[Reading]:
    """The readings that compare, with the others."""
    others = [each if _compares(each.form, aim) else with_features(each, _NOT_COMPARED) for each in readings]
    return sorted([*found, *others], key=lambda each: each.cost)


def _agrees(reading: Reading, aim: Aim) -> bool:
    return reading.cost < _AGREES and not reading.unexplained and _compares(reading.form, aim)


def _compares(form: Form, aim: Aim) -> bool:
    """Whether a form compares as a question does."""
    if aim == "difference":
        return form.asks == "number" and (form.function == "difference" or form.versus is not None)
    if aim == "which":
        return form.asks == "nodes" and form.nodes.order is not None
    than = any(each.than is not None for nodes in every_set(form.nodes) for each in nodes.conditions)
    return (than or form.versus is not None) and (form.asks == "truth") == (aim == "whether")


def _compared(said: Compared, parts: Parts, words: SchemaWords) -> Iterator[Reading]:
    """The readings that compare by what a question about one of the things asks."""
    named = frozenset(each.entity for each in said.other.candidates)
    for metric in said.metrics:
        every = ((each, measured(each.form, named)) for each in _likely(parts, metric.asked_of(said.other)))
        reading, value = next(((each, value) for each, value in every if value is not None), (None, None))
        if reading is None or value is None:
            continue
        dated, left = _by_dates(said, value.label, value.value, words), [_LEFT] * metric.left
        if said.one is None:
            yield from (_joined(each, reading, *left) for each in _sets(dated, value, parts))
        elif one := _entities(said.one, value.label):
            form = _of_two(dated, Nodes(value.label, one), value)
            yield with_features(replace(reading, form=form), _GUESS, *left)


def _sets(said: Compared, value: Measured, parts: Parts) -> Iterator[Reading]:
    """The readings of the set that is compared, with what they are compared by."""
    for reading in _likely(parts, [said.subject]):
        form = reading.form
        counted = form.asks == "number" and form.value is None and form.whole is None
        if form.nodes.label == value.label and (form.asks in ("nodes", "value") or counted):
            if form.value == value.value:  # "Which venues seat more than X" asks for no numbers of seats.
                form = replace(form, asks="nodes", value=None)
            yield replace(reading, form=replace(form, nodes=form.nodes.where(_than(said, value))))
            return
    words = [each.text for each in tokens(parts.question[slice(*said.subject)]) if each.text not in FREE]
    if len(words) <= _FEW:  # "What kitchen equipment" has the value, and so is of its kind.
        features = (_ALONE, *[_LEFT] * len(words))
        yield Reading(
            Form("nodes", Nodes(value.label).where(_than(said, value))), cost(features), features, tuple(words)
        )


def _joined(reading: Reading, other: Reading, *features: tuple[str, float]) -> Reading:
    """A reading that rests on another."""
    lost = tuple(dict.fromkeys((*reading.unexplained, *other.unexplained)))
    return with_features(replace(reading, unexplained=lost), *other.features, _GUESS, *features)


def _of_two(said: Compared, one: Nodes, value: Measured) -> Form:
    """The form that compares two things."""
    both = Nodes(value.label, (*one.entities, *value.entities))
    if said.aim == "whether":
        return Form("truth", one.where(_than(said, value)))
    if said.aim == "difference":
        return Form("number", both, value.value, "difference")
    return Form("nodes", replace(both, order=Order(value.value, said.comparison in (">", ">="))))


def _of_sides(said: Sides, parts: Parts) -> Iterator[Reading]:
    """The readings that compare two numbers."""
    for one in _likely(parts, said.one):
        for other in _likely(parts, said.other):
            if (
                is_number(one.form)
                and is_number(other.form)
                and one.form != other.form
                and _alike(one.form, other.form)
            ):
                asks: Asks = "truth" if said.aim == "whether" else "number"
                form = replace(one.form, asks=asks, versus=(other.form, said.comparison))
                yield _joined(replace(one, form=form), other)


def is_number(form: Form) -> bool:
    """Whether a form asks for one number."""
    return form.asks == "number" and form.versus is None and form.whole is None and form.group is None


def _alike(one: Form, other: Form) -> bool:
    """Whether two numbers are of one kind: two counts of one kind of things, or two totals of one property."""
    return (
        one.nodes.label == other.nodes.label
        and one.function == other.function
        and (one.value is None) == (other.value is None)
    )


def _by_dates(said: Compared, label: str, value: Value, words: SchemaWords) -> Compared:
    """The comparison of dates and durations: what is older began earlier, and what is faster takes less time."""
    if _takes_less(said.degree, value.property or ""):
        return replace(said, comparison=_TURNED[said.comparison])
    every = moments(words).get((label, False), ())
    own = value.link is None and any(each.name == value.property for each in every)
    return replace(said, comparison=_TURNED[said.comparison]) if own and said.degree in _LONG_AGO else said


def _takes_less(degree: str, name: str) -> bool:
    """Whether an adjective such as "fast" means the lower values of a property."""
    known, said = adjectives().get(degree), set(identifier_words(name))
    if known is None or not (known.up and known.down):
        return False
    if isinstance(name, Lasting):
        return "minutes" in known.down
    return not said.isdisjoint(known.down) and said.isdisjoint(known.up)


def _in_time(reading: Reading, said: Compared, words: SchemaWords) -> Reading:
    """A reading that orders by a date as it is meant: what has been open longest, opened first."""
    nodes = reading.form.nodes
    if said.aim != "which" or said.degree != "long" or nodes.order is None:
        return reading
    down = _by_dates(replace(said, comparison=">"), nodes.label, nodes.order.by, words).comparison == ">"
    order = replace(nodes.order, descending=down)
    return replace(reading, form=replace(reading.form, nodes=replace(nodes, order=order)))


def _entities(mention: Mention, label: str) -> tuple[Entity, ...]:
    """What a name means of one label."""
    of = [each.entity for each in mention.candidates if each.entity.label == label]
    return tuple(each for each in of if each.name == of[0].name)


def _than(said: Compared, value: Measured) -> Condition:
    """The value of a node compared with that of a thing."""
    than = Nodes(value.label, value.entities)
    if value.value.link is None and value.value.property is not None and not value.value.period:
        return Condition(property=value.value.property, comparison=said.comparison, than=than)
    return Condition(value=value.value, comparison=said.comparison, than=than)
