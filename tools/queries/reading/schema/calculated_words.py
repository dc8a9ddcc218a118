"""Properties that are calculated from those of a schema, by the words that mean them: "revenue", "time to ship"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Property
from clew.tools.queries.calculated import Calculated, Calculation, Operand, Term, combined, parsed
from clew.tools.queries.lexical import load_toml
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.english.short_forms import full_words
from clew.tools.queries.reading.forms.items import PropertyChoice
from clew.tools.queries.reading.forms.quantities import is_span
from clew.tools.queries.reading.schema.property_words import PropertyWords
from clew.tools.queries.values import holds_clock_times

_MOST = 0.75
"""What it may cost that a property is called by another word, or by a part of its name."""
_COST = 0.05
"""What it costs that a property has to be calculated."""
_NUMBERS = ("number", "written number")
_HOURLY = ("hours", "rate")
"""How the names of hours and of what each costs end."""
_PERCENT = "÷ 100"
"""What a formula says that reads a discount in percent."""
Owner = tuple[str, bool]
"""A label or a relationship type, and whether it is a type."""


@dataclass(slots=True)
class Owned:
    """The properties of one label or relationship type by the words of a formula."""

    words: PropertyWords
    owner: Owner
    by_parts: bool = False
    """Whether the words are those of `calculated_parts` in reading_words.toml."""
    used: list[PropertyChoice] = field(default_factory=list)

    def formula(self, text: str, called: str, unit: str = "days") -> PropertyChoice | None:
        """The property that a formula in words calculates."""
        return self._made(parsed(text, self.operand), unit, called)

    def has(self, part: str) -> bool:
        """Whether there is what a part of a usual formula may be called."""
        return any((choice.label, choice.of_relation) == self.owner for choice in self._named(part))

    def parts(self, parts: Sequence[str]) -> PropertyChoice | None:
        """The same of a formula that is given as its parts."""
        made = combined(parts, self.operand)
        return self._made(made, "days", "")

    def operand(self, phrase: str) -> Term | None:
        """The number or date that a phrase means; of hours that have a rate, what they cost."""
        hours, rate = (self._part(phrase, ending) for ending in _HOURLY)
        if hours is not None and rate is not None:
            self.used += [hours, rate]
            return Calculation("*", Operand(hours.name), Operand(rate.name))
        found = self._named(phrase) if self.by_parts else self.words.property(phrase)
        for choice in found:
            owner = (choice.label, choice.of_relation)
            plain = owner == self.owner and choice.cost <= _MOST and not isinstance(choice.name, Calculated)
            if plain and (choice.kind in _NUMBERS or _is_day(self.words, choice)):
                self.used.append(choice)
                return Operand(choice.name, choice.kind == "written number", _is_discount(choice.name))
        return None

    def _part(self, phrase: str, ending: str) -> PropertyChoice | None:
        """The number of this owner whose name is a phrase and one further word: `labour_hours`."""
        called = (*phrase.split(), ending)
        found = (c for c in self.words.choices if full_words(identifier_words(c.name)) == called)
        return next((c for c in found if (c.label, c.of_relation) == self.owner and c.kind == "number"), None)

    def _named(self, phrase: str) -> Iterator[PropertyChoice]:
        """The properties whose names have the words that a part of a usual formula may be called."""
        for each in _parts().get(phrase, (phrase,)):
            called = {(c.label, c.name) for c in self.words.property(each) if c.cost == 0.0}
            for choice in self.words.named(each):  # A `qty_available` is no quantity that was sold.
                if choice.kind == "date" or (choice.label, choice.name) in called:
                    yield choice

    def _made(self, made: Term | None, unit: str, called: str) -> PropertyChoice | None:
        names = {choice.name for choice in self.used}
        if made is None or len(names) < len(self.used) or not (called or isinstance(made, Calculation)):
            return None
        dated = [choice.kind == "date" for choice in self.used]
        if any(dated):
            if not isinstance(made, Calculation) or made.operator != "-" or not all(dated) or len(dated) > 2:
                return None
            made = Calculation("years" if unit == "years" else "days", made.left, made.right)
        label, of_relation = self.owner
        return PropertyChoice(label, Calculated(made, called), _COST, True, of_relation)


def owners(words: PropertyWords) -> list[Owner]:
    """The labels and relationship types of a schema that have properties."""
    return list(dict.fromkeys((owned.label, of_relation) for owned, of_relation in words.properties))


def is_duration(choice: PropertyChoice) -> bool:
    """Whether a calculated property is a number of days, hours or the like."""
    return is_span(choice.name)


def by_name(words: PropertyWords) -> Iterator[tuple[str, PropertyChoice]]:
    """What the usual names of calculated numbers mean in a schema: "revenue" → unit price × quantity."""  # noqa: RUF002
    for row in _rows().values():
        called, unit, beside = row["names"][0], row.get("unit", "days"), row.get("beside")
        known = {(choice.label, choice.of_relation) for name in row["names"] for choice in words.named(name)}
        for owner in (each for each in owners(words) if each not in known):
            found = (Owned(words, owner, by_parts=True).formula(text, called, unit) for text in row["formulas"])
            choice = next((each for each in found if each is not None and _fits(words, each)), None)
            if choice is not None and (beside is None or Owned(words, owner, by_parts=True).has(beside)):
                yield from ((name, choice) for name in row["names"])


def _fits(words: PropertyWords, choice: PropertyChoice) -> bool:
    """Whether a formula takes off the discount that there is, as a fraction of 1 or in percent."""
    assert isinstance(choice.name, Calculated)
    discounts = [name for name in choice.name.operands if _is_discount(name)]
    of = [p for p, _ in words.properties if p.label == choice.label and _is_discount(p.name)]
    priced = any("price" in full_words(identifier_words(name)) for name in choice.name.operands)
    percent = _PERCENT in choice.name
    most = [_greatest(each) for each in of if discounts]
    return (bool(discounts) == bool(of) or not priced) and all(
        each is not None and (each <= 1) != percent for each in most
    )


def _greatest(owned: Property) -> float | None:
    """The greatest number of a property; of numbers that are written as texts, that of the examples."""
    if owned.type != "STRING":
        return owned.greatest
    return max((found for each in owned.examples if (found := number(str(each))) is not None), default=None)


def _is_discount(name: str) -> bool:
    return "discount" in full_words(identifier_words(name))


def _is_day(words: PropertyWords, choice: PropertyChoice) -> bool:
    """Whether a property holds dates, rather than times of day."""
    owned = words.choice(choice.label, choice.name) if choice.kind == "date" else None
    return owned is not None and not holds_clock_times(owned)


@cache
def _rows() -> dict[str, Any]:
    return load_toml("reading.english", "reading_words.toml")["calculated"]  # type: ignore[no-any-return]


@cache
def _parts() -> dict[str, list[str]]:
    return load_toml("reading.english", "reading_words.toml")["calculated_parts"]  # type: ignore[no-any-return]
