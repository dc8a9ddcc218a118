"""Degrees, comparisons, and what is done with numbers, as anchors."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import cast

from clew.tools.graph.identifiers import bare_words
from clew.tools.queries.calculated import Calculated
from clew.tools.queries.reading.anchors.asked_properties import beginnings
from clew.tools.queries.reading.anchors.wild_anchors import WildAnchors
from clew.tools.queries.reading.english.inflection import is_plural, singular
from clew.tools.queries.reading.english.numbers import PLACES, number
from clew.tools.queries.reading.english.words import adjectives, meaning_of, unit_measure
from clew.tools.queries.reading.forms.form import Order, Value
from clew.tools.queries.reading.forms.functions import Function
from clew.tools.queries.reading.forms.items import Comparator, Noun, Operator, PropertyChoice, PropertyNoun, Superlative
from clew.tools.queries.reading.forms.quantities import is_span
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.reading.schema.role_words import Role
from clew.tools.queries.space.query import Comparison

FLOORS = PLACES[:10]
"""Ordinals that state a number: "on the fourth floor"."""
_ORDINALS = {word: i for i, word in enumerate(FLOORS)} | {"2nd": 1, "3rd": 2, "4th": 3, "5th": 4}
_LASTING = frozenset({"been", "worked", "served", "lived", "stayed", "belonged", "played", "run", "led", "held"})
_DEGREES = (
    ("most ", True), ("least ", False), ("more ", True), ("less ", False), ("how much ", None), ("how ", None),
    ("", None),
)  # fmt: skip
"""Words before an adjective, and whether they mean its own end."""
_MEASURED = re.compile(r"how many (?P<unit>\w+) (?P<degree>\w+)")

_DOING = frozenset({"do", "does", "did", "will", "would"})
_BEFORE_LAST = frozenset({"the", "our", "their", "his", "her", "its", "my", "your", "very", "whose", "and", "or", "to"})
"""Words before "last" where it is no verb."""


class DegreeAnchors(WildAnchors):
    """Collects the superlatives, comparisons and functions of one question."""

    def _amount(self, first: int, last: int, text: str, following: str) -> None:
        """Degrees, comparisons, and what is done with numbers."""
        self._adjective(first, last, text)
        for noun, alone in self.words.ranges.get(text, ()):
            self._add(first, last, noun, ("guess", alone))
        function = meaning_of("functions", text)
        stored = text.endswith("quantity of") and any(not each.cost for each in self.words.property("quantity"))
        if function is not None and not stored:  # A stored quantity of things is not how many they are.
            self._add(first, last, Operator(cast(Function, function)))
        if (comparison := meaning_of("comparisons", text)) is not None:
            self._add(first, last, Comparator(cast(Comparison, comparison)))
        if text in ("more", "fewer", "less", "better", "worse") and following != "than":
            counts = text not in ("better", "worse")
            self._add(first, last, Superlative((), counts, text in ("more", "better")), ("guess", 0.5))
        lasting = text in ("longest", "longer") and following != "than"
        if lasting and (verb := self._lasting_verb(first)) is not None:
            self._add(verb[0], last, Superlative(verb[1], False, lasting=True))
        if lasting and _LASTING & {token.text for token in self.tokens[:first]} and (began := beginnings(self.words)):
            nth = _ORDINALS.get(self.tokens[first - 1].text, 0)
            lasts = Superlative(began, False, False, skip=nth, lasting=True)
            self._add(first - bool(nth), last, lasts, ("guess", 0.3))
        degree = meaning_of("degree", text) if following not in ("recently", "recent") else None
        if degree in ("most", "fewest"):
            self._add(first, last, Superlative((), True, degree == "most"))
            if nth := _ORDINALS.get(self.tokens[first - 1].text if first else "", 0):
                self._add(first - 1, last, Superlative((), True, degree == "most", skip=nth))
        elif degree is not None:
            self._add(first, last, Superlative((), False, degree == "high"), ("guess", 0.5))

    def _lasting_verb(self, end: int) -> tuple[int, tuple[PropertyChoice, ...]] | None:
        """The verb before "the longest", with the calculated times from when it begins until it ends: "reigned", of
        `reignStart` and `reignEnd`."""
        place = end - 1 - (end > 1 and self.tokens[end - 1].text in ("the", "for"))
        verb = root(self.tokens[max(place, 0)].text)
        spans = [each for each in self.words.property("duration") if is_span(each.name)]
        fitting = tuple(each for each in spans if verb in _roots_of_ends(each.name))
        return (place, fitting) if place > 0 and fitting else None

    def _extreme(self, first: int, last: int, noun: Noun, role: Role) -> None:
        """ "the highest point in the country": of many that are some state's highest point the highest."""
        own = [c for c in self.words.adjective(role.adjective) if c.label == noun.nodes.label and not c.of_relation]
        for choice in own[:1]:
            order = Order(Value(choice.name, kind=choice.kind), choice.descending)
            ordered = replace(noun, nodes=replace(noun.nodes, order=order))
            self._add(first, last, ordered, ("role", role.cost), ("order", -0.2))

    def _adjective(self, first: int, last: int, text: str) -> None:
        bare = text.removeprefix("the ")
        if bare == text == "last" and self._is_verb_last(first):
            return
        if (measured := _MEASURED.fullmatch(bare)) and unit_measure(singular(measured["unit"])):
            bare = f"how much {measured['degree']}"  # "how many years older"
        self._more(first, last, text)
        self._graded(first, last, bare)
        plain = text in adjectives() and not (adjectives()[text].superlative or adjectives()[text].comparative)
        if self.statement and plain:
            self._add(first, last, PropertyNoun(tuple(self.words.adjective(text))))  # "5 m tall"
        for lead, descending in _DEGREES:
            form = bare.removeprefix(lead)
            if not bare.startswith(lead) or form not in adjectives():
                continue
            of_done = [token.text for token in self.tokens[last : last + 1]] == ["to"]
            entry, choices = adjectives()[form], tuple(self.words.adjective(form, of_done=of_done))
            if lead == "how much ":
                numbers = tuple(c for c in choices if c.kind in ("number", "written number"))
                if "year" in (*entry.up, *entry.down):  # "How many years later did X open": the verb says which year.
                    numbers = tuple(dict.fromkeys((*numbers, *self.words.years())))
                if numbers and entry.comparative:
                    self._add(first, last, PropertyNoun(numbers, "difference", quantity=True))
            elif lead == "how ":
                self._add(first, last, PropertyNoun(choices, quantity=True), *(() if choices else (("guess", 2.0),)))
            elif lead:
                turned = tuple(c if descending else c.turned for c in choices)
                if lead in ("more ", "less "):  # "Which is more expensive, X or Y?"
                    self._add(first, last, Superlative(turned, False, bool(entry.up) == descending), ("guess", 1.5))
                    return
                self._add(first, last, Superlative(turned, False, bool(entry.up) == descending))
                self._with_number(first, last, turned, bool(entry.up) == descending)
            elif entry.superlative:
                up = bool(entry.up)
                self._add(first, last, Superlative(choices, False, up))
                self._with_number(first, last, choices, up)
            elif entry.comparative:
                self._comparative(first, last, choices, bool(entry.up))
            return

    def _is_verb_last(self, place: int) -> bool:
        """Whether "last" is a verb: "how long does a game last"."""
        before = [token.text for token in self.tokens[:place]]
        return before[-1:] not in ([each] for each in _BEFORE_LAST) and not _DOING.isdisjoint(before)

    def _more(self, first: int, last: int, text: str) -> None:
        """ "more expensive than"."""
        lead, _, form = text.partition(" ")
        follows = last < len(self.tokens) and self.tokens[last].text == "than"
        if follows and lead in ("more", "less") and form in adjectives():
            choices = self.words.adjective(form)
            for descending in {c.descending for c in choices}:
                chosen = tuple(c for c in choices if c.descending == descending)
                self._add(first, last + 1, Comparator(">" if descending == (lead == "more") else "<", chosen))

    def _graded(self, first: int, last: int, text: str) -> None:
        """ "most complex", of a `complexity`, where the lexicon does not know the adjective."""
        lead, _, form = text.partition(" ")
        if lead not in ("most", "more", "least", "less") or form in adjectives() or not form.isalpha():
            return
        high = lead in ("most", "more")
        if not (choices := tuple(c if high else c.turned for c in self.words.of_quality(form))):
            return
        if last < len(self.tokens) and self.tokens[last].text == "than":
            self._add(first, last + 1, Comparator(">" if high else "<", choices))
            return
        self._add(
            first, last, Superlative(choices, False, high), *([("guess", 1.5)] if lead in ("more", "less") else [])
        )
        self._with_number(first, last, choices, high)

    def _with_number(self, first: int, last: int, choices: tuple[PropertyChoice, ...], up: bool) -> None:
        """ "second largest", "3 largest"."""
        before = self.tokens[first - 1].text if first else ""
        if _ORDINALS.get(before):
            self._add(first - 1, last, Superlative(choices, False, up, skip=_ORDINALS[before]))
        elif (count := number(before)) is not None and 1 < count <= 100:
            self._add(first - 1, last, Superlative(choices, False, up, limit=int(count)))

    def _comparative(self, first: int, last: int, choices: tuple[PropertyChoice, ...], up: bool) -> None:
        behind = self.tokens[last].text if last < len(self.tokens) else ""
        before = self.tokens[first - 1].text if first else ""
        any_of_kind = behind in self.words.labels and (is_plural(behind) or before in ("which", "what", "any"))
        if before == "the" or not any_of_kind:  # Not "which earlier trials".
            self._add(first, last, Superlative(choices, False, up), ("guess", 1.5))
        if behind == "than":
            for descending in {c.descending for c in choices}:
                chosen = tuple(c for c in choices if c.descending == descending)
                self._add(first, last + 1, Comparator(">" if descending else "<", chosen))


def _roots_of_ends(span: str) -> set[str]:
    """The roots of the words in the names of the two dates that a time lies between."""
    return {root(word) for each in (span.operands if isinstance(span, Calculated) else ()) for word in bare_words(each)}
