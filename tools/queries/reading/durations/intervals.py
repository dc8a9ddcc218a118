"""The times of nodes and relationships, and the intervals between two of them. Data: duration_words.toml."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Property
from clew.tools.queries.calculated import Calculated, Calculation, Operand, Operator
from clew.tools.queries.lexical import load_toml
from clew.tools.queries.reading.forms.items import PropertyChoice
from clew.tools.queries.reading.schema.births import is_birth, is_death
from clew.tools.queries.reading.schema.calculated_words import Owner
from clew.tools.queries.reading.schema.durations import TIMES, scale_of_time
from clew.tools.queries.reading.schema.property_names import property_kind, root
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.values import NUMBERS, holds_clock_times, holds_years

Kind = Literal["day", "time", "clock", "year"]
Unit = Literal["", "minute", "hour", "day", "week", "month", "year"]
_OPERATORS: dict[Unit, Operator] = {"minute": "minutes", "hour": "hours", "day": "days", "year": "years"}
_OF_DAYS: dict[Unit, float] = {"week": 7.0, "month": 30.4375}
"""Units in which the days of an interval are told."""
_GENERAL = frozenset({"date", "day", "time", "on", "at", "the", "year", "of", "actual", "first", "last", "when", "was"})
_BOUNDING = frozenset({"from", "to", "until", "since", "in", "out", "over", "back"})
_WITH_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
_UNKNOWN = 99


@dataclass(frozen=True, slots=True)
class Moment:
    """A property that tells when something was."""

    name: str
    kind: Kind
    said: frozenset[str]
    """The roots of the words that say it."""
    owner: Owner
    examples: tuple[str, ...]

    @property
    def planned(self) -> bool:
        """Whether it tells when something was to be."""
        return bool(_roots(self.name) & set(map(root, table()["planned"])))


@cache
def table() -> dict[str, Any]:
    """The words of durations."""
    return load_toml("reading.durations", "duration_words.toml")


@lru_cache(16)
def moments(words: SchemaWords) -> dict[Owner, list[Moment]]:
    """The times that the nodes of each label, and the relationships of each type, have."""
    found: dict[Owner, list[Moment]] = {}
    for owned, of_relation in words.properties:
        kind = kind_of(owned)
        if kind and owned.name != "name":
            owner = (owned.label, of_relation)
            said = frozenset(map(root, words_for(owned.name)))
            examples = tuple(str(each) for each in owned.examples if each is not None)
            found.setdefault(owner, []).append(Moment(owned.name, kind, said, owner, examples))
    return found


def kind_of(owned: Property) -> Kind | None:
    """What a property tells of time; None where that is nothing."""
    if holds_clock_times(owned):
        return "clock"
    if property_kind(owned) == "date":
        return "time" if any(_WITH_TIME.match(str(each)) for each in owned.examples) else "day"
    named = {"year", *table()["begins"], *table()["ends"]} & set(identifier_words(owned.name))
    return "year" if named and owned.type in NUMBERS and holds_years(owned) else None


def words_for(name: str) -> Iterator[str]:
    """The words that say a date: those of its name, and others for them."""
    own = [word for word in identifier_words(name) if word not in _GENERAL] or identifier_words(name)
    yield from own
    telling = {word for word in own if word not in _BOUNDING} or {*own}  # The end of a warranty is no repair done.
    for group in table()["groups"]:
        if telling & {*group}:
            yield from group


def begin_and_end(every: Sequence[Moment]) -> tuple[Moment, Moment] | None:
    """The dates on which something began and ended, as their names tell; None where they do not."""
    actual = [each for each in every if not each.planned]
    begins = sorted(actual, key=lambda each: _rank(each, "begins"))
    ends = sorted(actual, key=lambda each: _rank(each, "ends"))
    for last in ends:
        for first in begins:
            if is_birth(first.name) and not is_death(last.name):
                continue  # Nobody is a member from birth on.
            if first is not last and _rank(first, "begins") < _UNKNOWN > _rank(last, "ends") and _alike(first, last):
                return (last, first) if _either_first(first, last) and sooner(last, first) else (first, last)
    if len(actual) == 2 and _alike(*actual) and not any(is_birth(each.name) for each in actual):
        return (actual[1], actual[0]) if sooner(actual[1], actual[0]) else (actual[0], actual[1])
    return None


def _either_first(one: Moment, other: Moment) -> bool:
    """Whether names leave it open which is the first: trips begin with a departure, and stays with an arrival."""
    return _rank(other, "begins") < _UNKNOWN > _rank(one, "ends")


def sooner(one: Moment, other: Moment) -> bool:
    """Whether one time is usually before another."""
    first, last = (sorted(each.examples) for each in (one, other))
    return bool(first and last) and first[len(first) // 2] < last[len(last) // 2]


def began(every: Sequence[Moment], verb: str) -> Moment | None:
    """The date from which something has an age.

    Args:
        every: Its dates.
        verb: What says since when: "open", "a member".
    """
    said = {root(word) for word in verb.lower().split()}
    called = [each for each in every if said & each.said]
    births = [each for each in every if is_birth(each.name)]
    ranked = sorted((each for each in every if not each.planned), key=lambda each: _rank(each, "begins"))
    known = [each for each in ranked if _rank(each, "begins") < _UNKNOWN]
    days = [each for each in ranked if each.kind != "clock"]
    return next(iter([*called, *births, *known, *(days if len(days) == 1 else [])]), None)


def _rank(moment: Moment, rows: str) -> int:
    """The place of a date among those that begin, or end, something."""
    name, text = _roots(moment.name), " ".join(identifier_words(moment.name))
    places = [i for i, said in enumerate(table()[rows]) if root(said) in name or (" " in said and said in text)]
    return min(places, default=_UNKNOWN)


def _roots(name: str) -> set[str]:
    return {root(word) for word in identifier_words(name)}


def _alike(one: Moment, other: Moment) -> bool:
    return (one.kind == "clock") == (other.kind == "clock")


def in_order(one: Moment, other: Moment) -> tuple[Moment, Moment]:
    """Two times of one thing, the earlier first: as their names, or else their examples, tell."""
    pair = begin_and_end([one, other])
    if pair is not None:
        return pair
    return (other, one) if sooner(other, one) else (one, other)


def interval(first: Moment, last: Moment, unit: Unit) -> PropertyChoice | None:
    """The time from one moment to the other as a property; None where they are of different kinds.

    Args:
        first: When it began.
        last: When it ended.
        unit: What the time is told in; "" for what suits it.
    """
    if not _alike(first, last):
        return None
    if "year" in (first.kind, last.kind):
        operator: Operator = "calendar years"
        if unit not in ("", "year"):
            return None
    elif first.kind == "clock":
        operator = "minutes" if unit == "minute" else "hours"
    else:
        within = first.kind == last.kind == "time" and _within_a_day(first, last)
        operator = _OPERATORS.get(unit, "hours" if within and not unit else "days")
        if operator in ("hours", "minutes") and "day" in (first.kind, last.kind):
            return None
    return _choice(operator, first, _operand(last), unit)


def so_far(first: Moment, last: Moment | None, unit: Unit) -> PropertyChoice | None:
    """The time from a moment until another, or until today.

    Args:
        first: When it began.
        last: When it ended, if it has.
        unit: What the time is told in; "" for days, or for years from a year.
    """
    operator: Operator = "calendar years" if first.kind == "year" else _OPERATORS.get(unit, "days")
    if first.kind == "clock" or operator in ("hours", "minutes") or (first.kind == "year" and unit not in ("", "year")):
        return None
    return _choice(operator, first, Operand("" if last is None else last.name, ongoing=True), unit)


def _choice(operator: Operator, first: Moment, last: Operand, unit: Unit) -> PropertyChoice:
    """The time from a moment to another date, told in a unit, as a property."""
    made = Calculation(operator, last, _operand(first))
    made = Calculation("/", made, _OF_DAYS[unit]) if unit in _OF_DAYS else made
    label, of_relation = first.owner
    return PropertyChoice(label, Calculated(made), 0.0, True, of_relation)


def _operand(moment: Moment) -> Operand:
    return Operand(moment.name, clock=moment.kind == "clock")


def _within_a_day(first: Moment, last: Moment) -> bool:
    """Whether what begins usually ends on the same day."""
    days = {each[:10] for each in first.examples}
    return bool(days) and len(days & {each[:10] for each in last.examples}) * 2 >= len(days)


def holds_durations(name: str) -> bool:
    """Whether a property is called a duration, or by a unit of time."""
    return bool(
        {*identifier_words(name)} & {*table()["durations"], *TIMES, *(f"{each}s" for each in TIMES), "min", "mins"}
    )


def own_durations(words: SchemaWords, unit: Unit) -> Iterator[PropertyChoice]:
    """The properties that hold durations, in the unit that is asked for."""
    for owned, of_relation in words.properties:
        name = identifier_words(owned.name)
        called = next((each for each in TIMES if {each, f"{each}s"} & set(name)), "")
        called = called or ("minute" if {"min", "mins"} & set(name) else "hour" if "hrs" in name else "")
        if property_kind(owned) != "number" or not set(table()["durations"]) & set(name) or "price" in name:
            continue
        if called and unit in TIMES:
            scale = TIMES[unit] / TIMES[called]
        else:
            scale = scale_of_time(owned, unit) if unit in TIMES else 1.0
            if unit and ("year" in name or "years" in name) != (unit == "year"):
                continue
        number = owned.name if scale == 1.0 or not scale else Calculated(Calculation("/", Operand(owned.name), scale))
        yield PropertyChoice(owned.label, number, 0.0, True, of_relation)
