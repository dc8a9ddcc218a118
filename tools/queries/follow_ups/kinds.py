"""Whether words fit a set: the kind of thing that they name, a person or a thing, one or many."""

from __future__ import annotations

from clew.tools.graph.entity import Entity
from clew.tools.queries.follow_ups.past import Antecedent
from clew.tools.queries.follow_ups.variants import Variant
from clew.tools.queries.reading.english.inflection import noun_forms
from clew.tools.queries.reading.forms.form import Nodes
from clew.tools.queries.reading.forms.wider_labels import narrowed as labels_of
from clew.tools.queries.reading.reader import Reader

_ONE_PERSON, _NUMBER_LIKE = 0.8, 0.6
"""What it costs that "she" are several, and that "it" is a year or another number."""
_NAMED = Entity("", "a", "")
_OTHER_NUMBER, _OTHER_KIND, _NO_PERSON, _NOT_ANSWER = 0.3, 1.5, 3.0, 1.0
_THE_ONE = 0.4
"""What it is worth that "the firm" may be the one that was spoken of."""
_NO_PRODUCT = 9.0
"""What it costs that people are made or released: more than any reading may."""
_LONG_ENOUGH = 4
"""Characters of a word that is the end of a kind's name."""


class Kinds:
    """What words say of the sets that they may mean, in one graph."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def is_kind(self, word: str) -> bool:
        """Whether a word is a kind of thing of the graph, or a role."""
        words, text = self._reader.words, word.lower()
        if text in words.labels or text in words.roles:
            return True
        return len(text) >= _LONG_ENOUGH and any(label.endswith(text) for label in words.labels)

    def names_kind(self, noun: str, nodes: Nodes) -> bool:
        """Whether a noun may name the kind of a set's nodes, or what they are to something else: "the manager"."""
        words = self._reader.words
        roles = (role for form in {noun.lower(), *noun_forms(noun.lower())} for role in words.roles.get(form, ()))
        of_roles = {one for role in roles for one in labels_of(role.step.target, self._reader.wider)}
        return bool(self._labels(nodes.label) & of_roles) or self.is_label(noun, nodes)

    def is_label(self, noun: str, nodes: Nodes) -> bool:
        """Whether a noun may be the name of the kind of a set's nodes."""
        words, own = self._reader.words, self._labels(nodes.label)
        for form in {noun.lower(), *noun_forms(noun.lower())}:
            named = {label for label, _ in words.labels.get(form, ())}
            if len(form) >= _LONG_ENOUGH:  # The yard is a shipyard.
                named |= {label for text, found in words.labels.items() if text.endswith(form) for label, _ in found}
            if own & {one for label in named for one in labels_of(label, self._reader.wider)}:
                return True
        return False

    def is_person(self, label: str) -> bool:
        """Whether nodes of a label are people, or some of them are."""
        return bool(self._reader.words.persons & self._labels(label))

    def _labels(self, label: str) -> set[str]:
        return set(labels_of(label, self._reader.wider))

    def misfit(self, variant: Variant, each: Antecedent) -> float:
        """How badly the words for a set fit it."""
        lost = 0.0
        if variant.single is not None and variant.single != each.single:
            lost += _ONE_PERSON if variant.single and variant.kind == "person" else _OTHER_NUMBER
        if variant.kind == "thing" and all(e.name.replace("-", "").isdigit() for e in each.nodes.entities or (_NAMED,)):
            lost += _NUMBER_LIKE
        if variant.noun:
            fits = self.names_kind(variant.noun, each.nodes)
            lost += 0.0 if fits else _OTHER_KIND
            if not variant.said and each.single and self.is_label(variant.noun, each.nodes):
                lost -= _THE_ONE
        if variant.adds and not each.answer:
            lost += _NOT_ANSWER
        persons, labels = self._reader.words.persons, self._labels(each.nodes.label)
        if variant.kind == "product":
            lost += _NO_PRODUCT if labels <= persons else 0.0
        elif variant.kind and persons:
            person, body = self.is_person(each.nodes.label), labels <= self._reader.words.bodies
            if person != (variant.kind == "person") and not body:  # A vendor is "it", or "she".
                lost += _OTHER_KIND if person else _NO_PERSON
        return lost
