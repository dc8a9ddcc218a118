"""What the words of a question may name in one graph's schema: labels, properties, and ends of relations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from clew.tools.graph.abbreviations import abbreviations
from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Schema
from clew.tools.queries.calculated import Calculated
from clew.tools.queries.lexical import UNSPECIFIC_LABELS, Token, stem
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.reading.english.inflection import is_plural, kin, noun_forms, singular
from clew.tools.queries.reading.english.short_forms import full_words, is_short, shortens
from clew.tools.queries.reading.english.verb_synonyms import verbs_of
from clew.tools.queries.reading.english.words import fact_verbs, kinds, people
from clew.tools.queries.reading.forms.form import Nodes, Step
from clew.tools.queries.reading.forms.items import PropertyChoice
from clew.tools.queries.reading.forms.quantities import HANDING_OVER, is_quantity
from clew.tools.queries.reading.schema.calculated_words import by_name, is_duration
from clew.tools.queries.reading.schema.phrases import PREPOSITIONS
from clew.tools.queries.reading.schema.property_names import NUMBERING, root
from clew.tools.queries.reading.schema.role_words import SYNONYM
from clew.tools.queries.reading.schema.side_words import SideWords
from clew.tools.queries.relation_names import relation_words

_PART, _LAST = 0.7, 0.4
"""What it costs that only a part of a name is said, and only the last word of a label."""
_KIND = 0.3
"""What it costs that the things are said instead of their kinds."""
_REFERRING = NUMBERING | {"ref", "reference", "code"}
_NAMING = _REFERRING | {
    "name",
    "title",
    "label",
    "email",
    "address",
    "description",
    "text",
    "summary",
    "subject",
    "url",
    "first",
    "last",
    "key",
}
"""How the names of properties end that name things and do not say what they are."""
_KINDS = ("kind", "kinds", "type", "types", "sort", "sorts", "class", "classes", "model", "models")
_SHORT = 0.1
"""What it costs that a label is a short form of a word."""
_SAME_VERB = 0.8
"""How alike a label is to another verb than that of its noun."""
_LEAST_SHORT, _LEAST_BRITISH = 3, 5
_LEAST_VERB, _MOST_ENDING = 4, 6
"""Letters of a verb, and of the ending that makes a noun of it."""


class SchemaWords(SideWords):
    """The names of one schema by the words that mean them."""

    def __init__(self, schema: Schema, glosses: Glosses, naming: Mapping[str, Sequence[str]]) -> None:
        super().__init__(schema, naming)
        self.glosses = glosses
        self.verbs = frozenset(root(word) for relation in schema.relations for word in relation_words(relation.type))
        """The roots of the words of all relations."""
        self.defined: dict[str, tuple[Nodes, ...]] = {}
        """Singular or plural words that the graph's users define → the nodes that they mean."""
        self._read_labels()
        self._read_handed_over()
        self._read_numbered()
        self._read_naming()
        self._read_roles()
        for contest in self.contests:
            for noun in ("player", "competitor") if contest.target in self.persons else ("team", "side"):
                self._also_called(contest.target, noun)
        self._read_calculated()
        self.longest = 1 + max((key.count(" ") for key in [*self.labels, *self.roles, *self._exact]), default=0)

    @property
    def spelled(self) -> frozenset[str]:
        """The words of the names of labels, properties and ends of relations, and of the phrases that users define."""
        return self._named.union(*map(str.split, self.defined))

    @cached_property
    def _named(self) -> frozenset[str]:
        return frozenset(word for name in (*self.labels, *self.roles, *self._exact) for word in name.split())

    def has(self, word: str) -> bool:
        """Whether the schema has a word in the name of anything."""
        return word in self.spelled or root(word) in self.verbs

    def define(self, forms: Iterable[str], nodes: Nodes) -> None:
        """Let each form of a phrase mean a set of nodes."""
        for form in forms:
            self.defined[form] = (nodes,)
            self.longest = max(self.longest, form.count(" ") + 1)

    def define_property(self, forms: Iterable[str], choice: PropertyChoice) -> None:
        """Let each form of a phrase mean a calculated property, whatever else may be called so."""
        for form in forms:
            self._exact[form] = [replace(choice, cost=0.0)]
            self.longest = max(self.longest, form.count(" ") + 1)
        self._known_phrases.cache_clear()
        self.__dict__.pop("_named", None)

    def _read_labels(self) -> None:
        for label in self.schema.labels:
            own = " ".join(identifier_words(label))
            if own in UNSPECIFIC_LABELS:
                continue
            full = " ".join(full_words(identifier_words(label)))
            for form in dict.fromkeys((*noun_forms(own), *noun_forms(full))):
                self.labels[form].append((label, 0.0))
            for phrase in self.glosses.label_phrases(label, None):
                if all(each != label for each, _ in self.labels.get(phrase, ())):
                    self.labels[phrase].append(
                        (label, 0.0 if phrase in self.glosses.labels.get(label, ()) else SYNONYM)
                    )
            first, _, last = own.rpartition(" ")
            for form in noun_forms(first) if first and last in kinds() | {"model"} else ():  # "tickets" of TicketType
                if form not in self.labels:
                    self.labels[form].append((label, _KIND))
                for kind in _KINDS:
                    self.labels[f"{kind} of {form}"].append((label, 0.0))
            if first and last not in PREPOSITIONS:  # "in" is no CheckIn.
                for form in noun_forms(last):
                    if all(own for _, own in self.labels.get(form, ())):
                        self.labels[form] = [(label, _LAST), *self.labels[form]]
                for phrase in self.glosses.label_phrases(last, None):  # "shows", of TvSeries
                    if phrase not in self.labels:
                        self.labels[phrase].append((label, _LAST + SYNONYM))

    def _read_handed_over(self) -> None:
        """The tickets of TicketSale, of which each has a number."""
        for owned in self.schema.properties:
            first, _, last = " ".join(identifier_words(owned.label)).rpartition(" ")
            if first and last in HANDING_OVER and is_quantity(owned.name):
                self._also_called(owned.label, first)

    def _read_numbered(self) -> None:
        """The plots that are numbered by a `plot_no`, and the bookings of Stay, each of which a `booking_ref` names; of
        people what they are called in any number, such as clients with a `client_no`."""
        for owned in self.schema.properties:
            noun, *rest = identifier_words(owned.name)
            if len(rest) != 1 or rest[0] not in _REFERRING:
                continue
            person = owned.label in self.persons and noun in people() and rest[0] in NUMBERING
            if person or owned.name in self.names_of(owned.label):
                self._also_called(owned.label, noun)

    def _read_naming(self) -> None:
        """What things are called by the property that names them: the wines of Bottle, each of which a `wine` names."""
        for owned in self.schema.properties:
            words = identifier_words(owned.name)
            if words and words[-1] not in _NAMING and owned.name in self.names_of(owned.label):
                self._also_called(owned.label, " ".join(words))

    def _also_called(self, label: str, noun: str) -> None:
        """Let a noun mean the nodes of a label, unless something else is called so."""
        for form in noun_forms(noun):
            if form not in self.labels:
                self.labels[form].append((label, _KIND))

    def _read_calculated(self) -> None:
        """Numbers that are calculated, by the names that no label, role, or property of the same owner has."""
        for name, choice in by_name(self):
            if not (self.labels.get(name) or self.roles.get(name)):
                if not is_duration(choice):  # "Longest" is no number of days.
                    self.calculated.setdefault(name, []).append(choice)
                for form in noun_forms(name):
                    self._exact[form].append(choice)
                if " " not in name and not is_duration(choice):
                    self._by_word[root(name)].append(choice)
        self._known_phrases.cache_clear()

    def unsaid_rows(self, tokens: Iterable[Token]) -> frozenset[str]:
        """The labels of rows without names that no word calls by what their rows are numbered as, or are also called:
        "games" are the rows of Fixture."""
        said = {
            label
            for token in tokens
            for label, _ in self.labels.get(token.text, ())
            if not any(c.label == label and c.cost < SYNONYM for c in self.property(token.text))  # "What plan?"
        }
        return self.nameless - {label for label in said if len(identifier_words(label)) == 1}

    def is_kind(self, text: str) -> bool:
        """Whether a phrase names the nodes of a label, or those that have a role."""
        return bool(self.labels.get(text) or self.roles.get(text) or self.defined.get(text))

    def is_property(self, text: str) -> bool:
        """Whether a phrase names a property ("beds", "number of beds") or what is calculated ("calculated
        revenue"), or a word stands in the name of a property ("word total")."""
        if text.startswith("word "):
            return any(text[5:] in identifier_words(each.name) for each in self.schema.properties)
        if text.startswith("calculated "):
            return any(isinstance(choice.name, Calculated) for choice in self.property(text[11:]))
        counted = text.endswith(" count")  # "Products count" is a number of products, unless a property is called so.
        return any(not counted or choice.cost < SYNONYM for choice in self.property(text))

    def likeness(self, words: Sequence[str], label: str) -> float:
        """1 where a word and a label have one root ("admitted", Admission; "observed", Observation), a little less
        where they say the same ("borrowed", Loan), else 0."""
        roots = {_bare_root(word) for word in words}
        named = identifier_words(label)
        own = {_bare_root(word.removesuffix("ion").removesuffix("ment")) for word in named}
        if roots & own or {*map(kin, words)} & {*map(kin, named)}:
            return 1.0
        if any(not fact_verbs(word).isdisjoint(words) for word in named):
            return 1.0
        stems = set(map(stem, words))
        return _SAME_VERB * any(stems.issuperset(map(stem, verb)) for noun in named for verb in verbs_of(noun))

    def does(self, label: str, verbs: Sequence[str]) -> bool:
        """Whether the people of a label are called after a verb: writers, who wrote."""
        noun = identifier_words(label)[-1]
        if label not in self.persons or not noun.endswith(("er", "or")):
            return False
        done = set(map(stem, (noun[:-1], noun[:-2], f"{noun[:-2]}e")))
        return not done.isdisjoint(map(stem, verbs))

    def events(self, words: Sequence[str]) -> list[str]:
        """The labels whose names share a root with a verb: Booking of "booked"."""
        verbs = [word for word in words if word not in self.labels]
        things = [label for label in self.schema.labels if label not in self.persons] if verbs else []
        return [label for label in things if self.likeness(verbs, label)]

    def shortened_labels(self, text: str) -> list[tuple[str, float]]:
        """The labels that a word writes apart ("check-ins", of Checkin), or is written out for ("carriers", of Carr);
        else the one of which it is the beginning: "subs" of Substation."""
        for joint in ("", " ") if "-" in text else ():
            if (whole := self.labels.get(text.replace("-", joint))) is not None:
                return whole
        word = singular(text)
        if len(word) < _LEAST_SHORT or " " in text:
            return []
        last = {label: identifier_words(label)[-1] for label in self.schema.labels}
        if found := [label for label in last if _american(word) == _american(last[label])]:
            return [(label, _SHORT) for label in found]
        found = [label for short, label in self._short_labels if shortens(short, word)]
        if found or self.has(text):
            return [(label, _SHORT) for label in found]
        found = [label for label in last if last[label].startswith(word)]
        return [(found[0], _PART)] if len(found) == 1 else []

    @cached_property
    def _short_labels(self) -> list[tuple[str, str]]:
        """The labels whose last word is a short form, each behind that word."""
        named = [(identifier_words(label)[-1], label) for label in self.schema.labels]
        return [(s, label) for s, label in named if len(s) >= _LEAST_SHORT and (is_short(s) or s in abbreviations())]

    def counted(self, text: str) -> tuple[PropertyChoice, ...]:
        """For "how many treatments" a property of each relation whose verb the noun is made from: TREATED."""
        lead, _, noun = text.rpartition(" ")
        if lead not in ("how many", "number of") or noun in self.labels or noun in self.roles or not is_plural(noun):
            return ()
        found: dict[str, PropertyChoice] = {}
        for each in self.choices:
            verb = root(relation_words(each.label)[0])
            if (
                each.of_relation
                and len(verb) >= _LEAST_VERB
                and noun.startswith(verb)
                and len(noun) - len(verb) <= _MOST_ENDING
            ):
                found.setdefault(each.label, each)
        return tuple(found.values())

    def instances(self, label: str) -> list[tuple[str, Step]]:
        """What things of a kind are, if the label's nodes are kinds: Aircraft, by OF_MODEL, of an AircraftModel."""
        kind = bool(set(identifier_words(label)) & (kinds() | {"model"}))
        return [each for each in self.belonging(label) if kind or relation_words(each[1].relation)[0] == "of"]

    def belonging(self, label: str) -> list[tuple[str, Step]]:
        """The labels each of whose nodes has at most one relationship of a type to a label, with the step."""
        return [
            (r.source, Step(r.type, True, label))
            for r in self.schema.relations
            if r.target == label and r.count <= self.schema.labels.get(r.source, 0)
        ]

    def links(self, source: str, target: str) -> list[Step]:
        """The relations from one label to another, whichever way they point."""
        ahead = [Step(r.type, True, target) for r in self.schema.relations if (r.source, r.target) == (source, target)]
        back = [Step(r.type, False, target) for r in self.schema.relations if (r.source, r.target) == (target, source)]
        return [*ahead, *back]


def _bare_root(word: str) -> str:
    """The root without what a verb and its noun differ in."""
    found = root(word).rstrip("ts")
    return found[:-1] if found.endswith("ll") else found


def _american(word: str) -> str:
    """A word without what British English adds: "councilor" for "councillor"."""
    return word.replace("ll", "l").replace("our", "or") if len(word) > _LEAST_BRITISH else word
