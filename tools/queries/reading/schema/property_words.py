"""The names of one schema's properties by the words that mean them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Property, Schema
from clew.tools.queries.calculated import Calculated
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.short_forms import of_period, shortened, starts
from clew.tools.queries.reading.english.words import adjectives, listed, nouns
from clew.tools.queries.reading.forms.items import PropertyChoice, PropertyNoun
from clew.tools.queries.reading.schema.births import births_last
from clew.tools.queries.reading.schema.durations import DURATIONS, TIMES, scale_of_time
from clew.tools.queries.reading.schema.property_choices import (
    PLACES,
    SPANS,
    as_written,
    cheapest,
    dearer,
    is_place,
    same,
)
from clew.tools.queries.reading.schema.property_names import (
    COUNTED,
    COUNTS,
    GENERAL,
    PropertyNames,
    property_kind,
    root,
)
from clew.tools.queries.reading.schema.value_ranges import range_words
from clew.tools.queries.running_times import Lasting
from clew.tools.queries.values import holds_clock_times, holds_years

_SYNONYM, _PART, _PER_RANK = 0.5, 0.7, 0.25
"""What it costs that a property is called otherwise, that only a part of its name is said, and each place further down
an adjective's list."""
_NEARLY = 0.2  # What it costs that a property's name has further words.
_OF_TIME = frozenset({"date", "day", "time", "year"})
_OF_IDENTITY = frozenset({"number", "no", "id", "code"})
_OF_AMOUNTS = frozenset({"rate", "value", "amount", "figure", "level", "charge", "cost"})
_PERIODIC = frozenset({"weekly", "daily", "monthly", "yearly", "annual", "per"})
_UNITS_OF_TEXT, _OF_NUMBER = frozenset({"pages", "words", "lines"}), frozenset({"number", "no", "num"})
_MOST_KEPT = 10_000

_ENDING = re.compile(r"(le|e|y|t)$")
_QUALITIES, _LEAST_BASE = ("ity", "ness", "ce", "cy"), 4
"""How nouns end that are made of adjectives, and the letters that both share at least."""


class PropertyWords(PropertyNames):
    """The properties of nodes and of relationships by the words that mean them."""

    def __init__(self, schema: Schema, naming: Mapping[str, Sequence[str]]) -> None:
        super().__init__(schema, naming)
        self._known_phrases = lru_cache(_MOST_KEPT)(self._property)

    def property(self, phrase: str) -> list[PropertyChoice]:
        """The properties that a phrase may name, by name, part of the name or synonym."""
        return list(self._known_phrases(phrase))

    def _property(self, phrase: str) -> list[PropertyChoice]:
        found = as_written(phrase, self._exact.get(phrase, ()))
        for joint in ("", " ") if "-" in phrase and not found else ():  # "x-ray" of `has_xray`
            found += self._exact.get(phrase.replace("-", joint), ())
        others = [(c, rank) for c, rank, _ in self._by_rank(_synonyms(phrase)) if not is_place(c) or phrase in PLACES]
        agent = " " not in phrase and phrase.endswith(("er", "ers"))  # An employer is no date of employment.
        found += [dearer(c, _SYNONYM + _PER_RANK * rank) for c, rank in others if not (agent and c.kind == "date")]
        if " " in phrase and not found:
            found += [dearer(c, _NEARLY) for c in self.named(phrase)]
            found += self._compound(phrase)
            lead, _, last = phrase.rpartition(" ")
            found += [] if found else self._of_time(phrase)
            if singular(last) in _OF_AMOUNTS and not found:  # "discount rates"
                found += [dearer(c, _NEARLY) for c in self.property(lead) if c.kind.endswith("number") and not c.cost]
            if singular(last) in _OF_IDENTITY and not found:  # "ticket numbers"
                found += [dearer(c, _NEARLY) for c in self.property(lead) if c.kind == "text" and not c.cost]
        if phrase.endswith("ly") and not found:
            found += [dearer(c, _NEARLY) for c in self._exact.get(phrase[:-2], ()) if c.kind == "boolean"]
        if " " not in phrase and phrase not in GENERAL:
            whole, part = self._whole.get(root(phrase), ()), self._by_word.get(root(phrase), ())
            near = [*((c, _PART) for c in part), *((c, _NEARLY) for c in whole)]  # "bottles": not `bottled_on`
            near = [(c, d) for c, d in near if not is_place(c) or singular(phrase) in PLACES]
            said = [c for c, _ in near if phrase in identifier_words(c.name)]  # "shipped" is not of `shipName`
            near = [(c, d if c in said or not said else _PART + _NEARLY) for c, d in near]
            own = {(c.label, c.kind) for c in said}  # "Delivered" is of `delivered_date` before `shipped_date`.
            found = [dearer(c, _SYNONYM) if c.cost >= _SYNONYM and (c.label, c.kind) in own else c for c in found]
            found += [dearer(c, d) for c, d in near if c.kind != "date" or not found or singular(phrase) == phrase]
        if " " in phrase and not found:
            found += [dearer(c, _NEARLY) for form in self._short_of(phrase) for c in self._exact[form]]
        if not found and phrase.startswith("number of "):
            rest = self.property(phrase.removeprefix("number of "))
            found += [dearer(c, COUNTED) for c in rest if c.kind == "number" and c.cost < _SYNONYM]
        if not found and (plain := of_period(phrase)) is not None:  # "hourly price" of `hr_rate`
            found += [dearer(c, _NEARLY) for c in self.property(plain)]
        for short in shortened(phrase, tuple(sorted(self._shorts))) if not found else ():
            found += [dearer(c, _NEARLY) for c in self.property(short)]
        if phrase.endswith(" date") and any(c.kind == "date" for c in found):  # Not whether it is a `preRelease`.
            found = [c for c in found if c.kind == "date"]
        return cheapest(found)

    def _of_time(self, phrase: str) -> list[PropertyChoice]:
        """ "Birth year" and "year of birth" of `birth_date`."""
        lead, _, last = phrase.rpartition(" ")
        if last == "date" and (own := [c for c in self.choices if c.kind == "date" and self._is_label(lead, c)]):
            return [dearer(c, _NEARLY) for c in own] if len(own) == 1 else []  # The exam date is when it is held.
        if last not in _OF_TIME:
            last, _, lead = phrase.partition(" of ")
        if last not in _OF_TIME or not lead:
            return []
        of_others = [c for time in sorted(_OF_TIME) for c in self._exact.get(f"{lead} {time}", ())]
        found = of_others or self.property(lead)
        return [dearer(c, _NEARLY) for c in found if c.kind == "date" or last == "year"]

    @staticmethod
    def _is_label(text: str, owner: PropertyChoice) -> bool:
        """Whether a word is the name of the label of a property."""
        return not owner.of_relation and text == " ".join(identifier_words(owner.label))

    def _short_of(self, phrase: str) -> list[str]:
        """The names that write a phrase with the beginnings of its words: "cat number" of "catalogue number"."""
        words = phrase.split()
        return [form for form, parts in self._parts.get("".join(word[0] for word in words), ()) if starts(parts, words)]

    @cached_property
    def _parts(self) -> Mapping[str, Sequence[tuple[str, list[str]]]]:
        """The names of several words, with their words, by the first letters of these."""
        found: dict[str, list[tuple[str, list[str]]]] = defaultdict(list)
        for form in self._exact:
            if " " in form:
                parts = form.split()
                found["".join(part[0] for part in parts)].append((form, parts))
        return found

    def _by_rank(self, names: Sequence[str]) -> Iterator[tuple[PropertyChoice, int, str]]:
        """The properties that have words of a list, each with how many earlier ones there are properties for, and the
        word."""
        matched = [(n, found) for n in dict.fromkeys(names) if (found := self.named(n) or self.calculated.get(n))]
        yield from ((choice, rank, name) for rank, (name, found) in enumerate(matched) for choice in found)

    def _compound(self, phrase: str) -> list[PropertyChoice]:
        """ "monthly wage" of `monthly_pay`; "repair cost", the cost of a REPAIRED_AT; "port dues", those of a CALLS_AT
        to a Port."""
        lead, _, last = phrase.rpartition(" ")
        first, _, rest = phrase.partition(" ")
        found = [dearer(c, _SYNONYM) for name in nouns().get(last, ()) for c in self.named(f"{lead} {name}")]
        of_relations = [c for c in self.property(rest) if c.of_relation]
        return found + [c for c in of_relations if root(first) in self._around[c.label]]

    def measured_in(self, unit: str) -> list[PropertyChoice]:
        """The properties whose names end with a unit that a word stands for, or that can be converted to it."""
        found = list(self._by_unit.get(unit, ()))
        if not found and singular(unit) in TIMES:
            for owned, edge in self.properties:
                scale = scale_of_time(owned, singular(unit))
                if scale and DURATIONS & set(identifier_words(owned.name)) and not isinstance(owned.name, Lasting):
                    found.append(PropertyChoice(owned.label, owned.name, _NEARLY, True, edge, scale=scale))
        return cheapest(found)

    def in_unit(self, choices: Sequence[PropertyChoice], unit: str) -> tuple[PropertyChoice, ...]:
        """Those of some properties that a unit may measure, with its scale; none for a word that is no unit."""
        scales = {(c.label, c.name): c.scale for c in self.measured_in(unit)}
        if unit in (currencies := listed("currencies", "words")):  # A `pack_price` may be one in pounds.
            money = [c for c in self.adjective("expensive") if not currencies & set(identifier_words(c.name))]
            scales |= {(c.label, c.name): c.scale for c in money}
        return tuple(replace(c, scale=scales[c.label, c.name]) for c in choices if (c.label, c.name) in scales)

    def named(self, name: str) -> list[PropertyChoice]:
        """The properties whose names contain all words of `name`; "shipper shipped" says one word twice."""
        rows = [self._of_word(word) for word in name.split()]
        if not rows or not all(rows) or len(set(map(root, name.split()))) < len(rows):
            return []
        return [c for c in rows[0] if all(any(same(c, d) for d in row) for row in rows[1:])]

    def _of_word(self, word: str) -> list[PropertyChoice]:
        """The properties with a word in their names, written out or short."""
        if (found := self._by_word.get(root(word))) is not None:
            return found
        return [c for short in sorted(self._shorts) if word.startswith(short) for c in self._by_word[root(short)]]

    def adjective(self, form: str, *, of_done: bool = False) -> list[PropertyChoice]:
        """The properties that an adjective may mean; `descending` says which end it means as a superlative.

        Args:
            form: The adjective.
            of_done: Whether it is of who did something, as "the last to order" is.
        """
        found: list[PropertyChoice] = []
        entry = adjectives()[form]
        ends = dict.fromkeys(entry.down, False) | dict.fromkeys(entry.up, True)
        timed = "date" in ends and "year" in ends
        for c, rank, name in self._by_rank((*entry.up, *entry.down)):
            if timed and name == "time" and c.kind == "number":
                continue  # "Later" does not say how long something takes.
            if name in SPANS and _PERIODIC & set(identifier_words(str(c.name))):
                continue  # Nobody has been here the longest by their `weekly_hours`.
            if name in _UNITS_OF_TEXT and not ({name} | COUNTS | _OF_NUMBER) & set(identifier_words(str(c.name))):
                continue  # A text is not long by the page that it is on.
            owned = self.choice(c.label, c.name) if name in SPANS else None
            lasting = owned is None or not (c.kind == "date" or holds_years(owned))
            if c.kind in ("number", "date", "written number") and lasting:
                cost = c.cost + _PER_RANK * rank
                found.append(PropertyChoice(c.label, c.name, cost, ends[name], c.of_relation, c.kind))
        found += self._only_dates(found, ends["date"]) if timed and not of_done else []
        if "minutes" in ends:  # The fastest marathon has the lowest time.
            times = [c for c in self.choices if isinstance(c.name, Lasting)]
            found += [replace(c, cost=_PER_RANK * len(ends), descending=ends["minutes"]) for c in times]
        return cheapest(births_last(found, self.choices, ends))

    def of_quality(self, adjective: str) -> list[PropertyChoice]:
        """The numbers that say how much of an adjective something has: its `complexity`, of "complex"."""
        base = _ENDING.sub("", adjective)
        numbers = (c for c in self.choices if c.kind == "number" and len(base) >= _LEAST_BASE)
        return [
            replace(c, descending=True)
            for c in numbers
            if any(word.startswith(base) and word.endswith(_QUALITIES) for word in identifier_words(str(c.name)))
        ]

    def _only_dates(self, found: Sequence[PropertyChoice], descending: bool) -> Iterator[PropertyChoice]:
        """The only date of each label that has none of those found: the first sighting is by the day when it was
        seen."""
        known = {each.label for each in found}
        owned = zip(self.choices, self.properties, strict=True)
        days = (c for c, (p, edge) in owned if c.kind == "date" and not edge and not holds_clock_times(p))
        dates = [each for each in days if each.label not in known]
        for each in dates:
            if sum(other.label == each.label for other in dates) == 1:
                yield replace(each, cost=_PART, descending=descending)

    @cached_property
    def ranges(self) -> Mapping[str, Sequence[tuple[PropertyNoun, float]]]:
        """What is said of the two ends of a range (`range_words`)."""
        return range_words(self.choices)

    @cached_property
    def choices(self) -> Sequence[PropertyChoice]:
        """All properties, of nodes and of relationships."""
        return tuple(PropertyChoice(p.label, p.name, 0.0, True, edge, property_kind(p)) for p, edge in self.properties)

    def years(self) -> list[PropertyChoice]:
        """The properties of nodes that hold years."""
        return [PropertyChoice(p.label, p.name, _PART) for p, edge in self.properties if not edge and holds_years(p)]

    def choice(self, label: str, name: str) -> Property | None:
        """A property of a label or relationship type; one that is calculated is a number."""
        return Property(label, name, "FLOAT", 0, ()) if isinstance(name, Calculated) else self._owned.get((label, name))

    def names_of(self, label: str) -> frozenset[str]:
        """The properties with the names of a label's nodes: `name`, and that of which it was made."""
        named = self.choice(label, "name")
        first = [*map(str, named.examples)] if named is not None else None
        told = (p.name for p, edge in self.properties if not edge and p.label == label
                and [*map(str, p.examples)] == first)  # fmt: skip
        return frozenset({"name", *self.naming.get(label, ()), *told})

    def naming_of(self, label: str) -> list[PropertyChoice]:
        """The properties that name the nodes of a label."""
        own = self.naming.get(label) or ("name",)
        found = [p for p, edge in self.properties if p.label == label and not edge and p.name in own]
        return [PropertyChoice(label, p.name, 0.0, kind="text") for p in found[:1]]


def _synonyms(phrase: str) -> tuple[str, ...]:
    """What a property may be called by another word, in whichever form: "leaves" for a departure."""
    known = nouns().get(phrase)
    return known if known is not None else _by_root().get(root(phrase), ()) if " " not in phrase else ()


@cache
def _by_root() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for word, names in nouns().items():
        if " " not in word:
            found[root(word)] = tuple(dict.fromkeys((*found.get(root(word), ()), *names)))
    return found
