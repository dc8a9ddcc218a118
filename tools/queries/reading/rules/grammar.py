"""What the rules of composition share: the question, the schema's joins, and how an item is made of two."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from clew.tools.graph.entity import Entity
from clew.tools.linking.ordinary import QUESTION_WORDS
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.expected import expects
from clew.tools.queries.reading.english.gap import Gap, gap
from clew.tools.queries.reading.forms.dropped_values import SaidValue
from clew.tools.queries.reading.forms.form import Link, Nodes, Path, Step
from clew.tools.queries.reading.forms.items import AnyItem, Feature, Item, Meaning, Noun
from clew.tools.queries.reading.forms.scoring import cost
from clew.tools.queries.reading.forms.wider_relations import entity_steps
from clew.tools.queries.reading.schema.event_roles import asked_roles, role_paths
from clew.tools.queries.reading.schema.fact_paths import things_of_facts, through_fact
from clew.tools.queries.reading.schema.joins import Joins
from clew.tools.queries.reading.schema.phrases import PREPOSITIONS
from clew.tools.queries.reading.schema.verb_paths import by_verb, done_through
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.space.entity_steps import Owned

_LONGEST_VERB = 4
FURTHEST = 1.8
"""What an item may cost more than the best of its span and kind."""
HOW_OFTEN = frozenset(["frequently", "often", "commonly", "times", "used", "common", "frequent", "popular", "widely"])
"""Words behind "most" that name no verb: "most often", "most popular"."""
_ROUNDING = 1e-9  # Costs that are added up in another order differ by less.
LOST_NAME = 0.5
"""What a word costs, beside being unexplained, that belongs to a node's name."""


@dataclass(slots=True)
class Grammar:
    """One question on its way to a form."""

    tokens: Sequence[Token]
    words: SchemaWords
    joins: Joins
    places: frozenset[str] = frozenset()
    """Labels that something is in."""
    statement: bool = False
    """Whether the text is a statement rather than a question."""
    listed: bool = False
    """Whether the things themselves are to be named: "Are there any? Which?" """
    has_mark: bool = False
    """Whether there is a question mark."""
    claimed: Sequence[bool] = ()
    """Which tokens name a thing, or a value."""
    things: Sequence[bool] = ()
    """Which tokens are names or kinds of things; a role, such as "director", may also be a verb's noun."""
    antecedents: Sequence[bool] = ()
    """Which tokens are nouns that a relative clause says more of: no verb."""
    names: Sequence[bool] = ()
    """Which tokens belong to the name of a node."""
    valued: Sequence[bool] = ()
    """Which tokens belong to a value, or the name of a property, of several words: "on hold"."""
    values: Sequence[bool] = ()
    """Which tokens are the value of a property, and no verb of a relation."""
    deep: Sequence[str] = ()
    """The words of a question whose relation is taken any number of times (`forms.depth`)."""
    said_values: Sequence[SaidValue] = ()
    """The values of properties that words are, and nothing else."""
    unknown: frozenset[str] = frozenset()
    """Words in capitals that name nothing in the graph."""
    owned: Mapping[Entity, Owned] = field(default_factory=dict)
    """The relations that the named nodes have."""
    agreed: dict[Hashable, tuple[Feature, ...]] = field(default_factory=dict)
    """How well words say relations, as far as it is known (`agreement`)."""
    least: dict[tuple[int, int], float] = field(default_factory=dict)
    """By span the least cost of a set over it, as far as it is known (`composer`)."""
    asks_truth: bool = field(init=False)
    """Whether the first words ask for yes or no."""
    _gaps: dict[tuple[int, int], Gap] = field(default_factory=dict)
    _paths: dict[Hashable, list[tuple[str, Path]]] = field(default_factory=dict)
    _rivalries: dict[tuple[Step, str, tuple[Entity, ...]], float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.asks_truth = expects(" ".join(token.text for token in self.tokens[:3])) == "truth"

    def skips_thing(self, between: Gap) -> bool:
        """Whether a gap contains a name or a kind of thing."""
        return any(self.things[between.first : between.last])

    def gap(self, first: int, last: int) -> Gap:
        key = (first, last)
        if key not in self._gaps:
            self._gaps[key] = gap(self.tokens, first, last)
        return self._gaps[key]

    def verb_ends(self, first: int, *, negated: bool = False) -> list[int]:
        """Where a verb that begins behind a noun may end: before the next name. With `negated`, "that never sailed"
        begins one as well."""
        found = []
        until = ("and", "or", "with", "than") if negated else ("and", "or", "with", "that", "which", "than")
        for last in range(first + 1, min(first + _LONGEST_VERB + negated, len(self.tokens)) + 1):
            text = self.tokens[last - 1].text
            if (
                self.claimed[last - 1]
                or any(self.names[last - 1 : last])
                or text in until
                or (last == len(self.tokens) and text in QUESTION_WORDS)
            ):
                break
            if text[:1].isdecimal() or (text == "nor" and last > first + 1):
                break
            found.append(last)
        return found

    def verbs_behind(
        self, between: Gap, left: AnyItem, right: AnyItem, *, negated: bool = False
    ) -> list[tuple[int, tuple[str, ...]]]:
        """Where a verb behind the second of two nouns ends, with its words: "states (that) the river runs through";
        a preposition before the first belongs to it: "through which states …". With `negated`, a verb that is denied:
        "which products has X never ordered"."""
        if between.heavy or "'s" in self.gap(right.last, min(right.last + 1, len(self.tokens))).texts:
            return []  # "X's kid" is a noun.
        before = self.gap(max(0, left.first - 2), left.first).texts
        # "in states" belongs to what is before it.
        before = before if before[-1:] and before[-1] in QUESTION_WORDS else ()
        lead = tuple(text for text in (*before, *between.texts) if text in PREPOSITIONS)
        found = []
        for last in self.verb_ends(right.last, negated=negated):
            words = self.gap(right.last, last)
            if words.words and words.negated == negated:
                found.append((last, (*words.words, *lead)))
        return found

    def verbs_before(self, first: int) -> list[tuple[int, tuple[str, ...]]]:
        """A verb before a noun that says its relation to what follows: "neighboring states of …"."""
        words = self.gap(first - 1, first) if first else None
        if words is None or not words.heavy or words.negated or self.claimed[first - 1]:
            return []
        return [(first - 1, words.words)]

    def paths(self, a: Noun, b: Noun, said: tuple[str, ...] = ()) -> list[tuple[str, Path]]:
        """The ways from the head to the tail, each with the label that it starts from (a question word has none). A
        verb may name what stands between them: "the goods that X booked", by a Booking."""
        opened = () if a.wild else tuple(e for e in a.nodes.links if e.positive and e.conditions and e.other.bare)
        named = b.nodes.entities if b.named else None
        key = (a.wild or (a.nodes.label, a.role, opened, named), b.nodes.label, said)
        if key not in self._paths:
            self._paths[key] = self._asked_paths(a, b, said) if a.wild else self._own_paths(a, b, said, opened)
        return self._paths[key]

    def _own_paths(self, a: Noun, b: Noun, said: tuple[str, ...], opened: Sequence[Link]) -> list[tuple[str, Path]]:
        source, target = a.nodes.label, b.nodes.label
        own = self.joins.paths(source, target)
        if a.role is not None and len(a.role) > 1 and a.role[-1].target == target:
            own = [a.role, *(path for path in own if path != a.role)]
        events = [each for each in self.words.events(said) if each not in (source, target)]
        beside = [p for fact in events for p in through_fact(self.joins, self.words, source, target, fact)]
        beside += [*by_verb(self.joins, source, target, said), *role_paths(self.joins, source, target, said)]
        beside += self._further(opened, target) + (self._by_place(own, source, b) if b.named else [])
        beside += done_through(self.joins, source, target, said) if b.named else []
        return [(source, path) for path in (*own, *(path for path in beside if path not in own))]

    def _asked_paths(self, a: Noun, b: Noun, said: tuple[str, ...]) -> list[tuple[str, Path]]:
        """Those of a question word."""
        steps = self.joins.asked_from(label := b.nodes.label)
        direct: list[tuple[str, Path]] = [(step.target, (step.back(label),)) for step in steps]
        if a.wild == "where":
            return direct + self._around(label, steps)
        if a.wild == "what":
            return direct + things_of_facts(self.joins, self.words, label, said)
        persons = sorted(self.words.persons | self.words.bodies) if a.wild == "who" and said else []
        done = [(person, path) for person in persons for path in done_through(self.joins, person, label, said)]
        ways = [(who, each) for who in persons for each in self.words.events(said)]  # "Who ordered X?", by an Order.
        facts = [(who, p) for who, e in ways for p in through_fact(self.joins, self.words, who, label, e)]
        return [*direct, *done, *facts, *asked_roles(self.joins, label, said)]

    def meant(self, noun: Noun) -> list[Nodes]:
        """The sets that a noun may mean; "people" are those of any kind of person."""
        if not noun.wild:
            return [noun.nodes]
        return [Nodes(label) for label in sorted(self.words.persons)] if noun.wild == "who" else []

    def _further(self, opened: Sequence[Link], target: str) -> list[Path]:
        """The paths on from what a relationship leads to that something is said of: "voted no" + "on the motion"."""
        return [
            (*link.path, *path)
            for link in opened
            if link.other.label != target
            for path in self.joins.paths(link.other.label, target)
            if len(path) == 1
        ]

    def _by_place(self, own: Sequence[Path], source: str, b: Noun) -> list[Path]:
        """The paths over a place that lies in a named one, where nothing is related to that one itself: "films set in
        France", by cities."""
        if not self.knows(b.nodes):
            return []
        absent = {p[0].relation for p in own if len(p) == 1 and not self.number(b.nodes, p[0].back(source))}
        return [
            (step, place)
            for step in self.joins.from_label(source)
            if step.relation in absent and step.target != b.nodes.label
            for place in self.joins.from_label(step.target)
            if place.target == b.nodes.label and self.joins.is_placing(place)
        ]

    def _around(self, label: str, steps: Sequence[Step]) -> list[tuple[str, Path]]:
        """The places of what a thing without a place of its own is linked to: "Where was Hamlet on?", by its
        performances."""
        if any(map(self.joins.is_placing, steps)):
            return []
        return [
            (place.target, (place.back(step.target), step.back(label)))
            for step in steps
            if step.target not in self.words.persons
            for place in self.joins.from_label(step.target)
            if self.joins.is_placing(place) and place.target in self.places and place.target != label
        ]

    def knows(self, nodes: Nodes) -> bool:
        """Whether the relations of all nodes of a name are known."""
        return bool(nodes.entities) and all(entity in self.owned for entity in nodes.entities)

    def number(self, nodes: Nodes, step: Step) -> int:
        """How many relationships some nodes, which the grammar `knows`, have for a step."""
        keys = entity_steps(step, self.joins.wider)
        return sum(self.owned[entity].steps.get(key, 0) for entity in nodes.entities for key in keys)

    def mean_number(self, label: str, step: Step) -> float:
        """How many relationships for a step the nodes of a label have, in the mean."""
        ends = [(r.source if step.forward else r.target, r.count) for r in self.words.schema.relations
                if r.type == step.relation]  # fmt: skip
        return sum(count for end, count in ends if end == label) / (self.words.schema.labels.get(label) or 1)

    def rivalry(self, path: Path, source: str, end: Nodes | None) -> float:
        """What a path costs beside others (`Joins.rivalry`), where `end` is known among the relations of its nodes."""
        if end is None or not self.knows(end):
            return self.joins.rivalry(path, source)
        key = (path[0], source, end.entities)
        if key not in self._rivalries:
            self._rivalries[key] = self.joins.rivalry(path, source, lambda step: self.number(end, step.back(source)))
        return self._rivalries[key]

    def limit(self, first: int, last: int) -> float:
        """What a set over a span may cost so as to be kept."""
        return self.least.get((first, last), inf) + FURTHEST + _ROUNDING

    def item(
        self,
        left: AnyItem,
        right: AnyItem,
        meaning: Meaning,
        *features: Feature,
        first: int | None = None,
        last: int | None = None,
    ) -> AnyItem:
        """An item that spans two others, and further words where `first` or `last` say so; what is negated between them
        must have been used by the caller."""
        return Item(
            left.first if first is None else first, right.last if last is None else last, meaning,
            left.cost + right.cost + cost(features), (*left.features, *right.features, *features),
        )  # fmt: skip

    def unexplained(self, *gaps: Gap) -> tuple[Feature, ...]:
        """What words between items cost that no relation explains."""
        features: list[Feature] = []
        for each in gaps:
            if heavy := len(each.heavy):
                lost = LOST_NAME * sum(self.names[each.first : each.last]) + each.says("than")
                lost += sum(text.isdecimal() for text in each.heavy)
                features.append(("unexplained", heavy + lost))
            if each.light_words:
                named = float(sum(self.valued[each.first : each.last]))  # "Per ship *type*" is not per ship.
                features.append(("unexplained", named) if named else ("light", float(each.light_words)))
            if each.negated:
                features.append(("lost negation", 1.0))
        return tuple(features)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two items that are being joined, and the words between them."""

    left: AnyItem
    between: Gap
    right: AnyItem
    grammar: Grammar

    def item(self, meaning: Meaning, *features: Feature, first: int | None = None, last: int | None = None) -> AnyItem:
        """An item that spans both, and further words where a verb stands before or behind them."""
        return self.grammar.item(self.left, self.right, meaning, *features, first=first, last=last)

    def verbs(self) -> list[tuple[int, tuple[str, ...]]]:
        """The words that may say the relation, and where the item ends: those between, and those behind."""
        behind = self.grammar.verbs_behind(self.between, self.left, self.right)
        return [(self.right.last, self.between.words), *behind]


Rule = Callable[[AnyItem, Gap, AnyItem, Grammar], Iterator[AnyItem]]
"""What two items and the words between them may mean."""
