"""Values as nouns for what has them: "the residents", "HRB-128", "container ships", "the cats"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import identifier_words
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.plans.predicates import typed
from clew.tools.queries.reading.anchors.degree_anchors import DegreeAnchors
from clew.tools.queries.reading.anchors.edge_nouns import edge_nouns
from clew.tools.queries.reading.english.inflection import is_plural
from clew.tools.queries.reading.english.words import kinds, phrase
from clew.tools.queries.reading.forms.form import Condition, Link, Nodes
from clew.tools.queries.reading.forms.items import ConditionNoun, Feature, Item, Noun, PropertyChoice
from clew.tools.queries.sided import NOUNS, Sided
from clew.tools.queries.values import Scalar

_SHORT_NAMES = frozenset({
    "acronym", "abbreviation", "abbr", "short", "shortname", "nickname", "nick", "alias", "symbol", "callsign",
    "handle", "username", "login", "initials",
})  # fmt: skip
"""Words in the names of properties whose values name a node."""
_OCCUPATIONS = frozenset({"job", "profession", "occupation", "position", "role"})
"""Words in the names of properties of people whose values are what one is: a driver, a mechanic."""

_RELATIVES = frozenset({"relationship", "relation", "kinship"})
"""Words in the names of properties of relationships whose values are what one is to another: a mother, a guardian."""


class ValueNouns(DegreeAnchors):
    """Collects the nouns that values are."""

    def value_nouns(self, item: Item[ConditionNoun]) -> None:
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
            elif words & _OCCUPATIONS and choice.label in self.words.persons and not of_another:
                self._nouns(item.first, item.last, given, code, ("value", 0.3))
            elif code or plural or words & kinds():
                likely = plural and not (named or of_another)
                against = ("value", 0.5 if likely else 1.0)
                of_kinds = not code and self._instances(item, given, plural, against)
                self._nouns(item.first, item.last, given, code, against, *([("guess", 0.5)] if of_kinds else []))
            self._of_kind(item, given)
            told = bool(words & (kinds() | _RELATIVES)) or (isinstance(choice.name, Sided) and text in NOUNS)
            if choice.of_relation and told and not self.statement:
                alone = all(each.of_relation for each in item.meaning.choices)
                for value in item.meaning.values:
                    self._edge_nouns(item.first, item.last, choice, value, ("value", 0.3 if alone else 1.2))

    def _instances(self, item: Item[ConditionNoun], given: ConditionNoun, plural: bool, against: Feature) -> bool:
        """ "the cats": animals whose breed is of the species cat; whether there are such things."""
        (choice,) = given.choices
        instances = [] if choice.of_relation else self.words.instances(choice.label)
        for label, step in instances:
            for nodes in self._meeting(given):
                things = Nodes(label, links=(Link((step,), nodes),))
                noun = Noun(things, plural, self._asked(item.first), role=(step,))
                self._add(item.first, item.last, noun, against)
        return bool(instances)

    def _edge_nouns(
        self, first: int, last: int, choice: PropertyChoice, value: Scalar, *features: tuple[str, float]
    ) -> None:
        for noun in edge_nouns(self.words, choice, value, self.tokens[last - 1].text):
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
