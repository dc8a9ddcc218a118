"""When facts happened: by which of their dates, or of the dates of what they refer to, and which have not ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.reading.english.short_forms import full_words
from clew.tools.queries.reading.floating.parts import Words
from clew.tools.queries.reading.forms.form import Path
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun, Feature, Number, PropertyChoice
from clew.tools.queries.reading.measures.slots import places
from clew.tools.queries.reading.rules.condition_parts import comparable
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.schema.endings import endings
from clew.tools.queries.reading.schema.property_names import root

_DATES, _OTHER_DATE = 4, 0.35
"""Dates of facts that are tried, and what each costs more than the one before."""
_OF_DATES = frozenset({"date", "on", "at", "day", "time"})
_BEGUN = frozenset({
    "start", "started", "begin", "began", "from", "order", "ordered", "placed", "date", "issued", "booked", "created",
    "sold", "reported", "opened", "spent", "used", "worked", "invoiced", "filled", "done",
})  # fmt: skip
_ENDED = frozenset({
    "end", "ended", "to", "until", "due", "paid", "settled", "cancelled", "completed", "returned", "expected",
    "required", "planned", "left", "closed", "expiry",
})  # fmt: skip
_NOW = frozenset({"current", "currently", "now", "moment", "present", "presently", "nowadays", "today", "still"})
_STILL = frozenset({"work", "works", "working", "employed", "active", "here"})
"""Words that say no more than that somebody is still there."""
_BEFORE, _BEHIND = 4, 3
"""Words before and behind a time among which its date may be said."""
STEP = 0.2
"""What each step to what the facts refer to costs."""
Dated = tuple[Path, PropertyChoice, tuple[Feature, ...], Words]
"""A path from facts, a date at its end, what speaks against it, and the words that say it."""


class Times:
    """The dates of the facts of one question.

    Args:
        grammar: The question.
        heavy: The places of words that must be explained.
        paths: Gives the paths from facts to what they refer to, by the labels of both.
    """

    def __init__(self, grammar: Grammar, heavy: Words, paths: Callable[[str, str], list[Path]]) -> None:
        self._grammar, self._heavy, self._paths = grammar, heavy, paths
        now = places(grammar.tokens, _NOW)
        still = any(grammar.tokens[i].text == "still" for i in now)
        self.now: Words = now | (places(grammar.tokens, _STILL) if still else frozenset())
        """The words for the present."""

    def unended(self, label: str) -> Iterator[tuple[Path, str]]:
        """The dates on which facts, or what they refer to, end, if some have not ended."""
        steps = [(step,) for step in self._grammar.joins.from_label(label)]
        for path in ((), *(path for path in steps if path in self._paths(label, path[-1].target))):
            for choice in endings(path[-1].target if path else label, self._grammar.words):
                yield path, choice.name

    def dates(self, label: str, time: AnyItem) -> Iterator[Dated]:
        """The dates of facts that a time may be of, likeliest first, with the words beside the time that say them."""
        own: list[tuple[Path, PropertyChoice]] = [((), choice) for choice in self._own_dates(label)]
        for step in () if own else self._grammar.joins.from_label(label):
            if step.target not in self._grammar.words.persons and self._paths(label, step.target):
                own += [((step,), choice) for choice in self._own_dates(step.target)]
        for place, (path, choice) in enumerate(own[:_DATES]):
            said = self._said(choice, range(time.first - _BEFORE, time.last + _BEHIND))
            against = 0.0 if said else _OTHER_DATE * place
            yield path, replace(choice, cost=0.0), (("property", against), ("linked value", STEP * len(path))), said

    def _own_dates(self, label: str) -> list[PropertyChoice]:
        found = [each for each in comparable(label, self._grammar, dates=True) if not each.of_relation]
        return sorted(found, key=lambda each: (each.cost, _begins(each.name)))

    def _said(self, choice: PropertyChoice, near: range) -> Words:
        """The words that say a date: "claims *submitted* in 2022"."""
        roots = {root(word) for word in full_words(identifier_words(choice.name))} - _OF_DATES
        return frozenset(i for i in self._heavy if i in near and root(self._grammar.tokens[i].text) in roots)


def time_of(meaning: object) -> ConditionNoun | None:
    """A date, or a bound on dates, of whatever has one."""
    if isinstance(meaning, Number):
        return ConditionNoun((), "=", (meaning.value,)) if meaning.date else None
    if isinstance(meaning, ConditionNoun) and not (meaning.choices or meaning.test or meaning.than):
        return meaning if meaning.values and all(isinstance(each, str) for each in meaning.values) else None
    return None


def _begins(name: str) -> int:
    """0 for the date on which something began or was done, 2 for the one on which it ended."""
    words = set(full_words(identifier_words(name)))
    return 2 if words & _ENDED else 0 if words & _BEGUN else 1
