"""The properties of one schema, by the words of their names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Property, Schema
from clew.tools.queries.lexical import stem
from clew.tools.queries.plans.predicates import kind_of
from clew.tools.queries.reading.english.inflection import noun_forms
from clew.tools.queries.reading.english.short_forms import full_words, is_short, said_per
from clew.tools.queries.reading.english.words import NEGATIVE, unit_names, units
from clew.tools.queries.reading.forms.items import PropertyChoice
from clew.tools.queries.reading.schema.property_choices import dearer
from clew.tools.queries.relation_names import relation_words
from clew.tools.queries.running_times import Lasting, in_seconds
from clew.tools.queries.values import holds_clock_times

COUNTED = 0.05
"""What it costs that "number of" stands before a property's name: the number of berths."""
_PLACED, _COUNTING = 0.6, 0.25
"""What it costs that a verb leaves out its preposition ("wrote" for `wroteIn`), and that what is counted stands for its
number ("staff" for `staff_count`)."""
_BEING = frozenset({"is", "was", "has", "can"})
_PREPOSITIONS = frozenset({"at", "on", "in", "by", "from", "to", "since", "until", "for", "with"})
_OF_TIME = frozenset({"date", "day", "time", "year"})
_KINDS = ("kind", "type", "sort", "category", "class")
COUNTS = frozenset({"count", "total"})
GENERAL = frozenset({"id", "name", "title", "type", "number", "code", "key", "per", "of", "is", "has", "the"})
"""Words in names that tell nothing."""


class PropertyNames:
    """The properties of one schema, by the words of their names."""

    def __init__(self, schema: Schema, naming: Mapping[str, Sequence[str]]) -> None:
        self.naming = naming
        self.properties = [(in_seconds(p), False) for p in schema.properties]
        self.properties += [(in_seconds(p), True) for p in schema.relation_properties]
        self._owned = {(p.label, p.name): p for p, _ in reversed(self.properties)}  # The first of a name counts.
        self._exact: dict[str, list[PropertyChoice]] = defaultdict(list)
        self._by_word: dict[str, list[PropertyChoice]] = defaultdict(list)
        self._whole: dict[str, list[PropertyChoice]] = defaultdict(list)
        """By the only word of a name that tells anything: "closes" of `closes_at`."""
        self._by_unit: dict[str, list[PropertyChoice]] = defaultdict(list)
        self._around: dict[str, set[str]] = defaultdict(set)
        """Relationship type → the roots of its own words and of those of the labels at its ends."""
        for relation in schema.relations:
            ends = (*identifier_words(relation.source), *identifier_words(relation.target))
            self._around[relation.type] |= set(map(root, (*relation_words(relation.type), *ends)))
        self.counts: dict[str, list[PropertyChoice]] = defaultdict(list)
        """By what they count: `employee_count` for "5,000 employees"."""
        self.calculated: dict[str, list[PropertyChoice]] = {}
        """By their names the numbers that are calculated where no property is called so."""
        self._shorts: set[str] = set()  # Short forms in the names that nobody writes out.
        self._read_properties()

    def _read_properties(self) -> None:
        for owned, of_relation in self.properties:
            words = identifier_words(owned.name)
            unit = "" if "per" in words[-2:-1] else words[-1]  # `ratePerHa` is in no hectares.
            unit = "seconds" if isinstance(owned.name, Lasting) else unit
            choice = PropertyChoice(owned.label, owned.name, 0.0, True, of_relation, property_kind(owned))
            for form in (*noun_forms(" ".join(words)), *said_per(words)):
                self._exact[form].append(choice)
            if choice.kind == "boolean" and words[0] in _BEING and len(words) > 1:
                for form in noun_forms(" ".join(words[1:])):
                    self._exact[form].append(choice)
            for ordered in (words, words[::-1]) if len(words) == 2 else ():  # "years of experience", "date of birth"
                self._exact[" of ".join(ordered)].append(choice)
            for form in noun_forms("".join(words)) if len(words) > 1 else ():
                self._exact[form].append(choice)
            own_label = set(identifier_words(owned.label))
            rest = [word for word in words if word not in own_label]
            bare = words[:-1] if words[-1] in units() and owned.type != "STRING" else words
            for shorter in (rest, bare):
                if shorter and len(shorter) < len(words) and shorter[0] not in NEGATIVE:
                    for form in noun_forms(" ".join(shorter)):
                        self._exact[form].append(choice)
            for form in noun_forms(" ".join((*identifier_words(owned.label), *words))):
                self._exact[form].append(choice)
            if words[-1] in _KINDS:
                for kind in _KINDS:
                    self._exact[f"{kind} of {' '.join(words[:-1] or identifier_words(owned.label))}"].append(choice)
            for form in noun_forms(" ".join(words[:-1]))[1:] if words[1:] and words[-1] == "count" else ():
                self.counts[form].append(dearer(choice, COUNTED))
            if words[-1] in ("no", "nr", "num") and len(words) > 1:
                self._exact[" ".join((*words[:-1], "number"))].append(choice)
            self._shorts |= {word for word in words if is_short(word)}
            if (full := full_words(words)) != tuple(words):
                for form in (*noun_forms(" ".join(full)), *noun_forms(" ".join(w for w in full if w not in units()))):
                    self._exact[form].append(choice)
                words = (*words, *full)
            for said, scale in unit_names().get(unit, ()) if choice.kind == "number" else ():
                for form in noun_forms(said):
                    self._by_unit[form].append(replace(choice, scale=float(scale)))
            for word in dict.fromkeys(words):
                if word not in GENERAL:
                    self._by_word[root(word)].append(choice)
            telling = {root(word) for word in (full or words) if word not in GENERAL | COUNTS | _PREPOSITIONS}
            if choice.kind == "date" and len(words) > 1 and words[-1] in _OF_TIME:
                for verb in _verbs(words[-2]):
                    self._whole[root(verb)].append(choice)  # "completed" of `completionDate`
            if len(telling) == 1 and (words[1:] or choice.kind == "number") and words[0] not in _PREPOSITIONS:
                placed = words[-1] in _PREPOSITIONS and choice.kind == "text"
                less = _PLACED if placed else _COUNTING if words[-1] in COUNTS else 0.0
                self._whole[telling.pop()].append(dearer(choice, less) if less else choice)


@lru_cache(maxsize=4096)
def root(word: str) -> str:
    """What a verb's forms and its noun have in common: "smoke", "smoker" and "smokes"."""
    while (shorter := stem(word)) != word:
        word = shorter
    return word.removesuffix("e")


def _verbs(noun: str) -> Iterator[str]:
    """The verbs that a noun in "-ion" may be made of: "complete" of "completion", "expire" of "expiration"."""
    if noun.endswith("ion"):
        yield from (noun.removesuffix("ion"), noun.removesuffix("ion") + "e")
    if noun.endswith("ation"):
        yield from (noun.removesuffix("ation"), noun.removesuffix("ation") + "e")


NUMBERING = frozenset({"number", "no", "nr", "id", "num"})
_IDENTIFIERS = frozenset({"id", "ids", "code", "phone", "fax", "zip", "postcode", "key", "uuid", "number", "no", "nr"})


def property_kind(owned: Property) -> str:
    """What the values of a property are: "identifier", "number", "date", "boolean", "text" …"""
    last = identifier_words(owned.name)[-1:]
    if last and last[0] in _IDENTIFIERS and owned.type not in ("FLOAT", "BOOLEAN"):
        return "identifier"
    kind = kind_of(owned, "12:00" if holds_clock_times(owned) else "2000-01-01")
    return "date" if kind == "date" else kind_of(owned, 1)
