"""How a set is linked to another where word order says nothing, and which free words say the relation."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.floating.parts import Part, Words
from clew.tools.queries.reading.forms.form import Nodes, Path, Step
from clew.tools.queries.reading.forms.items import Feature, PropertyNoun
from clew.tools.queries.reading.forms.scoring import cost
from clew.tools.queries.reading.rules.agreement import agreement
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.schema.property_names import root

SAYS = 0.45
"""Agreement of a word with a relation from which on it may say it."""
_MOST_FAR = 4
_NO_GAP = Gap(0, 0, (), (), False)
_NONE: Words = frozenset()
Way = tuple[Path, Words, list[Feature], float]
"""A path, the words that say it, what speaks against it, and what that costs."""


def may_say_relations(parts: Iterable[Part], heavy: Words, grammar: Grammar) -> Words:
    """The words that may say a relation: none that are the name of a property, or its value.

    Args:
        parts: The parts of the question.
        heavy: The words that must be explained.
        grammar: The question.
    """
    found = set(heavy)
    for part in parts:
        owned = part.item.meaning
        if isinstance(owned, PropertyNoun) and not part.item.cost and owned.choices and not owned.choices[0].cost:
            found -= {i for i in part.words if root(grammar.tokens[i].text) not in grammar.words.verbs}
    return frozenset(i for i in found if not grammar.values[i])


@dataclass(slots=True)
class Relations:
    """The relations of one question."""

    grammar: Grammar
    heavy: Words
    """The words that must be explained …"""
    verbs: Words
    """… and those that may say a relation."""
    _ways: dict[Hashable, list[Way]] = field(default_factory=dict)
    _said: dict[tuple[str, ...], list[tuple[float, int]]] = field(default_factory=dict)
    _sayable: dict[Hashable, list[Path]] = field(default_factory=dict)
    _known: dict[Hashable, tuple[list[Feature], float]] = field(default_factory=dict)

    def ways(self, start: Nodes, end: Nodes, free: Words) -> Sequence[Way]:
        """The ways from one set to another, each without words, and with the free word that says it best."""
        key = (start.label, bool(start.entities), end.label, end.entities, free)
        if key not in self._ways:
            self._ways[key] = list(self._ways_of(start, end, free))
        return self._ways[key]

    def _ways_of(self, start: Nodes, end: Nodes, free: Words) -> Iterator[Way]:
        for path in self._paths(start.label, end.label, free):
            yield path, _NONE, *self._against(path, start, end, ())
            said = self._says(path, free)
            if said:
                yield path, frozenset(said), *self._against(path, start, end, said)

    def steps(self, label: str, free: Words) -> Iterator[tuple[Step, Words, float]]:
        """The steps from a label that a free word says: the step, the word, their agreement."""
        joins = self.grammar.joins
        for path in self._said_by_any(label, lambda: [(step,) for step in joins.from_label(label)]):
            said, best = self._best(path, free)
            if said and best >= SAYS:
                yield path[0], frozenset(said), best

    def by_number(self, label: str) -> list[tuple[Step, float]]:
        """The steps from a label, each with how much rarer its relation is than the most frequent one: 0 to 1."""
        numbers = {each.type: each.count for each in self.grammar.words.schema.relations}
        steps = self.grammar.joins.from_label(label)
        most = max((numbers.get(step.relation, 0) for step in steps), default=0) or 1
        return [(step, 1 - numbers.get(step.relation, 0) / most) for step in steps]

    def ends(self) -> set[str]:
        """The labels at both ends of the relations that words say."""
        words = {self.grammar.tokens[i].text for i in self.verbs}
        said = {
            relation for word in words for relation, best in self.grammar.joins.agreements(word).items() if best >= SAYS
        }
        relations = [each for each in self.grammar.words.schema.relations if each.type in said]
        return {each.source for each in relations} | {each.target for each in relations}

    def _paths(self, source: str, target: str, free: Words) -> list[Path]:
        """The shortest ways, and longer ones of which a free word says a step."""
        joins = self.grammar.joins
        found = list(joins.paths(source, target))
        ways = self._said_by_any((source, target), lambda: [path for _, path in joins.two_steps(source, target)])
        longer = [(best, path) for path in ways if (best := self._best(path, free)[1]) >= SAYS]
        longer.sort(key=lambda each: -each[0])
        found += [path for _, path in longer[:_MOST_FAR] if path not in found]
        return found or self._far(source, target)

    def _said_by_any(self, ends: Hashable, paths: Callable[[], Sequence[Path]]) -> list[Path]:
        """Those paths between some ends of which a word that must be explained may say a step."""
        if ends not in self._sayable:
            self._sayable[ends] = [path for path in paths() if self._best(path, self.heavy)[1] >= SAYS]
        return self._sayable[ends]

    def _far(self, source: str, target: str) -> list[Path]:
        """Ways of three steps, where there is no shorter one."""
        joins = self.grammar.joins
        found: list[Path] = []
        for first in joins.from_label(source):
            if first.target not in (source, target):
                found += [(first, *rest) for rest in joins.paths(first.target, target) if len(rest) < 3]
        return found[:_MOST_FAR]

    def _against(self, path: Path, start: Nodes, end: Nodes, said: Sequence[int]) -> tuple[list[Feature], float]:
        """What speaks against a path that some words say, and what that costs."""
        key = (path, start.label, bool(start.entities), end.label, end.entities, said)
        if key not in self._known:
            features = self._features(path, start, end, said)
            self._known[key] = features, cost(features)
        return self._known[key]

    def _features(self, path: Path, start: Nodes, end: Nodes, said: Sequence[int]) -> list[Feature]:
        grammar = self.grammar
        words = tuple(grammar.tokens[i].text for i in said)
        found = agreement(path, start.label, words, _NO_GAP, grammar, end)
        found += [("extra hop", float(len(path) - 2))] if len(path) > 2 else []
        if not grammar.knows(end) or start.entities:
            return found
        last = path[-1].back(path[-2].target if len(path) > 1 else start.label)
        return found if grammar.number(end, last) else [*found, ("absent", 1.0)]

    def _says(self, path: Path, free: Words) -> tuple[int, ...]:
        said, best = self._best(path, free)
        return said if best >= SAYS else ()

    def _best(self, path: Path, free: Words) -> tuple[tuple[int, ...], float]:
        """The free word that agrees best with a step of a path."""
        relations = tuple([step.relation for step in path])
        if relations not in self._said:
            self._said[relations] = sorted(((self._agreed(i, relations), i) for i in self.verbs), reverse=True)
        return next((((place,), best) for best, place in self._said[relations] if place in free), ((), 0.0))

    def _agreed(self, place: int, relations: Sequence[str]) -> float:
        said = self.grammar.joins.agreements(self.grammar.tokens[place].text)
        return max(said.get(relation, 0.0) for relation in relations)
