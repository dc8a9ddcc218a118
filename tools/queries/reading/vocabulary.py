"""What the words of a question may name in one graph's schema: labels, properties, and ends of relations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from clew.tools.graph.identifiers import bare_words, identifier_words
from clew.tools.graph.schema import Property, Schema
from clew.tools.queries.lexical import UNSPECIFIC_LABELS, stem
from clew.tools.queries.plans.predicates import kind_of
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.ranking.lexicon import meaning
from clew.tools.queries.reading.form import Step
from clew.tools.queries.reading.inflection import base_form, noun_forms
from clew.tools.queries.reading.items import PropertyChoice
from clew.tools.queries.reading.words import NEGATIVE, abbreviations, adjectives, agents, nouns, people, units
from clew.tools.queries.values import DATES, NUMBERS

_SYNONYM, _PART, _PER_RANK = 0.5, 0.7, 0.25
"""What it costs that a property is called otherwise, that only a part of its name is said, and each place further down
an adjective's list."""
_OF_PEOPLE = frozenset({"birth", "birthday", "born", "salary", "gender", "surname", "firstname", "lastname"})
_AGENT = 0.2
"""What it costs that a noun is made from a relation's verb."""
_NOT_NOUNS = frozenset({"in", "by", "to", "for", "at", "on", "through", "with", "from", "under", "about", "after"})
_GENERAL = frozenset({"id", "name", "title", "type", "number", "code", "value", "key", "per", "of", "is", "has", "the"})


@dataclass(frozen=True, slots=True)
class Role:
    """A relation whose name is a noun for what it leads to: the capital (of a state), the author (of a book)."""

    step: Step
    """From the set that has it to the set that it names."""
    source: str
    cost: float = 0.0
    adjective: str = ""
    """The superlative that its name begins with: "highest" of HAS_HIGHEST_POINT."""


class SchemaWords:
    """The names of one schema by the words that mean them."""

    def __init__(self, schema: Schema, glosses: Glosses, naming: Mapping[str, Sequence[str]]) -> None:
        self.schema = schema
        self.glosses = glosses
        self.naming = naming
        self.labels: dict[str, list[tuple[str, float]]] = defaultdict(list)
        """Singular or plural words → label and cost."""
        self.roles: dict[str, list[Role]] = defaultdict(list)
        self.properties = [(p, False) for p in schema.properties] + [(p, True) for p in schema.relation_properties]
        self.verbs = frozenset(root(word) for relation in schema.relations for word in bare_words(relation.type))
        """The roots of the words of all relations."""
        self._exact: dict[str, list[PropertyChoice]] = defaultdict(list)
        self._by_word: dict[str, list[PropertyChoice]] = defaultdict(list)
        self._read_labels()
        self._read_roles()
        self._read_properties()
        self.longest = 1 + max((key.count(" ") for key in [*self.labels, *self.roles, *self._exact]), default=0)

    # ---- labels and roles --------------------------------------------------------------------------------------------

    def _read_labels(self) -> None:
        for label in self.schema.labels:
            own = " ".join(identifier_words(label))
            if own in UNSPECIFIC_LABELS:
                continue
            for form in noun_forms(own):
                self.labels[form].append((label, 0.0))
            for phrase in self.glosses.label_phrases(label, None):
                if all(each != label for each, _ in self.labels.get(phrase, ())):
                    self.labels[phrase].append(
                        (label, 0.0 if phrase in self.glosses.labels.get(label, ()) else _SYNONYM)
                    )
            last = own.split()[-1]
            if last != own:
                for form in noun_forms(last):
                    if form not in self.labels:
                        self.labels[form].append((label, _PART))

    def _read_roles(self) -> None:
        """Relations named by a noun lead to what the noun means: HAS_CAPITAL, DIRECTOR; "X_OF" leads from it."""
        for relation in self.schema.relations:
            words = bare_words(relation.type)
            forward, backward = (
                Step(relation.type, True, relation.target), Step(relation.type, False, relation.source)
            )  # fmt: skip
            if words[-1] == "of" and len(words) > 1:
                self._role(words[:-1], Role(backward, relation.target), relation.type)
            elif words[-1] not in _NOT_NOUNS and not _is_verb(words) and not _shouted_verb(relation.type):
                self._role(words, Role(forward, relation.source), relation.type)
            self._read_agents(words, relation.type, forward, backward)
            found = meaning(relation.type)
            if found is not None:
                for noun in found.phrases[:4]:
                    self._role(tuple(noun.split()), Role(forward, relation.source, _SYNONYM), relation.type)
                for noun in found.reversed().phrases[:4]:
                    self._role(tuple(noun.split()), Role(backward, relation.target, _SYNONYM), relation.type)

    def _read_agents(self, words: Sequence[str], relation: str, forward: Step, backward: Step) -> None:
        """Nouns for whoever does what a verb says: the reviewer of REVIEWED_BY, the head of HEADS."""
        passive = len(words) == 2 and words[0].endswith("ed") and words[1] in ("by", "to")
        if not passive and not (len(words) == 1 and _shouted_verb(relation)):
            return
        base = words[0].removesuffix("ed") if passive else words[0].removesuffix("s")
        role = Role(forward, backward.target, _AGENT) if passive else Role(backward, forward.target, _AGENT)
        own = ("",) if base in agents() else ()
        endings = ("ee", "e") if words[-1] == "to" else (*own, "er", "or", "r")
        for ending in endings:
            self._role((base.removesuffix("e") + ending if ending in ("or", "ee") else base + ending,), role, relation)

    def _role(self, words: Sequence[str], role: Role, relation: str) -> None:
        text = " ".join(words)
        if not words or words[-1] in _NOT_NOUNS or (role.cost and (len(words) > 2 or _is_verb(words))):
            return
        first, rest = words[0], " ".join(words[1:])
        if rest and first in adjectives() and adjectives()[first].superlative:
            role = Role(role.step, role.source, role.cost, first)
            base = " ".join((base_form(first), rest))
            for form in (*noun_forms(rest), *noun_forms(base)):
                if form not in self.labels and form in noun_forms(rest):
                    self.labels[form].append((role.step.target, _PART))
                elif form not in noun_forms(rest):
                    self.roles[form].append(replace(role, cost=role.cost + 0.2))
        for form in noun_forms(text):
            known = [each.step for each in self.roles[form]]
            if role.step not in known and not (role.cost and form in self.labels):
                self.roles[form].append(role)

    # ---- properties --------------------------------------------------------------------------------------------------

    def _read_properties(self) -> None:
        for owned, of_relation in self.properties:
            words = identifier_words(owned.name)
            choice = PropertyChoice(owned.label, owned.name, 0.0, True, of_relation, _kind(owned))
            for form in noun_forms(" ".join(words)):
                self._exact[form].append(choice)
            if len(words) == 2:  # "years of experience", "date of birth"
                self._exact[" of ".join(words)].append(choice)
                self._exact[" of ".join(reversed(words))].append(choice)
            for form in noun_forms("".join(words)) if len(words) > 1 else ():
                self._exact[form].append(choice)
            own_label = set(identifier_words(owned.label))
            rest = [word for word in words if word not in own_label]
            bare = words[:-1] if words[-1] in units() and owned.type != "STRING" else words
            for shorter in (rest, bare):
                if shorter and len(shorter) < len(words) and shorter[0] not in NEGATIVE:
                    for form in noun_forms(" ".join(shorter)):
                        self._exact[form].append(choice)
            if any(word in abbreviations() for word in words):
                full = [abbreviations().get(word, word) for word in words]
                for form in (*noun_forms(" ".join(full)), *noun_forms(" ".join(w for w in full if w not in units()))):
                    self._exact[form].append(choice)
                words = [*words, *full]
            for word in dict.fromkeys(words):
                if word not in _GENERAL:
                    self._by_word[root(word)].append(choice)

    def property(self, phrase: str) -> list[PropertyChoice]:
        """The properties that a phrase may name, by name, part of the name or synonym."""
        found = list(self._exact.get(phrase, ()))
        for rank, name in enumerate(nouns().get(phrase, ())):
            found += [_dearer(c, _SYNONYM + _PER_RANK * rank) for c in self.named(name)]
        if " " in phrase and not found:
            found += [_dearer(c, _AGENT) for c in self.named(phrase)]
        if phrase.endswith("ly") and not found:
            found += [_dearer(c, _AGENT) for c in self._exact.get(phrase[:-2], ()) if c.kind == "boolean"]
        if " " not in phrase and phrase not in _GENERAL:
            found += [_dearer(c, _PART) for c in self._by_word.get(root(phrase), ())]
        return _cheapest(found)

    def named(self, name: str) -> list[PropertyChoice]:
        """The properties whose names contain all words of `name`."""
        stems = [root(word) for word in name.split()]
        rows = [self._by_word.get(each, []) for each in stems]
        if not rows or not all(rows):
            return []
        return [c for c in rows[0] if all(any(_same(c, d) for d in row) for row in rows[1:])]

    def adjective(self, form: str) -> list[PropertyChoice]:
        """The properties that an adjective may mean; `descending` says which end it means as a superlative."""
        found: list[PropertyChoice] = []
        entry = adjectives()[form]
        for names, descending in ((entry.up, True), (entry.down, False)):
            for rank, name in enumerate(names):
                found += [
                    PropertyChoice(c.label, c.name, c.cost + _PER_RANK * rank, descending, c.of_relation, c.kind)
                    for c in self.named(name) if c.kind in ("number", "date", "written number")
                ]  # fmt: skip
        return _cheapest(found)

    def choices(self) -> list[PropertyChoice]:
        """All properties, of nodes and of relationships."""
        return [PropertyChoice(p.label, p.name, 0.0, True, edge, _kind(p)) for p, edge in self.properties]

    def choice(self, label: str, name: str) -> Property | None:
        return next((p for p, _ in self.properties if p.label == label and p.name == name), None)

    @cached_property
    def persons(self) -> frozenset[str]:
        """The labels whose nodes are people, by their words and their properties."""
        told = {p.label for p in self.schema.properties if set(identifier_words(p.name)) & _OF_PEOPLE}
        named = {label for label in self.schema.labels if set(identifier_words(label)) & people()}
        return frozenset(told | named)

    def likeness(self, words: Sequence[str], label: str) -> float:
        """1 where a word and a label have one root ("admitted", Admission), else 0."""
        roots = {root(word).rstrip("ts") for word in words}
        own = {root(word.removesuffix("ion")).rstrip("ts") for word in identifier_words(label)}
        return float(bool(roots & own))

    def events(self, words: Sequence[str]) -> list[str]:
        """The labels whose names share a root with a verb: Booking of "booked"."""
        verbs = [word for word in words if word not in self.labels]
        return [label for label in self.schema.labels if self.likeness(verbs, label)] if verbs else []

    def naming_of(self, label: str) -> list[PropertyChoice]:
        """The properties that name the nodes of a label."""
        own = self.naming.get(label) or ("name",)
        found = [p for p, edge in self.properties if p.label == label and not edge and p.name in own]
        return [PropertyChoice(label, p.name, 0.0, kind="text") for p in found[:1]]

    def links(self, source: str, target: str) -> list[Step]:
        """The relations from one label to another, whichever way they point."""
        ahead = [Step(r.type, True, target) for r in self.schema.relations if (r.source, r.target) == (source, target)]
        back = [Step(r.type, False, target) for r in self.schema.relations if (r.source, r.target) == (target, source)]
        return [*ahead, *back]

    def numbering(self, label: str) -> list[PropertyChoice]:
        """The properties that number the nodes of a label: `number`, `orderNo`, `id`."""
        own = [(p, set(identifier_words(p.name))) for p, edge in self.properties if p.label == label and not edge]
        rest = set(identifier_words(label))
        return [PropertyChoice(label, p.name, 0.0, kind=_kind(p)) for p, words in own if words - rest <= _NUMBERING]

    def comparable(self, label: str, *, dates: bool = False) -> list[PropertyChoice]:
        """The numbers, or the dates, of a label."""
        return [
            PropertyChoice(label, p.name, _PART, True, edge, _kind(p))
            for p, edge in self.properties
            if p.label == label and (_kind(p) == "date") == dates and _kind(p) in ("number", "date", "written number")
        ]


@lru_cache(maxsize=4096)
def root(word: str) -> str:
    """What a verb's forms and its noun have in common: "smoke", "smoker" and "smokes"."""
    while (shorter := stem(word)) != word:
        word = shorter
    return word.removesuffix("e")


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


_NUMBERING = frozenset({"number", "no", "nr", "id", "num"})
_IDENTIFIERS = frozenset({"id", "ids", "code", "phone", "fax", "zip", "postcode", "key", "uuid", "number", "no", "nr"})


def _kind(owned: Property) -> str:
    last = identifier_words(owned.name)[-1:]
    if last and last[0] in _IDENTIFIERS and owned.type not in ("FLOAT",):
        return "identifier"
    if owned.type in NUMBERS:
        return "number"
    if owned.type in DATES:
        return "date"
    if owned.type == "BOOLEAN":
        return "boolean"
    kind = kind_of(owned, "2000-01-01")
    return "date" if kind == "date" else kind_of(owned, 1)


def _same(one: PropertyChoice, other: PropertyChoice) -> bool:
    return (one.label, one.name, one.of_relation) == (other.label, other.name, other.of_relation)


def _dearer(choice: PropertyChoice, cost: float) -> PropertyChoice:
    return PropertyChoice(choice.label, choice.name, choice.cost + cost, choice.descending, choice.of_relation,
                          choice.kind)  # fmt: skip


def _cheapest(choices: Iterable[PropertyChoice]) -> list[PropertyChoice]:
    """Each property once, at its least cost."""
    best: dict[tuple[str, str, bool], PropertyChoice] = {}
    for each in choices:
        key = (each.label, each.name, each.of_relation)
        if key not in best or each.cost < best[key].cost:
            best[key] = each
    return sorted(best.values(), key=lambda each: each.cost)
