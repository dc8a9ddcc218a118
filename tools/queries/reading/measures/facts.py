"""Facts: the rows of which a measure is worked out, narrowed by what they, and what they refer to, are.

Tables of facts and what their rows refer to form a star (Kimball 1996): a payslip refers to an employee, the employee
to a department. A payslip belongs to one department, so that what is added up over payslips is never counted twice. A
measure of relationships, such as the quantity of the lines of an order, has facts at both ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import nsmallest

from clew.tools.queries.reading.english.gap import Gap
from clew.tools.queries.reading.floating.parts import Part, Words, worth
from clew.tools.queries.reading.forms.form import Condition, Link, Nodes, Path, Step
from clew.tools.queries.reading.forms.items import (
    AnyItem,
    ConditionNoun,
    Feature,
    Item,
    Noun,
)
from clew.tools.queries.reading.forms.scoring import cost
from clew.tools.queries.reading.measures.times import STEP, Times, time_of
from clew.tools.queries.reading.rules.condition_rules import noun_condition
from clew.tools.queries.reading.rules.grammar import Grammar
from clew.tools.queries.reading.rules.same_label import merged

_BEAM, _OF_EACH, _LABELS = 12, 3, 4
_MOST_STEPS = 3
_SEVERAL = 0.5
"""What it costs that they refer to it in another way as well, which no word tells apart."""
_FAR_DATE = 0.4
"""What it costs that the date is that of the far end of a measure of relationships: the launch of a product sold."""
_EXCLUDING = frozenset({"excluding", "except", "ignoring", "omitting", "excl"})
_TAKEN_OUT = {("left", "out"), ("not", "counted"), ("not", "included"), ("taken", "out"), ("are", "excluded")}
_NEAR_OUT = 3
"""Words between a value and what takes it away, at most."""
_OF_WORD_ORDER = frozenset({"attached high", "head"})
_IN = Gap(0, 0, ("in",), (), False)


_NONE: Words = frozenset()
Narrowed = tuple[Nodes, tuple[Feature, ...], Words]
"""A set, what speaks against it, and further words that it explains."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts as far as they are narrowed."""

    sides: tuple[Nodes, ...]
    """The facts; of a measure of relationships, both ends."""
    words: Words
    features: tuple[Feature, ...] = ()


class Narrowing:
    """How the facts of one question are narrowed.

    Args:
        grammar: The question.
        parts: What may narrow them.
        negative: The places of words that deny.
        heavy: The places of words that must be explained.
    """

    def __init__(self, grammar: Grammar, parts: list[Part], negative: list[int], heavy: Words) -> None:
        self._grammar, self._parts, self._negative, self._heavy = grammar, parts, negative, heavy
        self._paths: dict[tuple[str, str], list[Path]] = {}
        self._times = Times(grammar, heavy, self.paths)
        self._numbers = {(r.type, r.source, r.target): r.count for r in grammar.words.schema.relations}

    def narrowed(self, facts: Facts) -> list[Facts]:
        """The facts with what narrows them, best first; parts whose words are used are left out."""
        states = list(self._now(facts)) or [facts]
        for part in self._parts:
            if part.words & facts.words:
                continue
            longer = [each for state in states if not part.words & state.words for each in self._with(state, part)]
            states = nsmallest(_BEAM, [*states, *longer], key=self._outlook)
        return states

    def _now(self, facts: Facts) -> Iterator[Facts]:
        """Those that have not ended, where "current" is said: by the end of the facts, or of what they refer to."""
        for i, side in enumerate(facts.sides if self._times.now else ()):
            for path, name in self._times.unended(side.label):
                end = at_end(side, path).where(Condition(property=name, test="IS NULL"))
                sides = (*facts.sides[:i], with_end(side, path, end), *facts.sides[i + 1 :])
                features = (*facts.features, ("linked value", 2 * STEP * len(path)))
                yield replace(facts, sides=sides, words=facts.words | self._times.now, features=features)

    def _outlook(self, facts: Facts) -> float:
        return worth(cost(facts.features), facts.words, self._heavy)

    def _with(self, facts: Facts, part: Part) -> Iterator[Facts]:
        before = [n for n in self._negative if n not in facts.words and 0 < part.item.first - n <= 3]
        out = frozenset(before[-1:]) or self._left_out(part) - facts.words
        negated = bool(out)
        words = facts.words | part.words | out
        found = [
            replace(facts, sides=(*facts.sides[:i], nodes, *facts.sides[i + 1 :]), words=words | said,
                    features=(*facts.features, *features, *_far(i, part.item)))
            for i, side in enumerate(facts.sides)
            for nodes, features, said in self._joined(side, part.item, negated)
        ]  # fmt: skip
        yield from nsmallest(_OF_EACH, found, key=self._outlook)

    def _left_out(self, part: Part) -> Words:
        """The words that take a part away: "excluding the cancelled ones", "cancelled ones left out"."""
        texts = [token.text for token in self._grammar.tokens]
        for i in range(max(0, part.item.first - _NEAR_OUT), part.item.first):
            if texts[i] in _EXCLUDING or texts[i : i + 2] == ["leaving", "out"]:
                return frozenset(range(i, i + 1 + (texts[i] == "leaving")))
        for i in range(part.item.last, min(part.item.last + _NEAR_OUT, len(texts))):
            if tuple(texts[i : i + 2]) in _TAKEN_OUT:
                return frozenset({i, i + 1})
        return _NONE

    def _joined(self, side: Nodes, item: AnyItem, negated: bool) -> Iterator[Narrowed]:
        """A set narrowed by a part: itself, or what it refers to."""
        if (time := time_of(item.meaning)) is not None:
            yield from self._at(side, item, time, negated)
            return
        for nodes, features in self._own(side, item, negated):
            yield nodes, features, _NONE
        for label in self._labels(item):
            for path in self.paths(side.label, label) if label != side.label else ():
                further = self.way_features(path, side.label)
                if isinstance(item.meaning, Noun) and item.meaning.nodes.bare:
                    yield side, (*item.features, *further), _NONE
                    continue
                for nodes, features in self._own(at_end(side, path), item, negated):
                    yield with_end(side, path, nodes), (*features, *further), _NONE

    def _own(self, nodes: Nodes, item: AnyItem, negated: bool) -> Iterator[tuple[Nodes, tuple[Feature, ...]]]:
        """A set narrowed by what is said of itself."""
        meaning, head = item.meaning, Item(item.first, item.first, Noun(nodes, plural=True), 0.0)
        if isinstance(meaning, Noun):
            if meaning.nodes.label != nodes.label or (meaning.nodes.bare and (negated or _guessed(item))):
                return  # "The 2022 absences" are no 2022 absences in all.
            both = None if negated else merged(nodes, meaning.nodes)
            if negated:
                yield replace(nodes, without=(*nodes.without, meaning.nodes)), item.features
            elif both is not None:
                yield both, item.features
        elif isinstance(meaning, ConditionNoun):
            for each in noun_condition(head, replace(_IN, negated=negated), item, self._grammar):
                noun = each.meaning
                if isinstance(noun, Noun) and noun.nodes.label == nodes.label and noun.nodes != nodes:
                    yield noun.nodes, tuple(f for f in each.features if f[0] not in _OF_WORD_ORDER)

    def _at(self, side: Nodes, item: AnyItem, time: ConditionNoun, negated: bool) -> Iterator[Narrowed]:
        """The facts of a time: by their own date, or by that of what they refer to."""
        for path, choice, features, said in self._times.dates(side.label, item):
            given = replace(item, meaning=replace(time, choices=(choice,)), features=(), cost=0.0)
            for nodes, against in self._own(at_end(side, path), given, negated):
                yield with_end(side, path, nodes), (*against, *features), said

    def _labels(self, item: AnyItem) -> list[str]:
        """The labels that a part may be said of."""
        meaning = item.meaning
        if isinstance(meaning, Noun):
            return [meaning.nodes.label]
        if isinstance(meaning, ConditionNoun) and meaning.choices:
            return list(dict.fromkeys(c.label for c in meaning.choices if not c.of_relation))[:_LABELS]
        return []

    def way_features(self, path: Path, start: str) -> tuple[Feature, ...]:
        """What speaks against a path from the facts."""
        others = len(self.paths(start, path[-1].target)) > 1 if path else False
        steps = ("linked value", STEP * len(path))
        return (steps, ("rivals", _SEVERAL)) if others and path != self.paths(start, path[-1].target)[0] else (steps,)

    def paths(self, start: str, end: str) -> list[Path]:
        """The shortest paths from facts to what they refer to, each step to one node; those that are called as their
        end is first."""
        if (start, end) not in self._paths:
            self._paths[start, end] = self._found(start, end)
        return self._paths[start, end]

    def _to_one(self, label: str, step: Step) -> bool:
        """Whether a node refers to one other, as far as numbers tell: no more relationships than nodes. Against its
        direction a relation must also have several for one of the others: the employees of each department."""
        labels = self._grammar.words.schema.labels
        if step.forward:
            return self._numbers.get((step.relation, label, step.target), 0) <= labels.get(label, 0)
        number = self._numbers.get((step.relation, step.target, label), 0)
        return labels.get(step.target, 0) < number <= labels.get(label, 0)

    def _found(self, start: str, end: str) -> list[Path]:
        waiting: list[Path] = [()]
        for _ in range(_MOST_STEPS):
            longer: list[Path] = []
            for path in waiting:
                label = path[-1].target if path else start
                passed = {start, *(step.target for step in path)}
                for step in self._grammar.joins.from_label(label):
                    if step.target not in passed and self._to_one(label, step):
                        longer.append((*path, step))
            reached = [path for path in longer if path[-1].target == end]
            if reached:
                return sorted(reached, key=lambda path: [end.lower() not in s.relation.lower() for s in path])
            waiting = longer
        return []


def _far(side: int, item: AnyItem) -> tuple[Feature, ...]:
    return (("property", _FAR_DATE),) if side and time_of(item.meaning) is not None else ()


def _guessed(item: AnyItem) -> bool:
    return any(name == "guess" for name, _ in item.features)


def at_end(side: Nodes, path: Path) -> Nodes:
    """What facts refer to, as far as it is narrowed; the facts themselves at the end of no path."""
    if not path:
        return side
    return next((link.other for link in side.links if link.path == path and link.positive), Nodes(path[-1].target))


def split(facts: Nodes, path: Path) -> tuple[Nodes, Nodes]:
    """What facts refer to by a path, as far as it is narrowed, and the facts without that."""
    end, kept = at_end(facts, path), list[Link]()
    for link in facts.links:
        if not (link.positive and link.path[: len(path)] == path):
            kept.append(link)
        elif len(link.path) > len(path):
            end = end.linked(replace(link, path=link.path[len(path) :]))
    return end, replace(facts, links=tuple(kept))


def with_end(side: Nodes, path: Path, nodes: Nodes) -> Nodes:
    """Facts that refer to these nodes; the nodes themselves at the end of no path."""
    if not path:
        return nodes
    links = tuple(link for link in side.links if not (link.path == path and link.positive))
    return replace(side, links=(*links, Link(path, nodes)))
