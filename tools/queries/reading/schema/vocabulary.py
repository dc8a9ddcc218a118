"""What the words of a question may name in one graph's schema: labels, properties, and ends of relations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Schema
from clew.tools.queries.lexical import UNSPECIFIC_LABELS
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.ranking.lexicon import meaning
from clew.tools.queries.reading.english.inflection import base_form, is_plural, noun_forms, singular
from clew.tools.queries.reading.english.short_forms import full_words, is_short, shortens
from clew.tools.queries.reading.english.verb_synonyms import is_event, with_synonyms
from clew.tools.queries.reading.english.words import abbreviations, agents, converses, is_superlative, kinds, people
from clew.tools.queries.reading.forms.form import Link, Nodes, Step
from clew.tools.queries.reading.forms.items import PropertyChoice
from clew.tools.queries.reading.schema.property_words import NUMBERING, PropertyWords, root
from clew.tools.queries.relation_names import relation_words

_SYNONYM, _PART, _LAST = 0.5, 0.7, 0.4
"""What it costs that a label or a relation is called otherwise, that only a part of a name is said, and only the last
word of a label."""
_OF_PEOPLE = frozenset({"birth", "birthday", "born", "dob", "yob", "salary", "gender", "surname", "firstname",
                        "lastname", "fname", "lname"})  # fmt: skip
_GROUPS = frozenset({"crew", "staff", "team"})
"""Words for one person, or for several together …"""
_OF_STAFF = frozenset({
    "job", "role", "rank", "position", "pay", "wage", "hired", "hire", "started", "start", "joined", "employee",
    "grade", "qualification", "speciality", "specialty", "title", "email", "extension",
})  # fmt: skip
"""… and what tells that each is one."""
_KIND = 0.3
"""What it costs that the things are said instead of their kinds."""
_AGENT = 0.2
"""What it costs that a noun is made from a relation's verb."""
_EVENT = 0.8
"""The same of a noun for what happens, where it is to mean an end."""
_CONVERSE = 0.2
"""The same of a noun for the other end: the teacher of STUDENT_OF."""
_SHORT = 0.1
"""What it costs that a label is a short form of a word."""
_LEAST_SHORT = 3
_LEAST_VERB, _MOST_ENDING = 4, 6
"""Letters of a verb, and of the ending that makes a noun of it."""
_NOT_NOUNS = frozenset({"in", "by", "to", "for", "at", "on", "through", "with", "from", "under", "about", "after"})


@dataclass(frozen=True, slots=True)
class Role:
    """A relation whose name is a noun for what it leads to: the capital (of a state), the author (of a book)."""

    step: Step
    """From the set that has it to the set that it names."""
    source: str
    cost: float = 0.0
    adjective: str = ""
    """The superlative that its name begins with: "highest" of HAS_HIGHEST_POINT."""

    @property
    def nodes(self) -> Nodes:
        """All that it names."""
        return Nodes(self.step.target, links=(Link((self.step.back(self.source),), Nodes(self.source)),))


class SchemaWords(PropertyWords):
    """The names of one schema by the words that mean them."""

    def __init__(self, schema: Schema, glosses: Glosses, naming: Mapping[str, Sequence[str]]) -> None:
        super().__init__(schema, naming)
        self.schema = schema
        self.glosses = glosses
        self.labels: dict[str, list[tuple[str, float]]] = defaultdict(list)
        """Singular or plural words → label and cost."""
        self.roles: dict[str, list[Role]] = defaultdict(list)
        self.verbs = frozenset(root(word) for relation in schema.relations for word in relation_words(relation.type))
        """The roots of the words of all relations."""
        self.defined: dict[str, tuple[Nodes, ...]] = {}
        """Singular or plural words that the graph's users define → the nodes that they mean."""
        self._read_labels()
        self._read_roles()
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
                        (label, 0.0 if phrase in self.glosses.labels.get(label, ()) else _SYNONYM)
                    )
            for person in self._numbered(label) if label in self.persons else ():
                for form in noun_forms(person):
                    if form not in self.labels:
                        self.labels[form].append((label, _KIND))
            first, _, last = own.rpartition(" ")
            for form in noun_forms(first) if first and last in kinds() else ():  # "tickets" of TicketType
                if form not in self.labels:
                    self.labels[form].append((label, _KIND))
            if first:
                for form in noun_forms(last):
                    if all(own for _, own in self.labels.get(form, ())):
                        self.labels[form] = [(label, _LAST), *self.labels[form]]

    def _numbered(self, label: str) -> list[str]:
        """What the people of a label are called in the name of their number: clients with a `client_no`."""
        named = [identifier_words(p.name) for p in self.schema.properties if p.label == label]
        return [words[0] for words in named if len(words) == 2 and words[1] in NUMBERING and words[0] in people()]

    def _read_roles(self) -> None:
        """Relations named by a noun lead to what the noun means: HAS_CAPITAL, DIRECTOR; "X_OF" leads from it."""
        for relation in self.schema.relations:
            words = full_words(relation_words(relation.type))
            forward, backward = (
                Step(relation.type, True, relation.target), Step(relation.type, False, relation.source)
            )  # fmt: skip
            if words[-1] == "of" and len(words) > 1:
                self._role(words[:-1], Role(backward, relation.target), relation.type)
            elif words[-1] not in _NOT_NOUNS and not _is_verb(words) and not _shouted_verb(relation.type):
                unlikely = _EVENT * is_event(words[-1])  # A donation is none of its two ends.
                self._role(words, Role(forward, relation.source, unlikely), relation.type)
            self._read_agents(words, relation.type, forward, backward)
            if relation.source == relation.target and words[-1] == "of" and len(words) > 1:
                whole = Role(forward, relation.source, _AGENT)  # The parent label of an imprint.
                self._known_role("parent", whole)
                self._known_role(f"parent {identifier_words(relation.source)[-1]}", whole)
            found = meaning(relation.type)
            if found is not None:
                for role, meant in (
                    (Role(forward, relation.source, _SYNONYM), found),
                    (Role(backward, relation.target, _SYNONYM), found.reversed()),
                ):
                    person = role.step.target not in self.persons or meant.kind != "thing"
                    for noun in meant.phrases[:4] if person else ():  # No "medicine" for a vet who treats.
                        self._role(tuple(noun.split()), role, relation.type)

    def _read_agents(self, words: Sequence[str], relation: str, forward: Step, backward: Step) -> None:
        """Nouns for whoever does what a verb says: the reviewer of REVIEWED_BY, the head of HEADS."""
        passive = len(words) == 2 and words[0].endswith("ed") and words[1] in ("by", "to")
        if not passive and not (len(words) == 1 and _shouted_verb(relation)):
            return
        base = words[0].removesuffix("ed") if passive else words[0].removesuffix("s")
        role = Role(forward, backward.target, _AGENT) if passive else Role(backward, forward.target, _AGENT)
        own = ("",) if base in agents() else ()
        endings = ("ee", "e") if words[-1] == "to" else (*own, "r" if base.endswith("e") else "er", "or")
        for ending in endings:
            self._role((base.removesuffix("e") + ending if ending in ("or", "ee") else base + ending,), role, relation)
        for verb in () if passive and words[-1] == "to" else with_synonyms([base]):
            if len(verb) == 1:  # The presenter of HOSTS.
                noun = verb[0] + ("r" if verb[0].endswith("e") else "er")
                self._role((noun,), replace(role, cost=_SYNONYM), relation)

    def _role(self, words: Sequence[str], role: Role, relation: str) -> None:
        text = " ".join(words)
        if not words or words[-1] in _NOT_NOUNS or (role.cost and (len(words) > 2 or _is_verb(words))):
            return
        first, rest = words[0], " ".join(words[1:])
        if rest and is_superlative(first):
            role = Role(role.step, role.source, role.cost, first)
            base = " ".join((base_form(first), rest))
            for form in (*noun_forms(rest), *noun_forms(base)):
                if form not in self.labels and form in noun_forms(rest):
                    self.labels[form].append((role.step.target, _PART))
                elif form not in noun_forms(rest):
                    self.roles[form].append(replace(role, cost=role.cost + 0.2))
        self._known_role(text, role)
        other = Role(role.step.back(role.source), role.step.target, role.cost + _CONVERSE)
        for converse in converses().get(singular(text), ()) if not role.cost else ():
            self._known_role(converse, other)

    def _known_role(self, text: str, role: Role) -> None:
        for form in noun_forms(text):
            known = [each.step for each in self.roles[form]]
            if role.step not in known and not (role.cost and form in self.labels):
                self.roles[form].append(role)

    @cached_property
    def persons(self) -> frozenset[str]:
        """The labels whose nodes are people, by their words and their properties."""
        owned: dict[str, set[str]] = defaultdict(set)
        for each in self.schema.properties:
            owned[each.label] |= {*identifier_words(each.name), *full_words(identifier_words(each.name))}
        found = set()
        for label in self.schema.labels:
            called = {*identifier_words(label), *full_words(identifier_words(label))}
            grouped = bool(called & _GROUPS) and bool(owned[label] & _OF_STAFF)
            if owned[label] & _OF_PEOPLE or called & (people() - _GROUPS) or grouped:
                found.add(label)
        return frozenset(found)

    def likeness(self, words: Sequence[str], label: str) -> float:
        """1 where a word and a label have one root ("admitted", Admission), else 0."""
        roots = {root(word).rstrip("ts") for word in words}
        own = {root(word.removesuffix("ion")).rstrip("ts") for word in identifier_words(label)}
        return float(bool(roots & own))

    def events(self, words: Sequence[str]) -> list[str]:
        """The labels whose names share a root with a verb: Booking of "booked"."""
        verbs = [word for word in words if word not in self.labels]
        return [label for label in self.schema.labels if self.likeness(verbs, label)] if verbs else []

    def shortened_labels(self, text: str) -> list[tuple[str, float]]:
        """The labels that a word is written out for ("carriers", of Carr); else the one of which it is the beginning:
        "subs" of Substation."""
        word = singular(text)
        if len(word) < _LEAST_SHORT or " " in text:
            return []
        found = [label for short, label in self._short_labels if shortens(short, word)]
        if found or self.has(text):
            return [(label, _SHORT) for label in found]
        found = [label for label in self.schema.labels if identifier_words(label)[-1].startswith(word)]
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
        for each in self.choices():
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


def _shouted_verb(relation: str) -> bool:
    """Whether a relationship type of one word in capitals is a verb: HEADS, TAKES, but not CAST."""
    return relation.isupper() and relation.isalpha() and relation.endswith("S") and not relation.endswith("SS")


def _is_verb(words: Sequence[str]) -> bool:
    """Whether the words of a relation's name begin with a verb: "borders", "flows through", "directed by"."""
    from clew.tools.queries.space.words import ACTIVE, FINITE, PAST

    first = words[0]
    return (
        first in FINITE
        or first in PAST
        or first in ACTIVE
        or first.endswith(("ed", "ing"))
        or (len(words) > 1 and first.endswith("s") and not first.endswith("ss"))
    )
