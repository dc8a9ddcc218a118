"""The anchors of a question: its words that name something, as the first items of the chart.

Anchors may overlap: "highest point" is the end of a relation, and an adjective before a label.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from clew.tools.graph.entity import Mention
from clew.tools.graph.identifiers import identifier_words, spoken
from clew.tools.queries.reading.anchors.ages import years_between
from clew.tools.queries.reading.anchors.asked_properties import asked_properties, lacking
from clew.tools.queries.reading.anchors.bare_values import bare_values
from clew.tools.queries.reading.anchors.calculations import calculations
from clew.tools.queries.reading.anchors.column_lists import column_lists
from clew.tools.queries.reading.anchors.degree_anchors import FLOORS
from clew.tools.queries.reading.anchors.directions import directions, without_parts
from clew.tools.queries.reading.anchors.edge_nouns import amounts_of
from clew.tools.queries.reading.anchors.letter_values import letter_values
from clew.tools.queries.reading.anchors.literals import literals
from clew.tools.queries.reading.anchors.periods import periods
from clew.tools.queries.reading.anchors.placings import with_placings
from clew.tools.queries.reading.anchors.relatives import tells_gender
from clew.tools.queries.reading.anchors.side_nouns import side_nouns
from clew.tools.queries.reading.anchors.spending import spendings
from clew.tools.queries.reading.anchors.value_forms import value_forms
from clew.tools.queries.reading.anchors.value_nouns import ValueNouns
from clew.tools.queries.reading.english.inflection import is_plural, singular
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.english.words import (
    FREE,
    adjectives,
    anybody,
    is_superlative,
    meaning_of,
    opposites,
    people,
    phrase,
    titles,
)
from clew.tools.queries.reading.forms.form import Nodes
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    ConditionNoun,
    Item,
    Noun,
    Number,
    PropertyChoice,
    PropertyNoun,
    is_kind,
    is_name,
)
from clew.tools.queries.reading.forms.scoring import with_features
from clew.tools.queries.reading.schema.phrases import PREPOSITIONS
from clew.tools.queries.reading.schema.property_choices import in_asked_unit
from clew.tools.queries.running_times import Lasting
from clew.tools.queries.values import MONTHS

_LONGEST_PHRASE = 7
_OF_EITHER = 0.8
"""What it costs that a mother may be any parent."""
_OF_AMOUNTS = frozenset({"more", "most", "less", "least", "fewer", "fewest", "total", "average", "many"})
"""What stands before a unit beside a number: "the fewest kilometres"."""
_UNNAMED = 0.7
"""What it costs that a property is not named at all."""
_NAME_TOO, _COPIED_NAME = ("value", 0.3), ("value", 0.8)
"""What it costs that a value is the name of a node as well; and that it is a copy of that name, as a `shipName` is."""
_IN_A_NAME = ("value", 2.5)
"""What it costs that a value is a part of a name that stands there in full: the Langford Museum is no museum in
Langford."""
_PART_OF_NAMES = ("guess", 1.0)
"""What it costs that a part of several names is also a value …"""
_PART_OF_NAME = ("guess", 0.5)
"""… and that a part of one is: "in Bath", beside the Bath Triathlon Society."""
_OF_KIND = 0.5
"""What it costs that a number of things is a property: `unitsOnOrder` for the "number of orders"."""
_OTHER_LABEL = 0.5
"""What a kind of thing that is called so in part costs more, beside one that is called just so."""
_AS_LABEL = 0.05
"""What it costs that the word for a role is the kind's own name: "patients" of OF_PATIENT are all patients."""
_KIND_TOO = ("value", 0.5)
"""The same of a value that is a part of the name of a kind of thing: "cabin" of "cabin crew"."""


def _is_within(item: AnyItem, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether an item is a part of one of some spans, and not all of it."""
    around = ((first, last) for first, last in spans if first <= item.first and item.last <= last)
    return any(last - first > item.last - item.first for first, last in around)


class Anchors(ValueNouns):
    """Collects the anchors of one question."""

    @cached_property
    def _lacking(self) -> frozenset[int]:
        return lacking(self.tokens, self.words)

    def find(self, mentions: Sequence[Mention], alternatives: Iterable[Mention]) -> list[AnyItem]:
        self.linked(mentions, alternatives)
        self.items = [item for item in self.items if not self._is_first(item)]
        self.known_names()
        self.named_kinds()
        for length in range(1, max(self.words.longest, _LONGEST_PHRASE) + 1):
            for first in range(len(self.tokens) - length + 1):
                self._phrase(first, first + length)
        self.partial_names()
        if self.statement:
            self.somebody()
            for i, token in enumerate(self.tokens):
                if token.text in FLOORS and i and self.tokens[i - 1].text == "the":
                    self._add(i, i + 1, Number(FLOORS.index(token.text) + 1), ("guess", 0.5))
        self.wild()
        self.items += spendings(self.tokens, self.words)
        self.items = (
            self.items if self.statement else without_parts([*self.items, *directions(self.tokens, self.words)])
        )
        self.items += [] if self.statement else bare_values(self.tokens, self.words, self.names.values)
        self.items = self.items if self.statement else with_placings(self.items, self.tokens, self.words)
        self.items += [] if self.statement else value_forms(self.tokens, self.words, self.names.values)
        self.items += letter_values(self.question, self.tokens, self.names.values)
        self.items += [] if self.statement else calculations(self.tokens, self.words)
        self.items += [] if self.statement else column_lists(self.tokens, self.words)
        self.items += [*years_between(self.tokens, self.words), *periods(self.tokens)]
        spans = [span for m in mentions if self.statement and (span := self._span(m.start, m.end)) is not None]
        named = {(i.first, i.last) for i in self.items if is_name(i)}
        named |= {(first + 1, last) for first, last in named if self.tokens[first].text in ("the", "a", "an")}
        whole = [(i.first, i.last) for i in self.items if is_name(i) and not i.cost]
        kinds_said = [(i.first, i.last) for i in self.items if is_kind(i)]
        for item in literals(self.question, self.tokens, self.names.values, self.words.has):
            if any(item.first < last and first < item.last for first, last in spans):
                continue  # In a statement, the words of a name are no values.
            if isinstance(item.meaning, ConditionNoun):
                self._doubt_parts(item)
                of_kind = any(first <= item.first and item.last <= last for first, last in kinds_said)
                copied = all("name" in identifier_words(choice.name) for choice in item.meaning.choices)
                name_too = _COPIED_NAME if copied else _NAME_TOO
                also = [name_too] * ((item.first, item.last) in named) + [_KIND_TOO] * of_kind
                also += [_IN_A_NAME] * _is_within(item, whole)
                item = with_features(item, *also)
            self.items.append(item)
            if isinstance(item.meaning, ConditionNoun) and _KIND_TOO not in item.features and item.cost < _UNNAMED:
                self.value_nouns(item)
        return [*self.items, *side_nouns(self.items, self.tokens, self.words)]

    def _is_first(self, item: AnyItem) -> bool:
        """Whether a name is no more than "top 2"."""
        first, *others = self.tokens[item.first : item.last]
        listed_first = meaning_of("listing", first.text) == "first" and len(others) == 1
        return listed_first and number(others[0].text) is not None and item.cost > 0

    def _doubt_parts(self, value: Item[ConditionNoun]) -> None:
        """A value is likelier than a part of names: "malt" as a kind, not Pilsner Malt and Crystal Malt."""
        for i, item in enumerate(self.items):
            same = (item.first, item.last) == (value.first, value.last) and item.cost > 0
            if same and isinstance(item.meaning, Noun) and is_name(item):
                names = [entity.name.lower().split() for entity in item.meaning.nodes.entities]
                said = phrase(self.tokens, item.first, item.last).split()
                if len(names) > 1:
                    self.items[i] = with_features(item, _PART_OF_NAMES)
                elif len(names[0]) > len(said) and set(said) <= set(names[0]):
                    self.items[i] = with_features(item, _PART_OF_NAME)

    def _phrase(self, first: int, last: int) -> None:
        text = phrase(self.tokens, first, last)
        if last == first + 1 and self.tokens[first].quoted:
            text = spoken(text)
        asked = self._asked(first)
        plural = is_plural(self.tokens[last - 1].text)
        shortened = () if self.statement else self.words.shortened_labels(text)
        shortened = shortened or (self.words.labels.get(f"{text}er", ()) if text in people() else ())  # "staff"
        labels = self.words.labels.get(text) or shortened
        further = _OTHER_LABEL * any(not own for _, own in labels)
        for label, own in labels:
            self._add(first, last, Noun(Nodes(label), plural, asked), ("label", own + further * bool(own)))
        for nodes in self.words.defined.get(text, ()):
            self._add(first, last, Noun(nodes, plural, asked))
        for title in titles().get(text, ()):
            for label, own in self.words.labels.get(title, ()):
                self._add(first, last, Noun(Nodes(label)), ("label", own))
        no_role = self._is_verb(first, plural) or self.tokens[first].text in PREPOSITIONS  # "of patients"
        is_amount = any(not c.cost and c.kind == "number" for c in self.words.property(text))
        for role in () if no_role else self.words.roles.get(text, ()):
            if self.statement and role.of_several:
                continue  # What is claimed of one kind is not so of another one.
            if role.cost and (is_amount or (last == first + 1 and first in self._lacking)):
                continue  # "guests": a number of them, rather than hosted ones; "email address"
            noun = Noun(role.nodes, plural, asked, role=role.nodes.links[0].path)
            only_label = any(label == role.nodes.label for label, _ in self.words.labels.get(text, ()))
            anyone = bool(role.cost) and singular(text) in anybody() and role.nodes.label in self.words.persons
            all_have = anyone or (bool(role.cost) and self.words.nearly_all_have(role))
            if (plural and not only_label and role.is_called_as_its_end) or (all_have and not only_label):
                self._add(first, last, Noun(Nodes(role.nodes.label), plural, asked), ("role", role.cost))
            only_label = only_label or all_have
            either = _OF_EITHER * tells_gender(text, role, self.words)
            self._add(first, last, noun, ("role", role.cost + _AS_LABEL * only_label + either))
            if role.adjective and not plural:
                self._extreme(first, last, noun, role)
        if done := self.words.counted(text):
            self._add(first, last, PropertyNoun(done, "count", quantity=True), ("guess", 0.5))
        behind = [token.text for token in self.tokens[last:]]
        for choices, guess in () if first in self._lacking else asked_properties(text, behind, self.words):
            self._add(first, last, PropertyNoun(choices, quantity=True), *([("guess", guess)] if guess else []))
        following = self.tokens[last].text if last < len(self.tokens) else ""
        self._property(first, last, text, following)
        head, _, rest = text.partition(" ")
        for opposite in opposites(head) if text not in FREE else ():
            denied = f"{opposite} {rest.replace('the ', '')}".rstrip()  # "closed to the public"
            known = tuple(c for c in self.words.property(denied) if c.kind == "boolean" and c.cost < _UNNAMED)
            if known:
                self._add(first, last, ConditionNoun(known, values=(False,)), ("property", 0.2))
        self._amount(first, last, text, following)

    def _property(self, first: int, last: int, text: str, following: str) -> None:
        """What is named, measured or counted as a property."""
        plural = is_plural(self.tokens[last - 1].text)
        counting = text in ("number", "count") and following == "of"
        before = self.tokens[first - 1].text if first else ""
        free = text in FREE and before not in ("longest", "shortest")  # "the longest name"
        properties = [] if free or counting else self.words.property(text)
        properties = [] if last == first + 1 and first in self._lacking else properties
        if text == "since" and (following[:1].isdecimal() or following in MONTHS):  # No other word for a day.
            properties = [choice for choice in properties if not choice.cost]
        counted = text.removeprefix("number of ")
        if counted in self.words.counts and (counted != text or before in _OF_AMOUNTS or number(before) is not None):
            properties = [*self.words.counts[counted], *properties]
        if text == "times" and before == "many":  # "How many times": no length.
            properties = [choice for choice in properties if not choice.cost]
        if text in self.words.labels:  # "Categories" are no values of `categoryID`, an "album" is no `album_title`.
            own = {label for label, cost in self.words.labels[text] if not cost}
            properties = [c for c in properties if not c.cost or (c.kind != "identifier" and c.label not in own)]
        if properties:
            of_kind = text.startswith("number of ") and text.removeprefix("number of ") in self.words.labels
            self._add(first, last, PropertyNoun(tuple(properties)), *([("property", _OF_KIND)] if of_kind else []))
            self._booleans(first, last, _flags(properties), plural)
        worked_out = is_superlative(before) or meaning_of("functions", before) in ("sum", "avg", "median")
        if worked_out and (amounts := amounts_of(singular(text), self.words)):
            self._add(first, last, PropertyNoun(tuple(amounts)))
        amount = number(before) is not None or (before in _OF_AMOUNTS and text not in self.words.labels)
        if amount and (measured := self.words.measured_in(text)):
            wide = self.words.in_unit(self.words.adjective(following), text) if following in adjectives() else ()
            for end, found in ((last, measured), (last + 1, wide)):
                asked = (before == "many" or isinstance(c.name, Lasting) for c in found)
                told = tuple(in_asked_unit(c, text) if of_unit else c for c, of_unit in zip(found, asked, strict=True))
                if told:
                    self._add(first, end, PropertyNoun(told), ("property", 0.1))
        asked_unit = text.removeprefix("how many ")  # "How many minutes does it take?"
        if asked_unit != text and asked_unit not in self.words.labels and (of := self.words.measured_in(asked_unit)):
            told = tuple(in_asked_unit(each, asked_unit) for each in of)
            self._add(first, last, PropertyNoun(told, quantity=True), ("property", 0.1))

    def _booleans(self, first: int, last: int, booleans: tuple[PropertyChoice, ...], plural: bool) -> None:
        """What has a property that is true: "free trips", "the captains"."""
        if not booleans:
            return
        self._add(first, last, ConditionNoun(booleans, values=(True,)))
        if plural:
            given = ConditionNoun(tuple(c for c in booleans if c.cost < _UNNAMED), values=(True,))
            self._nouns(first, last, given, False, ("property", booleans[0].cost))
        for choice in booleans:
            if choice.of_relation and choice.cost < _UNNAMED and not self.statement:
                self._edge_nouns(first, last, choice, True, ("property", choice.cost), ("guess", 0.5))


def _flags(properties: Sequence[PropertyChoice]) -> tuple[PropertyChoice, ...]:
    """What is true or false; not where a word more likely means something else: "start" is a time, no `open_to_all`."""
    least = min(choice.cost for choice in properties)
    flags = tuple(choice for choice in properties if choice.kind == "boolean")
    return flags if any(choice.cost <= least for choice in flags) else ()
