"""Who the people of a graph are, and the nouns that its relations make: the capital of HAS_CAPITAL."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Relation, Schema
from clew.tools.queries.ranking.lexicon import is_symmetric, meaning
from clew.tools.queries.reading.english.inflection import base_form, noun_forms, singular
from clew.tools.queries.reading.english.short_forms import full_words
from clew.tools.queries.reading.english.verb_synonyms import is_event, with_synonyms
from clew.tools.queries.reading.english.words import agents, converses, is_superlative, listed, nouns, people
from clew.tools.queries.reading.forms.form import Link, Nodes, Step
from clew.tools.queries.reading.forms.items import PropertyChoice
from clew.tools.queries.reading.forms.wider_labels import MOST_ENDS, either_of, narrowed
from clew.tools.queries.reading.schema.property_names import NUMBERING, property_kind, root
from clew.tools.queries.reading.schema.property_words import PropertyWords
from clew.tools.queries.reading.schema.relation_choices import is_called_as_its_end
from clew.tools.queries.relation_names import relation_words
from clew.tools.queries.values import holds_years

SYNONYM, _PART = 0.5, 0.7
"""What it costs that a label or a relation is called otherwise, and that only a part of a name is said."""
_OF_PEOPLE = frozenset({"birth", "birthday", "born", "dob", "yob", "salary", "gender", "surname", "firstname",
                        "occupation", "profession", "nationality", "hired",
                        "lastname", "fname", "lname"})  # fmt: skip
_TEXTS_OF_PEOPLE = frozenset({"gender", "surname", "firstname", "occupation", "profession", "nationality"})
_SURELY_OF_PEOPLE = frozenset({"lastname", "surname", "firstname", "fname", "lname"})
_NAMES_OF_PEOPLE = frozenset({"first", "last", "given", "family"})
_OF_ANIMALS = frozenset({"breed", "species", "sire", "dam", "pedigree"})
_GROUPS = frozenset({"crew", "staff", "team"})
"""Words for one person, or for several together …"""
_OF_STAFF = frozenset({
    "job", "role", "rank", "position", "pay", "wage", "hired", "hire", "started", "start", "joined", "employee",
    "grade", "qualification", "speciality", "specialty", "title", "email", "extension",
})  # fmt: skip
"""… and what tells that each is one."""
_AGENT = 0.2
"""What it costs that a noun is made from a relation's verb."""
_OWN_VERB = 0.4
"""The same of a synonym that is made from the relation's verb as well: the actor of ACTED_IN."""
_EVENT = 0.8
"""The same of a noun for what happens, where it is to mean an end."""
_NEARLY_ALL = 0.8
"""The share of a label's nodes from which on a noun for their role says no less than the label."""
_NARROWER, _KINDS = 0.3, ("kind", "type", "sort", "form")
"""The same of a word for whatever is below another of its label."""
_CONVERSE = 0.2
"""The same of a noun for the other end: the teacher of STUDENT_OF."""
_OTHERWISE = 0.8
"""The same of a general synonym: the boss of SUPERVISOR."""
_TAKING_PART = frozenset({"in", "at", "for", "on"})
"""What stands behind a word for people where the relationship starts from them: SOLOIST_IN, JUDGE_AT."""
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

    @property
    def of_several(self) -> bool:
        """Whether one of its ends stands for several labels."""
        return len(narrowed(self.step.target)) > 1 or len(narrowed(self.source)) > 1

    @property
    def is_called_as_its_end(self) -> bool:
        """Whether the relation is called as the label that it leads to: HAS_JOB_TICKET of a JobTicket."""
        return self.step.forward and is_called_as_its_end(self.step, self.source)


class RoleWords(PropertyWords):
    """The nouns of one schema for the ends of its relations."""

    def __init__(self, schema: Schema, naming: Mapping[str, Sequence[str]]) -> None:
        super().__init__(schema, naming)
        self.schema = schema
        self.labels: dict[str, list[tuple[str, float]]] = defaultdict(list)
        """Singular or plural words → label and cost."""
        self.roles: dict[str, list[Role]] = defaultdict(list)

    @cached_property
    def persons(self) -> frozenset[str]:
        """The labels whose nodes are people, by their words and their properties."""
        owned: dict[str, set[str]] = defaultdict(set)
        for each in self.schema.properties:
            if NUMBERING & set(identifier_words(each.name)):
                continue  # A `sal_id` is no salary.
            said = {*identifier_words(each.name), *full_words(identifier_words(each.name))}
            owned[each.label] |= said if each.type == "STRING" else said - _TEXTS_OF_PEOPLE
            if "name" in said and said & _NAMES_OF_PEOPLE:
                owned[each.label].add("lastname")
        if any(words & _SURELY_OF_PEOPLE for words in owned.values()):
            for words in owned.values():
                if not words & _SURELY_OF_PEOPLE:
                    words.discard("salary")  # It is that of a job, a contract, …
        found = set()
        for label in self.schema.labels:
            called = {*identifier_words(label), *full_words(identifier_words(label))}
            grouped = bool(called & _GROUPS) and bool(owned[label] & _OF_STAFF)
            by_name = bool(called & (people() - _GROUPS)) and label not in self.nameless  # BookAuthor is no author.
            is_animal = bool(owned[label] & _OF_ANIMALS) and not owned[label] & _SURELY_OF_PEOPLE
            if by_name or grouped or (owned[label] & _OF_PEOPLE and not is_animal):
                found.add(label)
        return frozenset(found)

    @cached_property
    def nameless(self) -> frozenset[str]:
        """The labels whose nodes have numbers for names, as rows without a title have: nobody asks for these."""
        named = [self.choice(label, each.name) for label in self.schema.labels for each in self.naming_of(label)]
        told = [each for each in named if each is not None and each.examples]
        return frozenset(p.label for p in told if all(_is_number(str(each), p.label) for each in p.examples))

    def numbering(self, label: str) -> list[PropertyChoice]:
        """The properties that number the nodes of a label: `number`, `orderNo`, `id`."""
        own = [(p, set(identifier_words(p.name))) for p, edge in self.properties if p.label == label and not edge]
        rest = set(identifier_words(label))
        numbers = [p for p, words in own if words - rest <= NUMBERING]
        return [PropertyChoice(label, p.name, 0.0, kind=property_kind(p)) for p in numbers]

    def comparable(self, label: str, *, dates: bool = False) -> list[PropertyChoice]:
        """The numbers, or the dates and years, of a label."""
        kinds = ("date",) if dates else ("number", "written number")
        own = [(p, c) for (p, _), c in zip(self.properties, self.choices, strict=True) if p.label == label]
        return [replace(c, cost=_PART) for p, c in own if c.kind in kinds or (dates and holds_years(p))]

    def has_dates(self, label: str) -> bool:
        """Whether the nodes of a label have dates, or years."""
        return label in self._dated

    @cached_property
    def _dated(self) -> frozenset[str]:
        dated = (c.label for c in self.choices if c.kind == "date" and not c.of_relation)
        return frozenset((*dated, *(c.label for c in self.years())))

    @cached_property
    def bodies(self) -> frozenset[str]:
        """The labels whose nodes are companies and the like, of whom people ask "who", too."""
        known = listed("people", "bodies")
        return frozenset(label for label in self.schema.labels if known & set(full_words(identifier_words(label))))

    def nearly_all_have(self, role: Role) -> bool:
        """Whether nearly all nodes of a label have a role, each one of it: HAS_COACH makes all swimmers pupils."""
        nodes = self.schema.labels.get(role.step.target, 0)
        types = (r for r in self.schema.relations if (r.type, r.target) == (role.step.relation, role.source))
        count = sum(r.count for r in types if r.source == role.step.target)
        own = not role.step.forward and role.step.relation.startswith("HAS_")
        return own and _NEARLY_ALL * nodes <= count <= nodes

    def _read_roles(self) -> None:
        """Relations named by a noun lead to what the noun means: HAS_CAPITAL, DIRECTOR; "X_OF" leads from it."""
        every = sorted(self.schema.relations, key=lambda each: -each.count)  # Those of all kinds before those of one.
        for relation in (*_with_all_ends(self.schema), *every):
            words = full_words(relation_words(relation.type))
            either = relation.source == relation.target and is_symmetric(relation.type)
            forward = Step(relation.type, True, relation.target, either)
            backward = forward.back(relation.source)
            if words[-1] == "of" and len(words) > 1:
                self._role(words[:-1], Role(backward, relation.target), relation.type)
            elif len(words) == 2 and words[1] in _TAKING_PART and words[0] in people():
                self._role(words[:1], Role(backward, relation.target), relation.type)  # SOLOIST_IN
            elif words[-1] not in _NOT_NOUNS and not _is_verb(words) and not _shouted_verb(relation.type):
                unlikely = _EVENT * is_event(words[-1])  # A donation is none of its two ends.
                self._role(words, Role(forward, relation.source, unlikely), relation.type)
            self._read_agents(words, relation.type, forward, backward)
            alike = relation.source == relation.target and not either
            if alike and words[-1] == "of" and len(words) > 1:
                whole = Role(forward, relation.source, _AGENT)  # The parent label of an imprint.
                self._known_role("parent", whole)
                self._known_role(f"parent {identifier_words(relation.source)[-1]}", whole)
            found = meaning(relation.type)
            if alike and found is not None and found.concept.name == "kind":
                narrower = backward if found.end == "a" else forward
                for noun in _KINDS:  # The kinds of leukemia are those below it.
                    self._known_role(noun, Role(narrower, relation.source, _NARROWER))
            if found is not None:
                for role, meant in (
                    (Role(forward, relation.source, SYNONYM), found),
                    (Role(backward, relation.target, SYNONYM), found.reversed()),
                ):
                    person = role.step.target not in self.persons or meant.kind != "thing"
                    for noun in meant.phrases[:4] if person else ():  # No "medicine" for a vet who treats.
                        own = role.cost if root(noun) not in map(root, words) else _OWN_VERB
                        self._role(tuple(noun.split()), replace(role, cost=own), relation.type)

    def _read_agents(self, words: Sequence[str], relation: str, forward: Step, backward: Step) -> None:
        """Nouns for whoever does what a verb says: the reviewer of REVIEWED_BY, the head of HEADS."""
        passive = len(words) == 2 and words[0].endswith("ed") and words[1] in ("by", "to")
        past = len(words) == 1 and words[0].endswith("ed") and backward.target in self.persons
        if not (passive or past) and not (len(words) == 1 and _shouted_verb(relation)):
            return
        base = words[0].removesuffix("ed") if passive or past else words[0].removesuffix("s")
        role = Role(forward, backward.target, _AGENT) if passive else Role(backward, forward.target, _AGENT)
        own = ("",) if base in agents() else ()
        endings = ("ee", "e") if words[-1] == "to" else (*own, "r" if base.endswith("e") else "er", "or")
        for ending in endings:
            self._role((base.removesuffix("e") + ending if ending in ("or", "ee") else base + ending,), role, relation)
        for verb in () if passive and words[-1] == "to" else with_synonyms([base]):
            if len(verb) == 1:  # The presenter of HOSTS.
                noun = verb[0] + ("r" if verb[0].endswith("e") else "er")
                self._role((noun,), replace(role, cost=SYNONYM), relation)

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
        kind = rest and not role.cost and role.step.target not in self.persons and role.step.forward
        for form in noun_forms(words[-1]) if kind else ():  # The birds of HAS_FAV_BIRD are what a favourite is one of.
            if form not in self.labels and not self._exact.get(form):
                self.labels[form].append((role.step.target, _PART))
        for synonym in nouns().get(text, ()) if not role.cost and role.step.target in self.persons else ():
            if not synonym.endswith("ship"):  # A membership is no member.
                self._known_role(synonym, replace(role, cost=_OTHERWISE))
        other = Role(role.step.back(role.source), role.step.target, role.cost + _CONVERSE)
        for converse in converses().get(singular(text), ()) if not role.cost else ():
            self._known_role(converse, other)

    def _known_role(self, text: str, role: Role) -> None:
        for form in noun_forms(text):
            known = [each.step for each in self.roles[form]]
            if role.step not in known and not (role.cost and form in self.labels):
                self.roles[form].append(role)


def _is_number(name: str, label: str) -> bool:
    """Whether a name is a number, also behind the words of its label: "loan 11"."""
    own = " ".join(identifier_words(label))
    return name.lower().removeprefix(own).replace(" ", "").isdecimal()


def _with_all_ends(schema: Schema) -> Iterator[Relation]:
    """The relations that lead from one label to several, as one to any of these: the directors of films and series."""
    ends: dict[tuple[str, str], list[Relation]] = defaultdict(list)
    for each in schema.relations:
        ends[each.type, each.source].append(each)
    for (kind, source), several in ends.items():
        total = sum(each.count for each in several)
        has_all = any(2 * each.count == total for each in several)  # One of the labels stands for all others.
        if 1 < len(several) <= MOST_ENDS and not has_all and all(each.target != source for each in several):
            yield Relation(kind, source, either_of([each.target for each in several]), total)


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
