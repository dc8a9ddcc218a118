"""The anchors of a question: its words that name something, as the first items of the chart.

Anchors may overlap: "highest point" is the end of a relation, and an adjective before a label.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import cast

from clew.tools.graph.entity import Mention
from clew.tools.graph.identifiers import identifier_words, spoken
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.plans.predicates import typed
from clew.tools.queries.reading.anchors.asked_properties import asked_properties, beginnings
from clew.tools.queries.reading.anchors.bare_values import bare_values
from clew.tools.queries.reading.anchors.edge_nouns import edge_nouns
from clew.tools.queries.reading.anchors.literals import literals
from clew.tools.queries.reading.anchors.spending import spending
from clew.tools.queries.reading.anchors.wild_anchors import WildAnchors
from clew.tools.queries.reading.english.inflection import is_plural, singular
from clew.tools.queries.reading.english.numbers import number
from clew.tools.queries.reading.english.words import (
    FREE,
    adjectives,
    kinds,
    meaning_of,
    opposites,
    phrase,
    titles,
    unit_measure,
)
from clew.tools.queries.reading.forms.form import Condition, Function, Link, Nodes, Order
from clew.tools.queries.reading.forms.form import Value as ValueOf
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    Comparator,
    ConditionNoun,
    Item,
    Noun,
    Number,
    Operator,
    PropertyChoice,
    PropertyNoun,
    Superlative,
    is_kind,
    is_name,
)
from clew.tools.queries.reading.forms.scoring import with_features
from clew.tools.queries.reading.schema.vocabulary import Role
from clew.tools.queries.space.query import Comparison
from clew.tools.queries.values import Scalar

_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
"""Ordinals that state a number: "on the fourth floor"."""
_ORDINALS = {word: i for i, word in enumerate(_PLACES)} | {"2nd": 1, "3rd": 2, "4th": 3, "5th": 4}
_LONGEST_PHRASE = 7
_SHORT_NAMES = frozenset({
    "acronym", "abbreviation", "abbr", "short", "shortname", "nickname", "nick", "alias", "symbol", "callsign",
    "handle", "username", "login", "initials",
})  # fmt: skip
"""Words in the names of properties whose values name a node."""
_LASTING = frozenset({"been", "worked", "served", "lived", "stayed", "belonged", "played", "run", "led", "held"})
_MEASURED = re.compile(r"how many (?P<unit>\w+) (?P<degree>\w+)")
_UNNAMED = 0.7
"""What it costs that a property is not named at all."""
_NAME_TOO = ("value", 0.3)
"""What it costs that a value is the name of a node as well."""
_KIND_TOO = ("value", 0.5)
"""The same of a value that is a part of the name of a kind of thing: "cabin" of "cabin crew"."""


class Anchors(WildAnchors):
    """Collects the anchors of one question."""

    def find(self, mentions: Sequence[Mention], alternatives: Iterable[Mention]) -> list[AnyItem]:
        self.linked(mentions, alternatives)
        self.known_names()
        self.named_kinds()
        for length in range(1, max(self.words.longest, _LONGEST_PHRASE) + 1):
            for first in range(len(self.tokens) - length + 1):
                self._phrase(first, first + length)
        self.partial_names()
        if self.statement:
            self.somebody()
            for i, token in enumerate(self.tokens):
                if token.text in _PLACES and i and self.tokens[i - 1].text == "the":
                    self._add(i, i + 1, Number(_PLACES.index(token.text) + 1), ("guess", 0.5))
        self.wild()
        self.items += [] if self.statement else bare_values(self.tokens, self.words)
        spans = [span for m in mentions if self.statement and (span := self._span(m.start, m.end)) is not None]
        named = {(i.first, i.last) for i in self.items if is_name(i)}
        kinds_said = [(i.first, i.last) for i in self.items if is_kind(i)]
        for item in literals(self.question, self.tokens, self.names.values, self.words.has):
            if any(item.first < last and first < item.last for first, last in spans):
                continue  # In a statement, the words of a name are no values.
            if isinstance(item.meaning, ConditionNoun):
                of_kind = any(first <= item.first and item.last <= last for first, last in kinds_said)
                also = [_NAME_TOO] * ((item.first, item.last) in named) + [_KIND_TOO] * of_kind
                item = with_features(item, *also)
            self.items.append(item)
            if isinstance(item.meaning, ConditionNoun) and _KIND_TOO not in item.features and item.cost < _UNNAMED:
                self._value_nouns(item)
        return self.items

    def _value_nouns(self, item: Item[ConditionNoun]) -> None:
        """ "the residents", "HRB-128", "container ships": a value in the plural, a code, or one that is named by a kind
        of thing, as a noun for what has it."""
        text = phrase(self.tokens, item.first, item.last)
        code = any(character.isdecimal() for character in text)
        plural = is_plural(self.tokens[item.last - 1].text)
        for choice in item.meaning.choices:
            given = replace(item.meaning, choices=(choice,))
            words = set(identifier_words(choice.name))
            named = bool(words & {"name", "surname"} or words & {"firstname", "lastname"})
            of_another = any(label != choice.label for label, _ in self._kind_labels(item))
            if words & _SHORT_NAMES and not words & {"type", "code"}:
                self._nouns(item.first, item.last, given, True, ("value", 0.3))
            elif code or plural or words & kinds():
                likely = plural and not (named or of_another)
                self._nouns(item.first, item.last, given, code, ("value", 0.5 if likely else 1.0))
            self._of_kind(item, given)
            if choice.of_relation and words & kinds() and not self.statement:
                alone = all(each.of_relation for each in item.meaning.choices)
                for value in item.meaning.values:
                    self._edge_nouns(item.first, item.last, choice, value, ("value", 0.3 if alone else 1.2))

    def _edge_nouns(
        self, first: int, last: int, choice: PropertyChoice, value: Scalar, *features: tuple[str, float]
    ) -> None:
        for noun in edge_nouns(self.words, choice, value, plural=is_plural(self.tokens[last - 1].text)):
            self._add(first, last, noun, *features)

    def _of_kind(self, item: Item[ConditionNoun], given: ConditionNoun) -> None:
        """ "container ships": where `type` of another label holds "container ship"."""
        (choice,) = given.choices
        for label, own in self._kind_labels(item):
            if label != choice.label and not choice.of_relation:
                for link in self.words.links(label, choice.label):
                    for nodes in self._meeting(given):
                        kind = Nodes(label, links=(Link((link,), nodes),))
                        self._add(item.first, item.last, Noun(kind, True), ("value", 0.3), ("label", own))

    def _kind_labels(self, item: Item[ConditionNoun]) -> Sequence[tuple[str, float]]:
        """The labels that the last word of a value of several words means: Ship of "container ships"."""
        return self.words.labels.get(self.tokens[item.last - 1].text, ()) if item.last - item.first > 1 else ()

    def _nouns(self, first: int, last: int, given: ConditionNoun, named: bool, *features: tuple[str, float]) -> None:
        """The nodes of each label that meet a condition, as nouns."""
        for nodes in self._meeting(given):
            self._add(first, last, Noun(nodes, not named, named=named), *features)

    def _meeting(self, given: ConditionNoun) -> Iterator[Nodes]:
        """The nodes of each label that meet a condition."""
        for choice in given.choices:
            owned = None if choice.of_relation else self.words.choice(choice.label, choice.name)
            found = [typed(Predicate(choice.name, "=", value), owned) for value in given.values] if owned else []
            fitting = [each for each in found if isinstance(each, Predicate)]
            if fitting:
                condition = Condition(fitting[0], property=choice.name, alternatives=tuple(fitting[1:]))
                yield Nodes(choice.label, conditions=(condition,))

    def _phrase(self, first: int, last: int) -> None:
        text = phrase(self.tokens, first, last)
        if last == first + 1 and self.tokens[first].quoted:
            text = spoken(text)
        asked = self._asked(first)
        plural = is_plural(self.tokens[last - 1].text)
        shortened = () if self.statement else self.words.shortened_labels(text)
        for label, own in self.words.labels.get(text) or shortened:
            self._add(first, last, Noun(Nodes(label), plural, asked), ("label", own))
        for nodes in self.words.defined.get(text, ()):
            self._add(first, last, Noun(nodes, plural, asked))
        for title in titles().get(text, ()):
            for label, own in self.words.labels.get(title, ()):
                self._add(first, last, Noun(Nodes(label)), ("label", own))
        for role in () if self._is_verb(first, plural) else self.words.roles.get(text, ()):
            noun = Noun(role.nodes, plural, asked, role=role.nodes.links[0].path)
            self._add(first, last, noun, ("role", role.cost))
            if role.adjective and not plural:
                self._extreme(first, last, noun, role)
        if done := self.words.counted(text):
            self._add(first, last, PropertyNoun(done, "count", quantity=True), ("guess", 0.5))
        for choices, guess in asked_properties(text, [t.text for t in self.tokens[last:]], self.words):
            self._add(first, last, PropertyNoun(choices, quantity=True), *([("guess", guess)] if guess else []))
        following = self.tokens[last].text if last < len(self.tokens) else ""
        counting = text in ("number", "count") and following == "of"
        if text not in FREE and not counting and (properties := self.words.property(text)):
            self._add(first, last, PropertyNoun(tuple(properties)))
            booleans = tuple(c for c in properties if c.kind == "boolean")
            if booleans:
                self._add(first, last, ConditionNoun(booleans, values=(True,)))
                if plural:
                    given = ConditionNoun(tuple(c for c in booleans if c.cost < _UNNAMED), values=(True,))
                    self._nouns(first, last, given, False, ("property", booleans[0].cost))
                for choice in booleans:
                    if choice.of_relation and choice.cost < _UNNAMED and not self.statement:
                        self._edge_nouns(first, last, choice, True, ("property", choice.cost), ("guess", 0.5))
        counted = first > 0 and number(self.tokens[first - 1].text) is not None
        if counted and (measured := self.words.measured_in(text)):
            self._add(first, last, PropertyNoun(tuple(measured)), ("property", 0.1))
            if following in adjectives() and (wide := self.words.in_unit(self.words.adjective(following), text)):
                self._add(first, last + 1, PropertyNoun(wide), ("property", 0.1))
        asked_unit = text.removeprefix("how many ")  # "How many minutes does it take?"
        if asked_unit != text and asked_unit not in self.words.labels and (of := self.words.measured_in(asked_unit)):
            self._add(first, last, PropertyNoun(tuple(of), quantity=True), ("property", 0.1))
        for denied in opposites(text) if text not in FREE else ():
            known = tuple(c for c in self.words.property(denied) if c.kind == "boolean" and c.cost < _UNNAMED)
            if known:
                self._add(first, last, ConditionNoun(known, values=(False,)), ("property", 0.2))
        self._amount(first, last, text, following)

    def _amount(self, first: int, last: int, text: str, following: str) -> None:
        """Degrees, comparisons, and what is done with numbers."""
        self._adjective(first, last, text)
        for ranking, likely in spending(text, self.words):
            self._add(first, last, ranking, ("guess", likely))
        if (function := meaning_of("functions", text)) is not None:
            self._add(first, last, Operator(cast(Function, function)))
        if (comparison := meaning_of("comparisons", text)) is not None:
            self._add(first, last, Comparator(cast(Comparison, comparison)))
        if text in ("more", "fewer", "less", "better", "worse") and following != "than":
            counts = text not in ("better", "worse")
            self._add(first, last, Superlative((), counts, text in ("more", "better")), ("guess", 0.5))
        lasting = text in ("longest", "longer") and following != "than"
        if lasting and _LASTING & {token.text for token in self.tokens[:first]} and (began := beginnings(self.words)):
            self._add(first, last, Superlative(began, False, False, lasting=True), ("guess", 0.3))
        degree = meaning_of("degree", text)
        if degree in ("most", "fewest"):
            self._add(first, last, Superlative((), True, degree == "most"))
        elif degree is not None:
            self._add(first, last, Superlative((), False, degree == "high"), ("guess", 0.5))

    def _extreme(self, first: int, last: int, noun: Noun, role: Role) -> None:
        """ "the highest point in the country": of many that are some state's highest point the highest."""
        own = [c for c in self.words.adjective(role.adjective) if c.label == noun.nodes.label and not c.of_relation]
        for choice in own[:1]:
            order = Order(ValueOf(choice.name, kind=choice.kind), choice.descending)
            ordered = replace(noun, nodes=replace(noun.nodes, order=order))
            self._add(first, last, ordered, ("role", role.cost), ("order", -0.2))

    def _adjective(self, first: int, last: int, text: str) -> None:
        bare = text.removeprefix("the ")
        if (measured := _MEASURED.fullmatch(bare)) and unit_measure(singular(measured["unit"])):
            bare = f"how much {measured['degree']}"  # "how many years older"
        if self.statement:
            self._more(first, last, text)
            if text in adjectives() and not (adjectives()[text].superlative or adjectives()[text].comparative):
                self._add(first, last, PropertyNoun(tuple(self.words.adjective(text))))  # "5 m tall"
        for lead, descending in (("most ", True), ("least ", False), ("how much ", None), ("how ", None), ("", None)):
            form = bare.removeprefix(lead)
            if not bare.startswith(lead) or form not in adjectives():
                continue
            entry, choices = adjectives()[form], tuple(self.words.adjective(form))
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
                self._add(first, last, Superlative(turned, False, bool(descending)))
            elif entry.superlative:
                up = bool(entry.up)
                self._add(first, last, Superlative(choices, False, up))
                self._with_number(first, last, choices, up)
            elif entry.comparative:
                self._comparative(first, last, choices, bool(entry.up))
            return

    def _more(self, first: int, last: int, text: str) -> None:
        """ "more expensive than", in a statement."""
        lead, _, form = text.partition(" ")
        follows = last < len(self.tokens) and self.tokens[last].text == "than"
        if follows and lead in ("more", "less") and form in adjectives():
            choices = self.words.adjective(form)
            for descending in {c.descending for c in choices}:
                chosen = tuple(c for c in choices if c.descending == descending)
                self._add(first, last + 1, Comparator(">" if descending == (lead == "more") else "<", chosen))

    def _with_number(self, first: int, last: int, choices: tuple[PropertyChoice, ...], up: bool) -> None:
        """ "second largest", "3 largest"."""
        before = self.tokens[first - 1].text if first else ""
        if _ORDINALS.get(before):
            self._add(first - 1, last, Superlative(choices, False, up, skip=_ORDINALS[before]))
        elif (count := number(before)) is not None and 1 < count <= 100:
            self._add(first - 1, last, Superlative(choices, False, up, limit=int(count)))

    def _comparative(self, first: int, last: int, choices: tuple[PropertyChoice, ...], up: bool) -> None:
        self._add(first, last, Superlative(choices, False, up), ("guess", 1.5))
        if last < len(self.tokens) and self.tokens[last].text == "than":
            for descending in {c.descending for c in choices}:
                chosen = tuple(c for c in choices if c.descending == descending)
                self._add(first, last + 1, Comparator(">" if descending else "<", chosen))
